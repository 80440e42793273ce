// The whole launch: its programs, and in each tensor which of them touches what.

const CELL = 14; // pixels
const COLOURS = 8;

// A Touched is a tensor as a raster: for each point of it the set of programs that touch
// the element there, by number. Sets are numbered, too; set 0 is empty. A vector is one
// row; below the end of a tensor there are rows for what lies beyond it.
class Touched {
  constructor(l, arg) {
    const x = this.arg = l.args[arg], rank = x.shape.length;
    [this.maxWidth, this.maxHeight] = l.args.filter(a => a.tensor).length > 4 ? [200, 110] : [300, 170];
    this.kinds = new Set();
    this.size = x.shape.reduce((p, q) => p * q, 1);
    const touches = l.prints.flatMap((p, k) => p.touches.filter(t => t.arg === arg).map(t => [k, t]));
    let end = this.size;
    for (const [, t] of touches) for (const [first, n, by, times] of t.blocks) end = Math.max(end, first + n + (times - 1) * by);
    this.cols = rank < 2 ? end : Math.max(1, x.shape[rank - 1]);
    this.rows = rank < 2 ? 1 : Math.ceil(this.size / this.cols);
    this.all = rank < 2 ? 1 : Math.max(this.rows, Math.ceil(end / this.cols));
    this.width = Math.min(this.cols, this.maxWidth);
    this.height = Math.min(this.all, this.maxHeight);
    this.points = new Int32Array(this.width * this.height);
    this.sets = [[]];
    this.next = new Map();
    for (const [k, t] of touches) {
      this.kinds.add(t.kind);
      for (const b of t.blocks) this.block(b, k);
    }
  }
  // The element at a point, and the first point at or after a place on an axis.
  row(y) { return Math.floor((y + .5) * this.all / this.height); }
  col(x) { return Math.floor((x + .5) * this.cols / this.width); }
  element(x, y) { return this.row(y) * this.cols + this.col(x); }
  block([first, n, by, times], k) {
    for (let i = 0; i < times; i++) {
      const from = first + i * by, to = from + n; // in one or several rows
      for (let r = Math.floor(from / this.cols); r * this.cols < to; r++) {
        this.run(r, Math.max(0, from - r * this.cols), Math.min(this.cols, to - r * this.cols), k);
      }
    }
  }
  run(r, c0, c1, k) {
    const y = Math.floor(r * this.height / this.all);
    if (this.row(y) !== r) return; // between the points
    for (let x = Math.max(0, Math.floor(c0 * this.width / this.cols) - 1); x < this.width && this.col(x) < c1; x++) {
      if (this.col(x) >= c0) this.add(y * this.width + x, k);
    }
  }
  add(p, k) {
    const old = this.points[p], set = this.sets[old];
    if (set.length && set[set.length - 1] === k) return; // programs come in order
    const key = old * 1e6 + k;
    if (!this.next.has(key)) {
      this.next.set(key, this.sets.length);
      this.sets.push([...set, k]);
    }
    this.points[p] = this.next.get(key);
  }
  outside(n) { return n >= this.size; }
}

// common is the coordinates that all programs of a set have, null where they differ.
function common(l, set) {
  const ids = set.map(k => l.prints[k].id);
  return ids[0].map((c, axis) => ids.every(id => id[axis] === c) ? c : null);
}

// setName names a set: a program, or all those with a coordinate.
function setName(l, set) {
  const c = common(l, set);
  const all = l.prints.filter(p => c.every((k, axis) => k === null || p.id[axis] === k)).length;
  if (all === set.length) return "(" + c.map(k => k === null ? "*" : k).join(",") + ")";
  return set.length < 3 ? set.map(k => tuple(l.prints[k].id)).join(" ") : count(set.length, "program");
}

// colourOf is the colour of a set, by number.
const colourOf = coordinates => coordinates.reduce((n, k) => n * 3 + (k === null ? 0 : k), 0) % COLOURS;

// maps of the launches that have been looked at.
const touched = new WeakMap();

function mapsOf(l) {
  if (!touched.has(l)) touched.set(l, (l.args || []).flatMap((a, i) => a.tensor ? [new Touched(l, i)] : []));
  return touched.get(l);
}

