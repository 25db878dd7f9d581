/** The module as text inside the script, for bundlers and pages that cannot serve a `.wasm` file. */
import encoded from "#core.wasm.base64";
import { setDefaultSource } from "./index.js";

export * from "./index.js";

setDefaultSource(() => Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0)));
