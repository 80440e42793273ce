// The service worker: what the page is made of is kept, so that it works without a
// network. The network comes first, but for the program, whose name has its version.
'use strict';
const version = '{{version}}';
const files = ['./', 'style.css', 'app.js', 'engine.js', 'editor.js', 'draw.js', 'markdown.js', 'state.js', 'steps.js', 'worker.js', 'wasm_exec.js', 'content.json', 'icon.svg', 'tiler.wasm.gz?' + version];
self.addEventListener('install', (e) => e.waitUntil(
  caches.open('tiler-' + version).then((c) => c.addAll(files)).then(() => self.skipWaiting())));
self.addEventListener('activate', (e) => e.waitUntil(
  caches.keys().then((names) => Promise.all(names.filter((n) => n.startsWith('tiler-') && n !== 'tiler-' + version).map((n) => caches.delete(n))))
    .then(() => self.clients.claim())));
self.addEventListener('fetch', (e) => {
  if (e.request.method !== 'GET' || new URL(e.request.url).origin !== self.location.origin) return;
  const kept = () => caches.match(e.request);
  if (e.request.url.includes('tiler.wasm.gz')) {
    e.respondWith(kept().then((r) => r || fetch(e.request)));
    return;
  }
  e.respondWith(fetch(e.request).catch(() => kept()).then((r) => r || Response.error()));
});
