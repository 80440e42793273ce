"use strict";
// The page of a trace: what is chosen is a launch, one of its instances and a step of that.
const trace = JSON.parse(document.getElementById("trace").textContent);
const at = { launch: 0, instance: 0, step: 0 };
const looks = ["marks", "values", "offsets"]; // what the cells of a block show
let look = "marks";

// Of a picture. A long vector is drawn in rows.
const MAX_ROWS = 40, MAX_COLS = 64, MAX_CELLS = 2560, WRAP = 32;

const byId = id => document.getElementById(id);
const dims = shape => "[" + shape.join(",") + "]";
const tuple = ids => "(" + ids.join(",") + ")";
const count = (n, what) => n + " " + what + (n === 1 ? "" : "s");
const clamp = (n, lo, hi) => Math.max(lo, Math.min(n, hi));
const sourceLines = trace.source.split("\n");

function el(tag, attrs, ...children) {
  const e = document.createElement(tag);
  for (const [k, v] of Object.entries(attrs || {})) {
    if (k.startsWith("on")) e.addEventListener(k.slice(2), v);
    else if (v !== undefined && v !== false) e.setAttribute(k, v === true ? "" : v);
  }
  e.append(...children.flat().filter(c => c !== undefined && c !== null && c !== ""));
  return e;
}

const launch = () => trace.launches[at.launch];
const instance = () => launch().instances[at.instance];
const steps = () => instance() ? instance().steps : [];
const step = () => steps()[at.step];

// ---- what is chosen

function go(to) {
  const before = { ...at };
  Object.assign(at, to);
  at.launch = clamp(at.launch, 0, trace.launches.length - 1);
  if (at.launch !== before.launch && to.instance === undefined) at.instance = at.step = 0;
  at.instance = clamp(at.instance, 0, Math.max(0, launch().instances.length - 1));
  at.step = clamp(at.step, 0, Math.max(0, steps().length - 1));
  try {
    history.replaceState(null, "", "#" + [at.launch, at.instance, at.step].join("/"));
  } catch (_) { /* some browsers refuse that for files */ }
  if (at.launch !== before.launch) showLaunch();
  showInstance();
}

function fromHash() {
  const n = location.hash.slice(1).split("/").map(Number);
  return n.length === 3 && n.every(k => Number.isInteger(k) && k >= 0) ? { launch: n[0], instance: n[1], step: n[2] } : {};
}

document.addEventListener("keydown", e => {
  if (e.ctrlKey || e.altKey || e.metaKey || e.target.closest(".grid, select")) return;
  const range = e.target.matches("input");
  const moves = {
    ArrowLeft: { step: at.step - 1 }, ArrowRight: { step: at.step + 1 },
    ArrowUp: { instance: at.instance - 1 }, ArrowDown: { instance: at.instance + 1 },
    Home: { step: 0 }, End: { step: Infinity },
  };
  if (e.key === "v") nextLook();
  else if (moves[e.key] && !(range && e.key.startsWith("Arrow"))) go(moves[e.key]);
  else return;
  e.preventDefault();
});

function nextLook() {
  look = looks[(looks.indexOf(look) + 1) % looks.length];
  showStep();
}

// ---- launch, instance, source

function showLaunches() {
  byId("notes").append(...trace.notes.map(n => el("li", {}, n)));
  byId("launches").append(...trace.launches.map((l, i) => el("button", { onclick: () => go({ launch: i }) },
    `${i + 1}  ${l.kernel} ${l.grid ? "on " + tuple(l.grid) : ""}`, l.failure ? el("span", { class: "failed-mark" }, " ✕ failed") : "")));
}

