/** Licences of a CycloneDX component, as written: read when somebody asks for them. */
import { rawText } from "../../bytes/raw.ts";
import { OPEN_LIST, QUOTE } from "../../bytes/scanner.ts";
import { isNull, members, Walk, type Shape } from "../../bytes/walk.ts";

const licence: Shape<string[]> = { text: (into, walk) => void into.push(walk.text()) };
/** Where an object belongs a bare text is read too: a licence that is there must not count as none. */
const licences: Shape<string[]> = {
  ...licence,
  elements: {
    ...licence,
    members: members(() => ({
      license: { ...licence, members: members(() => ({ id: licence, name: licence })) },
      expression: licence,
    })),
  },
};

/** Of the list at `at`, or none for -1; of what is no list the JSON, which the gate calls unreadable. */
export function licencesIn(bytes: Uint8Array, at: number): readonly string[] {
  const into: string[] = [];
  if (at < 0) return into;
  const walk = new Walk(bytes, at, into);
  const first = walk.scanner.peek();
  if (first !== OPEN_LIST && first !== QUOTE && !isNull(walk.scanner)) return [rawText(bytes, at)];
  walk.value(licences);
  return into;
}
