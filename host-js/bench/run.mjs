/**
 * `npm run bench`: what a verdict costs in Node, beside what only parsing costs others, in the same process and run.
 *
 * Yardsticks: `web-tree-sitter` with the bash grammar (parse alone) and `unbash` (parse alone). Each figure is the best of
 * several rounds, so that other work on the machine disturbs it least. `--json` prints one JSON text.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const here = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

const CLASSES = {
  "one command": ["ls -la", "git status", "npm test", "cat README.md", "rm -rf node_modules"],
  pipeline: ["git log --oneline -5 | cat", "rg -n TODO src | sort | uniq -c | head -20", "ps aux | grep node | awk '{print $2}'"],
  list: ["cd app && npm test -- --watch=false", "mkdir -p a/b; touch a/b/c && ls a", "make && ./run.sh || echo failed"],
  "find, sed, jq": ["find . -name '*.o' -exec rm {} \\; | sort | uniq -c", "sed -n 's/a/b/p' f", "jq -r '.a[] | select(.b) | .c' f.json"],
  compound: ['for f in *.log; do gzip "$f" && echo "$f"; done', "if [ -f x ]; then cat x; else echo none; fi", "while read -r l; do echo \"$l\"; done < f"],
  "script in a string": ["bash -c 'cd x && git push --force'", "env A=1 timeout 5 sh -c 'ls; rm x'"],
  "here-document": ["cat <<'EOF' > out.txt\none\ntwo\nthree\nEOF", "python3 - <<'EOF'\nprint(1)\nEOF"],
  "long (9,000 characters)": [Array.from({ length: 450 }, (_, index) => `echo word-${index} x`).join(" ; ").slice(0, 8990)],
};

const facts = { cwd: "/w/app", workspace: "/w/app", home: "/home/u", git: "trusted" };

function best(run, rounds = 7) {
  // First long enough for the optimizing compiler, then the fastest round.
  const until = performance.now() + 300;
  let count = 0;
  while (performance.now() < until) {
    run();
    count += 1;
  }
  const times = Math.max(1, Math.round(count / 6));
  let fastest = Infinity;
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now();
    for (let each = 0; each < times; each += 1) run();
    fastest = Math.min(fastest, (performance.now() - start) / times);
  }
  return fastest * 1000;
}

const loadStart = performance.now();
const { createPolicy } = await import("../dist/node.js");
const imported = performance.now();
const policy = await createPolicy({ allow: ["npm test:*"], deny: ["git push:*"] });
const created = performance.now();
policy.evaluate("ls -la | head", facts);
const answered = performance.now();

const { Parser, Language } = await import("web-tree-sitter");
await Parser.init();
const bash = await Language.load(readFileSync(require.resolve("tree-sitter-bash/tree-sitter-bash.wasm")));
const treeSitter = new Parser();
treeSitter.setLanguage(bash);
const { parse: unbash } = await import("unbash");

const rows = Object.entries(CLASSES).map(([name, commands]) => {
  const per = (run) => best(() => commands.forEach(run)) / commands.length;
  return {
    name,
    evaluate: per((command) => policy.evaluate(command, facts)),
    treeSitter: per((command) => treeSitter.parse(command).delete()),
    unbash: per((command) => unbash(command)),
  };
});

const rules = [10, 100, 1000, 10_000].map((count) => {
  const allow = Array.from({ length: count }, (_, index) => `tool-${index} run:*`);
  const start = performance.now();
  policy.update({ allow, deny: [] });
  const compile = performance.now() - start;
  return { count, compile, evaluate: best(() => policy.evaluate("cd app && npm run build | head", facts), 5) };
});

policy.update({ allow: ["npm test:*"], deny: [] });
globalThis.gc?.();
const before = process.memoryUsage().rss;
const all = Object.values(CLASSES).flat();
for (let index = 0; index < 100_000; index += 1) policy.evaluate(all[index % all.length].slice(0, 200), facts);
globalThis.gc?.();
const grown = process.memoryUsage().rss - before;

/** Whole processes, as a script that judges one command and ends; the bare process is what Node itself takes. */
function wholeProcess(...args) {
  const times = Array.from({ length: 9 }, () => {
    const start = performance.now();
    const done = spawnSync(process.execPath, args, { encoding: "utf8" });
    if (done.status !== 0) throw new Error(done.stderr);
    return performance.now() - start;
  });
  return times.sort((a, b) => a - b)[4];
}
const script = (entry) => `import(${JSON.stringify(`file://${here(`dist/${entry}`)}`)}).then(async ({ createPolicy }) => { const policy = await createPolicy(); if (policy.evaluate("git status | head").decision === "x") throw 1; })`;
const processes = { bare: wholeProcess("-e", "0"), node: wholeProcess("-e", script("node.js")), inline: wholeProcess("-e", script("inline.js")) };

const result = {
  node: process.version,
  cpu: cpus()[0]?.model,
  load: { import: imported - loadStart, create: created - imported, firstVerdict: answered - created },
  rows,
  rules,
  memory: { evaluations: 100_000, grownBytes: grown },
  processes,
};
if (process.argv.includes("--json")) {
  console.log(JSON.stringify(result, null, 2));
} else {
  const number = (value) => value.toFixed(1).padStart(10);
  console.log(`Node ${process.version}, ${result.cpu}\n`);
  console.log(`${"µs a command".padEnd(26)}${"evaluate".padStart(10)}${"tree-sitter".padStart(13)}${"unbash".padStart(10)}   evaluate / tree-sitter's parse`);
  for (const row of rows) console.log(`${row.name.padEnd(26)}${number(row.evaluate)}${number(row.treeSitter).padStart(13)}${number(row.unbash)}   ${(row.evaluate / row.treeSitter).toFixed(2)}`);
  console.log(`\nload: import ${result.load.import.toFixed(1)} ms, compile and create ${result.load.create.toFixed(1)} ms, first verdict ${result.load.firstVerdict.toFixed(1)} ms`);
  for (const each of rules) console.log(`${String(each.count).padStart(6)} rules: compiled in ${each.compile.toFixed(1)} ms, ${each.evaluate.toFixed(1)} µs a verdict`);
  console.log(`memory after ${result.memory.evaluations} evaluations: ${(grown / 1e6).toFixed(1)} MB more`);
  console.log(`whole process: ${processes.node.toFixed(0)} ms (inline ${processes.inline.toFixed(0)} ms), of which Node itself takes ${processes.bare.toFixed(0)} ms`);
}
