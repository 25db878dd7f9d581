// Trees -> the bytes that policy-core/src/suggest/registry.rs reads. The layout is described there.
import { Buffer } from "node:buffer";

const BLOCK = 16;
const byBytes = (a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b));

function varint(out, value) {
  while (value >= 0x80) {
    out.push((value & 0x7f) | 0x80);
    value >>>= 7;
  }
  out.push(value);
}

function u32(values) {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, at) => bytes.writeUInt32LE(value, at * 4));
  return bytes;
}

/** Strings sorted by bytes, in blocks whose strings share the beginning of the one before. */
function table(strings) {
  const offsets = [];
  const out = [];
  let before = Buffer.alloc(0);
  strings.forEach((text, at) => {
    const bytes = Buffer.from(text);
    let shared = 0;
    if (at % BLOCK === 0) offsets.push(out.length);
    else while (shared < bytes.length && shared < before.length && bytes[shared] === before[shared]) shared += 1;
    if (at % BLOCK !== 0) varint(out, shared);
    varint(out, bytes.length - shared);
    for (const byte of bytes.subarray(shared)) out.push(byte);
    before = bytes;
  });
  return { offsets, bytes: Buffer.from(out) };
}

export function encode({ roots, sha256 }) {
  const seen = new Set();
  const collect = (node) => {
    for (const name of node.names) seen.add(name);
    for (const [spellings] of node.options) for (const name of spellings) seen.add(name);
    node.subs.forEach(collect);
  };
  for (const [name, tree] of roots) {
    seen.add(name);
    collect(tree);
  }
  const strings = [...seen].sort(byBytes);
  const id = new Map(strings.map((text, at) => [text, at]));

  const ids = (out, texts) => {
    const all = texts.map((text) => id.get(text)).sort((a, b) => a - b);
    varint(out, all.length);
    for (const each of all) varint(out, each);
  };
  const body = (node) => {
    const out = [];
    varint(out, node.args.length);
    out.push(...node.args);
    const options = [...node.options].sort(([a], [b]) => byBytes(a[0], b[0]));
    varint(out, options.length);
    for (const [spellings, args] of options) {
      ids(out, spellings);
      out.push(args.reduce((all, bits) => all | bits, 0));
    }
    const subs = [...node.subs].sort((a, b) => byBytes(a.names[0], b.names[0]));
    varint(out, subs.length);
    for (const sub of subs) {
      ids(out, sub.names);
      const inner = body(sub);
      varint(out, inner.length);
      for (const byte of inner) out.push(byte);
    }
    return out;
  };

  const trees = new Map();
  const nodes = [];
  const index = [];
  for (const name of [...roots.keys()].sort(byBytes)) {
    const tree = roots.get(name);
    if (!trees.has(tree)) {
      const bytes = body(tree);
      trees.set(tree, nodes.length);
      const head = [];
      varint(head, bytes.length);
      for (const byte of head) nodes.push(byte);
      for (const byte of bytes) nodes.push(byte);
    }
    index.push(id.get(name), trees.get(tree));
  }
  const { offsets, bytes } = table(strings);
  return Buffer.concat([
    Buffer.from("PCR1"),
    sha256,
    u32([strings.length, bytes.length, roots.size, nodes.length]),
    u32(offsets),
    bytes,
    u32(index),
    Buffer.from(nodes),
  ]);
}
