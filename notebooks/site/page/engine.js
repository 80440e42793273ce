// The program in its worker: loaded once, with progress, and begun anew when a cell has
// to be stopped. Requests are answered one after the other.

const magic = [0x1f, 0x8b];

// load is the compiled program. The file is compressed; a host may say so, and then the
// browser has undone it, or serve it as it is: its first bytes tell.
async function load(url, size, told) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
  const reader = response.body.getReader();
  const first = await reader.read();
  let seen = first.value.length, pending = first.value;
  const zipped = pending[0] === magic[0] && pending[1] === magic[1];
  const total = zipped ? size.compressed : size.whole;
  let body = new ReadableStream({
    async pull(c) {
      if (pending) { c.enqueue(pending); pending = null; return; }
      const { done, value } = await reader.read();
      if (done) { c.close(); return; }
      seen += value.length;
      told(Math.min(1, seen / total));
      c.enqueue(value);
    },
  });
  if (zipped) body = body.pipeThrough(new DecompressionStream('gzip'));
  return WebAssembly.compileStreaming(new Response(body, { headers: { 'Content-Type': 'application/wasm' } }));
}

export class Stopped extends Error {}

export class Engine {
  constructor(url, size, told) {
    this.next = 1;
    this.waiting = new Map();
    this.generation = 0; // of the session: what earlier ones knew is gone
    this.module = load(url, size, told);
    this.module.catch(() => {});
    this.start();
  }

  start() {
    const spare = this.spare;
    this.spare = null;
    this.current = spare || this.spawn();
    this.generation++;
  }

  spawn() {
    const w = { worker: new Worker('worker.js'), ready: null, began: 0 };
    w.ready = new Promise((resolve, reject) => {
      w.worker.onmessage = (e) => {
        const a = JSON.parse(e.data);
        if (a.ready) resolve();
        else if (a.ended) { reject(new Error(a.why || 'the program ended')); this.lost(w); }
        else this.answer(a);
      };
      w.worker.onerror = (e) => { reject(new Error(e.message)); this.lost(w); };
    });
    w.ready.catch(() => {});
    this.module.then((module) => w.worker.postMessage({ module }), (e) => this.fail(e));
    return w;
  }

  // keepSpare has a second worker wait, so that a stop costs no start.
  keepSpare() { if (!this.spare) this.spare = this.spawn(); }

  lost(w) { if (w === this.current) { this.stop('the program ended: what it needed was more than a page has'); } }

  fail(error) { for (const [, r] of this.waiting) r.reject(error); this.waiting.clear(); }

  answer(a) {
    const r = this.waiting.get(a.id);
    if (!r) return;
    if (!a.done) { r.out.push(a); if (r.told) r.told(a); return; }
    this.waiting.delete(a.id);
    r.resolve({ ...a, out: r.out });
  }

  // request asks for something; told is called with what comes before the end.
  async request(r, told) {
    await this.module;
    const w = this.current;
    await w.ready;
    if (w !== this.current) throw new Stopped('stopped');
    const id = this.next++;
    w.began = performance.now();
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject, out: [], told });
      w.worker.postMessage({ request: JSON.stringify({ ...r, id }) });
    });
  }

  busy() { return this.waiting.size > 0; }
  runningFor() { return this.busy() ? performance.now() - this.current.began : 0; }

  // stop ends what runs, and the session with it.
  stop(why) {
    this.current.worker.terminate();
    this.start();
    this.fail(new Stopped(why || 'stopped'));
    setTimeout(() => this.keepSpare(), 1500);
  }
}
