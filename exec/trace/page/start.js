"use strict";
// The page of a trace. The files of its script follow each other: this one first, page.js last.
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
const range = n => Array.from({ length: n }, (_, i) => i);
const sourceLines = trace.source.split("\n");

// el makes an element. What is put into it is text, never markup.
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
