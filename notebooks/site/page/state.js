// What is kept: progress and cells in localStorage, and code in the address's fragment.

const key = 'tiler.';

export function recall(name, otherwise) {
  try {
    const text = localStorage.getItem(key + name);
    return text === null ? otherwise : JSON.parse(text);
  } catch { return otherwise; }
}

export function remember(name, value) {
  try { localStorage.setItem(key + name, JSON.stringify(value)); } catch { /* private windows keep nothing */ }
}

export function forget(name) { try { localStorage.removeItem(key + name); } catch { /* nothing is kept */ } }

async function through(bytes, stream) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

// pack is a list of texts as part of an address.
export async function pack(cells) {
  const bytes = await through(new TextEncoder().encode(JSON.stringify(cells)), new CompressionStream('deflate-raw'));
  let s = '';
  for (const b of bytes) s += String.fromCharCode(b);
  return btoa(s).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

const mostPacked = 200_000;

// unpack is the texts of an address, null if they are none: anybody can write one.
export async function unpack(text) {
  try {
    if (text.length > mostPacked) return null;
    const s = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(s, (c) => c.charCodeAt(0));
    const list = JSON.parse(new TextDecoder().decode(await through(bytes, new DecompressionStream('deflate-raw'))));
    return Array.isArray(list) && list.length <= 200 && list.every((x) => x === null || typeof x === 'string') ? list : null;
  } catch { return null; }
}

// place is what an address's fragment names: kind, name, and packed code.
export function place(hash) {
  const [path, code] = hash.replace(/^#/, '').split('?c=');
  const [kind, name] = path.split('/');
  return { kind: kind || 'lesson', name: name || '', code: code || '' };
}
