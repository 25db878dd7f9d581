/** The permission handlers over the real policy: what each SDK would be told. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createPolicy } from "../dist/node.js";
import {
  aiApproval,
  aiNeedsApproval,
  aiToolApproval,
  claudeCanUseTool,
  claudePreToolUse,
  copilotPermissions,
  guardShell,
  opencodeHooks,
  permissionHandler,
} from "../dist/adapters.js";

const context = { cwd: "/w/app", workspace: "/w/app", home: "/home/u", git: "trusted" };
const policy = await createPolicy({ allow: ["npm test:*"], deny: ["git push:*"] });
const options = { policy, context };
const signal = new AbortController().signal;

test("a shell call is judged, another tool asks", async () => {
  const handle = permissionHandler(options);
  assert.equal((await handle("Bash", { command: "ls" })).decision, "allow");
  assert.equal((await handle("Bash", { command: "make" })).decision, "ask");
  assert.equal((await handle("run_shell_command", { command: "git push" })).decision, "deny");
  assert.equal((await handle("Write", { path: "x" })).decision, "ask");
  assert.equal((await permissionHandler({ ...options, otherTools: "allow" })("Write", {})).decision, "allow");
});

test("a call that cannot be read asks", async () => {
  const handle = permissionHandler(options);
  for (const input of [undefined, null, 7, {}, { command: 7 }, { command: [] }, { command: ["ls", 7] }]) {
    assert.equal((await handle("Bash", input)).decision, "ask", JSON.stringify(input));
  }
});

test("words stay words", async () => {
  const handle = permissionHandler(options);
  assert.equal((await handle("shell", { command: ["echo", "a; rm -rf x"] })).decision, "allow");
  assert.equal((await handle("shell", { command: ["bash", "-lc", "ls; git push"] })).decision, "deny");
  assert.equal((await handle("shell", { command: ["echo", "it's"] })).command, `echo 'it'\\''s'`);
});

test("what a call sets beside its command counts", async () => {
  const handle = permissionHandler({ ...options, context: { ...context, mode: "edit" } });
  assert.equal((await handle("Bash", { command: "touch x" })).decision, "allow");
  assert.equal((await handle("Bash", { command: "touch x", workdir: "/etc" })).decision, "ask");
  assert.equal((await handle("Bash", { command: "ls", env: { LD_PRELOAD: "x" } })).decision, "ask");
  const boxed = permissionHandler({ ...options, context: { ...context, sandbox: { available: true, enabled: true, autoAllow: true } } });
  assert.equal((await boxed("Bash", { command: "make" })).decision, "allow");
  assert.equal((await boxed("Bash", { command: "make", dangerouslyDisableSandbox: true })).decision, "ask");
});

test("prompt rules go to the classifier", async () => {
  const own = await createPolicy({ deny: ["prompt: deletes data"] });
  const handle = permissionHandler({ policy: own, context, classify: ({ prompt }) => prompt === "deletes data" });
  assert.equal((await handle("Bash", { command: "psql -c x" })).decision, "deny");
});

test("claude: canUseTool", async () => {
  const asked = [];
  const remembered = [];
  const decide = claudeCanUseTool({
    ...options,
    ask: (request) => (asked.push(request), "always"),
    remember: (rules) => void remembered.push(...rules),
  });
  const call = (command, more = {}) => decide("Bash", { command }, { signal, ...more });
  assert.deepEqual(await call("ls"), { behavior: "allow", updatedInput: { command: "ls" } });
  assert.equal(asked.length, 0);
  assert.deepEqual(await call("npm run build"), {
    behavior: "allow",
    updatedInput: { command: "npm run build" },
    updatedPermissions: [
      { type: "addRules", rules: [{ toolName: "Bash", ruleContent: "npm run build:*" }], behavior: "allow", destination: "session" },
    ],
  });
  assert.deepEqual(remembered, ["npm run build:*"]);
  assert.equal(asked[0].command, "npm run build");
  assert.deepEqual(await call("npm run build", { suppressAlwaysAllowRule: true }), {
    behavior: "allow",
    updatedInput: { command: "npm run build" },
  });
  assert.equal((await call("git push")).behavior, "deny");
  assert.equal(asked.length, 2, "a denied command asks nobody");
  await call("ls", { matchedAskRule: {} });
  assert.equal(asked.length, 3, "a rule of the user that wants a person gets one");
  const silent = claudeCanUseTool(options);
  assert.match((await silent("Bash", { command: "make" }, { signal })).message, /needs a yes/);
});

test("claude: PreToolUse", async () => {
  const hook = claudePreToolUse({ policy, context: { workspace: "/w/app", home: "/home/u", git: "trusted" } });
  const input = (command, more = {}) => ({
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command },
    cwd: "/w/app",
    ...more,
  });
  const decision = async (...args) => (await hook(input(...args))).hookSpecificOutput?.permissionDecision;
  assert.equal(await decision("ls"), "allow");
  assert.equal(await decision("touch x"), "ask");
  assert.equal(await decision("touch x", { permission_mode: "acceptEdits" }), "allow");
  assert.equal(await decision("touch x", { permission_mode: "plan" }), "deny");
  assert.equal(await decision("git push"), "deny");
  assert.deepEqual(await hook(input("x", { tool_name: "Read" })), {});
  assert.deepEqual(await hook({ hook_event_name: "Stop" }), {});
  const broken = claudePreToolUse({ policy: { resolve: () => Promise.reject(new Error("gone")) } });
  assert.equal((await broken(input("ls"))).hookSpecificOutput.permissionDecision, "ask");
});

test("the AI SDK", async () => {
  const one = aiToolApproval(options);
  assert.equal((await one({ command: "ls" })).type, "approved");
  assert.equal((await one({ command: "make" })).type, "user-approval");
  assert.equal((await one({ command: "git push" })).type, "denied");
  const all = aiApproval(options);
  assert.equal((await all({ toolCall: { toolName: "bash", input: { command: "ls" } } })).type, "approved");
  assert.equal((await all({ toolCall: { toolName: "weather", input: {} } })).type, "user-approval");
  const yesNo = aiNeedsApproval(options);
  assert.equal(await yesNo({ command: "ls" }), false);
  assert.equal(await yesNo({ command: "make" }), true);
  await assert.rejects(yesNo({ command: "git push" }), /Refused by policy/);
});

test("OpenAI agents", async () => {
  const ran = [];
  const shell = { run: async (action) => (ran.push(...action.commands), { output: [] }) };
  const guarded = guardShell({ ...options, ask: () => "deny" }, shell);
  assert.equal(await guarded.needsApproval({}, { commands: ["ls", "pwd"] }), false);
  assert.equal(await guarded.needsApproval({}, { commands: ["ls", "make"] }), true);
  assert.equal(await guarded.needsApproval({}, { commands: ["cd x", "git status"] }), true, "one shell or several: both readings count");
  await guarded.shell.run({ commands: ["ls"] });
  const { output } = await guarded.shell.run({ commands: ["ls", "git push"] });
  assert.deepEqual(ran, ["ls"]);
  assert.deepEqual(output.map(({ outcome }) => outcome.exitCode), [126, 126]);
  assert.equal((await guarded.onApproval({}, { rawItem: { action: { commands: ["make"] } } })).approve, false);
  assert.equal((await guarded.onApproval({}, { rawItem: {} })).approve, false);
  assert.equal(guardShell(options, shell).onApproval, undefined);
});

test("Copilot", async () => {
  const handle = copilotPermissions(options);
  const shell = (fullCommandText, more = {}) => ({ kind: "shell", fullCommandText, ...more });
  assert.deepEqual(await handle(shell("ls")), { kind: "approve-once" });
  assert.equal((await handle(shell("git push"))).kind, "reject");
  assert.equal((await handle(shell("make"))).kind, "user-not-available");
  assert.equal((await handle(shell("ls", { requestSandboxBypass: true }))).kind, "user-not-available");
  assert.equal((await handle({ kind: "write" })).kind, "no-result");
  const asking = copilotPermissions({ ...options, ask: () => "allow" });
  assert.deepEqual(await asking(shell("make")), { kind: "approve-once", approvedInteractively: true });
});

test("OpenCode", async () => {
  const before = opencodeHooks(options)["tool.execute.before"];
  await before({ tool: "bash" }, { args: { command: "ls" } });
  await before({ tool: "read" }, { args: {} });
  await assert.rejects(before({ tool: "bash" }, { args: { command: "git push" } }), /Refused by policy/);
  await assert.rejects(before({ tool: "bash" }, { args: { command: "make" } }), /needs a yes/);
  await opencodeHooks({ ...options, leaveAsk: true })["tool.execute.before"]({ tool: "bash" }, { args: { command: "make" } });
});
