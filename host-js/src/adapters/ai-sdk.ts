/**
 * For the AI SDK (`ai`): `toolApproval`, per tool or for all, and the older `needsApproval` of a tool.
 */
import { permissionHandler, type HandlerOptions, type Permission } from "./generic.js";

type Status = { type: "approved" | "denied" | "user-approval"; reason: string };

const STATUS = { allow: "approved", ask: "user-approval", deny: "denied" } as const;

function status(permission: Permission): Status {
  return { type: STATUS[permission.decision], reason: permission.reason };
}

/** For `streamText({ toolApproval: { shell: aiToolApproval({ policy }) } })`: the tool's input holds the command. */
export function aiToolApproval(options: HandlerOptions): (input: unknown) => Promise<Status> {
  const handle = permissionHandler({ ...options, shellTools: ["shell"] });
  return async (input) => status(await handle("shell", input));
}

/** For `streamText({ toolApproval: aiApproval({ policy }) })`: shell tools by name, the others as `otherTools` says. */
export function aiApproval(
  options: HandlerOptions,
): (options: { toolCall: { toolName: string; input: unknown } }) => Promise<Status> {
  const handle = permissionHandler(options);
  return async ({ toolCall }) => status(await handle(toolCall.toolName, toolCall.input));
}

/**
 * For `tool({ needsApproval: aiNeedsApproval({ policy }) })`. A yes-or-no question cannot refuse, so a deny throws, which
 * the SDK hands to the model as the tool's error.
 */
export function aiNeedsApproval(options: HandlerOptions): (input: unknown) => Promise<boolean> {
  const handle = permissionHandler({ ...options, shellTools: ["shell"] });
  return async (input) => {
    const permission = await handle("shell", input);
    if (permission.decision === "deny") throw new Error(`Refused by policy: ${permission.reason}`);
    return permission.decision !== "allow";
  };
}
