// Pictures: what package play sends as data, as nodes of the page. Every text is a text
// node, whatever is in it.
import { el } from './markdown.js';

const place = /^(\S.*?):(\d+)(?::(\d+))?: /;

// heat is a number's place on its scale as the strength of a colour.
function heated(td, h) {
  if (!h) return;
  td.classList.add(h > 0 ? 'hot' : 'cold');
  td.style.setProperty('--heat', Math.round(Math.abs(h) * 55) + '%');
}

function grid(g) {
  const rows = [];
  if (g.cols) rows.push(el('tr', null, ...(g.rows ? [el('td', null)] : []), ...g.cols.map((c) => el('th', { scope: 'col' }, c))));
  g.cells.forEach((row, i) => {
    rows.push(el('tr', null, ...(g.rows ? [el('th', { scope: 'row' }, g.rows[i])] : []), ...(row || []).map((c) => {
      const td = el('td', { class: c.s || false, title: c.n || false }, c.t.trim() + (c.m || ''));
      heated(td, c.h);
      return td;
    })));
  });
  return el('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'grid' }, el('table', { class: g.tight ? 'tight' : '' }, el('tbody', null, ...rows)));
}

// drawing is an SVG document as an image: as one it can neither run nor load anything.
function drawing(d) {
  const src = URL.createObjectURL(new Blob([d.svg], { type: 'image/svg+xml' }));
  return el('div', { class: 'scroll' }, el('img', { src, alt: d.label, width: d.w, height: d.h, onload: () => URL.revokeObjectURL(src) }));
}

const severities = { error: 'bad', FAILED: 'bad', warning: 'warn' };

// picture is a picture's nodes. found is called with places in cells that its lines begin
// with: name, line, column, text, and how bad it is.
export function picture(p, found, bad) {
  const out = el('div', { class: 'picture' });
  const linked = p.pointers && pointers(p.pointers);
  if (linked) { out.append(linked); return out; }
  let pre = null;
  for (const b of p.blocks) {
    const node = b.grid ? grid(b.grid) : b.legend ? legend(b.legend) : b.drawing ? drawing(b.drawing)
      : b.panel ? el('div', { class: 'panel' }, el('span', { class: 'badge ' + b.panel.style }, b.panel.badge), picture(b.panel.body, found, severities[b.panel.badge] || 'note')) : null;
    if (node) { out.append(node); pre = null; continue; }
    const text = (b.line || []).map((s) => s[1]).join('');
    const m = place.exec(text);
    if (m && found) found({ name: m[1], line: +m[2], column: +(m[3] || 0), text: text.slice(m[0].length), bad: bad || severity(b.line) });
    if (!pre) { pre = el('pre', null); out.append(pre); } else pre.append('\n');
    for (const [style, t] of b.line || []) pre.append(style ? el('span', { class: style }, t) : t);
  }
  return out;
}

const legend = (keys) => el('p', { class: 'says' }, ...keys.flatMap(([mark, style, text], i) => [i ? '\u2003' : '', el('span', { class: 'key ' + style }, mark), ' ' + text]));

function severity(line) {
  for (const [style] of line) if (style === 'bad' || style === 'warn') return style;
  return 'note';
}

const most = 24;

// span is which of n rows are drawn: those from lo to hi, and a few around them.
function span(lo, hi, n) {
  if (Math.max(n, hi + 1) <= most) return [0, Math.max(n, hi + 1)];
  const from = Math.max(0, lo - 1);
  return [from, Math.min(Math.max(n, hi + 1), Math.max(hi + 2, from + 4))];
}

// pointers draws a tile of pointers beside the tensor that they point into. What is under
// the pointer, or has the focus, is marked on the other side.
export function pointers(p) {
  const strides = p.strides, vector = p.tensor.length === 1;
  const cols = vector ? (p.tensor[0] > 16 ? 16 : p.tensor[0]) : p.tensor[1];
  const height = vector ? Math.ceil(p.tensor[0] / cols) : p.tensor[0];
  const at = (off) => {
    if (vector) { const n = off / strides[0]; return Number.isInteger(n) ? [Math.floor(n / cols), ((n % cols) + cols) % cols] : null; }
    if (strides[1] !== 1 || strides[0] < cols) return null;
    const r = Math.floor(off / strides[0]), c = off - r * strides[0];
    return c < cols ? [r, c] : null;
  };
  const places = p.offsets.map(at);
  if (places.some((x) => !x || x[0] < -4)) return null;
  const inside = (off) => off >= 0 && off < p.span;
  const kind = p.offsets.map((off, i) => !inside(off) ? 'bad' : p.wrapped[i] ? 'row' : 'on');
  const [r0, r1] = span(Math.min(...places.map((x) => x[0])), Math.max(...places.map((x) => x[0])), height);
  const [c0, c1] = vector ? [0, cols] : span(Math.min(...places.map((x) => x[1])), Math.max(...places.map((x) => x[1])), cols);
  if (r1 - r0 > 64 || c1 - c0 > 64 || p.shape.at(-1) > 64 || p.offsets.length / p.shape.at(-1) > 64) return null;

  const lanes = [], elements = new Map();
  const mark = { on: '', row: '»', bad: '×' };
  const tile = el('tbody', null);
  const width = p.shape.at(-1), rows = p.offsets.length / width, ranked = p.shape.length > 1;
  tile.append(el('tr', null, ...(ranked ? [el('td', null)] : []), ...Array.from({ length: width }, (_, j) => el('th', { scope: 'col' }, j))));
  for (let i = 0; i < rows; i++) {
    const tr = el('tr', null, ...(ranked ? [el('th', { scope: 'row' }, i)] : []));
    for (let j = 0; j < width; j++) {
      const n = i * width + j;
      const td = el('td', { class: 'lane ' + kind[n], tabindex: n ? '-1' : '0', 'data-lane': n }, p.offsets[n] + mark[kind[n]]);
      lanes.push(td);
      tr.append(td);
    }
    tile.append(tr);
  }
  const map = el('tbody', null), by = new Map();
  places.forEach((x, i) => { const k = x.join(); by.set(k, [...(by.get(k) || []), i]); });
  map.append(el('tr', null, el('td', { class: 'none' }), ...Array.from({ length: c1 - c0 }, (_, j) => el('th', { scope: 'col' }, c0 + j))));
  for (let r = r0; r < r1; r++) {
    const tr = el('tr', null, el('th', { scope: 'row' }, vector ? r * cols : r));
    for (let c = c0; c < c1; c++) {
      const list = by.get([r, c].join()) || [];
      const worst = ['bad', 'row', 'on'].find((k) => list.some((i) => kind[i] === k));
      const exists = r >= 0 && r < height && (!vector || r * cols + c < p.tensor[0]);
      const symbol = worst === 'bad' ? '×' : worst === 'row' ? '»' : worst ? '■' : exists ? '·' : '';
      const td = el('td', { class: 'element ' + (worst || (exists ? 'off' : 'none')) }, symbol);
      elements.set([r, c].join(), { td, list });
      tr.append(td);
    }
    map.append(tr);
  }
  const says = el('p', { class: 'says', 'aria-live': 'off' }, summary(p, kind));
  const out = el('div', { class: 'pointers' },
    el('figure', null, el('figcaption', null, el('b', null, `${p.name} + offsets`), ` ${p.type}[${p.shape}] pointers`), el('div', { class: 'scroll' }, el('table', { class: 'tile' }, tile))),
    el('figure', null, el('figcaption', null, el('b', null, p.name), ` ${p.type}[${p.tensor}]`), el('div', { class: 'scroll' }, el('table', { class: 'tight map' }, map))), says);
  link(out, p, lanes, elements, places, kind, says);
  return out;
}

function summary(p, kind) {
  const n = (k) => kind.filter((x) => x === k).length;
  const parts = [`${new Set(p.offsets.filter((_, i) => kind[i] !== 'bad')).size} elements touched`];
  if (n('row')) parts.push(`» ${n('row')} ${n('row') === 1 ? 'lane has' : 'lanes have'} run past the end of the row, into the next one`);
  if (n('bad')) parts.push(`× ${n('bad')} outside the tensor`);
  return parts.join(' · ');
}

// link marks a lane's element, and an element's lanes.
function link(out, p, lanes, elements, places, kind, says) {
  const calm = says.textContent, width = p.shape.at(-1);
  const index = (n) => p.shape.length > 1 ? `[${Math.floor(n / width)},${n % width}]` : `[${n}]`;
  const what = { on: '', row: ': past the end of its row', bad: ': outside the tensor' };
  const element = (n) => p.tensor.length > 1 ? `${p.name}[${places[n]}]` : `${p.name}[${p.offsets[n] / p.strides[0]}]`;
  const clear = () => { for (const e of out.querySelectorAll('.linked')) e.classList.remove('linked'); says.textContent = calm; };
  const show = (list) => {
    clear();
    for (const n of list) {
      lanes[n].classList.add('linked');
      elements.get(places[n].join())?.td.classList.add('linked');
    }
    if (list.length) says.textContent = list.slice(0, 3).map((n) => `lane ${index(n)} is ${element(n)}${what[kind[n]]}`).join(' · ');
  };
  lanes.forEach((td, n) => {
    td.addEventListener('mouseenter', () => show([n]));
    td.addEventListener('focus', () => show([n]));
    td.addEventListener('blur', clear);
    td.addEventListener('keydown', (e) => {
      const by = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: width, ArrowUp: -width }[e.key];
      if (by && lanes[n + by]) { e.preventDefault(); td.tabIndex = -1; lanes[n + by].tabIndex = 0; lanes[n + by].focus(); }
    });
  });
  for (const { td, list } of elements.values()) if (list.length) td.addEventListener('mouseenter', () => show(list));
  out.addEventListener('mouseleave', clear);
}