function showOverview() {
  const l = launch(), box = byId("overview");
  box.replaceChildren();
  if (l.failure) box.append(failureLine(l));
  const cards = el("div", { class: "cards" });
  if (l.grid) cards.append(el("div", { class: "card", id: "programs" }));
  for (const m of mapsOf(l)) cards.append(mapCard(l, m));
  box.append(cards);
  const scalars = (l.args || []).filter(a => !a.tensor);
  if (scalars.length) box.append(el("p", { class: "scalars" }, scalars.flatMap(a => [el("span", { title: a.type }, el("b", {}, a.name), " = " + (a.value || a.type)), " "])));
}

function failureLine(l) {
  const where = l.instances.findIndex(i => i.failure), f = l.failure;
  return el("p", { class: "failed-mark" }, "✕ ", f.program ? `program ${tuple(f.program)} failed` : "the launch failed", f.line ? ` at line ${f.line} ` : " ",
    where >= 0 ? el("button", { id: "failed", onclick: () => go({ instance: where, step: Infinity }) }, "go there") : el("pre", {}, f.text));
}

const did = { load: "read", store: "written", atomic: "updated" };

function mapCard(l, m) {
  const x = m.arg, canvas = m.canvas = el("canvas", { role: "img", "aria-label": `${x.name}: which program touches what` });
  const tip = el("div", { class: "legend" }), strides = strideText(x);
  const kinds = ["load", "store", "atomic"].filter(k => m.kinds.has(k)).map(k => did[k]);
  const beyond = m.points.some((set, p) => set && m.outside(m.element(p % m.width, Math.floor(p / m.width))));
  const say = () => { tip.textContent = kinds.length ? kinds.join(" and ") + (beyond ? ", also beyond its end" : "") : "not touched"; };
  say();
  canvas.addEventListener("click", e => enter(l, m, pointAt(m, e)));
  canvas.addEventListener("mousemove", e => {
    const p = pointAt(m, e), set = p && m.sets[m.points[p[1] * m.width + p[0]]];
    canvas.style.cursor = set && set.length ? "pointer" : "default";
    if (!set || !set.length) return say();
    const n = m.element(...p), index = x.shape.length === 1 ? [n] : [Math.floor(n / size(x.shape.slice(1))), ...place(n % size(x.shape.slice(1)), x.shape.slice(1))];
    tip.textContent = `${x.name}${dims(index)}${m.outside(n) ? ", beyond the end" : ""}: ${setName(l, set)}`;
  });
  canvas.addEventListener("mouseleave", say);
  return el("div", { class: "card" }, el("h3", {}, el("span", { class: "name" }, x.name), ` ${x.type}${dims(x.shape)}${strides ? " " + strides : ""}`), canvas, tip);
}

const size = shape => shape.reduce((p, q) => p * q, 1);

// recordedAs is the number of the recorded instance of a program, -1 if it is not recorded.
function recordedAs(l, k) {
  if (!l.recorded) {
    const numbers = new Map(l.instances.map((i, n) => [tuple(i.id), n]));
    l.recorded = l.prints.map(p => numbers.has(tuple(p.id)) ? numbers.get(tuple(p.id)) : -1);
  }
  return l.recorded[k];
}

// enter steps into a program that touches an element, at the access that does; into the
// one that is chosen, if that does.
function enter(l, m, p) {
  const arg = l.args.indexOf(m.arg), set = p ? m.sets[m.points[p[1] * m.width + p[0]]] : [];
  const there = set.map(k => recordedAs(l, k)).filter(k => k >= 0);
  if (!there.length) return;
  const k = there.includes(at.instance) ? at.instance : there[0], n = m.element(...p);
  const touches = a => a.arg === arg && a.states && decode(a, m.arg).some(x => x.state !== "." && x.index && flat(m.arg, x.index) === n);
  go({ instance: k, step: Math.max(0, l.instances[k].steps.findIndex(s => (s.accesses || []).some(touches))) });
}

// flat is the number of an element, row by row.
const flat = (x, index) => index.reduce((n, k, d) => n * (d ? x.shape[d] : 1) + k, 0);

