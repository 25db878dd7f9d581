/**
 * `npm run build`: target/portcullis (made by `./x wasm`) and src → dist.
 *
 * One bundle an entry, so that nothing but the module is loaded beside it; declarations come from tsc.
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { build } from "esbuild";

/**
 * Largest download of module and glue, in bytes of brotli: 371,000 when this was written, and a little room for further specs. The
 * goal, 350 KB, is not reached. Where the bytes are: code 219,000 (of that tree-sitter's runtime and scanner 22,000, JSON and
 * serde 6,000, the rest ours and what the compiler makes of generics), the second reader's grammar 65,000 (packed; 122,000
 * as tables), the specs with the index of names 52,000, messages and small tables 29,000, glue 3,600.
 */
export const CAP = 374_000;

const here = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const dist = here("dist");

/** Bundles the entries against the module in `target`, into `out`. */
export async function bundle({ target = here("../target/portcullis"), out = dist } = {}) {
  const wasm = `${target}/portcullis.wasm`;
  const glue = `${target}/web/portcullis.js`;
  if (!existsSync(wasm) || !existsSync(glue)) {
    throw new Error(`${wasm} is missing: run \`./x wasm\` first`);
  }
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  copyFileSync(wasm, `${out}/core.wasm`);
  copyFileSync(here("../policy-core/registry/registry.bin"), `${out}/registry.bin`);

  const assets = {
    name: "assets",
    setup(build) {
      build.onResolve({ filter: /^#glue$/ }, () => ({ path: glue }));
      // Left for the edge runtime's own bundler, which turns it into compiled code.
      build.onResolve({ filter: /^#core\.wasm$/ }, () => ({ path: "./core.wasm", external: true }));
      build.onResolve({ filter: /^#core\.wasm\.base64$/ }, (args) => ({ path: args.path, namespace: "base64" }));
      build.onLoad({ filter: /.*/, namespace: "base64" }, () => ({
        contents: `export default ${JSON.stringify(readFileSync(wasm).toString("base64"))};`,
      }));
    },
  };
  const common = { bundle: true, target: "es2022", plugins: [assets], logLevel: "warning", legalComments: "none", charset: "utf8" };
  const esm = (name, platform, more = {}) =>
    build({ ...common, entryPoints: [here(`src/${name}.ts`)], outfile: `${out}/${name}.js`, format: "esm", platform, sourcemap: true, ...more });
  const cjs = (source, name) =>
    build({ ...common, entryPoints: [here(`src/${source}.ts`)], outfile: `${out}/${name}.cjs`, format: "cjs", platform: "node" });
  await Promise.all([
    esm("node", "node"),
    esm("web", "browser", { minify: true }),
    esm("inline", "neutral", { sourcemap: false }),
    esm("workerd", "neutral"),
    esm("adapters", "neutral"),
    esm("element", "browser"),
    esm("registry", "browser"),
    esm("registry-node", "node"),
    cjs("node-cjs", "node"),
    cjs("inline", "inline"),
    cjs("adapters", "adapters"),
    cjs("registry-cjs", "registry"),
  ]);
}

/** Writes the declarations, for ESM and, in a folder where the same text counts as CommonJS, for `require`. */
function declarations() {
  const tsc = (...more) =>
    execFileSync(process.execPath, [here("node_modules/typescript/bin/tsc"), "-p", here("tsconfig.json"), ...more], { stdio: "inherit" });
  tsc();
  tsc("--outDir", `${dist}/cjs`);
  writeFileSync(`${dist}/cjs/package.json`, `{ "type": "commonjs" }\n`);
  for (const name of ["index", "adapters", "registry"]) writeFileSync(`${dist}/${name}.d.cts`, `export * from "./cjs/${name}.js";\n`);
}

/** What a web page downloads: module and glue, compressed. */
export function sizes(out = dist) {
  const brotli = (bytes) =>
    brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }).length;
  const files = ["core.wasm", "web.js", "registry.bin", "element.js"];
  return files.map((file) => {
    const bytes = readFileSync(`${out}/${file}`);
    return { file, raw: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length, brotli: brotli(bytes) };
  });
}

/** Bytes that a page fetches before it can judge. */
export function download(rows) {
  return rows.filter(({ file }) => file === "core.wasm" || file === "web.js").reduce((sum, { brotli }) => sum + brotli, 0);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await bundle();
  declarations();
  const rows = sizes();
  for (const row of rows) {
    console.log(`${row.file.padEnd(14)} ${String(row.raw).padStart(9)} raw ${String(row.gzip).padStart(9)} gzip ${String(row.brotli).padStart(9)} brotli`);
  }
  console.log(`a web page downloads ${download(rows)} bytes (cap ${CAP}, held by \`npm test -- size\`)`);
}
