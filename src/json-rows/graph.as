// The references of a document and the edges between them, in AssemblyScript. Each reference has an id, which counts from 0.
// Memory: chunks of 64 KiB behind the window, which the directories list. Addresses count from the beginning of the chunks,
// because these move when the window grows. json/graph.ts reads what is written here.

const CHUNK: i32 = 65536;
const CHUNK_BITS: i32 = 16;

// Directories: the chunks of an array, up to 2 GiB each. memory-layout.ts has the same numbers.
const DIRECTORIES: i32 = 4096;
const DIRECTORY_SIZE: i32 = 32768 * 4;
// For each reference (16 bytes): address of its text, length, hash, number of its first node plus 1.
const REFS: i32 = DIRECTORIES;
// For each node, which is an entry of the document with its edges (8 bytes): id, number of its first edge.
const NODES: i32 = DIRECTORIES + DIRECTORY_SIZE;
// For each edge: the id that it leads to.
const EDGES: i32 = DIRECTORIES + DIRECTORY_SIZE * 2;
// Open addressing: id + 1 at the place of a hash. Growing swaps the two tables.
const SLOTS: i32 = DIRECTORIES + DIRECTORY_SIZE * 3;
const OTHER_SLOTS: i32 = DIRECTORIES + DIRECTORY_SIZE * 4;

// Address of the chunks, and their size.
export let chunksStart: i32 = 0;
export let chunksSize: i32 = 0;
export let refCount: i32 = 0;
export let nodeCount: i32 = 0;
export let edgeCount: i32 = 0;
// Nodes whose reference has one already.
export let repeatedNodes: i32 = 0;
export let slots: i32 = SLOTS;
export let slotMask: i32 = 0;

let freeChunk: i32 = -1;
let textEnd: i32 = 0; // where the next text goes, and how far its chunk reaches
let textLimit: i32 = 0;
let refChunks: i32 = 0;
let nodeChunks: i32 = 0;
let edgeChunks: i32 = 0;
// The node that is being read: its reference, or -1, and its first edge.
let nodeRef: i32 = -1;
let nodeEdges: i32 = 0;
// The reference that was found last. Documents list most of them in the same order several times.
let lastRef: i32 = -1;

export function beginGraph(start: i32): void {
  chunksStart = start;
  chunksSize = 0;
  refCount = 0;
  nodeCount = 0;
  edgeCount = 0;
  repeatedNodes = 0;
  slots = SLOTS;
  slotMask = 0;
  freeChunk = -1;
  textEnd = 0;
  textLimit = 0;
  refChunks = 0;
  nodeChunks = 0;
  edgeChunks = 0;
  nodeRef = -1;
  nodeEdges = 0;
  lastRef = -1;
}

// The window grew: the chunks move to `start`.
export function moveGraph(start: i32): void {
  memory.copy(start, chunksStart, chunksSize);
  chunksStart = start;
}

// Space of this many bytes at the end, in whole chunks.
function more(size: i32): i32 {
  const from = chunksSize;
  chunksSize += (size + CHUNK - 1) & ~(CHUNK - 1);
  const missing = ((chunksStart + chunksSize + CHUNK - 1) >>> CHUNK_BITS) - memory.size();
  // In steps, because JavaScript needs new views of the memory each time.
  if (missing > 0 && memory.grow(max(missing, 16)) < 0) unreachable();
  return from;
}

function newChunk(): i32 {
  if (freeChunk < 0) return more(CHUNK);
  const chunk = freeChunk;
  freeChunk = load<i32>(chunksStart + chunk);
  return chunk;
}

// Address of the part of an array that begins at this offset.
function part(directory: i32, offset: i32): i32 {
  return chunksStart + load<i32>(directory + (offset >>> CHUNK_BITS) * 4) + (offset & (CHUNK - 1));
}

// The id of the text from `from` to `to`; a new one when it was not known.
export function idOf(from: i32, to: i32, hash: i32): i32 {
  const length = to - from;
  if (lastRef + 1 < refCount && isRef(lastRef + 1, from, length, hash)) return ++lastRef;
  if (refCount * 2 >= slotMask) growSlots();
  let slot = hash & slotMask;
  while (true) {
    const known = load<i32>(part(slots, slot * 4));
    if (known == 0) break;
    if (isRef(known - 1, from, length, hash)) {
      lastRef = known - 1;
      return lastRef;
    }
    slot = (slot + 1) & slotMask;
  }
  lastRef = refCount++;
  store<i32>(part(slots, slot * 4), refCount);
  addRef(lastRef, from, length, hash);
  return lastRef;
}