function showLaunch() {
  [...byId("launches").children].forEach((b, i) => b.setAttribute("aria-current", i === at.launch));
  const l = launch(), box = byId("launch");
  box.replaceChildren(el("h2", {}, `Launch of ${l.kernel}`));
  if (l.failure) {
    const where = l.instances.findIndex(i => i.failure);
    box.append(el("p", { class: "failed-mark" }, "✕ ", l.failure.program ? `program ${tuple(l.failure.program)} failed` : "failed", l.failure.line ? ` at line ${l.failure.line} ` : " ",
      where >= 0 ? el("button", { onclick: () => go({ instance: where, step: Infinity }) }, "go there") : el("pre", {}, l.failure.text)));
  }
  if (l.args) box.append(el("table", { class: "args" }, l.args.map(a => el("tr", {},
    el("th", {}, a.name), el("td", {}, a.type + (a.tensor ? dims(a.shape) : "")), el("td", {}, a.tensor ? strideText(a) : "= " + a.value)))));
  if (l.grid) box.append(el("h2", {}, `Programs ${tuple(l.grid)}`), el("div", { id: "programs" }));
}

// strideText names strides that are not those of an array in one piece.
function strideText(a) {
  let n = 1, plain = true;
  for (let i = a.shape.length - 1; i >= 0; n *= a.shape[i], i--) plain = plain && (a.strides[i] === n || a.shape[i] === 1);
  return plain ? "" : "strides " + dims(a.strides);
}

function showPrograms() {
  const l = launch(), box = byId("programs");
  if (!box) return;
  const list = l.instances;
  const text = i => `${tuple(i.id)}${i.failure ? "  ✕ failed" : i.ended ? "" : "  interrupted"}`;
  const choice = el("select", { "aria-label": "program instance", onchange: e => go({ instance: +e.target.value }) },
    list.map((i, k) => el("option", { value: k, selected: k === at.instance }, text(i))));
  const total = l.grid.reduce((a, b) => a * b, 1);
  box.replaceChildren(el("div", { class: "bar" }, choice, el("span", { class: "aside" },
    list.length === total ? `all ${total} recorded` : `${list.length} of ${total} recorded, ${l.ran} ran`)));
  if (l.grid.length > 2 || total > 1024 || Math.max(...l.grid) > (l.grid.length === 1 ? 1024 : 64)) return;
  const recorded = new Map(list.map((i, k) => [tuple(i.id), k]));
  const cols = l.grid.length === 2 ? l.grid[1] : Math.min(l.grid[0], 16);
  const rows = Math.ceil(total / Math.max(1, cols));
  const table = el("table", { class: "programs" });
  if (l.grid.length === 2) table.append(el("tr", {}, el("th", {}, "axis 0↓ 1→"), range(cols).map(c => el("th", {}, c))));
  for (let r = 0; r < rows; r++) {
    const tr = el("tr", {}, el("th", {}, l.grid.length === 2 ? r : r * cols));
    for (let c = 0; c < cols && r * cols + c < total; c++) {
      const id = l.grid.length === 2 ? [r, c] : [r * cols + c], k = recorded.get(tuple(id));
      tr.append(el("td", {}, k === undefined ? el("span", { class: "unrecorded", title: `program ${tuple(id)}: not recorded` })
        : el("button", { title: `program ${text(list[k])}`, "aria-pressed": String(k === at.instance), onclick: () => go({ instance: k }) }, list[k].failure ? "✕" : k === at.instance ? "●" : "")));
    }
    table.append(tr);
  }
  const scroller = el("div", { class: "scroll" }, table), here = table.querySelector("[aria-pressed=true]");
  box.append(scroller);
  if (here) scroller.scrollTop = here.closest("tr").offsetTop - scroller.clientHeight / 2;
}

const range = n => Array.from({ length: n }, (_, i) => i);

function showSource() {
  byId("source").append(...sourceLines.map((text, i) => {
    const cut = text.indexOf("//");
    const code = cut < 0 ? [text] : [text.slice(0, cut), el("span", { class: "comment" }, text.slice(cut))];
    return el("div", { class: "src", "data-line": i + 1, onclick: () => nextAt(i + 1) }, el("span", { class: "n" }, i + 1), el("span", { class: "mono" }, ...code));
  }));
}

// nextAt goes to the next step at a line, from the first one again after the last.
function nextAt(line) {
  const n = steps().length;
  for (let i = 1; i <= n; i++) {
    const k = (at.step + i) % n;
    if (steps()[k].line === line) return go({ step: k });
  }
}

