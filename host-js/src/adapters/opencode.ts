/**
 * For OpenCode (`@opencode-ai/plugin`): the `tool.execute.before` hook.
 *
 * The hook can only refuse, by throwing. A question goes to `ask`, and without one is refused, unless `leaveAsk` leaves
 * it to OpenCode's own permission prompt.
 */
import { permissionHandler, refusalText, settle, type AskingOptions } from "./generic.js";

export interface OpencodeOptions extends AskingOptions {
  /** Let what would ask go on to OpenCode's own prompt; set `permission.bash` to `ask` there. Default false. */
  leaveAsk?: boolean;
}

interface Hooks {
  "tool.execute.before": (input: { tool: string }, output: { args: unknown }) => Promise<void>;
}

/** For a plugin: `export const Portcullis = async () => opencodeHooks({ policy })`. */
export function opencodeHooks(options: OpencodeOptions): Hooks {
  const handle = permissionHandler({ otherTools: "allow", ...options });
  return {
    "tool.execute.before": async ({ tool }, { args }) => {
      const permission = await handle(tool, args);
      if (permission.decision === "ask" && options.leaveAsk === true && options.ask === undefined) return;
      const { allowed, asked } = await settle(options, { tool, input: args }, permission);
      if (!allowed) throw new Error(refusalText(permission, asked));
    },
  };
}