// scaleOf is how large a point of a map is: a square, if that is not too small.
function scaleOf(m) {
  let w = Math.min(CELL, m.maxWidth / m.width), h = Math.min(CELL, m.maxHeight / m.height);
  if (m.arg.shape.length < 2) return [w, 26];
  if (Math.min(w, h) > 2 && w / h < 4 && h / w < 4) w = h = Math.min(w, h);
  return [w, h];
}

function pointAt(m, e) {
  const box = m.canvas.getBoundingClientRect(), [w, h] = scaleOf(m), shown = (m.width * w + 2) / box.width;
  const x = Math.floor(((e.clientX - box.left) * shown - 1) / w), y = Math.floor(((e.clientY - box.top) * shown - 1) / h);
  return x >= 0 && x < m.width && y >= 0 && y < m.height ? [x, y] : null;
}

function drawMaps() {
  for (const m of mapsOf(launch())) if (m.canvas) drawMap(launch(), m);
}

function drawMap(l, m) {
  const style = getComputedStyle(document.documentElement), ink = name => style.getPropertyValue(name).trim();
  const [w, h] = scaleOf(m), dpr = window.devicePixelRatio || 1, width = Math.round(m.width * w) + 2, height = Math.round(m.height * h) + 2;
  m.canvas.width = Math.ceil(width * dpr);
  m.canvas.height = Math.ceil(height * dpr);
  m.canvas.style.width = width + "px";
  const g = m.canvas.getContext("2d");
  g.scale(dpr, dpr);
  g.translate(1, 1);
  const end = m.arg.shape.length < 2 ? [Math.round(m.width * w * m.size / m.cols), h] : [Math.round(m.width * w), Math.round(m.height * h * m.rows / m.all)];
  g.fillStyle = ink("--panel");
  g.fillRect(0, 0, ...end);
  const chosen = m.sets.map(set => set.some(k => recordedAs(l, k) === at.instance));
  const colours = m.sets.map(set => set.length ? ink("--p" + colourOf(common(l, set))) : ""), bad = ink("--bad");
  m.points.forEach((set, p) => {
    if (!set) return;
    const x = p % m.width, y = Math.floor(p / m.width), left = Math.round(x * w), top = Math.round(y * h);
    g.globalAlpha = chosen[set] ? 1 : .4;
    g.fillStyle = m.outside(m.element(x, y)) ? bad : colours[set];
    g.fillRect(left, top, Math.round((x + 1) * w) - left, Math.round((y + 1) * h) - top);
  });
  g.globalAlpha = 1;
  if (Math.min(w, h) >= 2) edges(m, g, set => set, ink("--ground"), 1);
  edges(m, g, set => chosen[set] ? 1 : 0, ink("--ink"), 1.5, 1);
  g.strokeStyle = ink("--soft");
  g.lineWidth = 1;
  g.strokeRect(-.5, -.5, end[0] + 1, end[1] + 1);
  labels(l, m, g, ink, chosen);
}

// edges draws a line wherever points side by side differ in what mark says of their sets;
// only around those that are marked so, if that is given.
function edges(m, g, mark, colour, thick, only) {
  const [w, h] = scaleOf(m), { width, height, points } = m;
  g.strokeStyle = colour;
  g.lineWidth = thick;
  g.beginPath();
  const markAt = (x, y) => x < 0 || y < 0 || x >= width || y >= height ? -1 : mark(points[y * width + x]);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) {
    const here = markAt(x, y);
    if (only === undefined ? !points[y * width + x] : here !== only) continue;
    const [l, r, t, b] = [x * w, (x + 1) * w, y * h, (y + 1) * h].map(Math.round);
    const line = (other, x0, y0, x1, y1) => { if (other !== here) { g.moveTo(x0, y0); g.lineTo(x1, y1); } };
    line(markAt(x - 1, y), l, t, l, b);
    line(markAt(x + 1, y), r, t, r, b);
    line(markAt(x, y - 1), l, t, r, t);
    line(markAt(x, y + 1), l, b, r, b);
  }
  g.stroke();
}