function markSource() {
  const has = new Set(steps().map(s => s.line)), f = instance() && instance().failure;
  const here = step() && step().line;
  for (const e of byId("source").children) {
    const n = +e.dataset.line;
    e.classList.toggle("has", has.has(n));
    e.classList.toggle("here", n === here);
    e.classList.toggle("failed", !!f && f.line === n);
    e.firstChild.textContent = (n === here ? "▶ " : "") + (f && f.line === n ? "✕ " : "") + n;
    e.title = has.has(n) ? "to the next step at this line" : "";
    if (n === here) {
      const box = byId("source"), top = e.offsetTop - box.offsetTop;
      if (top < box.scrollTop + 30 || top > box.scrollTop + box.clientHeight - 50) box.scrollTop = top - box.clientHeight / 3;
    }
  }
}

function showInstance() {
  showPrograms();
  const n = steps().length, bar = byId("steps");
  bar.replaceChildren();
  if (!instance()) {
    byId("step").replaceChildren(el("p", { class: "aside" }, "No program of this launch is recorded."));
    return markSource();
  }
  const button = (text, title, to, off) => el("button", { title, "aria-label": title, disabled: off, onclick: () => go({ step: to }) }, text);
  bar.append(el("div", { class: "bar" },
    el("strong", {}, `program ${tuple(instance().id)}`),
    button("|◀", "first step", 0, at.step === 0), button("◀", "step back", at.step - 1, at.step === 0),
    el("input", { type: "range", min: 0, max: Math.max(0, n - 1), value: at.step, "aria-label": "step", oninput: e => { const k = +e.target.value; go({ step: k }); document.querySelector("#steps input").focus(); } }),
    button("▶", "step", at.step + 1, at.step >= n - 1), button("▶|", "last step", n - 1, at.step >= n - 1),
    el("span", {}, n ? `step ${at.step + 1} of ${n}` : "no steps"),
    el("button", { onclick: nextLook, title: "what the cells of a block show (v)" }, `show: ${look}`)));
  markSource();
  showStep();
}

// ---- a step

function showStep() {
  const s = step(), box = byId("step"), i = instance();
  const toggle = byId("steps").querySelector(".bar > button:last-child");
  if (toggle) toggle.textContent = `show: ${look}`;
  box.replaceChildren();
  if (!s) return;
  box.append(el("div", { class: "statement mono" }, `${s.line}  ${(sourceLines[s.line - 1] || "").trim()}`));
  const last = at.step === steps().length - 1;
  if (last && i.failure) box.append(el("section", { class: "failure" }, el("h3", {}, "✕ the program fails here"), el("pre", {}, i.failure.text)));
  for (const a of s.accesses || []) box.append(showAccess(a));
  if (s.vars) box.append(el("section", {}, el("h3", {}, "assigned"), el("div", { class: "vars" }, s.vars.map(showVar))));
  if (!s.vars && !(s.accesses || []).length && !(last && i.failure)) box.append(el("p", { class: "aside" }, "Nothing is assigned, read or written here."));
  if (last && i.leftOut) box.append(el("p", { class: "aside" }, `${count(i.leftOut, "further step")} left out: see the notes at the top.`));
  if (last && !i.ended) box.append(el("p", { class: "aside" }, "The run was interrupted in this program."));
  box.append(showEarlier());
}

// showEarlier is the variables that earlier steps gave values to.
function showEarlier() {
  const vars = new Map();
  for (const s of steps().slice(0, at.step)) for (const v of s.vars || []) vars.set(v.name, v);
  for (const v of step().vars || []) vars.delete(v.name);
  if (vars.size === 0) return "";
  const wasOpen = showEarlier.open;
  return el("section", {}, el("details", { open: wasOpen, ontoggle: e => { showEarlier.open = e.target.open; } },
    el("summary", {}, `variables so far: ${[...vars.keys()].join(", ")}`), el("div", { class: "vars" }, [...vars.values()].map(showVar))));
}

