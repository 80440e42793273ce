// Grids: tables of cells, one of which can have the focus, and the numbers in them.

const arrows = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

// grid draws cells as a table; arrows move the focus. A row for which end says something
// is followed by a line of it.
function grid(g, label) {
  const size = g.wide ? " wide" : g.rows.length * g.cols.length > 256 ? " small" : "";
  const table = el("table", { class: "grid" + size, role: "grid", "aria-label": label });
  const every = g.wide || g.cols.length <= 20 ? 1 : 4;
  table.append(el("thead", {}, el("tr", {}, el("th", {}), g.cols.map(c => el("th", {}, c % every ? "" : g.colName(c))))));
  const body = el("tbody");
  let first = true;
  for (const r of g.rows) {
    const tr = el("tr", {}, el("th", {}, g.rowName(r)));
    for (const c of g.cols) {
      const k = g.cell(r, c), here = first && k.cls !== "none";
      tr.append(el("td", { class: k.cls, title: k.title, role: "gridcell", tabindex: here ? 0 : -1, "data-lane": k.lane, "aria-label": k.title }, k.text));
      if (here) first = false;
    }
    body.append(tr);
    const end = g.end && g.end(r);
    if (end) body.append(el("tr", { class: "end" }, el("th", {}), el("td", { colspan: g.cols.length, class: "none" }, el("span", {}, end))));
  }
  table.append(body);
  table.addEventListener("keydown", e => moveIn(table, e));
  return table;
}

function moveIn(table, e) {
  const td = e.target.closest("td");
  if (e.key === "Escape") {
    td.blur();
    return;
  }
  const by = arrows[e.key];
  if (!by || !td) return;
  e.preventDefault();
  const rows = [...table.tBodies[0].rows].filter(tr => !tr.classList.contains("end"));
  const row = rows[rows.indexOf(td.parentNode) + by[0]];
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

// aligned is numbers as texts with their decimal points in one column: floats with as many
// decimals as show five digits of the largest, all with exponents if they differ too much.
function aligned(texts) {
  if (!texts.some(t => /[.e]/.test(t))) return texts;
  const finite = texts.map(Number).filter(v => Number.isFinite(v) && v !== 0).map(Math.abs);
  if (finite.length === 0) return texts;
  const top = Math.floor(Math.log10(Math.max(...finite))), low = Math.floor(Math.log10(Math.min(...finite)));
  const decimals = clamp(4 - top, 1, 6), plain = top < 6 && -low <= decimals;
  const shown = texts.map(t => t === "" || !Number.isFinite(Number(t)) ? t : plain ? Number(t).toFixed(decimals) : Number(t).toExponential(3));
  const exponent = t => t.length - (t.indexOf("e") < 0 ? t.length : t.indexOf("e")), longest = Math.max(...shown.map(exponent));
  return shown.map(t => exponent(t) ? t.padEnd(t.length + longest - exponent(t)) : t);
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
