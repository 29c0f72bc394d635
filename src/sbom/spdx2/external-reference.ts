/** External references of SPDX 2: purls are noted while the document is read, CPEs are read on demand. */
import type { JsonRow, Schema } from "../../json-rows/schema.ts";
import { NO_MATCH } from "../../json-rows/memory-layout.ts";
import { asPurl } from "../../text/ids.ts";
import { purlPattern } from "../../resolve/purl/pattern.ts";
import { FIELD } from "../component-table.ts";
import { RelationshipReading } from "./relationships.ts";
import { SPDX2_REFERENCES } from "./vocabulary.ts";

/** Fields of the row of a reference. */
const REFERENCE = { kind: 0, locator: 1, purlHash: 2 } as const;
/** The types that are purls, each with the same number. */
const purlTypes = Object.fromEntries(
  Object.entries(SPDX2_REFERENCES).flatMap(([type, kind]) => (kind === "purl" ? [[type, 1]] : [])),
);

const NO_POSITION = -1;

/** A locator that is not a string, of one reference of a package. */
interface InvalidLocator {
  readonly row: number;
  readonly index: number;
  readonly text: string;
}

/** The state of reading the references of a package; the reader of the document extends it. */
export class ReferenceReading extends RelationshipReading {
  private invalid: InvalidLocator | undefined = undefined;

  setInvalidLocator(invalid: InvalidLocator): void {
    this.invalid = invalid;
  }

  /** Adds a reference whose type is that of purls. */
  addReference(row: JsonRow): void {
    const { table, invalid } = this;
    const { parent } = row;
    const locator = row.field(REFERENCE.locator);
    const position = locator > 0 ? row.start + locator : NO_POSITION;
    const text = invalid?.row === parent && invalid.index === row.index ? invalid.text : undefined;
    if (position < 0 && text === undefined) return;
    const isFirst = table.number(parent, FIELD.purl) === 0;
    if (!isFirst) this.addPurl(parent, text ?? table.texts.at(position));
    else if (text !== undefined) table.setText(parent, FIELD.purl, text);
    else {
      table.setPosition(parent, FIELD.purl, position);
      table.setNumber(parent, FIELD.purlHash, row.field(REFERENCE.purlHash));
    }
  }

  /** Nearly every package has one purl; the further ones are kept as texts. */
  private addPurl(index: number, purl: string): void {
    const extra = this.table.addExtra(index);
    this.table.setNumber(index, FIELD.purlHash, NO_MATCH);
    const first = this.table.text(index, FIELD.purl) ?? "";
    extra.purls = [...(extra.purls ?? [asPurl(first)]), asPurl(purl)].filter((each) => each.trim() !== "");
  }
}

export const externalReference: Schema<ReferenceReading> = {
  members: () => ({
    referenceType: { store: { field: REFERENCE.kind, as: "choice", choices: purlTypes } },
    referenceLocator: {
      store: { field: REFERENCE.locator, as: "text", hash: REFERENCE.purlHash, pattern: purlPattern },
      other: (into, value) => {
        if (!value.isNull) into.setInvalidLocator({ row: value.row, index: value.index, text: value.raw() });
      },
    },
  }),
  row: (into, row) => into.addReference(row),
  needs: REFERENCE.kind,
  type: { type: "object", name: "an external reference" },
};
