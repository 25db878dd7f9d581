/** A module that breaks on purpose (`./x wasm --fault-injection`): the host answers carefully and goes on. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { bundle } from "../scripts/build.mjs";

const target = fileURLToPath(new URL("../../target/portcullis-fault", import.meta.url));
const facts = { cwd: "/w/app", workspace: "/w/app", home: "/home/u", git: "trusted" };
let out;
let entry;

before(async () => {
  assert.ok(existsSync(target), "the faulty module is missing: run `cargo run -p xtask -- wasm --fault-injection`");
  out = await mkdtemp(join(tmpdir(), "portcullis-fault-"));
  await bundle({ target, out });
  entry = await import(pathToFileURL(join(out, "node.js")).href);
});
after(() => out && rm(out, { recursive: true, force: true }));

for (const kind of ["panic", "memory"]) {
  test(`after ${kind} the answer is ask and the next call works`, async () => {
    const policy = await entry.createPolicy({ deny: ["rm:*"] });
    const other = await entry.createPolicy({ allow: ["npm test"] });
    for (let round = 0; round < 3; round += 1) {
      const broken = policy.evaluate(`portcullis-fault ${kind}`, facts);
      assert.equal(broken.decision, "ask");
      assert.equal(broken.reason.code, "engine.fault");
      assert.deepEqual(broken.commands, []);
      assert.equal(policy.evaluate("ls", facts).decision, "allow");
      assert.equal(policy.evaluate("rm x", facts).decision, "deny", "the rules are there again");
      assert.equal(other.evaluate("npm test", facts).decision, "allow", "and those of the other policy");
    }
  });
}

test("where nobody could be asked a fault denies", async () => {
  const policy = await entry.createPolicy();
  for (const more of [{ unattended: true }, { mode: "dontAsk" }, { mode: "plan" }]) {
    assert.equal(policy.evaluate("portcullis-fault panic", { ...facts, ...more }).decision, "deny");
  }
  // No mode makes it an allow.
  assert.equal(policy.evaluate("portcullis-fault panic", { ...facts, mode: "yolo" }).decision, "ask");
  assert.equal(policy.evaluate("portcullis-fault panic", { ...facts, allow: ["*"] }).decision, "ask");
});

test("other methods throw a fault, and the next call works", async () => {
  const policy = await entry.createPolicy();
  for (const method of ["parse", "explain", "suggest"]) {
    assert.throws(() => policy[method]("portcullis-fault panic", facts), { name: "PolicyError", code: "engine.fault" });
    assert.equal(policy.evaluate("ls", facts).decision, "allow");
  }
});

test("answers survive a fault, a disposed policy stays disposed", async () => {
  const policy = await entry.createPolicy({ deny: ["prompt: deletes data"] });
  const [question] = policy.evaluate("psql -c x", facts).questions;
  policy.answer({ [question.id]: true });
  policy.evaluate("portcullis-fault panic", facts);
  assert.equal(policy.evaluate("psql -c x", facts).decision, "deny");
  const gone = await entry.createPolicy();
  policy.evaluate("portcullis-fault panic", facts);
  gone.dispose();
  assert.throws(() => gone.evaluate("ls"), { code: "policy.disposed" });
});
