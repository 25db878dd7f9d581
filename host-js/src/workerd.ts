/** Edge workers, which may not compile bytes: the module is imported as compiled code. */
import module from "#core.wasm";
import { initSync } from "./index.js";

export * from "./index.js";

initSync(module);
