// The part of Markdown that the lessons are written in, as nodes: no text is ever parsed
// as HTML.

export function el(tag, attributes, ...children) {
  const e = document.createElement(tag);
  for (const [k, v] of Object.entries(attributes || {})) {
    if (k.startsWith('on')) e.addEventListener(k.slice(2), v);
    else if (v === true) e.setAttribute(k, '');
    else if (v !== false && v !== null && v !== undefined) e.setAttribute(k, v);
  }
  e.append(...children.filter((c) => c !== null && c !== undefined));
  return e;
}

const marks = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*]+)\*|\[([^\]]+)\]\(([^)\s]+)\)/g;

// inline is a run of text with its marks; link says where an address goes, null for nowhere.
function inline(text, link) {
  const out = [];
  let at = 0;
  for (const m of text.matchAll(marks)) {
    if (m.index > at) out.push(text.slice(at, m.index));
    at = m.index + m[0].length;
    if (m[1] !== undefined) out.push(el('code', null, m[1]));
    else if (m[2] !== undefined) out.push(el('strong', null, ...inline(m[2], link)));
    else if (m[3] !== undefined) out.push(el('em', null, ...inline(m[3], link)));
    else {
      const href = link(m[5]);
      out.push(href ? el('a', { href, rel: 'noreferrer' }, ...inline(m[4], link)) : el('span', null, ...inline(m[4], link)));
    }
  }
  if (at < text.length) out.push(text.slice(at));
  return out;
}

const row = (line) => line.trim().replace(/^\||\|$/g, '').split('|').map((c) => c.trim());

// block is a paragraph, heading, list, table or quoted code.
function block(lines, link) {
  const first = lines[0], heading = /^(#{1,4}) (.*)/.exec(first);
  if (heading) return [el('h' + heading[1].length, null, ...inline(heading[2], link)), ...(lines.length > 1 ? [block(lines.slice(1), link)].flat() : [])];
  if (/^\s*\|/.test(first) && lines.length > 1 && /^[\s|:-]+$/.test(lines[1])) {
    const cells = (line, tag) => row(line).map((c) => el(tag, null, ...inline(c, link)));
    return [el('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'table' }, el('table', { class: 'words' }, el('thead', null, el('tr', null, ...cells(first, 'th'))),
      el('tbody', null, ...lines.slice(2).map((l) => el('tr', null, ...cells(l, 'td'))))))];
  }
  const item = /^(\s*)([-*]|\d+\.) (.*)/;
  if (item.test(first)) {
    const items = [];
    for (const l of lines) {
      const m = item.exec(l);
      if (m) items.push(m[3]); else items[items.length - 1] += ' ' + l.trim();
    }
    return [el(/\d/.test(item.exec(first)[2]) ? 'ol' : 'ul', null, ...items.map((t) => el('li', null, ...inline(t, link))))];
  }
  if (first.startsWith('    ') || first.startsWith('\t')) return [el('pre', { class: 'formula' }, lines.map((l) => l.replace(/^( {4}|\t)/, '')).join('\n'))];
  if (first.startsWith('>')) return [el('blockquote', null, ...inline(lines.map((l) => l.replace(/^>\s?/, '')).join(' '), link))];
  return [el('p', null, ...inline(lines.join(' '), link))];
}

export function markdown(text, link) {
  const out = [];
  let fence = null, lines = [];
  const end = () => { if (lines.length) out.push(...block(lines, link)); lines = []; };
  for (const line of text.split('\n')) {
    if (fence !== null) {
      if (/^```/.test(line)) { out.push(el('pre', { class: 'formula' }, fence.join('\n'))); fence = null; } else fence.push(line);
    } else if (/^```/.test(line)) { end(); fence = []; } else if (/^<!--.*-->$/.test(line.trim()) || /^<\/?(details|summary)/.test(line.trim())) end();
    else if (!line.trim()) end();
    else lines.push(line);
  }
  end();
  return out;
}
