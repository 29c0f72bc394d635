/** Guards for values of type `unknown` at the boundaries, typed keys of tables, and values that are made when used. */

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The value if it is an object, else an empty object. */
export const asRecord = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : {});

/** The value if it is an array, else an empty one. */
export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const isKeyOf = <Table extends object>(table: Table, key: PropertyKey): key is keyof Table =>
  Object.hasOwn(table, key);

/** The keys of a table that is written out in the code, with their types. */
export const keysOf = <Table extends object>(table: Table): readonly (keyof Table & string)[] =>
  Object.keys(table).filter((key): key is keyof Table & string => isKeyOf(table, key));

type Compact<Fields> = { [Name in keyof Fields as undefined extends Fields[Name] ? never : Name]: Fields[Name] } & {
  [Name in keyof Fields as undefined extends Fields[Name] ? Name : never]?: Exclude<Fields[Name], undefined>;
};
/** The fields without those that are undefined. */
export function compact<Fields extends object>(fields: Fields): Compact<Fields> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the filter does what the mapped type states; the compiler cannot follow entries
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Compact<Fields>;
}

/** Looks up a key from a document: inherited properties such as `constructor` and `__proto__` are not entries. */
export const getOwn = <Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

/** `encodeURIComponent` for any text: a lone surrogate, which has no encoding, is replaced by U+FFFD. */
export const percentEncode = (text: string): string => encodeURIComponent(text.toWellFormed());

/** Returns a function that creates a value on its first call and returns the same value afterwards. */
export function lazy<T>(create: () => T): () => T {
  let created: { readonly value: T } | undefined;
  return () => (created ??= { value: create() }).value;
}

/** Compares by code units, so that an order does not depend on the locale. */
export const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Limits the memory of answers whose keys come from documents and requests: few of these keys occur often. */
export const MOST_ANSWERS = 4096;

/** Calls `find` once for each key, until there are `most` answers: then it forgets them. */
export const remembered = <Key, Row>(find: (key: Key) => Row, most = Infinity): ((key: Key) => Row) =>
  rememberedIn(new Map(), find, most);

/** Calls `find` once for each object, and does not keep the objects in memory. */
export const rememberedOf = <Key extends object, Row>(find: (key: Key) => Row): ((key: Key) => Row) =>
  rememberedIn(new WeakMap(), find);

interface Kept<Row> {
  readonly row: Row;
}

interface KeptRows<Key, Row> {
  readonly size?: number;
  get(key: Key): Kept<Row> | undefined;
  set(key: Key, value: Kept<Row>): unknown;
  clear?(): void;
}

function rememberedIn<Key, Row>(rows: KeptRows<Key, Row>, find: (key: Key) => Row, most = Infinity): (key: Key) => Row {
  return (key) => {
    const known = rows.get(key);
    if (known !== undefined) return known.row;
    const row = find(key);
    if ((rows.size ?? 0) >= most) rows.clear?.();
    rows.set(key, { row });
    return row;
  };
}
