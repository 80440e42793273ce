// The page: lessons, puzzles and a blank sheet, each a list of cells that run as one types.
import { el, markdown } from './markdown.js';
import { picture } from './draw.js';
import { Editor } from './editor.js';
import { Engine, Stopped } from './engine.js';
import { steps } from './steps.js';
import { recall, remember, forget, pack, unpack, place } from './state.js';

const $ = (id) => document.getElementById(id);
const pause = 90; // milliseconds without a key before a cell runs
const patience = 10_000; // for a cell that runs by itself
const slow = /^\s*:(bench|plot|promote|asm)\b/m; // what does not run by itself while one types

const content = await (await fetch('content.json')).json();
const engine = new Engine('tiler.wasm.gz?' + content.version, content.size, (part) => status(part < 1 ? `loading ${Math.round(part * 100)} %` : 'starting'));
let sheet = null;

function status(text, kind) { $('status').textContent = text; $('status').className = kind || ''; }
function announce(text) { $('live').textContent = text; }

// A Cell is an editor and what it showed.
class Cell {
  constructor(sheet, text, fixed) {
    this.sheet = sheet;
    this.first = fixed ?? text;
    this.output = el('div', { class: 'output' });
    this.run = el('button', { class: 'run', title: 'Run (Shift-Enter)', 'aria-label': 'Run this cell', onclick: () => sheet.start(this, true) }, '▶');
    this.editor = new Editor(text, `cell ${sheet.cells.length + 1}`, {
      changed: () => sheet.changed(this),
      run: () => sheet.start(this, true),
      complete: (t, pos, asked) => this.ask({ op: 'complete', text: t, pos }, asked),
      inspect: async (t, pos) => { const a = await this.ask({ op: 'inspect', text: t, pos }, true); if (a && a.picture) this.explain(a.picture); },
    });
    this.node = el('section', { class: 'cell' }, el('div', { class: 'top' }, this.editor.node, this.run), this.output);
    this.notes = [];
  }

  get name() { return `cell ${this.sheet.cells.indexOf(this) + 1}`; }

  // ask is for what helps to type: it never waits behind a cell that runs, and gives undefined then.
  async ask(r, asked) {
    if (engine.busy() && !asked) return undefined;
    try { return await engine.request(r); } catch { return null; }
  }

  explain(p) {
    const box = el('div', { class: 'explained' }, picture(p), el('button', { onclick: () => box.remove() }, 'close'));
    this.output.prepend(box);
  }
}

// A Sheet is what is on the page.
class Sheet {
  constructor(kind, name) {
    this.kind = kind;
    this.name = name;
    this.cells = [];
    this.known = 0; // how many cells the session knows
    this.generation = -1;
    this.token = 0; // of the run that counts
    this.timer = 0;
  }

  get key() { return `sheet.${this.kind}.${this.name}`; }

  add(text, fixed) { const c = new Cell(this, text, fixed); this.cells.push(c); return c; }

  changed(cell) {
    this.token++;
    clearTimeout(this.timer);
    cell.node.classList.add('stale');
    // What still runs and takes long is not waited for.
    this.timer = setTimeout(() => {
      if (engine.runningFor() > 400) engine.stop();
      this.start(cell, false);
    }, this.kind === 'puzzle' ? 500 : pause);
    this.keep();
  }

  // keep remembers the cells, in the browser and in the address.
  keep() {
    clearTimeout(this.keeping);
    this.keeping = setTimeout(async () => {
      const own = this.cells.map((c) => c.editor.text === c.first ? null : c.editor.text);
      const plain = own.every((t) => t === null);
      if (plain) forget(this.key); else remember(this.key, own);
      const code = plain ? '' : '?c=' + await pack(own);
      if (sheet === this) history.replaceState(null, '', `#${this.kind}${this.name ? '/' + this.name : ''}${code}`);
    }, 300);
  }

  // start runs a cell, and those after it, which may depend on it.
  async start(cell, asked) {
    const token = ++this.token, from = this.cells.indexOf(cell);
    clearTimeout(this.timer);
    if (asked && engine.runningFor() > 400) engine.stop();
    if (!asked && slow.test(cell.editor.text)) { cell.node.classList.add('waits'); return; }
    try {
      await this.prepare(from, token);
      for (let i = from; i < this.cells.length && token === this.token; i++) {
        if (i > from && slow.test(this.cells[i].editor.text) && this.ran) { this.cells[i].node.classList.add('stale', 'waits'); continue; }
        await this.one(this.cells[i], token, asked ? 0 : patience);
      }
    } catch (e) {
      if (!(e instanceof Stopped)) { status(String(e.message || e), 'bad'); return; }
    }
    if (token === this.token) { this.ran = true; status(''); document.body.dataset.idle = String(token); engine.keepSpare(); }
  }

