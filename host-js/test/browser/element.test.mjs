/** `<portcullis-verdict>` in Chromium: what it shows, to the eye, to the keyboard and to a screen reader. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { here, launch, serve, shots } from "./harness.mjs";

const PAGE = `<!doctype html><html lang="en"><meta name="color-scheme" content="light dark"><link rel="icon" href="data:,"><title>element</title>
<body style="margin:16px;max-width:640px"><portcullis-verdict></portcullis-verdict>
<script type="module">
import { createPolicy } from "/web.js";
import "/element.js";
window.element = document.querySelector("portcullis-verdict");
element.context = { cwd: "/w/app", workspace: "/w/app", home: "/home/u", git: "trusted", canApplyConditions: true };
element.policy = await createPolicy({ deny: ["git push:*"] });
window.ready = true;
</script>`;

let browser;
let server;
before(async () => {
  browser = await launch();
  server = await serve(here("dist"), { "/": PAGE });
});
after(async () => {
  await browser?.close();
  await server?.close();
});

async function open() {
  const { page, trouble } = await browser.page();
  await page.goto(server.url);
  await page.waitForFunction(() => window.ready);
  const show = async (command, streaming = false) => {
    await page.evaluate(([command, streaming]) => Object.assign(window.element, { command, streaming }), [command, streaming]);
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
  };
  const head = () => page.locator(".head").innerText();
  const pieces = () => page.locator(".seg").evaluateAll((all) => all.map((each) => [each.textContent, each.className.replace("seg ", "").replace(" on", "")]));
  return { page, trouble, show, head, pieces };
}

test("each invocation has the colour of its verdict", async () => {
  const { page, show, head, pieces, trouble } = await open();
  await show("ls -la && make && git push");
  assert.deepEqual(await pieces(), [["ls -la", "allow"], ["make", "ask"], ["git push", "deny"]]);
  assert.match(await head(), /^✕\s*Denied/);
  assert.equal(await page.locator("li").count(), 3);
  await page.screenshot({ path: join(shots, "element-light.png") });
  await page.emulateMedia({ colorScheme: "dark" });
  await page.screenshot({ path: join(shots, "element-dark.png") });
  assert.deepEqual(trouble, []);
});

test("an invocation inside another is told apart", async () => {
  const { show, pieces } = await open();
  await show("echo $(make x) y");
  const shown = await pieces();
  assert.deepEqual(shown.find(([text]) => text === "make x"), ["make x", "ask"]);
});

test("a command that is being written is never an error", async () => {
  const { page, show, head } = await open();
  const command = "ls -la | grep 'a b' && make install";
  const seen = new Set();
  for (let end = 1; end <= command.length; end += 1) {
    await show(command.slice(0, end), true);
    seen.add((await head()).replace(/\s+/g, " ").trim());
    assert.equal(await page.locator(".box.ask, .box.deny, .box.allow").count(), 0, command.slice(0, end));
  }
  assert.deepEqual([...seen], ["… Being written"]);
  await show(command.slice(0, 17), true);
  await page.screenshot({ path: join(shots, "element-writing.png") });
  await show(command, false);
  assert.match(await head(), /Needs a yes/);
  await show("echo 'abc", false);
  assert.match(await head(), /Not complete/);
});

test("finished parts keep their underline while the next word is open", async () => {
  const { show, pieces } = await open();
  await show("ls -la && echo ", true);
  assert.deepEqual((await pieces())[0], ["ls -la", "allow"]);
  await show("ls -la && echo 'x", true);
  assert.deepEqual((await pieces())[0], ["ls -la", "allow"]);
});

test("the keyboard and a screen reader get the reasons", async () => {
  const { page, show } = await open();
  await show("ls && make");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  const label = await page.evaluate(() => window.element.shadowRoot.activeElement.getAttribute("aria-label"));
  assert.match(label, /^make: ask, /);
  assert.equal(await page.locator(".tip").isVisible(), true);
  assert.match(await page.locator(".tip").innerText(), /^ask: /);
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".tip").isVisible(), false);
  const tree = await page.locator("portcullis-verdict").ariaSnapshot();
  assert.match(tree, /status.*Needs a yes/s);
  assert.match(tree, /list "What would run"/);
  await page.keyboard.press("Shift+Tab");
  await page.locator(".seg").first().hover();
  assert.match(await page.locator(".tip").innerText(), /^allow: /);
});

test("the rule that would be stored is offered and told to the host", async () => {
  const { page, show } = await open();
  await page.evaluate(() => window.element.addEventListener("portcullis-remember", (event) => (window.rules = event.detail.rules)));
  await show("npm run build");
  await page.getByRole("button", { name: /Always allow npm run build/ }).click();
  assert.deepEqual(await page.evaluate(() => window.rules), ["npm run build:*"]);
  await show("git push");
  assert.equal(await page.getByRole("button").count(), 0, "nothing is offered for what is denied");
});

test("what does not show is shown, and markup is text", async () => {
  const { page, show } = await open();
  await show("echo a\u202eb <img src=x onerror=window.hit=1>");
  assert.equal(await page.locator("pre .hid").first().innerText(), "U+202E");
  assert.equal(await page.locator("img").count(), 0);
  assert.equal(await page.evaluate(() => window.hit), undefined);
});

test("a verdict made elsewhere is shown, and a fault is not an allow", async () => {
  const { page, head } = await open();
  await page.evaluate(() => {
    const made = window.element.policy.evaluate("ls", {});
    const other = document.createElement("portcullis-verdict");
    Object.assign(other, { command: "ls", verdict: made });
    document.body.replaceChildren(other);
  });
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
  assert.match(await head(), /Allowed/);
  await page.evaluate(() => {
    const broken = document.createElement("portcullis-verdict");
    Object.assign(broken, { command: "ls", policy: { evaluate() { throw new Error("gone"); } } });
    document.body.replaceChildren(broken);
  });
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
  assert.match(await head(), /Not judged.*gone/s);
});
