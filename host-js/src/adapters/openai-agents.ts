/**
 * For `@openai/agents`: guards the shell of `shellTool`.
 *
 * Approval there is yes or no, so a refusal is enforced where the commands would start: the guarded shell answers them
 * with exit status 126 and the reason.
 */
import { judge, refusalText, settle, type AskingOptions, type Permission } from "./generic.js";

interface Action {
  commands: string[];
}

// A type and not an interface: the SDK's own has an index signature, which only a type can fit.
type Output = {
  stdout: string;
  stderr: string;
  outcome: { type: "exit"; exitCode: number };
};

interface Shell<A extends Action, R> {
  run(action: A): Promise<R>;
}

interface Guarded<A extends Action, R> {
  shell: Shell<A, R | { output: Output[] }>;
  needsApproval: (context: unknown, action: Action) => Promise<boolean>;
  onApproval?: (context: unknown, item: { rawItem: unknown }) => Promise<{ approve: boolean; reason?: string }>;
}

/** For `shellTool({ ...guardShell({ policy }, shell) })`. */
export function guardShell<A extends Action, R>(options: AskingOptions, shell: Shell<A, R>): Guarded<A, R> {
  const permit = async (action: Action): Promise<Permission> => {
    const call = { tool: "shell", input: action };
    const given = typeof options.context === "function" ? await options.context(call) : (options.context ?? {});
    return judge(options, { commands: action.commands, environment: false, unsandboxed: false }, given);
  };
  const guarded: Guarded<A, R> = {
    shell: {
      run: async (action) => {
        const permission = await permit(action);
        if (permission.decision !== "deny") return shell.run(action);
        const stderr = refusalText(permission, false);
        return { output: action.commands.map(() => ({ stdout: "", stderr, outcome: { type: "exit", exitCode: 126 } })) };
      },
    },
    needsApproval: async (_context, action) => (await permit(action)).decision === "ask",
  };
  if (options.ask !== undefined) {
    guarded.onApproval = async (_context, item) => {
      const action = (item.rawItem as { action?: Action }).action;
      if (!Array.isArray(action?.commands)) return { approve: false, reason: "the approval names no commands" };
      const permission = await permit(action);
      const { allowed, asked } = await settle(options, { tool: "shell", input: action }, permission);
      return allowed ? { approve: true } : { approve: false, reason: refusalText(permission, asked) };
    };
  }
  return guarded;
}