  // prepare brings a new session to where the cell's begins.
  async prepare(from, token) {
    if (this.generation === engine.generation) return;
    if (this.kind !== 'puzzle') {
      await engine.request({ op: 'reset' });
      const generation = engine.generation;
      for (let i = 0; i < from && token === this.token; i++) {
        const c = this.cells[i];
        if (c.endless !== c.editor.text && !/^\s*:(step|bench|plot)/m.test(c.editor.text)) await engine.request({ op: 'run', name: c.name, text: c.editor.text });
      }
      if (token === this.token) this.generation = generation;
    }
  }

  async one(cell, token, limit) {
    const text = cell.editor.text;
    const out = el('div', { class: 'output' });
    const problems = [], found = (p) => problems.push(p);
    const began = performance.now();
    const stop = el('button', { class: 'stop', onclick: () => engine.stop() }, 'Stop');
    const late = setTimeout(() => { cell.node.classList.add('running'); cell.output.prepend(stop); status(`${cell.name} runs`); }, 700);
    const end = limit && setTimeout(() => engine.stop('long'), limit);
    const step = /^\s*:step\s+(\S[\s\S]*)$/.exec(text);
    let request = { op: 'run', name: cell.name, text };
    if (step) request = { op: 'step', text: step[1].trim(), number: 0 };
    if (this.kind === 'puzzle') request = { op: 'judge', name: this.name, text };
    try {
      const a = await engine.request(request);
      if (token !== this.token && cell.editor.text !== text) return;
      for (const o of a.out) this.put(out, o, found);
      if (a.steps && (a.steps.list.length || a.ok)) {
        out.append(steps(a.steps, a.problem, (file) => this.text(file), (number) => engine.request({ ...request, number }).catch(() => null)));
      } else if (a.problem) out.append(el('div', { class: 'problem' }, picture(a.problem, found)));
      if (/^\s*:promote\b/m.test(text) && a.ok) out.append(this.natively());
      cell.took = a.took;
      cell.endless = null;
      if (this.judged && a.right !== undefined) this.judged(a.right);
    } catch (e) {
      if (!(e instanceof Stopped)) throw e;
      if (cell.editor.text === text) cell.endless = text;
      const why = e.message === 'long' ? `stopped: it ran for ${patience / 1000} s. Shift-Enter runs it without a limit.` : e.message + ': the cells above ran again before what comes next.';
      out.append(el('div', { class: 'problem stopped' }, el('pre', null, el('span', { class: 'warn' }, why))));
      announce(why);
      if (cell.editor.text !== text) return;
      cell.output.replaceWith(out);
      cell.output = out;
      throw e;
    } finally {
      clearTimeout(late);
      clearTimeout(end);
      stop.remove();
      cell.node.classList.remove('running');
    }
    cell.output.replaceWith(out);
    cell.output = out;
    cell.node.classList.remove('stale', 'waits');
    cell.drawn = performance.now() - began;
    this.place(problems);
  }

  put(out, o, found) {
    if (o.text) {
      const last = out.lastElementChild;
      if (last && last.classList.contains('printed')) last.append(o.text); else out.append(el('pre', { class: 'printed' }, o.text));
    }
    if (o.picture) { const p = picture(o.picture, found); if (o.remark) p.classList.add('remark'); out.append(p); }
  }

  // place puts what is wrong at its lines, in whichever cell they are.
  place(problems) {
    const by = new Map();
    for (const p of problems) {
      const c = this.cells.find((x) => x.name === p.name);
      if (c) by.set(c, [...(by.get(c) || []), p]);
    }
    for (const [c, list] of by) c.editor.mark(list);
  }

  text(name) { const c = this.cells.find((x) => x.name === name); return c ? c.editor.text : ''; }

