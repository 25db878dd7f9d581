/**
 * For `@github/copilot-sdk`: the `onPermissionRequest` handler.
 */
import { judge, refusalText, settle, type AskingOptions } from "./generic.js";

interface ShellRequest {
  kind: "shell";
  fullCommandText: string;
  requestSandboxBypass?: boolean;
  managedApprovalRequired?: boolean;
}

type Result =
  | { kind: "approve-once"; approvedInteractively?: boolean }
  | { kind: "reject"; feedback?: string }
  | { kind: "user-not-available" }
  | { kind: "no-result" };

/**
 * For `client.createSession({ onPermissionRequest: copilotPermissions({ policy }) })`.
 *
 * Requests of other kinds get no result (another handler may answer), or what `otherTools` says.
 */
export function copilotPermissions(options: AskingOptions): (request: { kind: string }) => Promise<Result> {
  return async (request) => {
    const call = { tool: request.kind, input: request };
    if (!isShell(request)) {
      if (options.otherTools === undefined) return { kind: "no-result" };
      const other = options.otherTools;
      const decision = typeof other === "function" ? await other(call) : other;
      const permission = { decision, reason: `\`${request.kind}\` is not a shell command`, suggestions: [] };
      return answer(options, call, permission);
    }
    const given = typeof options.context === "function" ? await options.context(call) : (options.context ?? {});
    const unsandboxed = request.requestSandboxBypass === true;
    let permission = await judge(options, { commands: [request.fullCommandText], environment: false, unsandboxed }, given);
    // Leaving the sandbox, and what an organisation wants approved, is for a person to answer.
    if (permission.decision === "allow" && (unsandboxed || request.managedApprovalRequired === true)) {
      permission = { ...permission, decision: "ask", reason: unsandboxed ? "it would run outside the sandbox" : "an organisation's policy wants approval" };
    }
    return answer(options, call, permission);
  };
}

async function answer(options: AskingOptions, call: Parameters<typeof settle>[1], permission: Parameters<typeof settle>[2]): Promise<Result> {
  const { allowed, asked } = await settle(options, call, permission);
  if (allowed) return asked ? { kind: "approve-once", approvedInteractively: true } : { kind: "approve-once" };
  if (permission.decision === "ask" && !asked) return { kind: "user-not-available" };
  return { kind: "reject", feedback: refusalText(permission, asked) };
}

function isShell(request: { kind: string }): request is ShellRequest {
  return request.kind === "shell" && typeof (request as Partial<ShellRequest>).fullCommandText === "string";
}