function isRef(id: i32, from: i32, length: i32, hash: i32): bool {
  const ref = part(REFS, id * 16);
  if (load<i32>(ref, 8) != hash || load<i32>(ref, 4) != length) return false;
  const text = chunksStart + load<i32>(ref);
  let index = 0;
  for (; index + 8 <= length; index += 8) if (load<i64>(text + index) != load<i64>(from + index)) return false;
  for (; index < length; index++) if (load<u8>(text + index) != load<u8>(from + index)) return false;
  return true;
}

function addRef(id: i32, from: i32, length: i32, hash: i32): void {
  if (id * 16 == refChunks << CHUNK_BITS) store<i32>(REFS + refChunks++ * 4, newChunk());
  const text = newText(length);
  memory.copy(chunksStart + text, from, length);
  const ref = part(REFS, id * 16);
  store<i32>(ref, text);
  store<i32>(ref, length, 4);
  store<i32>(ref, hash, 8);
  store<i32>(ref, 0, 12);
}

function newText(length: i32): i32 {
  if (length > CHUNK) return more(length);
  if (textEnd + length > textLimit) {
    textEnd = newChunk();
    textLimit = textEnd + CHUNK;
  }
  const text = textEnd;
  textEnd += length;
  return text;
}

function growSlots(): void {
  const before = slotMask + 1;
  const chunks = slotMask == 0 ? 1 : (before * 4) >>> (CHUNK_BITS - 1);
  const next = slots == SLOTS ? OTHER_SLOTS : SLOTS;
  for (let index = 0; index < chunks; index++) {
    const chunk = newChunk();
    memory.fill(chunksStart + chunk, 0, CHUNK);
    store<i32>(next + index * 4, chunk);
  }
  if (slotMask != 0) freeChunks(slots, (before * 4) >>> CHUNK_BITS);
  slots = next;
  slotMask = chunks * (CHUNK / 4) - 1;
  for (let id = 0; id < refCount; id++) {
    let slot = load<i32>(part(REFS, id * 16), 8) & slotMask;
    while (load<i32>(part(slots, slot * 4)) != 0) slot = (slot + 1) & slotMask;
    store<i32>(part(slots, slot * 4), id + 1);
  }
}

function freeChunks(directory: i32, count: i32): void {
  for (let index = 0; index < count; index++) {
    const chunk = load<i32>(directory + index * 4);
    store<i32>(chunksStart + chunk, freeChunk);
    freeChunk = chunk;
  }
}

// The node that is being read is that of this reference.
export function setNode(id: i32): void {
  nodeRef = id;
}

export function addEdge(to: i32): void {
  if (edgeCount * 4 == edgeChunks << CHUNK_BITS) store<i32>(EDGES + edgeChunks++ * 4, newChunk());
  store<i32>(part(EDGES, edgeCount * 4), to);
  edgeCount++;
}

// The node ends. Without a reference it counts for nothing.
export function endNode(): void {
  if (nodeRef < 0) {
    edgeCount = nodeEdges;
    const needed = ((edgeCount * 4 + CHUNK - 1) >>> CHUNK_BITS);
    if (edgeChunks > needed) {
      freeChunks(EDGES + needed * 4, edgeChunks - needed);
      edgeChunks = needed;
    }
    return;
  }
  if (nodeCount * 8 == nodeChunks << CHUNK_BITS) store<i32>(NODES + nodeChunks++ * 4, newChunk());
  const node = part(NODES, nodeCount * 8);
  store<i32>(node, nodeRef);
  store<i32>(node, nodeEdges, 4);
  nodeCount++;
  const ref = part(REFS, nodeRef * 16);
  if (load<i32>(ref, 12) == 0) store<i32>(ref, nodeCount, 12);
  else repeatedNodes++;
  nodeRef = -1;
  nodeEdges = edgeCount;
}
