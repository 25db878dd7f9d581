/**
 * `npm test`: everything but the browser. Units and faults over the built package, types, the SDKs' types, and the packed
 * tarball in empty projects.
 *
 * `npm test -- unit|types|sdks|size|packed` runs one part.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { CAP, download, sizes } from "./build.mjs";

const here = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const tsc = here("node_modules/typescript/bin/tsc");
const files = (folder) => readdirSync(here(folder)).filter((name) => name.endsWith(".test.mjs")).map((name) => here(`${folder}/${name}`));

const PARTS = {
  unit: () => node("--test", ...files("test")),
  types: () => node(tsc, "-p", here("tsconfig.json"), "--noEmit") && node(tsc, "-p", here("playground/tsconfig.json")) && node(tsc, "-p", here("test/types/tsconfig.json")),
  sdks: () => {
    const folder = here("test/sdk-types");
    const there = existsSync(`${folder}/node_modules/.package-lock.json`) && existsSync(`${folder}/copilot/node_modules/.package-lock.json`);
    const install = () => run("npm", ["ci"], folder) && run("npm", ["install"], `${folder}/copilot`);
    return (there || install()) && node(tsc, "-p", `${folder}/tsconfig.json`);
  },
  size: () => {
    const rows = sizes();
    const bytes = download(rows);
    console.log(rows.map(({ file, brotli }) => `${file} ${brotli}`).join(", "));
    if (bytes > CAP) console.error(`module and glue are ${bytes} bytes of brotli, ${bytes - CAP} over the cap of ${CAP}`);
    return bytes <= CAP;
  },
  packed: () => node("--test", ...files("test/packed")),
};

function run(command, args, cwd = here(".")) {
  return spawnSync(command, args, { cwd, stdio: "inherit", shell: process.platform === "win32" }).status === 0;
}

function node(...args) {
  return run(process.execPath, args);
}

if (!existsSync(here("dist/core.wasm"))) {
  console.error("host-js/dist is missing: run `npm run build` first (and `./x wasm` before it)");
  process.exit(1);
}
const chosen = process.argv.slice(2);
for (const name of chosen) if (!(name in PARTS)) throw new Error(`no part \`${name}\`: ${Object.keys(PARTS).join(", ")}`);
let failed = 0;
for (const [name, part] of Object.entries(PARTS)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  console.log(`== ${name}`);
  if (!part()) {
    console.error(`== ${name} failed`);
    failed += 1;
  }
}
process.exitCode = failed === 0 ? 0 : 1;
