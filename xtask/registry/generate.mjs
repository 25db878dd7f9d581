// node generate.mjs FOLDER [OUT]: the registry of commands from an installed @withfig/autocomplete.
//
// Prints the counts; writes OUT (`….bin`) and the counts beside it (`….json`) when it is given. Fails when there are fewer commands than there were, or when the
// file grows past its limit. `cargo run -p xtask -- registry [--check]` installs the package and calls this.
import { writeFileSync } from "node:fs";
import { encode } from "./encode.mjs";
import { read } from "./read.mjs";

const LIMIT = 2 * 1024 * 1024;
const [folder, out] = process.argv.slice(2);
if (folder === undefined) throw new Error("usage: generate.mjs FOLDER [OUT]");
const registry = await read(folder);
const { count, roots, sha256 } = registry;
if (roots.size < 707) throw new Error(`only ${roots.size} commands were read`);
if (count.loadOnly < 522) throw new Error(`only ${count.loadOnly} nodes that name another file were seen`);
const bytes = encode(registry);
if (count.emptyNames < 13) throw new Error(`only ${count.emptyNames} nodes without a name were seen`);
if (bytes.length > LIMIT) throw new Error(`${bytes.length} bytes: more than ${LIMIT}`);
const counts = `${JSON.stringify({ commands: roots.size, ...count, bytes: bytes.length, sha256: sha256.toString("hex") }, null, 2)}\n`;
if (out !== undefined) {
  writeFileSync(out, bytes);
  writeFileSync(out.replace(/\.bin$/, ".json"), counts);
}
process.stdout.write(counts);
