/** The playground, built and served as a static page, in Chromium. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { rmSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { here, launch, serve, shots } from "./harness.mjs";

let browser;
let server;
let folder;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), "portcullis-playground-"));
  const vite = here("node_modules/vite/bin/vite.js");
  execFileSync(process.execPath, [vite, "build", "--config", here("playground/vite.config.ts"), "--outDir", folder, "--emptyOutDir", "--logLevel", "warn"], { stdio: "inherit" });
  browser = await launch();
  server = await serve(folder);
  console.log(`screenshots: ${shots}`);
});
after(async () => {
  await browser?.close();
  await server?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A page with nothing kept from the ones before. */
async function open(hash = "") {
  const opened = await browser.page();
  await opened.page.addInitScript(() => {
    if (!sessionStorage.getItem("fresh")) localStorage.clear();
    sessionStorage.setItem("fresh", "1");
  });
  await opened.page.goto(server.url + hash);
  await opened.page.waitForSelector("html[data-ready]");
  return opened;
}

const word = (page) => page.locator("#strip .word").first().innerText();
const write = async (page, command) => {
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+A");
  await page.keyboard.insertText(command);
};

test("it opens with a working example, and sends nothing anywhere", async () => {
  const { page, trouble, hosts } = await open();
  assert.match(await word(page), /Needs a yes/);
  assert.ok((await page.locator(".parts li").count()) >= 3);
  assert.ok((await page.locator(".cm-content .part-ask").count()) > 0);
  await page.screenshot({ path: join(shots, "playground-light.png"), fullPage: true });
  assert.deepEqual([...hosts], [new URL(server.url).host]);
  assert.deepEqual(trouble, []);
});

test("the verdict follows the typing, the mode and the rules", async () => {
  const { page, trouble } = await open();
  await write(page, "git status | head");
  assert.match(await word(page), /Allowed/);
  await write(page, "touch notes.md");
  assert.match(await word(page), /Needs a yes/);
  await page.getByLabel("Mode").selectOption("edit");
  assert.match(await word(page), /Allowed/);
  await page.getByLabel("Mode").selectOption("plan");
  assert.match(await word(page), /Denied/);
  await page.getByLabel("Mode").selectOption("build");
  await page.getByLabel("Deny").fill("touch:*");
  assert.match(await word(page), /Denied/);
  assert.match(await page.locator("#strip .facts").innerText(), /rule touch:\*/);
  await page.getByLabel("Deny").fill("ok\nBash(ls");
  assert.equal(await page.locator("#deny-fault").innerText(), "Rule 2: Bash( is not closed (end the rule with ))");
  assert.equal(await page.getByLabel("Deny").getAttribute("aria-invalid"), "true");
  await page.screenshot({ path: join(shots, "playground-rules.png"), fullPage: true });
  await page.getByLabel("Deny").fill("");
  assert.match(await word(page), /Needs a yes/);
  assert.deepEqual(trouble, []);
});

test("a suggested rule, added, allows the command", async () => {
  const { page } = await open();
  await write(page, "npm run build");
  await page.locator("#extras").getByRole("button", { name: "npm run build:*" }).click();
  assert.match(await word(page), /Allowed/);
  assert.equal(await page.getByLabel("Allow", { exact: true }).inputValue(), "npm run build:*");
});

test("every example is judged, and every tab draws it", async () => {
  const { page, trouble } = await open();
  const examples = await page.locator("#examples option").count();
  for (let index = 0; index < examples - 1; index += 1) {
    await page.locator("#examples").selectOption(String(index));
    assert.match(await word(page), /Allowed|Needs a yes|Denied|Not complete/);
    if (index === 0) assert.equal(await page.locator(".cm-content .part-allow").count(), 5, "the new text is marked");
    for (const tab of ["Explanation", "Parse", "In a host", "JSON", "Parts"]) {
      await page.getByRole("tab", { name: tab }).click();
      assert.notEqual((await page.locator("#panel").innerText()).trim(), "", tab);
      assert.equal(await page.locator("#panel .fault").count(), 0);
      if (index === 0) await page.screenshot({ path: join(shots, `playground-${tab.replaceAll(" ", "-").toLowerCase()}.png`), fullPage: true });
    }
  }
  assert.deepEqual(trouble, []);
});

test("prompt rules are asked about, and the answer counts", async () => {
  const { page } = await open();
  await write(page, "psql -c x");
  await page.getByLabel("Deny").fill("prompt: changes a database");
  await page.getByRole("button", { name: "Yes", exact: true }).click();
  assert.match(await word(page), /Denied/);
});

test("a link holds everything", async () => {
  const { page } = await open();
  await write(page, "echo 'é 😀' && frobnicate");
  await page.getByLabel("Allow", { exact: true }).fill("frobnicate:*");
  await page.getByLabel("Mode").selectOption("edit");
  await page.waitForFunction(() => location.hash.startsWith("#v1="));
  await page.getByRole("button", { name: "Copy link" }).click();
  const hash = await page.evaluate(() => location.hash);
  const other = await open(hash);
  assert.equal(await other.page.locator(".cm-content").innerText(), "echo 'é 😀' && frobnicate");
  assert.equal(await other.page.getByLabel("Mode").inputValue(), "edit");
  assert.match(await word(other.page), /Allowed/);
});