// labels names the programs of each set in the middle of what it touches, where that is a
// block with room for it.
function labels(l, m, g, ink, chosen) {
  const [w, h] = scaleOf(m), boxes = new Map();
  m.points.forEach((set, p) => {
    const x = p % m.width, y = Math.floor(p / m.width);
    if (!set || m.outside(m.element(x, y))) return;
    const b = boxes.get(set) || [Infinity, Infinity, -1, -1, 0];
    boxes.set(set, [Math.min(b[0], y), Math.min(b[1], x), Math.max(b[2], y), Math.max(b[3], x), b[4] + 1]);
  });
  g.font = "600 11px ui-monospace, Menlo, Consolas, monospace";
  g.textAlign = "center";
  g.textBaseline = "middle";
  for (const [set, b] of boxes) {
    const wide = (b[3] - b[1] + 1) * w, high = (b[2] - b[0] + 1) * h, text = setName(l, m.sets[set]);
    if (b[4] < (b[3] - b[1] + 1) * (b[2] - b[0] + 1) || high < 13 || wide < g.measureText(text).width + 4) continue;
    g.globalAlpha = chosen[set] ? 1 : .6;
    g.fillStyle = ink("--ink");
    g.fillText(text, b[1] * w + wide / 2, b[0] * h + high / 2);
  }
  g.globalAlpha = 1;
}

// showPrograms draws the grid of programs, to choose one of.
function showPrograms() {
  const l = launch(), box = byId("programs");
  if (!box) return;
  const list = l.instances, total = l.grid.reduce((a, b) => a * b, 1);
  box.replaceChildren(el("h3", {}, el("span", { class: "name" }, "programs"), ` ${tuple(l.grid)}`));
  const note = el("div", { class: "legend" }, list.length === total ? `all ${total} recorded` : `${l.ran} of ${total} ran, ${list.length} recorded`);
  if (l.grid.length > 2 || total > 1024 || Math.max(...l.grid) > (l.grid.length === 1 ? 1024 : 64)) return box.append(note);
  const recorded = new Map(list.map((i, k) => [tuple(i.id), k]));
  const cols = l.grid.length === 2 ? l.grid[1] : Math.min(l.grid[0], 8);
  const rows = Math.ceil(total / Math.max(1, cols)), table = el("table", { class: "programs" });
  if (l.grid.length === 2) table.append(el("tr", {}, el("th", {}), range(cols).map(c => el("th", {}, c))));
  for (let r = 0; r < rows; r++) {
    const tr = el("tr", {}, el("th", {}, l.grid.length === 2 ? r : r * cols));
    for (let c = 0; c < cols && r * cols + c < total; c++) {
      const id = l.grid.length === 2 ? [r, c] : [r * cols + c], k = recorded.get(tuple(id));
      tr.append(el("td", {}, k === undefined ? el("span", { class: "unrecorded", style: `--mine: var(--p${colourOf(id)})`, title: `program ${tuple(id)}: its steps are not recorded` })
        : el("button", { title: `program ${programText(list[k])}`, class: list[k].failure ? "failed" : "", style: `--mine: var(--p${colourOf(id)})`, "aria-pressed": String(k === at.instance),
          onclick: () => go({ instance: k, step: firstAccess(list[k]) }) }, list[k].failure ? "✕" : "")));
    }
    table.append(tr);
  }
  const scroller = el("div", { class: "scroll" }, table), here = table.querySelector("[aria-pressed=true]");
  box.append(scroller, note);
  if (here) scroller.scrollTop = here.closest("tr").offsetTop - scroller.clientHeight / 2;
}

const programText = i => `${tuple(i.id)}${i.failure ? "  ✕ failed" : i.ended ? "" : "  interrupted"}`;

// firstAccess is an instance's failure, or its first step that reads or writes.
function firstAccess(i) {
  return i.failure ? Infinity : Math.max(0, i.steps.findIndex(s => (s.accesses || []).length > 0));
}

// strideText names strides that are not those of an array in one piece.
function strideText(a) {
  let n = 1, plain = true;
  for (let i = a.shape.length - 1; i >= 0; n *= a.shape[i], i--) plain = plain && (a.strides[i] === n || a.shape[i] === 1);
  return plain ? "" : "strides " + dims(a.strides);
}

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawMaps);
