/** Node, CommonJS: reads the module from beside this file when it is first needed. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setDefaultSource } from "./index.js";

export * from "./index.js";

setDefaultSource(() => readFileSync(join(__dirname, "core.wasm")));
