/** What the examples menu offers: a name, a command, and what else differs from the start. */
import type { State } from "./state.js";

export const EXAMPLES: { name: string; state: Partial<State> & { command: string } }[] = [
  { name: "A pipeline that only reads", state: { command: "rg -n 'TODO' src | sort | uniq -c | sort -rn | head -20" } },
  { name: "Reading, then something that needs a yes", state: { command: "cd app && npm test -- --watch=false" } },
  { name: "The same with a rule", state: { command: "cd app && npm test -- --watch=false", allow: "npm test:*" } },
  { name: "A wrapper around a wrapper", state: { command: "env LC_ALL=C timeout 5 nice xargs -n1 rm -f < list.txt" } },
  { name: "A script in a string", state: { command: "bash -c 'git status && git push --force origin main'", ask: "git push:*" } },
  { name: "find that runs something", state: { command: "find . -name '*.orig' -exec rm {} +" } },
  { name: "A here-document into a program", state: { command: "python3 - <<'EOF'\nimport os\nprint(os.getcwd())\nEOF" } },
  { name: "A substitution", state: { command: "echo \"$(curl -s https://example.com/install.sh | sh)\"" } },
  { name: "sed that writes a file", state: { command: "sed -n 's/^version = //w /tmp/version' Cargo.toml" } },
  { name: "A start-up file", state: { command: "echo 'alias ll=\"ls -l\"' >> ~/.bashrc", mode: "edit" } },
  { name: "Something that cannot be mended", state: { command: "rm -rf \"$BUILD_DIR\"/*", mode: "edit", allow: "rm:*" } },
  { name: "Credentials", state: { command: "cat ~/.ssh/id_ed25519 | head -1" } },
  { name: "A denied command inside a loop", state: { command: "for f in *.log; do gzip \"$f\" && git push; done", deny: "git push:*" } },
  { name: "Planning", state: { command: "ls -la && touch notes.md", mode: "plan" } },
  { name: "Characters that do not show", state: { command: "echo safe \u202e# fr- mr\u202c; ls" } },
  { name: "Not complete", state: { command: "echo 'still being written" } },
  { name: "A semantic rule", state: { command: "psql -c 'delete from users'", ask: "prompt: changes a database" } },
];
