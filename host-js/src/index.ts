/** What every entry point exports; the entries differ only in where the module comes from. */
import { initSync, isReady, load, type WasmSource } from "./engine.js";
import { PolicyError, type ErrorPosition } from "./error.js";
import { Policy, type Answers, type Classifier } from "./policy.js";
import type { Config } from "./types.js";

export { initSync, isReady, Policy, PolicyError };
export type { Answers, Classifier, ErrorPosition, WasmSource };
export type * from "./types.js";

let defaultSource: () => WasmSource | Promise<WasmSource> = () => {
  throw new PolicyError("module.missing", "this entry point has no module of its own; pass one to init()");
};
let loading: Promise<void> | undefined;

/** @internal each entry says where its module is */
export function setDefaultSource(source: () => WasmSource | Promise<WasmSource>): void {
  defaultSource = source;
}

/**
 * Loads the module, once. Without an argument it is the one of the package; bundlers that do not serve it need its
 * address or bytes. `createPolicy` calls this by itself.
 *
 * @throws PolicyError `module.load`
 */
export async function init(source?: WasmSource): Promise<void> {
  if (isReady()) return;
  loading ??= (async () => load(source ?? (await defaultSource())))();
  try {
    await loading;
  } finally {
    loading = undefined;
  }
}

/**
 * Compiles a policy.
 *
 * @throws PolicyError with `path` and `position` when the configuration is wrong
 */
export async function createPolicy(config: Config = {}): Promise<Policy> {
  await init();
  return new Policy(config);
}

/**
 * As {@link createPolicy}, where the module is loaded already, or can be without waiting (Node, `portcullis/inline`).
 */
export function createPolicySync(config: Config = {}): Policy {
  if (!isReady()) {
    const source = defaultSource();
    if (source instanceof WebAssembly.Module || source instanceof ArrayBuffer || ArrayBuffer.isView(source)) initSync(source);
  }
  return new Policy(config);
}
