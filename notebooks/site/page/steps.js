// A program of a launch, statement by statement: two sliders, its source, and what each
// statement gave values to.
import { el } from './markdown.js';
import { picture } from './draw.js';
import { coloured } from './editor.js';

// source is the text of the function around a line: what the steps are drawn beside.
function source(text, line) {
  const lines = text.split('\n');
  let from = line - 1;
  while (from > 0 && !/^func /.test(lines[from])) from--;
  let to = line - 1;
  while (to < lines.length - 1 && lines[to] !== '}') to++;
  return { from, lines: lines.slice(from, to + 1) };
}

// axes is how many of a grid's three sizes count.
const axes = (grid) => Math.max(1, grid.findLastIndex((n) => n > 1) + 1);

// steps draws what a program did. again asks for another program; text gives a cell's text.
export function steps(first, problem, text, again) {
  const number = el('input', { type: 'range', min: '0', max: String(Math.max(0, first.of - 1)), value: String(first.number), 'aria-label': 'program' });
  const at = el('input', { type: 'range', min: '0', class: 'statement', 'aria-label': 'statement' });
  const which = el('output', null), where = el('output', null);
  const code = el('ol', { class: 'source' }), values = el('div', { class: 'values' });
  const go = (by) => { at.value = String(+at.value + by); draw(); };
  const root = el('div', { class: 'steps' },
    el('div', { class: 'sliders' },
      el('label', { class: first.of < 2 ? 'hidden' : '' }, el('span', null, 'program '), number, which),
      el('label', null, el('span', null, 'statement '), at, where),
      el('span', { class: 'arrows' }, el('button', { onclick: () => go(-1), 'aria-label': 'one statement back' }, '←'), ' ', el('button', { onclick: () => go(1), 'aria-label': 'the next statement' }, '→'))),
    el('div', { class: 'both' }, el('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'source' }, code), values));
  let now = first;

  function draw() {
    const list = now.list, i = Math.min(+at.value, list.length - 1), step = list[i];
    which.textContent = `(${now.pid.slice(0, axes(now.grid)).join(', ')}), ${now.number + 1} of ${now.of}`;
    where.textContent = list.length ? `${i + 1} of ${list.length}${now.more ? ' and more' : ''}` : 'none';
    if (!step) { values.replaceChildren(...(problem ? [picture(problem)] : [])); return; }
    const src = source(text(step.file), step.line);
    if (code.dataset.of !== src.lines.join('\n')) {
      code.dataset.of = src.lines.join('\n');
      code.replaceChildren(...src.lines.map((l) => el('li', null, el('code', null, ...coloured(l)))));
    }
    [...code.children].forEach((li, k) => li.classList.toggle('now', k === step.line - 1 - src.from));
    // The variables as they are now: of each what was given to it last, the newest first.
    const latest = new Map();
    list.slice(0, i + 1).forEach((s, k) => s.vars.forEach((v) => { latest.delete(v.name); latest.set(v.name, { v, k }); }));
    values.replaceChildren(...[...latest.values()].reverse().map(({ v, k }) => el('details', { open: k === i }, el('summary', { class: k === i ? 'fresh' : '' }, v.name), picture(v.picture))));
    if (!step.vars.length) values.prepend(el('p', { class: 'says' }, 'This statement gives no variable a value.'));
    if (problem && i === list.length - 1) values.prepend(picture(problem));
  }

  function set(answer) {
    now = answer;
    at.max = String(Math.max(0, now.list.length - 1));
    draw();
  }
  at.value = '0';
  at.addEventListener('input', draw);
  number.addEventListener('change', async () => {
    const a = await again(+number.value);
    if (a && a.steps) { problem = a.problem; set(a.steps); }
  });
  set(first);
  // A picture says more than a number: begin at the first statement that makes pointers.
  at.value = String(Math.max(0, first.list.findIndex((s) => s.vars.some((v) => v.picture.pointers))));
  draw();
  return root;
}
