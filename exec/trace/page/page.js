// What is chosen: a launch, one of its instances and a step of that.

// go chooses. The address keeps it, so that a page can be reloaded and pointed to.
function go(to) {
  const before = { ...at };
  Object.assign(at, to);
  at.launch = clamp(at.launch, 0, trace.launches.length - 1);
  if (at.launch !== before.launch && to.instance === undefined) [at.instance, at.step] = opening(launch());
  at.instance = clamp(at.instance, 0, Math.max(0, launch().instances.length - 1));
  at.step = clamp(at.step, 0, Math.max(0, steps().length - 1));
  try {
    history.replaceState(null, "", "#" + [at.launch, at.instance, at.step].join("/"));
  } catch (_) { /* some browsers refuse that for files */ }
  if (at.launch !== before.launch) showLaunch();
  showInstance();
}

// opening is where a launch opens: at its failure, or at its first access.
function opening(l) {
  const failed = l.instances.findIndex(i => i.failure);
  if (failed >= 0) return [failed, Infinity];
  return [0, l.instances.length ? firstAccess(l.instances[0]) : 0];
}

function fromHash() {
  const n = location.hash.slice(1).split("/").map(Number);
  const [launch, instance, step] = n.length === 3 && n.every(k => Number.isInteger(k) && k >= 0) ? n : trace.open;
  return { launch, instance, step };
}

// nextAccess is the next step that reads or writes, the first one after the last.
function nextAccess() {
  const n = steps().length;
  for (let i = 1; i <= n; i++) if ((steps()[(at.step + i) % n].accesses || []).length) return (at.step + i) % n;
  return at.step;
}

document.addEventListener("keydown", e => {
  if (e.ctrlKey || e.altKey || e.metaKey || e.target.closest(".grid, select")) return;
  const range = e.target.matches("input");
  const moves = {
    ArrowLeft: { step: at.step - 1 }, ArrowRight: { step: at.step + 1 },
    ArrowUp: { instance: at.instance - 1 }, ArrowDown: { instance: at.instance + 1 },
    Home: { step: 0 }, End: { step: Infinity }, a: { step: nextAccess() },
  };
  if (e.key === "v") setLook(looks[(looks.indexOf(look) + 1) % looks.length]);
  else if (moves[e.key] && !(range && e.key.startsWith("Arrow"))) go(moves[e.key]);
  else return;
  e.preventDefault();
});

function setLook(to) {
  look = to;
  byId("controls").querySelectorAll(".look button").forEach(b => b.setAttribute("aria-pressed", b.textContent === look));
  showStep();
}

function showLaunches() {
  byId("notes").append(...trace.notes.map(n => el("li", {}, n)));
  byId("launches").append(...trace.launches.map((l, i) => el("button", { onclick: () => go({ launch: i }) },
    el("span", { class: "number" }, i + 1), el("code", {}, l.kernel + (l.grid ? dims(l.grid) : "")), l.failure ? el("span", { class: "failed-mark" }, " ✕ failed") : "")));
}

function showLaunch() {
  const all = byId("launches");
  [...all.children].forEach((b, i) => b.setAttribute("aria-current", i === at.launch));
  all.scrollLeft += all.children[at.launch].getBoundingClientRect().left - all.getBoundingClientRect().left;
  showOverview();
}

function showInstance() {
  const there = byId("failed");
  if (there) there.hidden = !!instance() && !!instance().failure && at.step === steps().length - 1;
  showPrograms();
  drawMaps();
  showControls();
  markSource();
  showStep();
}

function showControls() {
  const n = steps().length, bar = byId("controls"), list = launch().instances;
  if (!instance()) return bar.replaceChildren(el("span", { class: "aside" }, "No program of this launch is recorded."));
  const button = (text, title, to, off) => el("button", { title, "aria-label": title, disabled: off, onclick: () => go({ step: to }) }, text);
  const slide = e => {
    go({ step: +e.target.value });
    byId("controls").querySelector("input").focus();
  };
  bar.replaceChildren(
    el("label", { class: "which" }, el("span", {}, "program "), el("select", { "aria-label": "program instance", onchange: e => go({ instance: +e.target.value }) },
      list.map((i, k) => el("option", { value: k, selected: k === at.instance }, programText(i))))),
    el("span", { class: "moves" },
      button("|◀", "first step", 0, at.step === 0), button("◀", "step back", at.step - 1, at.step === 0),
      button("▶", "step", at.step + 1, at.step >= n - 1), button("▶|", "last step", n - 1, at.step >= n - 1)),
    el("input", { type: "range", min: 0, max: Math.max(0, n - 1), value: at.step, "aria-label": "step", oninput: slide }),
    el("span", { class: "count" }, n ? `step ${at.step + 1} of ${n}` : "no steps"),
    button("next access", "next step that reads or writes (a)", nextAccess(), nextAccess() === at.step),
    el("span", { class: "look", role: "group", "aria-label": "what the cells of a block show (v)" },
      looks.map(k => el("button", { "aria-pressed": String(k === look), onclick: () => setLook(k) }, k))));
}

addEventListener("resize", markSource);
showLaunches();
showSource();
at.launch = fromHash().launch;
at.launch = clamp(at.launch, 0, trace.launches.length - 1);
showLaunch();
go(fromHash());
