/** What a host writes has to compile, and what it must not write has to fail. Without `skipLibCheck`. */
import { createPolicy, createPolicySync, init, initSync, Policy, PolicyError, type Code, type Verdict } from "portcullis";
import { permissionHandler } from "portcullis/adapters";
import type { PortcullisVerdict } from "portcullis/element";

await init();
await init(new URL("https://example.com/core.wasm"));
initSync(new Uint8Array());
const policy: Policy = await createPolicy({ allow: ["npm test:*", { rule: "ls", justification: "x" }], settings: { mode: "edit" } });
const verdict: Verdict = policy.evaluate("ls", { cwd: "/w", workspace: "/w", git: { state: "trusted", executingKeys: ["core.pager"] } });
const [start, end]: [number, number] = verdict.reason.span;
const code: Code = verdict.reason.code;
if (code === "rule.none" && verdict.commands[0]?.argv[0] === null) console.log(start, end);
policy.update({ managed: { deny: ["curl:*"] } });
policy.answer({ q: true });
const parsed = policy.parse("ls").invocations[0]?.argv[0]?.values;
const described: string = policy.describeTool({ grep: "Search", maxTimeout: 1000 });
{
  using scoped = createPolicySync();
  scoped.explain("ls").spans.map(({ reason }) => reason.message);
}
const handled: "allow" | "ask" | "deny" = (await permissionHandler({ policy })("Bash", { command: "ls" })).decision;
document.createElement("portcullis-verdict") satisfies PortcullisVerdict;
document.querySelector("portcullis-verdict")!.policy = policy;
try {
  console.log(parsed, described, handled);
} catch (error) {
  if (error instanceof PolicyError) console.log(error.code, error.path, error.position?.offset);
}

// @ts-expect-error no such mode
policy.evaluate("ls", { mode: "fast" });
// @ts-expect-error no such key
policy.evaluate("ls", { workspaces: [] });
// @ts-expect-error the command comes first
policy.evaluate("ls", { command: "rm" });
// @ts-expect-error no such code
const wrong: Code = "rule.maybe";
// @ts-expect-error no such layer
await createPolicy({ users: {} });
