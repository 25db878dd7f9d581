/** A script that judges one command ends promptly: the whole process is measured, not the call. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const entry = (name) => fileURLToPath(new URL(`../dist/${name}`, import.meta.url));

/** Seconds of processor time, user and system, of a Node process: other work on the machine does not count. */
function processorTime(script) {
  const runs = Array.from({ length: 3 }, () => {
    const done = spawnSync("sh", ["-c", `"$0" -e "$1" && times`, process.execPath, script], { encoding: "utf8" });
    assert.equal(done.status, 0, done.stderr);
    // The second line of `times` is what the children took: `0m0.07s 0m0.02s`.
    return done.stdout.trim().split("\n").at(-1).match(/(\d+)m([\d.]+)s/g).reduce((sum, text) => {
      const [, minutes, seconds] = /(\d+)m([\d.]+)s/.exec(text);
      return sum + Number(minutes) * 60 + Number(seconds);
    }, 0);
  });
  return Math.min(...runs);
}

test("one verdict costs a process little", { skip: process.platform === "win32" && "`times` is a shell's" }, () => {
  const bare = processorTime("0");
  for (const name of ["node.cjs", "inline.cjs"]) {
    const script = `require(${JSON.stringify(entry(name))}).createPolicy().then((policy) => policy.evaluate("git status | head"))`;
    const more = processorTime(script) - bare;
    assert.ok(more < 0.25, `${name}: ${more.toFixed(2)} s of processor time beside Node's own ${bare.toFixed(2)} s`);
  }
});
