// An editor for a cell: a textarea over its own text in colours. What one types in is the
// browser's, so that undo, selection, screen readers and phones work as anywhere.
import { el } from './markdown.js';

const token = /(\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$))|("(?:\\.|[^"\\\n])*"?|`[^`]*`?|'(?:\\.|[^'\\\n])*'?)|(\b\d[\w.]*)|([A-Za-z_]\w*)|([()[\]{}])|(^[ \t]*[:?][^\n]*)/gm;
const keywords = new Set('break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select struct switch type var nil true false'.split(' '));
const opening = '([{', closing = ')]}';

// tokens is a text in pieces: kind, text, and where it begins.
export function tokens(text) {
  const out = [];
  let at = 0;
  for (const m of text.matchAll(token)) {
    if (m.index > at) out.push(['', text.slice(at, m.index), at]);
    at = m.index + m[0].length;
    let kind = m[1] ? 'comment' : m[2] ? 'string' : m[3] ? 'number' : m[5] ? 'bracket' : m[6] ? 'command' : '';
    if (m[4]) kind = keywords.has(m[4]) ? 'keyword' : text[at] === '(' ? 'call' : /^(tl|tensor|exec|fmt|math|p)$/.test(m[4]) ? 'package' : '';
    out.push([kind, m[0], m.index]);
  }
  if (at < text.length) out.push(['', text.slice(at), at]);
  return out;
}

// coloured is a text as nodes.
export function coloured(text) {
  return tokens(text).map(([kind, t]) => kind ? el('span', { class: 'k-' + kind }, t) : t);
}

// partner is where the bracket is that belongs to the one at a place, -1 if none does.
function partner(list, at) {
  const i = list.findIndex(([k, , from]) => k === 'bracket' && from === at);
  if (i < 0) return null;
  const step = opening.includes(list[i][1]) ? 1 : -1;
  for (let k = i, depth = 0; k >= 0 && k < list.length; k += step) {
    if (list[k][0] !== 'bracket') continue;
    depth += (opening.includes(list[k][1]) ? 1 : -1) * step;
    if (depth === 0) return list[k][2];
  }
  return -1;
}

const bytes = (text) => new TextEncoder().encode(text).length;

// fromBytes is the place in a text of so many bytes.
export function fromBytes(text, n) {
  let i = 0;
  for (const c of text) { if (n <= 0) break; n -= bytes(c); i += c.length; }
  return i;
}

export class Editor {
  // on has changed(), run(), complete(text, pos in bytes), inspect(text, pos in bytes).
  constructor(text, label, on) {
    this.on = on;
    this.problems = [];
    this.area = el('textarea', { spellcheck: 'false', autocapitalize: 'off', autocomplete: 'off', autocorrect: 'off', 'aria-label': label, rows: '1' });
    this.back = el('pre', { class: 'back', 'aria-hidden': 'true' });
    this.gutter = el('pre', { class: 'gutter', 'aria-hidden': 'true' });
    this.list = el('ul', { class: 'complete', role: 'listbox', hidden: true });
    this.inner = el('div', { class: 'inner' }, this.back, this.area, this.list);
    this.node = el('div', { class: 'editor' }, this.gutter, el('div', { class: 'code' }, this.inner));
    this.area.value = text;
    this.area.addEventListener('input', () => { this.problems = []; this.draw(); on.changed(); this.soon(); });
    this.area.addEventListener('keydown', (e) => this.key(e));
    this.area.addEventListener('blur', () => { this.close(); this.draw(); });
    for (const e of ['keyup', 'click', 'focus']) this.area.addEventListener(e, () => this.draw());
    this.draw();
  }

  get text() { return this.area.value; }
  set text(t) { this.area.value = t; this.problems = []; this.draw(); }

  // draw puts the colours under the text, with what is wrong underlined.
  draw() {
    const text = this.area.value, list = tokens(text), at = this.area.selectionStart;
    const pair = new Map();
    if (document.activeElement === this.area && at === this.area.selectionEnd) {
      for (const from of [at - 1, at]) {
        const other = partner(list, from);
        if (other === null) continue;
        pair.set(from, other < 0 ? 'lone' : 'pair');
        if (other >= 0) pair.set(other, 'pair');
        break;
      }
    }
    const wrong = this.problems.map((p) => this.offset(p.line, p.column));
    this.back.replaceChildren(...list.map(([kind, t, from]) => {
      const names = [kind && 'k-' + kind, pair.get(from), wrong.some((w) => w >= from && w < from + t.length && t.trim()) && 'wrong'].filter(Boolean);
      return names.length ? el('span', { class: names.join(' ') }, t) : t;
    }), '\n');
    const lines = text.split('\n');
    this.gutter.replaceChildren(...lines.flatMap((_, i) => {
      const p = this.problems.find((q) => q.line === i + 1);
      return [p ? el('span', { class: 'at ' + p.bad, title: p.text }, '●') : el('span', null, String(i + 1)), '\n'];
    }));
    this.area.rows = lines.length;
  }

