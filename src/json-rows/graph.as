// The graph of a document, in AssemblyScript: references and the edges between them. Each reference has an id, which
// counts from 0. A node is an object of the document that has a reference and edges. The arrays of the graph grow in
// chunks, which are located after the window; directories list the chunks of each array. All stored addresses count from
// the first chunk, because the chunks move when the window grows. graph.ts reads what is written here.

import {
  CHUNK,
  CHUNK_BITS,
  EDGES,
  EDGE_SIZE,
  NODES,
  NODE_FIRST_EDGE,
  NODE_SIZE,
  OTHER_SLOTS,
  REFS,
  REF_FIRST_NODE,
  REF_HASH,
  REF_LENGTH,
  REF_SIZE,
  SLOTS,
  SLOT_SIZE,
} from "./layout";

// Address of the first chunk, and the size of all chunks.
export let chunksStart: i32 = 0;
export let chunksSize: i32 = 0;
export let refCount: i32 = 0;
export let nodeCount: i32 = 0;
export let edgeCount: i32 = 0;
// Number of nodes whose reference already has a node.
export let repeatedNodes: i32 = 0;
export let slots: i32 = SLOTS;
export let slotMask: i32 = 0;

let freeChunk: i32 = -1;
let textEnd: i32 = 0; // where the next text is written
let textLimit: i32 = 0; // end of that chunk
let refChunks: i32 = 0;
let nodeChunks: i32 = 0;
let edgeChunks: i32 = 0;
// The node that is being read: the id of its reference, or -1, and the number of its first edge.
let nodeRef: i32 = -1;
let nodeEdges: i32 = 0;
// The reference that was found last. Documents list their references several times, mostly in the same order.
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

// Moves the chunks to `start`, because the window grew.
export function moveGraph(start: i32): void {
  memory.copy(start, chunksStart, chunksSize);
  chunksStart = start;
}

// Allocates `size` bytes at the end, in whole chunks, and returns their address.
function more(size: i32): i32 {
  const from = chunksSize;
  chunksSize += (size + CHUNK - 1) & ~(CHUNK - 1);
  const missing = ((chunksStart + chunksSize + CHUNK - 1) >>> CHUNK_BITS) - memory.size();
  // At least 16 pages at once, because JavaScript needs new views of the memory each time.
  if (missing > 0 && memory.grow(max(missing, 16)) < 0) unreachable();
  return from;
}

function newChunk(): i32 {
  if (freeChunk < 0) return more(CHUNK);
  const chunk = freeChunk;
  freeChunk = load<i32>(chunksStart + chunk);
  return chunk;
}

// Returns the address in memory of an offset in an array.
function addressIn(directory: i32, offset: i32): i32 {
  return chunksStart + load<i32>(directory + (offset >>> CHUNK_BITS) * 4) + (offset & (CHUNK - 1));
}

// Returns the id of the reference with the text from `from` to `to`. A new text gets the next id.
export function idOf(from: i32, to: i32, hash: i32): i32 {
  const length = to - from;
  if (lastRef + 1 < refCount && isRef(lastRef + 1, from, length, hash)) return ++lastRef;
  if (refCount * 2 >= slotMask) growSlots();
  let slot = hash & slotMask;
  while (true) {
    const known = load<i32>(addressIn(slots, slot * SLOT_SIZE));
    if (known == 0) break;
    if (isRef(known - 1, from, length, hash)) {
      lastRef = known - 1;
      return lastRef;
    }
    slot = (slot + 1) & slotMask;
  }
  lastRef = refCount++;
  store<i32>(addressIn(slots, slot * SLOT_SIZE), refCount);
  addRef(lastRef, from, length, hash);
  return lastRef;
}

function isRef(id: i32, from: i32, length: i32, hash: i32): bool {
  const ref = addressIn(REFS, id * REF_SIZE);
  if (load<i32>(ref, REF_HASH) != hash || load<i32>(ref, REF_LENGTH) != length) return false;
  const text = chunksStart + load<i32>(ref);
  let index = 0;
  for (; index + 8 <= length; index += 8) if (load<i64>(text + index) != load<i64>(from + index)) return false;
  for (; index < length; index++) if (load<u8>(text + index) != load<u8>(from + index)) return false;
  return true;
}

function addRef(id: i32, from: i32, length: i32, hash: i32): void {
  if (id * REF_SIZE == refChunks << CHUNK_BITS) store<i32>(REFS + refChunks++ * 4, newChunk());
  const text = newText(length);
  memory.copy(chunksStart + text, from, length);
  const ref = addressIn(REFS, id * REF_SIZE);
  store<i32>(ref, text);
  store<i32>(ref, length, REF_LENGTH);
  store<i32>(ref, hash, REF_HASH);
  store<i32>(ref, 0, REF_FIRST_NODE);
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
  const chunks = slotMask == 0 ? 1 : (before * SLOT_SIZE) >>> (CHUNK_BITS - 1);
  const next = slots == SLOTS ? OTHER_SLOTS : SLOTS;
  for (let index = 0; index < chunks; index++) {
    const chunk = newChunk();
    memory.fill(chunksStart + chunk, 0, CHUNK);
    store<i32>(next + index * 4, chunk);
  }
  if (slotMask != 0) freeChunks(slots, (before * SLOT_SIZE) >>> CHUNK_BITS);
  slots = next;
  slotMask = chunks * (CHUNK / SLOT_SIZE) - 1;
  for (let id = 0; id < refCount; id++) {
    let slot = load<i32>(addressIn(REFS, id * REF_SIZE), REF_HASH) & slotMask;
    while (load<i32>(addressIn(slots, slot * SLOT_SIZE)) != 0) slot = (slot + 1) & slotMask;
    store<i32>(addressIn(slots, slot * SLOT_SIZE), id + 1);
  }
}

function freeChunks(directory: i32, count: i32): void {
  for (let index = 0; index < count; index++) {
    const chunk = load<i32>(directory + index * 4);
    store<i32>(chunksStart + chunk, freeChunk);
    freeChunk = chunk;
  }
}

// Sets the reference of the node that is being read.
export function setNode(id: i32): void {
  nodeRef = id;
}

export function addEdge(to: i32): void {
  if (edgeCount * EDGE_SIZE == edgeChunks << CHUNK_BITS) store<i32>(EDGES + edgeChunks++ * 4, newChunk());
  store<i32>(addressIn(EDGES, edgeCount * EDGE_SIZE), to);
  edgeCount++;
}

// Ends a node. A node without a reference is dropped, with its edges.
export function endNode(): void {
  if (nodeRef < 0) {
    edgeCount = nodeEdges;
    const needed = ((edgeCount * EDGE_SIZE + CHUNK - 1) >>> CHUNK_BITS);
    if (edgeChunks > needed) {
      freeChunks(EDGES + needed * 4, edgeChunks - needed);
      edgeChunks = needed;
    }
    return;
  }
  if (nodeCount * NODE_SIZE == nodeChunks << CHUNK_BITS) store<i32>(NODES + nodeChunks++ * 4, newChunk());
  const node = addressIn(NODES, nodeCount * NODE_SIZE);
  store<i32>(node, nodeRef);
  store<i32>(node, nodeEdges, NODE_FIRST_EDGE);
  nodeCount++;
  const ref = addressIn(REFS, nodeRef * REF_SIZE);
  if (load<i32>(ref, REF_FIRST_NODE) == 0) store<i32>(ref, nodeCount, REF_FIRST_NODE);
  else repeatedNodes++;
  nodeRef = -1;
  nodeEdges = edgeCount;
}
