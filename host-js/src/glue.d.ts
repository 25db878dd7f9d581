/**
 * What the module's JavaScript glue exports (`policy-wasm/src/js.rs`, through wasm-bindgen's `web` target).
 *
 * The build points `#glue` at the generated file; nothing but `engine.ts` imports it.
 */
declare module "#glue" {
  import type { Explanation, ParseReport, PolicyConfig, Request, Suggestion, Tools, Verdict } from "./types.js";

  /** Instantiates the module; does nothing when an instance exists already. */
  export function initSync(source: { module: WebAssembly.Module }): unknown;
  /** Forgets the instance, so that the next `initSync` makes a fresh one. */
  export function __wbg_reset_state(): void;

  /** Compiled rules and settings, inside the module's memory. */
  export class Policy {
    constructor(config: PolicyConfig | undefined);
    evaluate(request: Request): Verdict;
    suggest(request: Request): Suggestion[];
    parse(request: Request): ParseReport;
    explain(request: Request): Explanation;
    describeTool(settings: Tools): string;
    update(config: PolicyConfig): void;
    setRegistry(bytes: Uint8Array): void;
    free(): void;
  }
}
