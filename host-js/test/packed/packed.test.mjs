/** The tarball, installed into empty projects of each kind: what a user gets has to work there. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL("../..", import.meta.url));
const root = mkdtempSync(join(tmpdir(), "portcullis-packed-"));
const manifest = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));
let tarball;
let packed;

const COMMAND = "git status && npm test";
const SCRIPT = `
const policy = await createPolicy({ deny: ["npm:*"] });
const verdict = policy.evaluate(${JSON.stringify(COMMAND)}, { git: "trusted", canApplyConditions: true });
console.log(verdict.decision, verdict.commands.length, verdict.commands.map(({ span }) => span.join("-")).join(","));
`;
const SAID = "deny 2 0-10,14-22";

function run(command, args, cwd) {
  const done = spawnSync(command, args, { cwd, encoding: "utf8", timeout: 240_000 });
  assert.equal(done.status, 0, `${command} ${args.join(" ")}\n${done.stdout}\n${done.stderr}`);
  return done.stdout.trim();
}

/** An empty project with the tarball, and development packages that are here already (nothing is fetched). */
function project(name, files, { type = "module", tools = [] } = {}) {
  const folder = join(root, name);
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name, private: true, type }));
  run("npm", ["install", "--offline", "--no-audit", "--no-fund", "--ignore-scripts", tarball], folder);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return { folder, tool: (tool) => (assert.ok(tools.includes(tool)), join(here, "node_modules", tool)) };
}

before(() => {
  packed = JSON.parse(run("npm", ["pack", "--json", "--pack-destination", root], here));
  packed = Array.isArray(packed) ? packed[0] : Object.values(packed)[0];
  tarball = join(root, packed.filename);
});
after(() => rmSync(root, { recursive: true, force: true }));

test("the tarball holds what the exports name, and no more than one module", () => {
  const files = packed.files.map(({ path }) => path);
  const named = JSON.stringify(manifest.exports).match(/\.\/dist\/[\w./-]+|\.\/package\.json/g).map((path) => path.slice(2));
  for (const path of new Set(named)) assert.ok(files.includes(path), `${path} is exported and not packed`);
  assert.deepEqual(files.filter((path) => path.endsWith(".wasm")), ["dist/core.wasm"]);
  assert.deepEqual(files.filter((path) => !path.startsWith("dist/")).sort(), ["README.md", "package.json"]);
  assert.equal(manifest.dependencies, undefined);
  assert.equal(manifest.scripts.postinstall ?? manifest.scripts.install, undefined);
});

test("publint finds nothing wrong", async () => {
  const { publint } = await import("publint");
  const { formatMessage } = await import("publint/utils");
  const { messages } = await publint({ pkgDir: here, level: "warning", pack: "npm" });
  assert.deepEqual(messages.map((message) => formatMessage(message, manifest)), []);
});

test("Node, ESM", () => {
  const { folder } = project("esm", { "main.js": `import { createPolicy } from "portcullis";${SCRIPT}` });
  assert.equal(run(process.execPath, ["main.js"], folder), SAID);
});

test("Node, without waiting", () => {
  const { folder } = project("sync", {
    "main.js": `import { createPolicySync } from "portcullis"; const createPolicy = createPolicySync;${SCRIPT}`,
    "main.cjs": `const { createPolicySync: createPolicy } = require("portcullis");(async () => {${SCRIPT}})();`,
  });
  assert.equal(run(process.execPath, ["main.js"], folder), SAID);
  assert.equal(run(process.execPath, ["main.cjs"], folder), SAID);
});

test("the registry is found and read", () => {
  const script = `const policy = await createPolicy(); const before = policy.evaluate("supabase db push").decision;
policy.useRegistry(await loadRegistry()); policy.update({ ask: ["ls"] });
console.log(before, policy.evaluate("supabase db push").decision, policy.suggest("supabase db push --linked").map(({ rule }) => rule).join());
try { policy.useRegistry(new Uint8Array(4)); } catch (error) { console.log(error.code); }`;
  const { folder } = project("registry", {
    "main.js": `import { createPolicy } from "portcullis"; import { loadRegistry } from "portcullis/registry";${script}`,
    "main.cjs": `const { createPolicy } = require("portcullis"); const { loadRegistry } = require("portcullis/registry");(async () => {${script}})();`,
  });
  for (const main of ["main.js", "main.cjs"]) {
    assert.equal(run(process.execPath, [main], folder), "ask ask supabase db push:*\nconfig.invalid");
  }
});

