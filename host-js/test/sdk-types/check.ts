/** Holds the adapters to the types that the SDKs publish: this file has to compile. */
import type { CanUseTool, HookCallback, Options } from "@anthropic-ai/claude-agent-sdk";
import { shellTool, type Shell } from "@openai/agents";
import type { Hooks, Plugin } from "@opencode-ai/plugin";
import { streamText, tool, type LanguageModel } from "ai";
import { z } from "zod";
import { createPolicy } from "portcullis";
import {
  aiApproval,
  aiNeedsApproval,
  aiToolApproval,
  claudeCanUseTool,
  claudePreToolUse,
  guardShell,
  opencodeHooks,
} from "portcullis/adapters";

const policy = await createPolicy({ allow: ["npm test:*"] });
const options = { policy, context: { workspace: "/w" } };

// Claude Agent SDK
export const canUseTool: CanUseTool = claudeCanUseTool(options);
export const preToolUse: HookCallback = claudePreToolUse(options);
export const claude: Options = {
  canUseTool: claudeCanUseTool(options),
  hooks: { PreToolUse: [{ matcher: "Bash", hooks: [claudePreToolUse(options)] }] },
};

// AI SDK
declare const model: LanguageModel;
const shell = tool({
  inputSchema: z.object({ command: z.string() }),
  execute: async ({ command }) => command,
  needsApproval: aiNeedsApproval(options),
});
streamText({ model, prompt: "x", tools: { shell }, toolApproval: { shell: aiToolApproval(options) } });
streamText({ model, prompt: "x", tools: { shell }, toolApproval: aiApproval(options) });

// OpenAI Agents SDK
declare const local: Shell;
export const openai = shellTool({ ...guardShell(options, local) });
export const asking = shellTool({ ...guardShell({ ...options, ask: () => "allow" }, local) });

// OpenCode
export const hooks: Hooks = opencodeHooks(options);
export const plugin: Plugin = async () => opencodeHooks(options);
