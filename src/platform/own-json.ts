/** Parses JSON that eolgate wrote itself: rows of its store, messages of its workers, sections of its files. */

/**
 * Parses text that this program serialized from a value of type `T`. Everything else is validated by a schema instead.
 *
 * @throws SyntaxError when the text is not JSON
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names the type that it wrote
export function parseOwnJson<T>(text: string): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no schema: the text comes from JSON.stringify of a T
  return JSON.parse(text) as T;
}
