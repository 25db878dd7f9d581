/** As `registry-node`, for CommonJS. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";

export async function loadRegistry(source: string | URL = join(__dirname, "registry.bin")): Promise<Uint8Array> {
  return readFile(source);
}