  natively() {
    const script = () => this.cells.map((c) => c.editor.text.replaceAll(/^\s*:step.*$/gm, '')).join('\n\n') + '\n';
    const save = () => {
      const a = el('a', { href: URL.createObjectURL(new Blob([script()], { type: 'text/plain' })), download: 'sheet.go' });
      a.click();
      setTimeout(() => URL.revokeObjectURL(a.href), 1000);
    };
    return el('p', { class: 'natively' }, 'In the browser this is the portable engine. On your machine the same kernel becomes AVX-512 or AVX2 code, bit-identical to what you saw: ',
      el('button', { onclick: save }, 'save these cells'), ' and ', el('code', null, 'go run github.com/tiler-go/tiler/cmd/tiler@latest run sheet.go'));
  }
}

// What an address in a lesson leads to: lessons, and pages elsewhere.
function link(to) {
  const lesson = /^(?:\.\/)?([\w-]+)\.(?:ipynb|md)$/.exec(to);
  if (lesson && content.lessons.some((l) => l.slug === lesson[1])) return '#lesson/' + lesson[1];
  return /^https:\/\//.test(to) || /^#(lesson|puzzle|blank)\b/.test(to) ? to : null;
}

function blank(texts) {
  const s = new Sheet('blank', '');
  const list = texts && texts.length ? texts.map((t) => t ?? '') : [content.blank];
  const nodes = list.map((t, i) => s.add(t, i === 0 ? content.blank : '').node);
  const more = el('button', { class: 'more', onclick: () => { const c = s.add('', null); c.first = ''; more.before(c.node); c.editor.area.focus(); } }, 'Add a cell');
  $('main').replaceChildren(el('h1', null, 'A blank sheet'), el('p', null, 'Go, with operators on tiles; the value of an expression is shown. Commands such as ', el('code', null, ':check'), ', ', el('code', null, ':step'), ' and ', el('code', null, ':promote'), ' work as at the prompt. Tab completes a name, Shift-Tab explains it, and Escape then Tab leaves a cell.'), ...nodes, more);
  return s;
}

function lesson(slug, texts) {
  const i = Math.max(0, content.lessons.findIndex((l) => l.slug === slug)), l = content.lessons[i], s = new Sheet('lesson', l.slug);
  const nodes = [];
  for (const p of l.parts) {
    if (p.code !== undefined) nodes.push(s.add(texts?.[s.cells.length] ?? p.code, p.code).node);
    else if (p.puzzle) nodes.push(...exercise(s, p.puzzle, texts));
    else nodes.push(...markdown(p.words, link));
  }
  const next = content.lessons[i + 1];
  nodes.push(el('p', { class: 'next' }, next ? el('a', { href: '#lesson/' + next.slug }, 'Next: ' + next.title) : el('a', { href: '#puzzle/1' }, 'On to the puzzles')));
  $('main').replaceChildren(...nodes);
  return s;
}

function exercise(s, name, texts) {
  const p = content.puzzles[name];
  if (!p) return [];
  const text = p.skeleton + '\n\n:judge ' + name;
  return [el('h3', null, p.title), ...markdown(p.text, link), s.add(texts?.[s.cells.length] ?? text, text).node, help(name, p, s.cells.at(-1))];
}

// help is a puzzle's hints, one after the other, and its solution.
function help(name, p, cell) {
  const given = el('ol', { class: 'hints' }), button = el('button', null, 'A hint'), solution = el('details', { class: 'solution' }, el('summary', null, 'A solution'), el('pre', { class: 'formula' }, p.solution),
    el('button', { onclick: () => { cell.editor.text = p.solution; cell.sheet.changed(cell); } }, 'Put it into the cell'));
  let n = recall('hints.' + name, 0);
  const draw = () => {
    given.replaceChildren(...p.hints.slice(0, n).map((h) => el('li', null, h)));
    button.hidden = n >= p.hints.length;
    button.textContent = n ? 'A clearer hint' : 'A hint';
  };
  button.addEventListener('click', () => { n++; remember('hints.' + name, n); draw(); });
  draw();
  return el('div', { class: 'help' }, given, button, solution);
}