test("the README's first lines say what they promise", () => {
  const first = /```js\n([\s\S]*?)```/.exec(readFileSync(join(here, "README.md"), "utf8"))[1];
  const { folder } = project("readme", { "first.mjs": first }, { type: "commonjs" });
  assert.match(run(process.execPath, ["first.mjs"], folder), /^allow /);
});

test("Node, CommonJS", () => {
  const { folder } = project("cjs", { "main.js": `const { createPolicy } = require("portcullis");(async () => {${SCRIPT}})();` }, { type: "commonjs" });
  assert.equal(run(process.execPath, ["main.js"], folder), SAID);
});

test("inline, in both", () => {
  const { folder } = project("inline", {
    "main.js": `import { createPolicy } from "portcullis/inline";${SCRIPT}`,
    "main.cjs": `const { createPolicy } = require("portcullis/inline");(async () => {${SCRIPT}})();`,
  });
  assert.equal(run(process.execPath, ["main.js"], folder), SAID);
  assert.equal(run(process.execPath, ["main.cjs"], folder), SAID);
});

test("bytes, as an edge worker would give them", () => {
  const { folder } = project("bytes", {
    "main.js": `import { readFileSync } from "node:fs"; import { createRequire } from "node:module";
import { createPolicy, createPolicySync, initSync } from "portcullis/web";
let early; try { createPolicySync(); } catch (error) { early = error.code; }
if (early !== "module.missing") throw new Error(early);
initSync(new WebAssembly.Module(readFileSync(createRequire(import.meta.url).resolve("portcullis/core.wasm"))));${SCRIPT}`,
  });
  assert.equal(run(process.execPath, ["main.js"], folder), SAID);
});

test("an edge worker's entry imports compiled code", () => {
  const { folder } = project("workerd", {});
  const text = readFileSync(join(folder, "node_modules/portcullis/dist/workerd.js"), "utf8");
  assert.match(text, /import \w+ from "\.\/core\.wasm"/);
  assert.doesNotMatch(text, /(from|require\()\s*"node:/);
});

test("TypeScript, with each module resolution", () => {
  const source = `import { createPolicy, type Verdict } from "portcullis";
import { permissionHandler } from "portcullis/adapters";
import * as inline from "portcullis/inline";
export async function judge(command: string): Promise<Verdict> {
  const policy = await createPolicy({ allow: ["npm test:*"] });
  void permissionHandler({ policy });
  void inline.createPolicy;
  return policy.evaluate(command, { mode: "edit" });
}
`;
  const { folder, tool } = project("typescript", { "main.ts": source, "main.cts": source }, { tools: ["typescript"] });
  for (const [module, resolution] of [["NodeNext", "NodeNext"], ["ESNext", "Bundler"]]) {
    const options = { compilerOptions: { module, moduleResolution: resolution, target: "ES2022", lib: ["ES2022", "DOM", "ESNext.Disposable"], strict: true, noEmit: true, types: [] }, files: module === "NodeNext" ? ["main.ts", "main.cts"] : ["main.ts"] };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(options));
    run(process.execPath, [join(tool("typescript"), "bin/tsc"), "-p", "."], folder);
  }
});

test("Vite bundles it and serves the module as a file", () => {
  const { folder, tool } = project(
    "vite",
    {
      "index.html": `<!doctype html><script type="module" src="./main.js"></script>`,
      "main.js": `import { createPolicy } from "portcullis"; import "portcullis/element";\n${SCRIPT}`,
    },
    { tools: ["vite"] },
  );
  run(process.execPath, [join(tool("vite"), "bin/vite.js"), "build", "--logLevel", "warn"], folder);
  const assets = run("ls", ["dist/assets"], folder).split("\n");
  assert.equal(assets.filter((name) => name.endsWith(".wasm")).length, 1);
  const script = readFileSync(join(folder, "dist/assets", assets.find((name) => name.endsWith(".js"))), "utf8");
  assert.doesNotMatch(script, /base64,AGFzbQ/);
});

test("esbuild bundles the inline entry into one file that works", () => {
  const { folder, tool } = project("esbuild", { "main.js": `import { createPolicy } from "portcullis/inline";${SCRIPT}` }, { tools: ["esbuild"] });
  run(join(tool("esbuild"), "bin/esbuild"), ["main.js", "--bundle", "--format=esm", "--outfile=out.mjs"], folder);
  assert.equal(run(process.execPath, ["out.mjs"], folder), SAID);
});