test("links of the first form open for ever, hand-made and broken ones do no harm", async () => {
  // Made by hand from {"command":"git push","deny":"git push:*"}; must not change.
  const { deflateRawSync } = await import("node:zlib");
  const fixed = `#v1=${deflateRawSync(JSON.stringify({ command: "git push", deny: "git push:*" })).toString("base64url")}`;
  assert.match(await word((await open(fixed)).page), /Denied/);
  assert.match(await word((await open("#cmd=ls%20-la")).page), /Allowed/);
  for (const hash of ["#v1=%%%", "#v1=AAAA", "#nonsense", `#v1=${deflateRawSync('{"mode":"root","command":7,"__proto__":{"x":1}}').toString("base64url")}`]) {
    const { page, trouble } = await open(hash);
    assert.match(await word(page), /Needs a yes/, hash);
    assert.deepEqual(trouble, []);
  }
});

test("the keyboard reaches everything and is never trapped", async () => {
  const { page } = await open();
  await write(page, "ls && make && pwd");
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("Alt+ArrowDown");
  assert.equal(await page.evaluate(() => getSelection().toString()), "make");
  await page.keyboard.press("Alt+ArrowUp");
  assert.equal(await page.evaluate(() => getSelection().toString()), "ls");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.closest(".cm-editor")), null);
  await page.getByRole("tab", { name: "Parts" }).focus();
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.getByRole("tab", { name: "Explanation" }).getAttribute("aria-selected"), "true");
  await page.keyboard.press("End");
  assert.equal(await page.getByRole("tab", { name: "JSON" }).getAttribute("aria-selected"), "true");
  await page.keyboard.press("Control+k");
  assert.equal(await page.evaluate(() => document.activeElement.id), "examples");
});

test("dark and light, by the system and by choice", async () => {
  const { page } = await open();
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.emulateMedia({ colorScheme: "dark" });
  const dark = await ground();
  await page.screenshot({ path: join(shots, "playground-dark.png"), fullPage: true });
  await page.getByRole("button", { name: /Theme/ }).click();
  assert.notEqual(await ground(), dark, "light was chosen");
  await page.reload();
  await page.waitForSelector("html[data-ready]");
  assert.notEqual(await ground(), dark, "and is kept");
});

test("text stands out enough in both themes", async () => {
  const { page } = await open();
  for (const scheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme: scheme });
    const weak = await page.evaluate(() => {
      const numbers = (color) => color.match(/[\d.]+/g).map(Number);
      const light = (color) => {
        const [r, g, b] = numbers(color).slice(0, 3).map((value) => ((value /= 255) <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const ground = (element) => {
        for (let each = element; each; each = each.parentElement) {
          const color = getComputedStyle(each).backgroundColor;
          if ((numbers(color)[3] ?? 1) > 0.99) return color;
        }
        return "rgb(255, 255, 255)";
      };
      return [...document.querySelectorAll(".word, .why, .tag, .hint, .facts, label, h1, h2, code.slug, button")]
        .filter((element) => element.textContent.trim() !== "" && element.offsetParent !== null)
        .map((element) => {
          const [a, b] = [light(getComputedStyle(element).color), light(ground(element))].sort((x, y) => y - x);
          return [(a + 0.05) / (b + 0.05), element.className, element.textContent.slice(0, 30)];
        })
        .filter(([ratio]) => ratio < 4.5);
    });
    assert.deepEqual(weak, [], scheme);
  }
});

test("a phone's width is enough", async () => {
  const { page } = await open();
  await page.setViewportSize({ width: 360, height: 740 });
  await write(page, "find . -name '*.orig' -mtime +30 -print0 | xargs -0 rm -f && echo a-very-long-word-that-does-not-break-anywhere-in-the-middle-of-it");
  await page.screenshot({ path: join(shots, "playground-phone.png"), fullPage: true });
  const { wide, small } = await page.evaluate(() => ({
    wide: [...document.querySelectorAll("main *, header *")].filter((each) => each.getBoundingClientRect().right > innerWidth + 1).map((each) => each.outerHTML.slice(0, 80)),
    small: [...document.querySelectorAll("button, select")].filter((each) => each.offsetParent && each.getBoundingClientRect().height < 40).map((each) => each.textContent),
  }));
  assert.deepEqual(wide, [], "nothing is wider than the screen");
  assert.deepEqual(small, [], "fingers can hit everything");
});

test("the element in the page streams a command without calling it an error", async () => {
  const { page, trouble } = await open();
  await page.getByRole("tab", { name: "In a host" }).click();
  await page.getByRole("button", { name: "Write it as a model would" }).click();
  const head = page.locator("portcullis-verdict .head");
  await head.getByText("Being written").waitFor();
  await head.getByText("Needs a yes").waitFor();
  assert.deepEqual(trouble, []);
});

test("once loaded it works without a network", async () => {
  const own = await serve(folder);
  const { page } = await browser.page();
  await page.goto(own.url);
  await page.waitForSelector("html[data-ready]");
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(async () => (await caches.keys()).some((name) => name.startsWith("portcullis-")));
  await page.reload();
  await page.waitForSelector("html[data-ready]");
  await own.close();
  await page.reload();
  await page.waitForSelector("html[data-ready]");
  await write(page, "ls");
  assert.match(await word(page), /Allowed/);
});

test("it is ready soon", async () => {
  const { page } = await open();
  const timing = await page.evaluate(() => performance.getEntriesByType("navigation")[0].domComplete);
  const size = await page.evaluate(() => performance.getEntriesByType("resource").reduce((sum, entry) => sum + entry.encodedBodySize, 0));
  console.log(`dom complete after ${Math.round(timing)} ms, ${Math.round(size / 1000)} KB uncompressed`);
  assert.ok(timing < 10_000);
});
