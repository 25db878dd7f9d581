/** The module as text inside the script, for bundlers and pages that cannot serve a `.wasm` file. */
import encoded from "#core.wasm.base64";
import { setDefaultSource } from "./index.js";

export * from "./index.js";

setDefaultSource(() => decode(encoded));

/** What runtimes have grown to decode base64 quickly. */
interface Decoders {
  Buffer?: { from(text: string, encoding: "base64"): Uint8Array<ArrayBuffer> };
  Uint8Array: { fromBase64?(text: string): Uint8Array<ArrayBuffer> };
}

function decode(text: string): Uint8Array<ArrayBuffer> {
  const { Buffer, Uint8Array: Bytes } = globalThis as unknown as Decoders;
  if (Bytes.fromBase64) return Bytes.fromBase64(text);
  if (Buffer) return Buffer.from(text, "base64");
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let at = 0; at < characters.length; at += 1) bytes[at] = characters.charCodeAt(at);
  return bytes;
}
