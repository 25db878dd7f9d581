/** The registry of commands, fetched when it is wanted: it makes suggested rules finer and never changes a verdict. */

/** Its bytes, for `policy.useRegistry(await loadRegistry())`; `source` where a bundler put the file elsewhere. */
export async function loadRegistry(source: string | URL = new URL("./registry.bin", import.meta.url)): Promise<Uint8Array> {
  const response = await fetch(source);
  if (!response.ok) throw new Error(`the registry could not be loaded: status ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}
