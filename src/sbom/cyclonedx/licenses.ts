/** Licences of a CycloneDX component, as written. They are read on demand. */
import type { Schema } from "../../json-rows/schema.ts";
import { FIELD, type ComponentTable } from "../component-table.ts";

interface Licenses {
  readonly found: string[];
  unreadable: string | undefined;
}

const license: Schema<Licenses> = { string: ({ found }, value) => void found.push(value.text()) };
/** A string in the place of an object is read, too: a licence that is there must not count as none. */
const entry: Schema<Licenses> = {
  ...license,
  members: () => ({ license: { ...license, members: () => ({ id: license, name: license }) }, expression: license }),
};
const list: Schema<Licenses> = {
  ...license,
  begin: (into, value) => {
    if (!value.isString && !value.isNull && !value.isList) into.unreadable = value.raw();
  },
  elements: () => entry,
};

/** None where the component has no licences. A value that is not a list is returned as written, for the policy to refuse. */
export function licensesAt(table: ComponentTable, index: number): readonly string[] {
  const start = table.position(index, FIELD.licenses);
  if (start < 0) return [];
  const into: Licenses = { found: [], unreadable: undefined };
  table.texts.readJson(start, list, into);
  return into.unreadable === undefined ? into.found : [into.unreadable];
}