function showVar(v) {
  const head = el("div", { class: "mono" }, el("span", { class: "name" }, v.name), `  ${v.type}${v.tile && v.shape ? dims(v.shape) : ""}${v.of ? " into " + v.of : ""}`);
  if (!v.tile || !v.shape) {
    head.append(v.values === "" ? "" : " = " + v.values);
    return el("div", {}, head);
  }
  const [rows, cols] = v.shown, values = v.values.split(",");
  const show = x => v.type === "bool" ? (x === "1" ? "■" : "·") : x;
  if (v.shape.length === 0) {
    head.append(" = " + (v.type === "bool" ? String(values[0] === "1") : values[0]));
    return el("div", {}, head);
  }
  const n = v.shape.length, width = v.shape[n - 1], height = v.shape.slice(0, -1).reduce((a, b) => a * b, 1);
  const wrap = height === 1 && cols > 16 ? 16 : cols;
  const part = [rows < height ? `${rows} of ${height} rows` : "", cols < width ? `${cols} of ${n === 1 ? count(width, "element") : count(width, "column")}` : ""].filter(Boolean).join(", ");
  if (part) head.append(el("span", { class: "aside" }, `  the first ${part}`));
  const all = rows * cols;
  const g = grid({
    rows: range(Math.ceil(all / wrap)), cols: range(wrap), wide: v.type !== "bool",
    rowName: r => height === 1 ? (all > wrap ? r * wrap : "") : place(r, v.shape.slice(0, -1)).join(","),
    colName: c => c,
    cell: (r, c) => {
      const k = r * wrap + c;
      if (k >= all) return { cls: "none", text: "" };
      const index = height === 1 ? [...v.shape.slice(0, -1).map(() => 0), k] : [...place(r, v.shape.slice(0, -1)), c];
      return { text: show(values[k]), cls: v.type === "bool" && values[k] === "1" ? "on" : "plain", title: `${v.name}${dims(index)} = ${v.type === "bool" ? values[k] === "1" : values[k]}` };
    },
  }, v.name);
  return el("div", {}, head, el("div", { class: "scroll" }, g));
}

// place is the index of the n-th element of a shape, row by row.
function place(n, shape) {
  const index = new Array(shape.length);
  for (let i = shape.length - 1; i >= 0; i--) {
    index[i] = n % shape[i];
    n = Math.floor(n / shape[i]);
  }
  return index;
}

// ---- an access

const verbs = { load: "reads", store: "writes", atomic: "updates" };
const done = { load: "read", store: "written", atomic: "updated" };

function showAccess(a) {
  const x = launch().args[a.arg], c = a.counts;
  const kinds = [`${c.active - c.outside} ${c.outside ? "inside" : done[a.kind]}`];
  if (a.mask || c.masked) kinds.push(`${c.masked} masked off`);
  if (c.outside) kinds.push(`${c.outside} outside ${x.name}`);
  if (c.undefined) kinds.push(`${c.undefined} read what nothing has written`);
  const box = el("section", { class: c.outside ? "failure" : "" },
    el("h3", {}, `${a.op} ${verbs[a.kind]} ${x.name}`, el("span", { class: "aside mono" }, `  ${x.type}${dims(x.shape)}`), step().line === a.line ? "" : el("span", { class: "aside" }, `  at line ${a.line}`)),
    el("div", {}, `${count(a.lanes, "lane")}${a.shape.length ? " " + dims(a.shape) : ""}: ${kinds.join(", ")}`));
  if (!a.states) {
    if (a.lanes) box.append(el("p", { class: "aside" }, "Its lanes are left out: see the notes at the top."));
    return box;
  }
  const lanes = decode(a, x);
  const readout = el("div", { class: "readout", role: "status" }, "point at a cell, or move to one with Tab and the arrows");
  const block = blockGrid(a, x, lanes), tensor = tensorGrid(a, x, lanes);
  const link = new Linker(readout, block.grid, tensor.grid);
  box.append(el("div", { class: "pictures" },
    el("div", { class: "picture" }, el("h4", {}, "the block, lane by lane"), el("div", { class: "scroll" }, block.grid), el("div", { class: "legend" }, block.note)),
    el("div", { class: "picture" }, el("h4", {}, `${x.name}, element by element`), el("div", { class: "scroll" }, tensor.grid), el("div", { class: "legend" }, tensor.note))),
    readout, legend(a, tensor));
  link.listen();
  return box;
}

