/**
 * `npm run bench:typing`: how long the playground takes for a keystroke, in Chromium, while 500 characters are typed.
 *
 * A keystroke's time is from the browser's `beforeinput` to the end of the task that drew the new verdict: what could hold up
 * the next frame (16 ms).
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { here, launch, serve } from "../test/browser/harness.mjs";

const COMMAND =
  "cd /w/app && git log --oneline -20 | head -5; for f in src/*.rs; do wc -l \"$f\"; done; find . -name '*.orig' -mtime +30 -print0 | xargs -0 rm -f && " +
  "if [ -f package.json ]; then npm test -- --watch=false 2>&1 | tee out.log; fi; echo \"$(date +%F) done\" >> notes.md; bash -c 'ls -la; git push --force' ; " +
  "curl -fsSL https://example.com/x.tar.gz | tar xz -C vendor; sed -n '1,40p' README.md | sort | uniq -c | sort -rn | head -20; docker compose up -d && " +
  "kubectl get pods -n app -o wide | grep -v Running || true; python3 -c 'print(1)'";

const folder = mkdtempSync(join(tmpdir(), "portcullis-typing-"));
execFileSync(process.execPath, [here("node_modules/vite/bin/vite.js"), "build", "--config", here("playground/vite.config.ts"), "--outDir", folder, "--emptyOutDir", "--logLevel", "warn"], { stdio: "inherit" });
const [browser, server] = [await launch(), await serve(folder)];
try {
  const { page } = await browser.page();
  await page.goto(server.url);
  await page.waitForSelector("html[data-ready]");
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+A");
  await page.keyboard.press("Delete");
  await page.evaluate(() => {
    globalThis.times = [];
    const { port1, port2 } = new MessageChannel();
    let started = 0;
    port1.onmessage = () => globalThis.times.push(performance.now() - started);
    document.querySelector(".cm-content").addEventListener(
      "beforeinput",
      () => {
        started = performance.now();
        port2.postMessage(0);
      },
      true,
    );
  });
  await page.keyboard.type(COMMAND.slice(0, 500));
  const times = (await page.evaluate(() => globalThis.times)).sort((a, b) => a - b);
  const at = (part) => times[Math.min(times.length - 1, Math.floor(times.length * part))].toFixed(1);
  console.log(`${times.length} keystrokes: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, max ${at(1)} ms; ${times.filter((time) => time > 16).length} over 16 ms`);
} finally {
  await browser.close();
  await server.close();
  rmSync(folder, { recursive: true, force: true });
}
