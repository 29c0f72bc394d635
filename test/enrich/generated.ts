/** Documents with unusual but valid JSON: any white space, numeric keys, escapes, big numbers, nulls. */
import * as fc from "fast-check";

/** A value with its text. Members are a list, because their order matters. */
type Written =
  | { readonly kind: "raw"; readonly text: string }
  | { readonly kind: "list"; readonly values: readonly Written[] }
  | { readonly kind: "object"; readonly members: readonly (readonly [key: string, value: Written])[] };

const raw = (text: string): Written => ({ kind: "raw", text });
const list = (values: readonly Written[]): Written => ({ kind: "list", values });
/** Keys that occur twice are refused. */
const object = (members: readonly (readonly [string, Written])[]): Written => ({
  kind: "object",
  members: members.filter(([key], index) => members.findIndex(([other]) => plain(other) === plain(key)) === index),
});
const plain = (key: string): unknown => JSON.parse(key);

/** Strings with their quotes; keys may be escaped. */
const words = fc.constantFrom(
  '"a"',
  '"name"',
  String.raw`"n\u0061me"`,
  '"é😀"',
  String.raw`"\/\\\""`,
  '"7"',
  '"10"',
  '""',
);
const scalars = fc.constantFrom(
  "null",
  "true",
  "0",
  "-0",
  "1e400",
  "12345678901234567890.10",
  "1E+2",
  '""',
  String.raw`"\ud800"`,
  '"日本"',
);
const scalar = scalars.map(raw);

const anything: fc.Arbitrary<Written> = fc.letrec<{ value: Written }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    scalar,
    fc.array(tie("value"), { maxLength: 3 }).map(list),
    fc.array(fc.tuple(words, tie("value")), { maxLength: 3 }).map(object),
  ),
})).value;

/** What a list of objects may contain: anything else is refused. */
const objectOrNull: fc.Arbitrary<Written> = fc.oneof(
  fc.constant(raw("null")),
  fc.array(fc.tuple(words, anything), { maxLength: 3 }).map(object),
);

const anyObject = fc.array(fc.tuple(words, anything), { maxLength: 3 }).map(object);

const property = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('"lifecycle:statusx"', '"lifecycle"', '"cdx:lifecycle:milestone:endOfSupport"', '"x"'),
      scalar,
    )
    .map(([name, value]) =>
      object([
        ['"name"', raw(name)],
        ['"value"', value],
      ]),
    ),
  anything,
);
const entries = fc.array(property, { maxLength: 3 }).map(list);
/** Mostly a list, sometimes another value, which enrichment does not change. */
const container = fc.oneof({ weight: 6, arbitrary: entries }, { weight: 1, arbitrary: anything });

const members = (...known: fc.Arbitrary<readonly [string, Written]>[]): fc.Arbitrary<Written> =>
  fc
    .tuple(fc.array(fc.oneof(...known), { maxLength: 4 }), fc.array(fc.tuple(words, anything), { maxLength: 2 }))
    .chain(([some, others]) => fc.shuffledSubarray([...some, ...others], { minLength: some.length + others.length }))
    .map(object);
const member = (key: string, value: fc.Arbitrary<Written>): fc.Arbitrary<readonly [string, Written]> =>
  value.map((written) => [key, written] as const);

const component: fc.Arbitrary<Written> = fc.letrec<{ component: Written }>((tie) => ({
  component: fc.oneof(
    { maxDepth: 3 },
    members(member('"properties"', container), member('"purl"', scalar)),
    members(
      member('"properties"', container),
      member('"components"', fc.array(tie("component"), { maxLength: 3 }).map(list)),
      member('"version"', words.map(raw)),
    ),
  ),
})).component;

const components = fc
  .array(fc.oneof({ weight: 9, arbitrary: component }, { weight: 1, arbitrary: anyObject }), { maxLength: 4 })
  .map(list);
const tools = fc.oneof(
  fc.array(anything, { maxLength: 2 }).map(list),
  members(member('"components"', container), member('"services"', anything)),
);
const metadata = members(member('"properties"', container), member('"tools"', tools), member('"component"', component));

const withHead = (head: readonly (readonly [string, Written])[], rest: fc.Arbitrary<Written>): fc.Arbitrary<Written> =>
  fc.tuple(rest, fc.array(fc.nat(10), { minLength: head.length, maxLength: head.length })).map(([written, places]) => {
    const all = written.kind === "object" ? [...written.members] : [];
    for (const [index, each] of head.entries()) all.splice(Math.min(places[index] ?? 0, all.length), 0, each);
    return object(all);
  });