// decode is an access's lanes: offset, index, state, value.
function decode(a, x) {
  const values = a.values.split(","), before = a.before === undefined ? [] : a.before.split(",");
  return range(a.lanes).map(i => {
    const coord = place(i, a.shape);
    const off = a.offsets ? a.offsets[i] : a.start + coord.reduce((s, k, d) => s + k * (a.strides || [])[d], 0);
    return { i, coord, off, state: a.states[i], value: values[i], before: before[i], ...indexOf(x, off) };
  });
}

// indexOf is the index of an offset, which is outside the tensor if its first dimension
// would have to be longer; without an index it is nowhere.
function indexOf(x, off) {
  const span = x.shape.reduce((n, k, d) => n + (k - 1) * x.strides[d], 1);
  if (off < 0 || x.shape.length === 0) return { index: off === 0 ? [] : null, inside: off === 0 };
  const inside = off < span && x.shape.every(k => k > 0);
  const order = range(x.shape.length).filter(d => x.strides[d] > 0 && (!inside || x.shape[d] > 1)).sort((p, q) => x.strides[q] - x.strides[p]);
  const index = x.shape.map(() => 0);
  let rest = off;
  for (const d of order) {
    index[d] = Math.floor(rest / x.strides[d]);
    rest %= x.strides[d];
  }
  const fits = inside ? index.every((k, d) => k < x.shape[d]) : order.length === x.shape.length && order.every((d, i) => d === i);
  return rest === 0 && fits ? { index, inside } : { index: null, inside: false };
}

function laneText(a, x, l) {
  const where = l.index ? `${x.name}${dims(l.index)}` : `no element of ${x.name}`;
  let s = `lane ${dims(l.coord)} → ${where}, offset ${l.off}${l.index && !l.inside ? `, outside ${x.name}` : ""}: `;
  const value = x.type === "bool" ? { 1: "true", 0: "false" }[l.value] : l.value;
  switch (l.state) {
    case ".":
      s += a.kind === "load" ? `masked off, not read; ${a.other ? "it is the value of Other" : "it is undefined: there is no Other"}` : `masked off, not written; it would be ${value}`;
      break;
    case "X":
      s += "active, but outside the tensor";
      break;
    case "u":
      s += `read, but nothing has written it (${value})`;
      break;
    default:
      if (a.counts.outside) s += `inside, but nothing is ${done[a.kind]}: other lanes are outside`;
      else s += a.kind === "load" ? `read ${value}` : a.kind === "store" ? `written ${value}` : `was ${l.before}, updated with ${value}`;
  }
  return s;
}

const states = { "o": ["on", "■"], ".": ["masked", "·"], "X": ["bad", "✕"], "u": ["undef", "?"] };

function laneCell(a, x, l) {
  const [cls, mark] = states[l.state];
  let text = mark;
  if (look === "offsets") text = String(l.off) + (l.state === "X" ? "✕" : l.state === "." ? "·" : "");
  if (look === "values" && (l.state === "o" || l.state === "u")) text = x.type === "bool" ? { 1: "T", 0: "F" }[l.value] : l.value;
  return { cls, text, title: laneText(a, x, l), lane: l.i };
}

