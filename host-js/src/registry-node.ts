/** The registry of commands, read when it is wanted: it makes suggested rules finer and never changes a verdict. */
import { readFile } from "node:fs/promises";

/** Its bytes, for `policy.useRegistry(await loadRegistry())`. */
export async function loadRegistry(source: string | URL = new URL("./registry.bin", import.meta.url)): Promise<Uint8Array> {
  return readFile(source);
}
