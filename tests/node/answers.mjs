// Answers JSON lines `{"operation", "request"}` through the built module, for the differential suite.
//
// The first line out is the SHA-256 of the bytes that were instantiated; then one line for each line in: the
// answer as JSON text, or `{"error": …}` with what was thrown.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const folder = process.argv[2];
const bytes = readFileSync(`${folder}/portcullis.wasm`);
const { initSync, Policy } = await import(pathToFileURL(`${folder}/web/portcullis.js`).href);
initSync({ module: bytes });

const out = [createHash("sha256").update(bytes).digest("hex")];
const policy = new Policy(undefined);
// As the program does: suggestions are part of what has to agree.
policy.setRegistry(readFileSync(new URL("../../policy-core/registry/registry.bin", import.meta.url)));
for await (const line of createInterface({ input: process.stdin })) {
  const { operation, request } = JSON.parse(line);
  let answer;
  try {
    answer = policy[operation](request);
  } catch (error) {
    answer = { error };
  }
  out.push(JSON.stringify(answer));
}
process.stdout.write(`${out.join("\n")}\n`);
