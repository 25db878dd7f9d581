/** Names for the parts of the boundary that hosts handle; the shapes are in `generated/wire.ts`. */
import type { Request, RuleLists } from "./generated/wire.js";

export type * from "./generated/wire.js";

/** Everything of a request but the command: facts about the world, and rules for this command alone. */
export type Context = Omit<Request, "command">;
/** The rules and settings of a policy. */
export type Config = RuleLists & Record<string, unknown>;
export type Explanation = unknown;
export type Invocations = unknown;
export type ToolSettings = Record<string, unknown>;
