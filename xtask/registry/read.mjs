// The completion specs of @withfig/autocomplete -> plain trees of [names, options with values, argument bits, subcommands].
//
// Imports every top-level spec and follows nodes that only name another file. Functions are counted and
// skipped: a registry must not run code. Descriptions are left out on purpose; only structure is taken.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

export const PACKAGE = "@withfig/autocomplete";
export const VERSION = "2.692.3";

/** What an argument is; several may hold. */
export const ARGUMENT = { command: 1, module: 2, variadic: 4, optional: 8, dangerous: 16, file: 32, folder: 64 };

const list = (value) => (value == null ? [] : Array.isArray(value) ? value : [value]);
const names = (node) => list(node?.name).filter((name) => typeof name === "string" && name !== "" && !/[\s\0]/.test(name));

export async function read(folder) {
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  if (manifest.version !== VERSION) throw new Error(`${PACKAGE} is ${manifest.version}, not ${VERSION}`);
  const build = join(folder, "build");
  const files = readdirSync(build).filter((file) => file.endsWith(".js") && file !== "index.js").sort();
  const hash = createHash("sha256");
  const count = { files: files.length, loadOnly: 0, followed: 0, missing: 0, functions: 0, nodes: 0, unnamed: 0, emptyNames: 0, blankNames: 0 };
  const loaded = new Map();

  async function load(path) {
    if (!loaded.has(path)) {
      hash.update(path).update("\0").update(readFileSync(join(build, path)));
      loaded.set(path, (await import(pathToFileURL(join(build, path)).href)).default);
    }
    return loaded.get(path);
  }

  function bits(arg) {
    let all = 0;
    if (arg.isCommand) all |= ARGUMENT.command;
    if (arg.isModule !== undefined) all |= ARGUMENT.module;
    if (arg.isVariadic) all |= ARGUMENT.variadic;
    if (arg.isOptional) all |= ARGUMENT.optional;
    if (arg.isDangerous) all |= ARGUMENT.dangerous;
    for (const template of list(arg.template)) {
      if (template === "filepaths") all |= ARGUMENT.file;
      if (template === "folders") all |= ARGUMENT.folder;
    }
    return all;
  }

  // Some nodes and options have no name, an empty one, or a whole line of words for one: none of them can be a word.
  function tell(node) {
    const given = node.name === undefined || node.name === null ? [""] : list(node.name);
    for (const name of given) {
      if (typeof name !== "string" || name === "") count.emptyNames += 1;
      else if (/[\s\0]/.test(name)) count.blankNames += 1;
    }
  }

  // `open`: files on the way down, so that a file that names itself ends.
  async function reduce(node, open) {
    count.nodes += 1;
    tell(node);
    let self = node;
    if (typeof node.loadSpec === "function" || typeof node.generateSpec === "function") count.functions += 1;
    if (typeof node.loadSpec === "string") {
      count.loadOnly += 1;
      const path = `${node.loadSpec}.js`;
      if (!existsSync(join(build, path))) count.missing += 1;
      else if (!open.includes(path) && open.length < 4) {
        const target = await load(path);
        if (target !== null && typeof target === "object") {
          count.followed += 1;
          self = { ...target, name: node.name };
          open = [...open, path];
        }
      }
    }
    const given = list(self.options).filter((option) => option && typeof option === "object");
    given.forEach(tell);
    const options = given
      .filter((option) => list(option.args).length > 0)
      .map((option) => [names(option).sort(), list(option.args).map(bits)])
      .filter(([spellings]) => spellings.length > 0);
    const subs = [];
    for (const sub of list(self.subcommands)) {
      if (typeof sub === "function") count.functions += 1;
      else if (sub && names(sub).length > 0) subs.push(await reduce(sub, open));
      else {
        count.unnamed += 1;
        if (sub && typeof sub === "object") tell(sub);
      }
    }
    return { names: names(node), options, args: list(self.args).filter((arg) => arg && typeof arg === "object").map(bits), subs };
  }

  const roots = new Map();
  for (const file of files) {
    const spec = await load(file);
    if (spec === null || typeof spec !== "object" || names(spec).length === 0) continue;
    const tree = await reduce(spec, [file]);
    // The first file to claim a name keeps it; files are read in order of their names.
    for (const name of tree.names) if (!roots.has(name)) roots.set(name, tree);
  }
  return { roots, count, sha256: hash.digest() };
}
