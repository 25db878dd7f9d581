/**
 * The one WebAssembly instance behind every policy of this entry point, and its recovery.
 *
 * A trap (or running out of memory or stack) leaves an instance in an unknown state, so it is thrown away at once and a
 * fresh one is made from the same compiled module. Policies notice by `generation` and compile their rules anew.
 */
import * as glue from "#glue";
import { PolicyError } from "./error.js";
import { compilePatiently, isNode } from "./tiering.js";
import type { PolicyConfig } from "./types.js";

/** @internal */
export type RawEngine = glue.Policy;

/** What a module may be loaded from. */
export type WasmSource = WebAssembly.Module | BufferSource | Response | URL | string;

let compiled: WebAssembly.Module | undefined;
let live = false;

/** Counts instances; a policy made by an earlier one has to be made anew. */
export let generation = 0;

/** Whether a module is loaded. */
export function isReady(): boolean {
  return compiled !== undefined;
}

/** Loads the module from compiled code or bytes. The first call wins; later ones do nothing. */
export function initSync(source: WebAssembly.Module | BufferSource): void {
  if (compiled !== undefined) return;
  let module: WebAssembly.Module;
  try {
    module = source instanceof WebAssembly.Module ? source : compilePatiently(source);
  } catch (cause) {
    throw new PolicyError("module.load", `the WebAssembly module does not compile: ${text(cause)}`, { cause });
  }
  compiled = module;
  start();
}

/** Loads the module from an address, a response, bytes or compiled code. */
export async function load(source: WasmSource): Promise<void> {
  if (compiled !== undefined) return;
  if (source instanceof WebAssembly.Module || source instanceof ArrayBuffer || ArrayBuffer.isView(source)) {
    // A page must not wait for a compiler; Node compiles lazily, in a few milliseconds.
    if (source instanceof WebAssembly.Module || isNode()) return initSync(source);
    return initSync(await WebAssembly.compile(source));
  }
  let module: WebAssembly.Module;
  try {
    const response = source instanceof Response ? source : await fetch(source);
    if (!response.ok) throw new Error(`status ${response.status} for ${response.url}`);
    // A server that does not know `application/wasm` is no reason to fail; compile its bytes instead.
    module = response.headers.get("content-type")?.startsWith("application/wasm")
      ? await WebAssembly.compileStreaming(response)
      : await WebAssembly.compile(await response.arrayBuffer());
  } catch (cause) {
    throw new PolicyError(
      "module.load",
      `the WebAssembly module could not be loaded: ${text(cause)}; pass its address or bytes to init(), or import "portcullis/inline"`,
      { cause },
    );
  }
  initSync(module);
}

function start(): void {
  if (compiled === undefined) {
    throw new PolicyError("module.missing", "no WebAssembly module is loaded; await init() or createPolicy() first");
  }
  glue.initSync({ module: compiled });
  live = true;
  generation += 1;
}

/** Throws the instance away; the next use makes another. */
export function discard(): void {
  live = false;
  generation += 1;
  try {
    glue.__wbg_reset_state();
  } catch {
    // Nothing of the old instance is used again, so a failure to tidy it changes nothing.
  }
}

/** @internal Compiles rules and settings in the current instance. */
export function createRaw(config: PolicyConfig): RawEngine {
  if (!live) start();
  return new glue.Policy(config);
}

/**
 * Tells a refusal (the module answered: this configuration is wrong) from a fault (the module broke).
 *
 * The module throws plain objects with a `code`; whatever else arrives, a `RuntimeError` of a trap or a `RangeError` of
 * an exhausted stack, is a fault.
 */
export function refusal(thrown: unknown): PolicyError | undefined {
  if (thrown instanceof PolicyError) return thrown;
  if (typeof thrown !== "object" || thrown === null || thrown instanceof WebAssembly.RuntimeError) return undefined;
  if (thrown instanceof RangeError || thrown instanceof TypeError) return undefined;
  const { code, message, path, position } = thrown as Record<string, unknown>;
  if (typeof code !== "string" || typeof message !== "string") return undefined;
  return new PolicyError(code, message, {
    path: typeof path === "string" ? path : undefined,
    position: typeof position === "object" && position !== null ? position : undefined,
  });
}

/** One line about anything thrown. */
export function text(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
