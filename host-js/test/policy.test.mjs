/** The public interface over the real module, in Node. */
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";
import { createPolicy, createPolicySync, init, initSync, isReady, Policy, PolicyError } from "../dist/node.js";

const facts = { cwd: "/w/app", workspace: "/w/app", home: "/home/u", git: "trusted" };

test("a command that only reads is allowed, and says why", async () => {
  const policy = await createPolicy();
  const verdict = policy.evaluate("ls -la | head -3", facts);
  assert.equal(verdict.decision, "allow");
  assert.equal(verdict.reason.code, "read-only");
  assert.equal(verdict.capability.readOnly, true);
  assert.deepEqual(verdict.commands.map(({ argv, decision }) => [argv, decision]), [
    [["ls", "-la"], "allow"],
    [["head", "-3"], "allow"],
  ]);
});

test("rules at the top are the user's rules", async () => {
  const policy = await createPolicy({ allow: ["npm test:*"], deny: ["git push:*"] });
  assert.equal(policy.evaluate("cd app && npm test", facts).decision, "allow");
  assert.equal(policy.evaluate("npm tests", facts).decision, "ask");
  const denied = policy.evaluate("ls; git push origin main", facts);
  assert.equal(denied.decision, "deny");
  assert.equal(denied.reason.rule, "git push:*");
  assert.throws(() => new Policy({ allow: ["a"], user: {} }), { code: "config.invalid", path: "user" });
});

test("layers, settings and a context of one request", async () => {
  const policy = await createPolicy({ managed: { deny: ["curl:*"] }, settings: { mode: "plan" } });
  assert.equal(policy.evaluate("touch x", facts).decision, "deny");
  assert.equal(policy.evaluate("touch x", { ...facts, mode: "edit" }).decision, "allow");
  assert.equal(policy.evaluate("curl x", { ...facts, mode: "yolo", allow: ["curl:*"] }).decision, "deny");
});

test("spans are UTF-16 offsets", async () => {
  const policy = await createPolicy();
  const command = "echo '😀 é' && touch '日本'";
  const { commands } = policy.evaluate(command, facts);
  assert.deepEqual(commands.map(({ span }) => command.slice(...span)), ["echo '😀 é'", "touch '日本'"]);
  const { spans } = policy.explain(command, facts);
  assert.ok(spans.some(({ span }) => command.slice(...span) === "touch '日本'"));
  const { invocations } = policy.parse(command, facts);
  assert.equal(command.slice(...invocations[1].argv[1].span), "'日本'");
});

test("spans fit on several lines, for reasons, faults, hazards and explanations", async () => {
  const policy = await createPolicy();
  const command = "echo 'é😀'\ncat €.txt | rm -f '日本' && v=é ls\ncat <<E\n😀 $(touch é)\nE\n";
  const cut = ({ span }) => command.slice(...span);
  const verdict = policy.evaluate(command, facts);
  assert.equal(cut(verdict.reason), "rm -f '日本'");
  assert.deepEqual(verdict.commands.map(cut), ["echo 'é😀'", "cat €.txt", "rm -f '日本'", "v=é ls", "cat <<E", "touch é"]);
  assert.ok(verdict.commands.every(({ reason }) => cut(reason) !== "" && !cut(reason).includes("\ufffd")));
  assert.ok(policy.explain(command, facts).spans.some((part) => cut(part) === "touch é"));

  const faulty = "echo '😀é'\nfi";
  assert.equal(faulty.slice(...policy.parse(faulty, facts).fault.span), "f");
  const hazardous = "echo '😀'\necho \u202eé";
  assert.deepEqual(policy.parse(hazardous, facts).hazards.map(({ span }) => hazardous.slice(...span)), ["\u202e"]);
});

test("a wrapped command has the span of its own words", async () => {
  const policy = await createPolicy();
  for (const command of ["find . -print0 | xargs -0 rm -f", "timeout 5 rm -f", "sudo env A=1 rm -f"]) {
    const { span, text } = policy.evaluate(command, facts).commands.at(-1);
    assert.equal(text, "rm -f", command);
    assert.equal(command.slice(...span), "rm -f", command);
  }
});

test("unpaired surrogates are judged as what would be written", async () => {
  const policy = await createPolicy();
  assert.equal(policy.evaluate("echo \ud800 x", facts).commands.length, 1);
});

test("a suggestion, stored, allows the command", async () => {
  const policy = await createPolicy();
  const command = "npm run build && cargo test";
  const suggestions = policy.suggest(command, facts);
  assert.ok(suggestions.length > 0);
  policy.update({ allow: suggestions.map(({ rule }) => rule) });
  assert.equal(policy.evaluate(command, facts).decision, "allow");
});