// blockGrid draws the lanes in the block's shape.
function blockGrid(a, x, lanes) {
  const flat = a.shape.length < 2, width = flat ? a.lanes : a.shape[a.shape.length - 1];
  const cols = flat && width > MAX_COLS ? WRAP : Math.max(1, width), rows = Math.ceil(a.lanes / cols);
  const shownRows = Math.min(rows, 2 * MAX_ROWS), shownCols = Math.min(cols, 2 * MAX_COLS);
  const lead = a.shape.slice(0, -1);
  return {
    grid: grid({
      rows: range(shownRows), cols: range(shownCols), wide: look !== "marks",
      rowName: r => flat ? (rows > 1 ? r * cols : "") : place(r, lead).join(","), colName: c => c,
      cell: (r, c) => r * cols + c < a.lanes ? laneCell(a, x, lanes[r * cols + c]) : { cls: "none", text: "" },
    }, "block"),
    note: shownRows < rows || shownCols < cols ? `the first ${shownRows} of ${rows} rows and ${shownCols} of ${cols} columns are drawn` : "",
  };
}

// tensorGrid draws the elements around those that the lanes point to. What lies beyond the
// end is drawn as if the first dimension went on.
function tensorGrid(a, x, lanes) {
  const rank = x.shape.length, size = x.shape.reduce((p, q) => p * q, 1);
  const cols = rank === 0 ? 1 : rank > 1 ? x.shape[rank - 1] : x.shape[0] > MAX_COLS ? WRAP : Math.max(1, x.shape[0]);
  const rows = Math.ceil(size / Math.max(1, cols));
  const cells = new Map(); // row,column → lanes
  let lo = [Infinity, Infinity], hi = [-1, -1], nowhere = 0;
  for (const l of lanes) {
    const n = l.index && (l.inside || rank < 3) ? l.index.reduce((n, k, d) => n * (d ? x.shape[d] : 1) + k, 0) : -1;
    if (n < 0) {
      nowhere++;
      continue;
    }
    const r = Math.floor(n / cols), c = n % cols, key = r + "," + c;
    if (!cells.has(key)) cells.set(key, []);
    cells.get(key).push(l);
    lo = [Math.min(lo[0], r), Math.min(lo[1], c)];
    hi = [Math.max(hi[0], r), Math.max(hi[1], c)];
  }
  const rr = windowOf(lo[0], hi[0], Math.max(rows, hi[0] + 1), MAX_ROWS);
  const cc = windowOf(lo[1], hi[1], Math.max(cols, hi[1] + 1), Math.max(MAX_COLS, Math.floor(MAX_CELLS / Math.max(1, rr.length))));
  const lead = x.shape.slice(0, -1);
  const notes = [];
  const clipped = (w, n, what) => { if (w.length < n) notes.push(`${what} ${w[0]} to ${Math.min(w[w.length - 1], n - 1)} of ${n} are drawn`); };
  if (rank === 1 && rr.length < rows) notes.push(`elements ${rr[0] * cols} to ${Math.min(size, (rr[rr.length - 1] + 1) * cols) - 1} of ${size} are drawn`);
  if (rank > 1) clipped(rr, rows, "rows");
  if (rank > 1) clipped(cc, cols, "columns");
  const undrawn = [...cells].filter(([k]) => { const [r, c] = k.split(",").map(Number); return r > rr[rr.length - 1] || c > cc[cc.length - 1]; }).length;
  if (undrawn) notes.push(`${count(undrawn, "element")} that the block points to are not`);
  if (nowhere) notes.push(`${count(nowhere, "lane")} point before the start or between the elements`);
  return {
    note: notes.join("; "),
    masks: [...cells.values()].some(ls => ls.every(l => l.state === ".")),
    shared: [...cells.values()].some(ls => ls.filter(l => l.state !== ".").length > 1),
    grid: grid({
      rows: rr, cols: cc,
      rowName: r => rank < 2 ? (rows > 1 || rr.length > 1 ? r * cols : "") : rank === 2 ? r : r < rows ? place(r, lead).join(",") : "",
      colName: c => c,
      cell: (r, c) => elementCell(a, x, r, c, r * cols + c, size, cells.get(r + "," + c)),
    }, x.name),
  };
}

// windowOf is at most max of n indices, those from lo to hi and one more on each side first.
function windowOf(lo, hi, n, max) {
  if (n <= max || hi < 0) return range(Math.min(n, max));
  const from = Math.max(0, lo - 1);
  const to = Math.min(hi + 2, n, from + max);
  return range(to - from).map(i => from + i);
}

