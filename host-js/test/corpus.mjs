/** Reads `tests/corpora/*.txt`; the format is described in `tests/src/corpus.rs`, which reads the same files. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../../tests/corpora/", import.meta.url));

/** Control pictures to the characters they stand for. */
const unpicture = (text) =>
  text.replace(/[⏎␀-␟␡]/g, (sign) => (sign === "⏎" ? "\n" : sign === "␡" ? "\u007f" : String.fromCharCode(sign.charCodeAt(0) - 0x2400)));

const split = (list) => list.split(";;").map((rule) => unpicture(rule.trim())).filter((rule) => rule !== "");

function request(command, settings, place) {
  const made = { command, cwd: "/w/app", workspace: ["/w/app"], home: "/home/u", git: "trusted" };
  for (const [key, value] of Object.entries(settings)) {
    if (["allow", "ask", "deny"].includes(key)) made[key] = split(value);
    else if (["unattended", "canApplyConditions", "askNetwork", "allowSensitiveReads"].includes(key)) made[key] = value === "true";
    else if (["cwd", "workspace", "home", "platform", "shell", "mode", "session", "git", "analysis", "hook"].includes(key)) {
      if (value === "missing") delete made[key];
      else made[key] = value;
    } else if (key === "gitKeys") made.git = { state: "trusted", executingKeys: split(value) };
    else if (key === "sandbox") made.sandbox = JSON.parse(value);
    else throw new Error(`${place}: no setting \`${key}\``);
  }
  return made;
}

/** Every case: where it stands, the right verdict, the request, and why it is known to come out wrong. */
export function load() {
  const cases = [];
  for (const name of readdirSync(folder).filter((name) => name.endsWith(".txt")).sort()) {
    const fileWide = {};
    let next = {};
    readFileSync(folder + name, "utf8").split("\n").forEach((raw, index) => {
      const place = `${name}:${index + 1}`;
      const line = raw.trimEnd();
      if (line === "" || line.startsWith("#") || line.startsWith("== ")) return;
      const setting = /^(@@?) ([^=]*)=(.*)$/.exec(line);
      if (setting) {
        (setting[1] === "@@" ? fileWide : next)[setting[2].trim()] = setting[3].trim();
        return;
      }
      const at = line.indexOf("|");
      const want = line.slice(0, at).trim();
      if (at < 0 || !["allow", "ask", "deny"].includes(want)) throw new Error(`${place}: a case is \`verdict | command\``);
      const { suggest, known, ...settings } = { ...fileWide, ...next };
      next = {};
      const command = unpicture(line.slice(at + 1).replace(/^ /, ""));
      cases.push({ place, want, known, request: request(command, settings, place) });
    });
  }
  if (cases.length === 0) throw new Error("the corpora are empty");
  return cases;
}
