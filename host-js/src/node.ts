/** Node, ESM: reads the module from beside this file when it is first needed. */
import { readFileSync } from "node:fs";
import { setDefaultSource } from "./index.js";

export * from "./index.js";

setDefaultSource(() => readFileSync(new URL("./core.wasm", import.meta.url)));
