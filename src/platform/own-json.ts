/** JSON that this program wrote itself: a row of its own store, a message of its own worker, a section of its own file. */

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