const cyclonedx = fc.constantFrom("1.3", "1.4", "1.5", "1.6", "1.7").chain((version) =>
  withHead(
    [
      ['"bomFormat"', raw('"CycloneDX"')],
      ['"specVersion"', raw(`"${version}"`)],
    ],
    members(member('"components"', components), member('"metadata"', metadata), member('"properties"', entries)),
  ),
);

const annotation = fc
  .constantFrom(
    '{"annotator":"Tool: other","comment":"lifecycle:status=eol"}',
    '{"annotator":"Tool: eolgate","comment":"mine"}',
    "{}",
    "null",
  )
  .map(raw);
const annotations = fc.oneof(
  { weight: 6, arbitrary: fc.array(annotation, { maxLength: 3 }).map(list) },
  { weight: 1, arbitrary: anything },
);
const pkg = members(
  member('"annotations"', annotations),
  member('"SPDXID"', scalar),
  member('"externalRefs"', fc.array(objectOrNull, { maxLength: 3 }).map(list)),
);
const spdx2 = fc
  .constantFrom("2.2", "2.3")
  .chain((version) =>
    withHead(
      [['"spdxVersion"', raw(`"SPDX-${version}"`)]],
      members(
        member('"packages"', fc.array(fc.oneof(pkg, anyObject), { maxLength: 4 }).map(list)),
        member('"annotations"', annotations),
      ),
    ),
  );

const node = fc.oneof(
  fc.tuple(words, words).map(([id, name]) =>
    object([
      ['"type"', raw('"software_Package"')],
      ['"spdxId"', raw(id)],
      ['"name"', raw(name)],
    ]),
  ),
  fc.constant(raw('{"type":"Annotation","creationInfo":"_:theirs","statement":"lifecycle:status=eol"}')),
  anyObject,
);
const spdx3 = fc.array(node, { maxLength: 5 }).map((nodes) =>
  object([
    ['"@context"', raw('"https://spdx.org/rdf/3.0.1/spdx-context.jsonld"')],
    ['"@graph"', list([raw('{"type":"SpdxDocument","spdxId":"urn:doc"}'), ...nodes])],
  ]),
);

/** White space before a value or member, and around a colon; by depth where it is indentation. */
interface Printing {
  readonly before: (depth: number, draw: () => number) => string;
  readonly end: (depth: number, draw: () => number) => string;
  readonly colon: (draw: () => number) => string;
}
const indented = (unit: string, feed: string): Printing => ({
  before: (depth) => feed + unit.repeat(depth),
  end: (depth) => feed + unit.repeat(depth),
  colon: () => ": ",
});
/** No space followed by a tab, which is the mark of enrichment. */
const SPACES = ["", "", " ", "\n", "\r\n", "  ", "\t", "\n\t", "\n    "];
const wild: Printing = {
  before: (_, draw) => SPACES[draw() % SPACES.length] ?? "",
  end: (_, draw) => SPACES[draw() % SPACES.length] ?? "",
  colon: (draw) => [":", ": ", " : ", ":\n "][draw() % 4] ?? ":",
};
const PRINTINGS: readonly Printing[] = [
  { before: () => "", end: () => "", colon: () => ":" },
  { before: (depth) => (depth === 0 ? "" : " "), end: () => "", colon: () => ": " },
  indented("  ", "\n"),
  indented("\t", "\r\n"),
  indented("    ", "\n"),
  wild,
  wild,
];

function print(value: Written, printing: Printing, draw: () => number, depth = 0): string {
  if (value.kind === "raw") return value.text;
  const parts =
    value.kind === "list"
      ? value.values.map((each) => print(each, printing, draw, depth + 1))
      : value.members.map(([key, each]) => `${key}${printing.colon(draw)}${print(each, printing, draw, depth + 1)}`);
  const [open, close] = value.kind === "list" ? ["[", "]"] : ["{", "}"];
  if (parts.length === 0) return `${open}${printing === wild ? printing.end(depth, draw) : ""}${close}`;
  const inside = parts.map(
    (part) => `${printing.before(depth + 1, draw)}${part}${printing === wild ? printing.end(0, draw) : ""}`,
  );
  return `${open}${inside.join(",")}${printing.end(depth, draw)}${close}`;
}

/** Text of a document that can be read and enriched. */
export const documents: fc.Arbitrary<string> = fc
  .tuple(
    fc.oneof(cyclonedx, spdx2, spdx3),
    fc.constantFrom(...PRINTINGS),
    fc.infiniteStream(fc.nat(1000)),
    fc.constantFrom("", "\n", "\r\n", "\uFEFF"),
  )
  .map(([document, printing, stream, edge]) => {
    const draw = (): number => stream.next().value ?? 0;
    const text = print(document, printing, draw);
    return edge === "\uFEFF" ? edge + text : text + edge;
  });
