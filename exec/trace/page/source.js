// The source: its lines, in colours that the record brings along.

function showSource() {
  byId("source").append(...sourceLines.map((text, i) => el("div", { class: "src", "data-line": i + 1, onclick: () => nextAt(i + 1) },
    el("span", { class: "n" }, i + 1), code(text, i))));
}

// code is a line of source with its words coloured; without what it begins with, if it is
// to stand alone.
function code(text, i, alone) {
  const marks = (trace.colours || [])[i] || [], parts = [], tabs = text.length - text.replace(/^\t+/, "").length;
  let at = alone ? tabs : 0;
  for (let k = 0; k + 2 < marks.length; k += 3) {
    parts.push(text.slice(at, marks[k]), el("span", { class: "c-" + trace.classes[marks[k + 2]] }, text.slice(marks[k], marks[k] + marks[k + 1])));
    at = marks[k] + marks[k + 1];
  }
  return el("code", { style: `--indent:${alone ? 0 : 4 * tabs}ch` }, ...parts, text.slice(at));
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
  const here = step() && step().line, box = byId("source");
  for (const e of box.children) {
    const n = +e.dataset.line;
    e.classList.toggle("has", has.has(n));
    e.classList.toggle("here", n === here);
    e.classList.toggle("failed", !!f && f.line === n);
    e.title = has.has(n) ? "go to the next step at this line" : "";
    if (n === here) {
      const top = e.getBoundingClientRect().top - box.getBoundingClientRect().top;
      if (top < 30 || top > box.clientHeight * .45) box.scrollTop += top - box.clientHeight / 3;
    }
  }
}
