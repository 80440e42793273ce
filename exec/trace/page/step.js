// A step: its statement, its accesses, what it assigned, and what came before.

function showStep() {
  const s = step(), box = byId("step"), i = instance();
  box.replaceChildren();
  if (!s) return;
  box.append(el("div", { class: "statement" + (at.step === steps().length - 1 && i.failure ? " failed" : "") }, el("span", { class: "n" }, s.line), code(sourceLines[s.line - 1] || "", s.line - 1, true)));
  const last = at.step === steps().length - 1;
  if (last && i.failure) box.append(el("section", { class: "failure" }, el("h3", {}, "✕ the program fails here"), el("pre", {}, i.failure.text)));
  for (const a of s.accesses || []) box.append(showAccess(a));
  if (s.vars) box.append(el("section", {}, el("h3", {}, "assigned"), el("div", { class: "vars" }, s.vars.map(showVar))));
  if (!s.vars && !(s.accesses || []).length && !(last && i.failure)) box.append(el("p", { class: "aside" }, "Nothing is assigned, read or written here."));
  if (last && i.leftOut) box.append(el("p", { class: "aside" }, `${count(i.leftOut, "further step")} left out: see the notes at the end of the page.`));
  if (last && !i.ended) box.append(el("p", { class: "aside" }, "The run was interrupted in this program."));
  box.append(showEarlier());
  for (const scroller of box.querySelectorAll(".picture .scroll")) toLanes(scroller);
}

// toLanes scrolls a picture so far that the first lane in it shows.
function toLanes(scroller) {
  const cells = scroller.querySelectorAll("[data-lane]"), box = scroller.getBoundingClientRect();
  if (cells.length === 0) return;
  const first = cells[0].getBoundingClientRect(), last = cells[cells.length - 1].getBoundingClientRect();
  if (last.right > box.right) scroller.scrollLeft += Math.min(first.left - box.left - 60, last.right - box.right);
  if (last.bottom > box.bottom) scroller.scrollTop += Math.min(first.top - box.top - 40, last.bottom - box.bottom);
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
  const texts = v.type === "bool" ? values.map(x => x === "1" ? "■" : "·") : aligned(values);
  if (v.shape.length === 0) {
    head.append(" = " + (v.type === "bool" ? String(values[0] === "1") : values[0]));
    return el("div", {}, head);
  }
  const n = v.shape.length, width = v.shape[n - 1], height = v.shape.slice(0, -1).reduce((a, b) => a * b, 1);
  const wrap = height === 1 && cols > 16 ? 16 : cols;
  const part = [rows < height ? `${rows} of ${height} rows` : "", cols < width ? `${cols} of ${n === 1 ? count(width, "element") : count(width, "column")}` : ""].filter(Boolean).join(", ");
  if (part) head.append(el("span", { class: "aside" }, `  first ${part}`));
  const all = rows * cols;
  const g = grid({
    rows: range(Math.ceil(all / wrap)), cols: range(wrap), wide: v.type !== "bool",
    rowName: r => height === 1 ? (all > wrap ? r * wrap : "") : place(r, v.shape.slice(0, -1)).join(","),
    colName: c => c,
    cell: (r, c) => {
      const k = r * wrap + c;
      if (k >= all) return { cls: "none", text: "" };
      const index = height === 1 ? [...v.shape.slice(0, -1).map(() => 0), k] : [...place(r, v.shape.slice(0, -1)), c];
      return { text: texts[k], cls: v.type === "bool" && values[k] === "1" ? "on" : "plain", title: `${v.name}${dims(index)} = ${v.type === "bool" ? values[k] === "1" : values[k]}` };
    },
  }, v.name);
  return el("div", {}, head, el("div", { class: "scroll" }, g));
}
