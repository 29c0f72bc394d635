/** Returns a function that creates a value on its first call and returns the same value afterwards. */
export function lazy<T>(create: () => T): () => T {
  let created: { readonly value: T } | undefined;
  return () => (created ??= { value: create() }).value;
}
