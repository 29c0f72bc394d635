/** How a package of SPDX 2 is read from its row of the component table. */
import { KeyTable } from "../../json-rows/bytes.ts";
import type { Schema } from "../../json-rows/schema.ts";
import { FIELD, type ComponentFormat } from "../component-table.ts";
import { agentName, isStated } from "../spdx/relations.ts";
import { SPDX2_REFERENCES } from "./vocabulary.ts";

/** `pointer` is that of the document. */
export const packageFormat = (pointer: string): ComponentFormat => ({
  pointer: (table, index) => `${pointer}/packages/${table.number(index, FIELD.place)}`,
  // What the author of the document concluded wins over what the package declares.
  licenses(table, index) {
    const concluded = table.text(index, FIELD.licenses);
    const license = isStated(concluded) ? concluded : table.text(index, FIELD.declaredLicense);
    return isStated(license) ? [license] : [];
  },
  // Some generators write dozens of CPEs for each package, so they are read on demand.
  cpes(table, index) {
    const position = table.position(index, FIELD.cpe);
    const into = new PackageReferences();
    if (position >= 0) table.texts.readJson(position, references, into);
    return into.cpes;
  },
  agent: agentName,
});

type ReferenceKind = "purl" | "cpe";
const KINDS = new KeyTable<ReferenceKind>(SPDX2_REFERENCES);

/** The CPEs among the external references of one package. */
class PackageReferences {
  readonly cpes: string[] = [];
  kind: ReferenceKind | undefined = undefined;
  locator: string | undefined = undefined;

  end(): void {
    if (this.kind === "cpe" && this.locator !== undefined && this.locator.trim() !== "") this.cpes.push(this.locator);
  }
}

const reference: Schema<PackageReferences> = {
  open: (into) => {
    into.kind = undefined;
    into.locator = undefined;
  },
  members: () => ({
    referenceType: {
      string: (into, value) => {
        into.kind = value.find(KINDS);
      },
    },
    referenceLocator: {
      begin: (into, value) => {
        into.locator = value.isString ? value.text() : undefined;
      },
    },
  }),
  close: (into) => into.end(),
};
const references: Schema<PackageReferences> = { elements: () => reference };
