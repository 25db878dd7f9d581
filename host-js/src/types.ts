/** Names for the parts of the boundary that hosts handle; the shapes are in `generated/wire.ts`. */
import type { LayerConfig, PolicyConfig, Request } from "./generated/wire.js";

export type * from "./generated/wire.js";

/** Everything of a request but the command: facts about the world, and rules for this command alone. */
export type Context = Omit<Request, "command">;

/**
 * The rules and settings of a policy. `allow`, `ask` and `deny` at the top are short for those of the layer `user`; give
 * one or the other.
 */
export type Config = PolicyConfig & LayerConfig;
