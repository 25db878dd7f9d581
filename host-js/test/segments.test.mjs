import assert from "node:assert/strict";
import { test } from "node:test";
import { build } from "esbuild";
import { fileURLToPath } from "node:url";

const { outputFiles } = await build({
  entryPoints: [fileURLToPath(new URL("../src/segments.ts", import.meta.url))],
  bundle: true,
  format: "esm",
  write: false,
});
const { segments, visible } = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
const part = (...span) => ({ span });

test("text without invocations is one piece", () => {
  assert.deepEqual(segments(3, []), [{ start: 0, end: 3 }]);
  assert.deepEqual(segments(0, []), []);
});

test("pieces belong to the innermost invocation", () => {
  // echo $(ls) x
  assert.deepEqual(segments(12, [part(0, 12), part(7, 9)]), [
    { start: 0, end: 7, index: 0 },
    { start: 7, end: 9, index: 1 },
    { start: 9, end: 12, index: 0 },
  ]);
});

test("of equal spans the nested one wins, and spans outside the text are cut", () => {
  assert.deepEqual(segments(4, [part(0, 4), part(0, 4)]), [{ start: 0, end: 4, index: 1 }]);
  assert.deepEqual(segments(4, [part(2, 99)]), [{ start: 0, end: 2 }, { start: 2, end: 4, index: 0 }]);
});

test("characters that do not show are told apart, tabs and newlines are not among them", () => {
  assert.deepEqual(visible("a\u202eb\t\n"), [{ text: "a" }, { text: "\u202e", hidden: "U+202E" }, { text: "b\t\n" }]);
  assert.deepEqual(visible("é😀"), [{ text: "é😀" }]);
});
