/**
 * For `@anthropic-ai/claude-agent-sdk`: the `canUseTool` callback and a `PreToolUse` hook.
 *
 * The hook sees every call and can allow without a prompt; the callback is asked only where the SDK would prompt. The
 * types here are the part of the SDK's that is used; a test holds them to the published package.
 */
import type { Context, Mode } from "../types.js";
import { permissionHandler, refusalText, settle, type AskingOptions, type HandlerOptions } from "./generic.js";

type Destination = "userSettings" | "projectSettings" | "localSettings" | "session";

interface PermissionUpdate {
  type: "addRules";
  rules: { toolName: string; ruleContent: string }[];
  behavior: "allow";
  destination: Destination;
}

type PermissionResult =
  | { behavior: "allow"; updatedInput: Record<string, unknown>; updatedPermissions?: PermissionUpdate[] }
  | { behavior: "deny"; message: string };

interface CallbackOptions {
  signal: AbortSignal;
  suppressAlwaysAllowRule?: boolean;
  matchedAskRule?: object;
}

type CanUseTool<Options extends CallbackOptions> = (
  toolName: string,
  input: Record<string, unknown>,
  options: Options,
) => Promise<PermissionResult>;

export interface ClaudeOptions extends AskingOptions {
  /** Where "always" stores its rules; default `session`. */
  destination?: Destination;
}

/** For `query({ options: { canUseTool } })`. */
export function claudeCanUseTool<Options extends CallbackOptions>(options: ClaudeOptions): CanUseTool<Options> {
  const handle = permissionHandler(options);
  return async (tool, input, more) => {
    let permission = await handle(tool, input);
    // The user wrote a rule that wants a person's answer here; a policy's yes is not one.
    if (more.matchedAskRule !== undefined && permission.decision === "allow") {
      permission = { ...permission, decision: "ask", reason: "an ask rule of the user matches" };
    }
    const { allowed, always, asked } = await settle(options, { tool, input }, permission, {
      signal: more.signal,
      canRemember: more.suppressAlwaysAllowRule !== true,
    });
    if (!allowed) return { behavior: "deny", message: refusalText(permission, asked) };
    if (!always) return { behavior: "allow", updatedInput: input };
    const rules = permission.suggestions.map(({ rule }) => ({ toolName: tool, ruleContent: rule }));
    const destination = options.destination ?? "session";
    return {
      behavior: "allow",
      updatedInput: input,
      updatedPermissions: [{ type: "addRules", rules, behavior: "allow", destination }],
    };
  };
}

interface HookOutput {
  hookSpecificOutput?: {
    hookEventName: "PreToolUse";
    permissionDecision: "allow" | "ask" | "deny";
    permissionDecisionReason: string;
  };
}

interface HookInput {
  hook_event_name: string;
  cwd?: string;
  permission_mode?: string;
}

/** The SDK's names for modes. */
const MODES: Record<string, Mode> = { plan: "plan", acceptEdits: "edit", bypassPermissions: "yolo", dontAsk: "dontAsk" };

/**
 * For `query({ options: { hooks: { PreToolUse: [{ matcher: "Bash", hooks: [claudePreToolUse({ policy })] }] } } })`.
 *
 * The SDK lets a call run when a hook throws, so this one never does: a failure asks.
 */
export function claudePreToolUse(options: HandlerOptions): (input: HookInput) => Promise<HookOutput> {
  return async (input) => {
    if (input.hook_event_name !== "PreToolUse") return {};
    const { tool_name: tool, tool_input } = input as HookInput & { tool_name?: unknown; tool_input?: unknown };
    let permission: { decision: "allow" | "ask" | "deny"; reason: string; command?: string };
    try {
      const handle = permissionHandler({ ...options, context: (call) => gather(options, input, call) });
      permission = await handle(String(tool), tool_input);
      // No opinion on tools that are no shell, unless one was configured.
      if (permission.command === undefined && options.otherTools === undefined && !isShell(options, String(tool))) return {};
    } catch (error) {
      permission = { decision: "ask", reason: `the policy could not be asked: ${error instanceof Error ? error.message : String(error)}` };
    }
    return {
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: permission.decision,
        permissionDecisionReason: permission.reason,
      },
    };
  };
}

async function gather(options: HandlerOptions, input: HookInput, call: { tool: string; input: unknown }): Promise<Context> {
  const given = typeof options.context === "function" ? await options.context(call) : (options.context ?? {});
  const mode = input.permission_mode === undefined ? undefined : MODES[input.permission_mode];
  return {
    ...(input.cwd ? { cwd: input.cwd } : {}),
    ...(mode ? { mode } : {}),
    ...given,
  };
}

function isShell(options: HandlerOptions, tool: string): boolean {
  return (options.shellTools ?? ["Bash"]).includes(tool);
}
