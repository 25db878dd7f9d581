import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Writes a service worker that keeps the built files, so that the page works without a network once it was loaded. */
function offline(): Plugin {
  return {
    name: "offline",
    apply: "build",
    generateBundle(_, bundle) {
      const files = Object.keys(bundle).filter((name) => !name.endsWith(".map")).sort();
      const version = createHash("sha256");
      for (const name of files) {
        const item = bundle[name]!;
        version.update(name).update(item.type === "chunk" ? item.code : item.source);
      }
      const name = `portcullis-${version.digest("hex").slice(0, 16)}`;
      const source = `const NAME = ${JSON.stringify(name)};
const FILES = ${JSON.stringify(["./", ...files.filter((file) => file !== "index.html").map((file) => `./${file}`)])};
self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(FILES)).then(() => self.skipWaiting()));
});
self.addEventListener("activate", (event) => {
  const old = caches.keys().then((names) => Promise.all(names.filter((name) => name.startsWith("portcullis-") && name !== NAME).map((name) => caches.delete(name))));
  event.waitUntil(old.then(() => self.clients.claim()));
});
self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET") return;
  event.respondWith(caches.match(event.request, { ignoreSearch: true }).then((kept) => kept ?? fetch(event.request)));
});
`;
      this.emitFile({ type: "asset", fileName: "sw.js", source });
    },
  };
}

export default defineConfig({
  root: here("."),
  base: "./",
  resolve: {
    alias: [
      { find: /^portcullis$/, replacement: here("../dist/web.js") },
      { find: /^portcullis\/element$/, replacement: here("../dist/element.js") },
    ],
  },
  build: { outDir: here("../playground-dist"), emptyOutDir: true, target: "es2022", assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  plugins: [offline()],
});