  offset(line, column) {
    const lines = this.area.value.split('\n');
    let n = 0;
    for (let i = 0; i < Math.min(line - 1, lines.length); i++) n += lines[i].length + 1;
    const own = lines[line - 1] || '';
    return n + (column ? Math.min(fromBytes(own, column - 1), own.length) : own.length - own.trimStart().length);
  }

  mark(problems) { this.problems = problems; this.draw(); }

  insert(text, from = this.area.selectionStart, to = this.area.selectionEnd) {
    this.area.focus();
    this.area.setSelectionRange(from, to);
    if (!document.execCommand('insertText', false, text)) { this.area.setRangeText(text, from, to, 'end'); this.area.dispatchEvent(new Event('input')); }
  }

  key(e) {
    if (!this.list.hidden && this.choose(e)) return;
    if (e.key === 'Enter' && (e.shiftKey || e.ctrlKey || e.metaKey)) { e.preventDefault(); this.on.run(); return; }
    if (e.key === ' ' && e.ctrlKey) { e.preventDefault(); this.complete(true); return; }
    if (e.key === 'F1' || e.key === 'Tab' && e.shiftKey && !this.leaving) { e.preventDefault(); this.on.inspect(this.text, bytes(this.text.slice(0, this.area.selectionStart))); return; }
    if (e.key === 'Escape') { this.leaving = true; return; }
    if (e.key === 'Tab' && !this.leaving && !e.shiftKey && !e.altKey) {
      e.preventDefault();
      const at = this.area.selectionStart;
      if (at === this.area.selectionEnd && /[A-Za-z_]\w*\.?$/.test(this.text.slice(0, at))) this.complete(true); else this.insert('\t');
      return;
    }
    if (e.key !== 'Shift') this.leaving = false;
    if (e.key === 'Enter' && !e.isComposing) {
      e.preventDefault();
      const before = this.text.slice(0, this.area.selectionStart), line = before.slice(before.lastIndexOf('\n') + 1);
      this.insert('\n' + /^[\t ]*/.exec(line)[0] + (/[({[]\s*$/.test(line) ? '\t' : ''));
    }
    if (e.key === '}' && /(^|\n)\t+$/.test(this.text.slice(0, this.area.selectionStart))) {
      e.preventDefault();
      this.insert('}', this.area.selectionStart - 1);
    }
  }

  // soon asks for what the word may become, when one has typed on to a name.
  soon() {
    clearTimeout(this.timer);
    const before = this.text.slice(0, this.area.selectionStart);
    if (!/(\.|[A-Za-z_]\w+)$/.test(before) || /\d\.?$/.test(before) && !/[A-Za-z_]\w*$/.test(before) || /\/\/[^\n]*$/.test(before)) { this.close(); return; }
    this.timer = setTimeout(() => this.complete(false), 180);
  }

  async complete(asked) {
    const text = this.text, at = this.area.selectionStart;
    const a = await this.on.complete(text, bytes(text.slice(0, at)), asked);
    if (this.text !== text || this.area.selectionStart !== at || document.activeElement !== this.area) return;
    if (a === undefined) this.timer = setTimeout(() => this.complete(false), 180); // a cell runs: later
    if (!a) return;
    const start = fromBytes(text, a.start || 0), word = text.slice(start, at);
    const found = (a.candidates || []).filter((c) => c.text ? c.text !== word : asked);
    if (!found.length || !asked && (a.candidates || []).some((c) => c.text === word)) { this.close(); return; }
    this.start = start;
    this.list.replaceChildren(...found.slice(0, 60).map((c, i) => el('li', {
      role: 'option', 'aria-selected': i === 0 ? 'true' : 'false', onmousedown: (e) => { e.preventDefault(); this.take(i); },
    }, el('b', null, c.text || ''), ' ', el('span', null, c.detail || ''))));
    this.found = found;
    this.at = 0;
    const lines = text.slice(0, start).split('\n');
    let column = 0;
    for (const c of lines.at(-1)) column = c === '\t' ? column + 4 - column % 4 : column + 1;
    this.list.style.setProperty('--row', lines.length);
    this.list.style.setProperty('--column', Math.max(0, column));
    this.list.hidden = false;
  }

  close() { clearTimeout(this.timer); this.list.hidden = true; }

  choose(e) {
    const n = this.found.length;
    if (e.key === 'ArrowDown' || e.key === 'ArrowUp') this.at = (this.at + (e.key === 'ArrowDown' ? 1 : n - 1)) % n;
    else if ((e.key === 'Tab' || e.key === 'Enter') && !e.shiftKey && this.found[this.at].text) { e.preventDefault(); this.take(this.at); return true; }
    else { if (e.key === 'Escape' || e.key.startsWith('Arrow')) { const was = e.key === 'Escape'; this.close(); return was; } return false; }
    e.preventDefault();
    [...this.list.children].forEach((li, i) => { li.setAttribute('aria-selected', i === this.at); if (i === this.at) li.scrollIntoView({ block: 'nearest' }); });
    return true;
  }

  take(i) {
    const word = this.found[i].text;
    this.close();
    if (word) this.insert(word, this.start, this.area.selectionEnd);
    this.close();
  }
}
