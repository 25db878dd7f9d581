/**
 * Keeps Node 20 from optimizing the module before it pays.
 *
 * V8 11 recompiles a WebAssembly function with its slow compiler after about 1.8 MB of executed code. One verdict is enough
 * to reach that in the large lexer of the bash grammar, and a process does not end before the compiler has: a script
 * that judges one command took 0.4 s of processor time instead of 0.1 s. A module takes its budget when it is compiled, so
 * the flag is raised for that moment only. Later V8 has a larger budget of its own.
 */
interface Builtin {
  getBuiltinModule?: (name: string) => { setFlagsFromString(flag: string): void } | undefined;
  versions?: { v8?: string };
  execArgv?: string[];
  env?: Record<string, string | undefined>;
}

const FLAG = "--wasm-tiering-budget";
/** What V8 11 has (`flag-definitions.h`). */
const USUAL = 1_800_000;
const PATIENT = 30_000_000;

/** Whether {@link compilePatiently} has something to do here. */
export function isNode(): boolean {
  return (globalThis as { process?: Builtin }).process?.versions?.v8 !== undefined;
}

/** Compiles bytes at once. */
export function compilePatiently(bytes: BufferSource): WebAssembly.Module {
  const { process } = globalThis as { process?: Builtin };
  const chosen = [...(process?.execArgv ?? []), process?.env?.["NODE_OPTIONS"] ?? ""].some((option) => option.includes("wasm-tiering-budget"));
  const v8 = process?.versions?.v8?.startsWith("11.") && !chosen ? process.getBuiltinModule?.("node:v8") : undefined;
  v8?.setFlagsFromString(`${FLAG}=${PATIENT}`);
  try {
    return new WebAssembly.Module(bytes);
  } finally {
    v8?.setFlagsFromString(`${FLAG}=${USUAL}`);
  }
}