function elementCell(a, x, r, c, n, size, lanes) {
  const index = x.shape.length < 2 ? (x.shape.length ? [n] : []) : n < size ? place(n, x.shape) : [r, c];
  const name = `${x.name}${dims(index)}`;
  if (!lanes) return n < size ? { cls: "off", text: "·", title: `${name}: not touched by this access` } : { cls: "none", text: "" };
  const active = lanes.filter(l => l.state !== "."), l = active[0] || lanes[0];
  const [cls, mark] = l.state === "." ? ["masked", "○"] : states[l.state];
  const many = active.length > 1 ? ` (and ${count(active.length - 1, "other lane")})` : "";
  return { cls, text: active.length > 1 ? (active.length > 9 ? "+" : String(active.length)) : mark, title: laneText(a, x, l) + many, lane: l.i };
}

function legend(a, tensor) {
  const key = (cls, mark, text) => el("span", { class: "key" }, el("span", { class: "swatch " + cls }, mark), text);
  const c = a.counts;
  return el("div", { class: "legend" }, key("on", "■", a.counts.outside ? "inside" : done[a.kind]),
    c.masked ? key("masked", "·", "masked-off lane") : "", tensor.masks ? key("masked", "○", "where a masked-off lane points") : "",
    c.outside ? key("bad", "✕", "outside the tensor") : "", c.undefined ? key("undef", "?", "nothing has written it") : "", key("off", "·", "not touched"), tensor.shared ? key("on", "2", "touched by 2 lanes; + by more than 9") : "");
}

// ---- grids

// grid draws cells as a table, one of which can have the focus: arrows move it.
function grid(g, label) {
  const table = el("table", { class: "grid" + (g.wide ? " wide" : g.rows.length * g.cols.length > 256 ? " small" : ""), role: "grid", "aria-label": label });
  table.append(el("thead", {}, el("tr", {}, el("th", {}), g.cols.map(c => el("th", {}, g.cols.length > 20 && c % 4 ? "" : g.colName(c))))));
  const body = el("tbody");
  let first = true;
  for (const r of g.rows) {
    const tr = el("tr", {}, el("th", {}, g.rowName(r)));
    for (const c of g.cols) {
      const k = g.cell(r, c);
      tr.append(el("td", { class: k.cls, title: k.title, role: "gridcell", tabindex: first && k.cls !== "none" ? 0 : -1, "data-lane": k.lane, "aria-label": k.title }, k.text));
      first = first && k.cls === "none";
    }
    body.append(tr);
  }
  table.append(body);
  table.addEventListener("keydown", e => moveIn(table, e));
  return table;
}

const arrows = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

function moveIn(table, e) {
  const td = e.target.closest("td");
  if (e.key === "Escape") {
    td.blur();
    return;
  }
  const by = arrows[e.key];
  if (!by || !td) return;
  e.preventDefault();
  const row = table.tBodies[0].rows[td.parentNode.rowIndex - 1 + by[0]];
  const next = row && row.cells[td.cellIndex + by[1]];
  if (!next || next.tagName !== "TD" || next.classList.contains("none")) return;
  td.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}

// A Linker marks the cells of one lane in the block and in the tensor, and says what it is.
class Linker {
  constructor(readout, ...grids) {
    this.readout = readout;
    this.grids = grids;
  }
  listen() {
    for (const g of this.grids) {
      for (const event of ["mouseover", "focusin"]) g.addEventListener(event, e => this.point(e.target.closest("td")));
    }
  }
  point(td) {
    if (!td || !td.title) return;
    for (const g of this.grids) for (const old of g.querySelectorAll(".linked")) old.classList.remove("linked");
    this.readout.textContent = td.title;
    if (td.dataset.lane === undefined) return;
    for (const g of this.grids) {
      const other = g.querySelector(`td[data-lane="${td.dataset.lane}"]`);
      if (other) other.classList.add("linked");
    }
  }
}

showLaunches();
showSource();
showLaunch();
go(fromHash());