test("update replaces the keys given and keeps the others", async () => {
  const policy = await createPolicy({ allow: ["npm test"], deny: ["rm:*"] });
  policy.update({ allow: ["npm run build"] });
  assert.equal(policy.evaluate("npm test", facts).decision, "ask");
  assert.equal(policy.evaluate("npm run build", facts).decision, "allow");
  assert.equal(policy.evaluate("rm x", facts).decision, "deny");
});

test("a wrong rule is refused with its place, and the policy stays as it was", async () => {
  const policy = await createPolicy({ deny: ["rm:*"] });
  const fault = (() => {
    try {
      policy.update({ deny: ["git push:*", "Bash(ls"] });
    } catch (error) {
      return error;
    }
  })();
  assert.ok(fault instanceof PolicyError);
  assert.equal(fault.name, "PolicyError");
  assert.equal(fault.code, "rule.invalid");
  assert.equal(fault.path, "deny[1]");
  assert.equal(typeof fault.position.offset, "number");
  assert.equal(policy.evaluate("rm x", facts).decision, "deny");
  assert.equal(policy.evaluate("git push", facts).decision, "ask");
  await assert.rejects(createPolicy({ deny: ["Bash(ls"] }), { code: "rule.invalid", path: "deny[0]" });
  await assert.rejects(createPolicy({ user: { deny: ["Bash(ls"] } }), { path: "user.deny[0]" });
});

test("an unknown key is refused by name", async () => {
  const policy = await createPolicy();
  assert.throws(() => policy.evaluate("ls", { workspaces: [] }), { code: "request.invalid", message: /workspaces/ });
  await assert.rejects(createPolicy({ alow: [] }), { code: "config.invalid", message: /alow/ });
  await assert.rejects(createPolicy({ allow: [() => 1] }), { code: "config.invalid" });
  assert.throws(() => policy.evaluate(undefined), { code: "request.invalid", path: "command" });
});

test("prompt rules are questions, and answers decide", async () => {
  const policy = await createPolicy({ deny: ["prompt: deletes data"] });
  const [question] = policy.evaluate("psql -c x", facts).questions;
  assert.equal(question.prompt, "deletes data");
  policy.answer({ [question.id]: true });
  assert.equal(policy.evaluate("psql -c x", facts).decision, "deny");
  policy.answer({ [question.id]: false });
  assert.equal(policy.evaluate("psql -c x", facts).decision, "ask");
  assert.throws(() => policy.answer({ [question.id]: "yes" }), { code: "request.invalid" });

  const asked = [];
  const fresh = await createPolicy({ deny: ["prompt: deletes data"] });
  const verdict = await fresh.resolve("psql -c x", facts, async ({ prompt }, command) => asked.push([prompt, command]) > 0);
  assert.equal(verdict.decision, "deny");
  assert.deepEqual(asked, [["deletes data", "psql -c x"]]);
});

test("answers do not grow without bound", async () => {
  const policy = await createPolicy({ deny: ["prompt: deletes data"] });
  const [question] = policy.evaluate("psql -c x", facts).questions;
  policy.answer({ [question.id]: true });
  policy.answer(Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`other-${index}`, true])));
  assert.equal(policy.evaluate("psql -c x", facts).questions.length, 1);
});

test("a disposed policy refuses to work, and others go on", async () => {
  const one = await createPolicy();
  const other = createPolicySync({ deny: ["ls"] });
  one[Symbol.dispose]();
  one.dispose();
  assert.throws(() => one.evaluate("ls"), { code: "policy.disposed" });
  assert.equal(other.evaluate("ls", facts).decision, "deny");
});

test("loading again does nothing", async () => {
  assert.equal(isReady(), true);
  await init();
  await init(new Uint8Array([1, 2, 3]));
  initSync(new Uint8Array([1, 2, 3]));
  assert.equal((await createPolicy()).evaluate("ls", facts).decision, "allow");
});

test("a text that is still being written is incomplete", async () => {
  const policy = await createPolicy();
  const { parse, decision } = policy.evaluate("echo 'abc", facts);
  assert.equal(parse.incomplete, true);
  assert.equal(decision, "ask");
  assert.equal(policy.evaluate("echo 'abc'", facts).parse.incomplete, undefined);
});

test("the tool is described for a model", async () => {
  const policy = await createPolicy();
  assert.match(policy.describeTool({ grep: "Search" }), /Use Search to search in files/);
  assert.throws(() => policy.describeTool({ gerp: "Search" }), { code: "request.invalid" });
});

test("CommonJS and the inline entries say the same", async () => {
  const require = createRequire(import.meta.url);
  const expected = (await createPolicy()).evaluate("git status && npm test", facts);
  for (const entry of [require("../dist/node.cjs"), require("../dist/inline.cjs"), await import("../dist/inline.js")]) {
    const policy = await entry.createPolicy();
    assert.deepEqual(policy.evaluate("git status && npm test", facts), expected);
  }
});
