/** Licences of a CycloneDX component, as written: read when somebody asks for them. */
import { members, Walk, type Shape } from "./json/walk.ts";

const licence: Shape<string[]> = { text: (into, walk) => void into.push(walk.text()) };
const licences: Shape<string[]> = {
  elements: {
    members: members(() => ({
      license: { members: members(() => ({ id: licence, name: licence })) },
      expression: licence,
    })),
  },
};

/** Of the list at `at`, or none for -1. */
export function licencesIn(bytes: Uint8Array, at: number): readonly string[] {
  const into: string[] = [];
  if (at >= 0) new Walk(bytes, at, into).value(licences);
  return into;
}