function puzzle(number, texts) {
  const name = content.order[Math.min(Math.max(1, parseInt(number, 10) || 1), content.order.length) - 1], p = content.puzzles[name], n = content.order.indexOf(name) + 1;
  const s = new Sheet('puzzle', String(n));
  const cell = s.add(texts?.[0] ?? p.skeleton, p.skeleton);
  const verdict = el('p', { class: 'verdict', role: 'status' });
  const onwards = n < content.order.length ? el('a', { href: '#puzzle/' + (n + 1), class: 'onwards', hidden: true }, `Puzzle ${n + 1}: ${content.puzzles[content.order[n]].title}`) : null;
  s.judged = (right) => {
    verdict.className = 'verdict ' + (right ? 'right' : 'not');
    verdict.textContent = right ? '✓ right' : '✗ not yet';
    if (onwards && right) onwards.hidden = false;
    if (!right) return;
    const solved = recall('solved', []);
    if (!solved.includes(name)) { remember('solved', [...solved, name]); contents(); }
  };
  $('main').replaceChildren(el('h1', null, `Puzzle ${n} · ${p.title}`), ...markdown(p.text, link),
    el('p', { class: 'says' }, 'Judged as you type, on ', el('code', null, p.launch), ' and on sizes that are not shown.'),
    cell.node, verdict, ...(onwards ? [onwards] : []), help(name, p, cell));
  return s;
}

function contents() {
  const solved = recall('solved', []), { kind, name } = place(location.hash);
  const item = (href, text, mark, here) => el('li', null, el('a', { href, 'aria-current': here ? 'page' : false }, el('span', { class: 'tick' }, mark), text));
  $('nav').replaceChildren(
    el('h2', null, 'Lessons'), el('ul', null, ...content.lessons.map((l, i) => item('#lesson/' + l.slug, l.title, '', kind === 'lesson' && (name === l.slug || !name && !i)))),
    el('h2', null, `Puzzles, ${content.order.filter((n) => solved.includes(n)).length} of ${content.order.length} solved`),
    el('ul', null, ...content.order.map((p, i) => item('#puzzle/' + (i + 1), `${i + 1} · ${content.puzzles[p].title}`, solved.includes(p) ? '✓' : '', kind === 'puzzle' && +name === i + 1))),
    el('h2', null, 'Yours'), el('ul', null, item('#blank', 'A blank sheet', '', kind === 'blank')));
}

// route opens what the address names. Code in the address comes before what was kept.
async function route() {
  const { kind, name, code } = place(location.hash);
  if (sheet) { sheet.token++; if (engine.runningFor() > 400) engine.stop(); }
  const linked = code ? await unpack(code) : null;
  const texts = (key) => linked ?? recall(key, null);
  if (kind === 'puzzle') sheet = puzzle(name, texts('sheet.puzzle.' + (parseInt(name, 10) || 1)));
  else if (kind === 'blank') sheet = blank(texts('sheet.blank.'));
  else sheet = lesson(name, texts('sheet.lesson.' + (name || content.lessons[0].slug)));
  if (code && !linked) status('the link carries no code that can be read', 'bad');
  contents();
  $('nav').classList.remove('open');
  $('menu').setAttribute('aria-expanded', 'false');
  document.title = ($('main').querySelector('h1')?.textContent || 'tiler') + ' · tiler';
  scrollTo(0, 0);
  const s = sheet;
  s.generation = -1;
  if (s.cells.length) s.start(s.cells[0], true);
}

$('menu').addEventListener('click', () => $('menu').setAttribute('aria-expanded', String($('nav').classList.toggle('open'))));
$('skip').addEventListener('click', (e) => { e.preventDefault(); $('main').focus(); });
$('restart').addEventListener('click', () => { sheet.generation = -1; sheet.ran = false; if (engine.runningFor() > 400) engine.stop(); sheet.start(sheet.cells[0], true); });
$('share').addEventListener('click', async () => {
  const own = sheet.cells.map((c) => c.editor.text === c.first ? null : c.editor.text);
  const to = `#${sheet.kind}${sheet.name ? '/' + sheet.name : ''}?c=${await pack(own)}`;
  history.replaceState(null, '', to);
  try { await navigator.clipboard.writeText(location.href); status('the link is copied'); } catch { status('the address is the link'); }
});
const themes = ['', 'light', 'dark'];
function theme(name) { if (name) document.documentElement.dataset.theme = name; else delete document.documentElement.dataset.theme; $('theme').replaceChildren(el('span', { class: 'wide' }, 'Theme: '), name || 'auto'); }
$('theme').addEventListener('click', () => { const n = themes[(themes.indexOf(recall('theme', '')) + 1) % 3]; remember('theme', n); theme(n); });
theme(themes.includes(recall('theme', '')) ? recall('theme', '') : '');
addEventListener('hashchange', route);
engine.module.catch((e) => status('cannot load the program: ' + e.message, 'bad'));
route();
if ('serviceWorker' in navigator) navigator.serviceWorker.register('sw.js').catch(() => {});
