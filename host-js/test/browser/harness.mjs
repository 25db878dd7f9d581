/** A page in Chromium and a static server on loopback: what the browser suites share. */
import { createServer } from "node:http";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".json": "application/json",
};

export const here = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** Where screenshots go; printed once, since a person looks at them. */
export const shots = process.env.PORTCULLIS_SHOTS ?? join(tmpdir(), "portcullis-shots");
mkdirSync(shots, { recursive: true });

/** Serves a folder, and pages given as texts; `types` may be left out to see what a careless server does. */
export async function serve(folder, pages = {}, { wasmType = "application/wasm" } = {}) {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://x").pathname);
    if (path in pages) return response.writeHead(200, { "content-type": TYPES[".html"] }).end(pages[path]);
    const file = join(folder, normalize(path === "/" ? "/index.html" : path));
    if (!file.startsWith(folder) || !existsSync(file) || !statSync(file).isFile()) return response.writeHead(404).end();
    const type = extname(file) === ".wasm" ? wasmType : (TYPES[extname(file)] ?? "application/octet-stream");
    response.writeHead(200, { "content-type": type }).end(readFileSync(file));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(resolve);
      }),
  };
}

/** A browser with a profile of its own. */
export async function launch() {
  const executablePath = process.env.CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) => existsSync(path));
  if (executablePath === undefined) throw new Error("no Chromium: install it (Debian: `apt install chromium`) or name it in CHROMIUM");
  const profile = mkdtempSync(join(tmpdir(), "portcullis-chromium-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    headless: true,
    viewport: { width: 1280, height: 900 },
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
  return {
    context,
    async close() {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    },
    /** A page that remembers what went wrong in it and where it connected to. */
    async page() {
      const page = await context.newPage();
      const trouble = [];
      const hosts = new Set();
      page.on("console", (message) => message.type() === "error" && trouble.push(message.text()));
      page.on("pageerror", (error) => trouble.push(String(error)));
      page.on("request", (request) => request.url().startsWith("http") && hosts.add(new URL(request.url()).host));
      return { page, trouble, hosts };
    },
  };
}
