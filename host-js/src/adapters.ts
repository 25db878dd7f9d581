/** Permission handlers: a generic one, and the callbacks of agent SDKs. */
export {
  permissionHandler,
  SHELL_TOOLS,
  type Answer,
  type AskingOptions,
  type AskRequest,
  type HandlerOptions,
  type Judge,
  type Permission,
  type ToolCall,
} from "./adapters/generic.js";
export { claudeCanUseTool, claudePreToolUse, type ClaudeOptions } from "./adapters/claude.js";
export { aiApproval, aiNeedsApproval, aiToolApproval } from "./adapters/ai-sdk.js";
export { guardShell } from "./adapters/openai-agents.js";
export { copilotPermissions } from "./adapters/copilot.js";
export { opencodeHooks, type OpencodeOptions } from "./adapters/opencode.js";
