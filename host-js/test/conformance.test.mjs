/** Every case of the corpora comes out right in Node, or is known not to, with a reason. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createPolicy } from "../dist/node.js";
import { load } from "./corpus.mjs";

test("the corpora come out right in Node", async () => {
  const policy = await createPolicy();
  const wrong = [];
  const cases = load();
  for (const { place, want, known, request } of cases) {
    const { command, ...context } = request;
    const { decision } = policy.evaluate(command, context);
    // `ask` means "must not be allowed".
    const right = want === "ask" ? decision !== "allow" : decision === want;
    if (right !== (known === undefined)) wrong.push(`${place}: ${JSON.stringify(command)} is ${decision}, ${known === undefined ? `not ${want}` : `and known to be wrong (${known})`}`);
  }
  assert.deepEqual(wrong, [], `${wrong.length} of ${cases.length}`);
});
