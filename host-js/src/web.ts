/** Browsers and bundlers: fetches the module from its own address, which bundlers find and rewrite. */
import { setDefaultSource } from "./index.js";

export * from "./index.js";

setDefaultSource(() => new URL("./core.wasm", import.meta.url));
