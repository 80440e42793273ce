// An access: its lanes in the block's shape, and where they point in the tensor.

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
    if (a.lanes) box.append(el("p", { class: "aside" }, "Its lanes are left out: see the notes at the end of the page."));
    return box;
  }
  const lanes = decode(a, x);
  const readout = el("div", { class: "readout", role: "status" }, "point at a cell, or move to one with Tab and the arrow keys");
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

const lookOf = { "o": ["on", "■"], ".": ["masked", "·"], "X": ["bad", "✕"], "u": ["undef", "?"] };

// cellTexts is what the cells of lanes show.
function cellTexts(x, lanes) {
  if (look === "marks") return lanes.map(l => lookOf[l.state][1]);
  if (look === "offsets") return lanes.map(l => String(l.off));
  const values = lanes.map(l => l.state === "o" || l.state === "u" ? l.value : "");
  const texts = x.type === "bool" ? values.map(v => ({ 1: "T", 0: "F" })[v]) : aligned(values);
  return lanes.map((l, i) => values[i] === "" ? lookOf[l.state][1] : texts[i]);
}

// blockGrid draws the lanes in the block's shape.
function blockGrid(a, x, lanes) {
  const flat = a.shape.length < 2, width = flat ? a.lanes : a.shape[a.shape.length - 1];
  const cols = flat && width > MAX_COLS ? WRAP : Math.max(1, width), rows = Math.ceil(a.lanes / cols);
  const shownRows = Math.min(rows, 2 * MAX_ROWS), shownCols = Math.min(cols, 2 * MAX_COLS);
  const lead = a.shape.slice(0, -1), texts = cellTexts(x, lanes);
  const laneCell = l => ({ cls: lookOf[l.state][0], text: texts[l.i], title: laneText(a, x, l), lane: l.i });
  return {
    grid: grid({
      rows: range(shownRows), cols: range(shownCols), wide: look !== "marks",
      rowName: r => flat ? (rows > 1 ? r * cols : "") : place(r, lead).join(","), colName: c => c,
      cell: (r, c) => r * cols + c < a.lanes ? laneCell(lanes[r * cols + c]) : { cls: "none", text: "" },
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
      end: r => r === rows - 1 && hi[0] >= rows ? `end of ${x.name}` : "",
      cell: (r, c) => edged(elementCell(a, x, r, c, r * cols + c, size, cells.get(r + "," + c)), r, c, rows, cols, size),
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

// edged marks the cells at the tensor's end, and at the end of its rows.
function edged(cell, r, c, rows, cols, size) {
  const n = r * cols + c, last = n === size - 1 || c === cols - 1;
  if (n < size && last) cell.cls += " edge-right";
  if (n < size && n + cols >= size) cell.cls += " edge-below";
  return cell;
}

function elementCell(a, x, r, c, n, size, lanes) {
  const index = x.shape.length < 2 ? (x.shape.length ? [n] : []) : n < size ? place(n, x.shape) : [r, c];
  const name = `${x.name}${dims(index)}`;
  if (!lanes) return n < size ? { cls: "off", text: "·", title: `${name}: not touched by this access` } : { cls: "none", text: "" };
  const active = lanes.filter(l => l.state !== "."), l = active[0] || lanes[0];
  const [cls, mark] = l.state === "." ? ["masked", "○"] : lookOf[l.state];
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
