/** The same verdicts, byte for byte, in Node, in Chromium and from the native program, over every corpus. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { after, before, test } from "node:test";
import { createPolicy } from "../../dist/node.js";
import { loadRegistry } from "../../dist/registry-node.js";
import { load } from "../corpus.mjs";
import { here, launch, serve } from "./harness.mjs";

const requests = load().map(({ request }) => request);
let inNode;
let browser;
let server;

before(async () => {
  const policy = await createPolicy();
  // The program has the registry built in, and it makes suggestions finer.
  policy.useRegistry(await loadRegistry());
  inNode = requests.map(({ command, ...context }) => JSON.stringify(policy.evaluate(command, context)));
  browser = await launch();
  server = await serve(here("dist"), { "/": "<!doctype html><link rel=\"icon\" href=\"data:,\"><title>differential</title>" });
});
after(async () => {
  await browser?.close();
  await server?.close();
});

function compare(other, name) {
  const different = requests.flatMap((request, index) => (other[index] === inNode[index] ? [] : [{ request, node: inNode[index], [name]: other[index] }]));
  assert.equal(different.length, 0, `${different.length} of ${requests.length} differ, the first: ${JSON.stringify(different[0], null, 1)}`);
}

test("Chromium says what Node says", async () => {
  const { page, trouble } = await browser.page();
  await page.goto(server.url);
  const inBrowser = await page.evaluate(async (requests) => {
    const { createPolicy } = await import("/web.js");
    const { loadRegistry } = await import("/registry.js");
    const policy = await createPolicy();
    policy.useRegistry(await loadRegistry());
    return requests.map(({ command, ...context }) => JSON.stringify(policy.evaluate(command, context)));
  }, requests);
  compare(inBrowser, "browser");
  assert.deepEqual(trouble, []);
});

test("a server that does not know the type of the module is no reason to fail", async () => {
  const careless = await serve(here("dist"), { "/": "<!doctype html><title>careless</title>" }, { wasmType: "application/octet-stream" });
  const { page } = await browser.page();
  await page.goto(careless.url);
  const said = await page.evaluate(async () => {
    const { createPolicy } = await import("/web.js");
    return (await createPolicy()).evaluate("ls").decision;
  });
  assert.equal(said, "allow");
  const missing = await page.evaluate(async () => {
    const { init } = await import("/web.js?again");
    return init("/nothing.wasm").catch((error) => [error.name, error.code]);
  });
  assert.deepEqual(missing, ["PolicyError", "module.load"]);
  await careless.close();
});

test("the native program says what Node says", () => {
  const program = [process.env.PORTCULLIS, here("../target/release/portcullis"), here("../target/debug/portcullis")].find((path) => path && existsSync(path));
  assert.ok(program, "target/release/portcullis is missing: run `./x build`");
  // What a request leaves out the program would gather from this machine; so every fact is given.
  const facts = { platform: "linux", shell: "bash", mode: "build", session: "main", unattended: false, canApplyConditions: false, askNetwork: false, allowSensitiveReads: false, sandbox: {}, git: "unknown" };
  const given = requests.filter(({ cwd, home, workspace }) => cwd && home && workspace);
  const input = given.map((request) => JSON.stringify({ ...facts, ...request })).join("\n");
  const done = spawnSync(program, ["check", "--batch", "--no-config", "--engine", "native"], { input: `${input}\n`, encoding: "utf8", maxBuffer: 1 << 28 });
  const native = done.stdout.trim().split("\n").map((line) => JSON.parse(line));
  assert.equal(native.length, given.length, done.stderr);
  const different = [];
  given.forEach((request, index) => {
    const node = inNode[requests.indexOf(request)];
    const there = JSON.stringify(inUtf16(native[index], request.command));
    if (there !== node) different.push({ request, node, native: there });
  });
  assert.equal(different.length, 0, `${different.length} of ${given.length} differ, the first: ${JSON.stringify(different[0], null, 1)}`);
});

/** The native program counts bytes of UTF-8; this package counts UTF-16 units. */
function inUtf16(verdict, command) {
  const bytes = Buffer.from(command, "utf8");
  const units = (offset) => bytes.subarray(0, offset).toString("utf8").length;
  return JSON.parse(JSON.stringify(verdict), (key, value) => (key === "span" ? value.map(units) : value));
}
