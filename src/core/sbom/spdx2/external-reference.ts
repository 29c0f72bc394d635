/** External references of SPDX 2: purls are noted while the document is read, CPEs are read on demand. */
import { KeyTable } from "../../../bytes/key-table.ts";
import type { Schema } from "../../../bytes/json/schema.ts";
import { asPurl } from "../../ids.ts";
import { FIELD } from "../component-table.ts";
import { RelationshipReading } from "./relationships.ts";
import { SPDX2_REFERENCES } from "./vocabulary.ts";

type ReferenceKind = "purl" | "cpe";
const KINDS = new KeyTable<ReferenceKind>(SPDX2_REFERENCES);
const NO_POSITION = -1;

/** The state of reading the references of a package; the reader of the document extends it. */
export class ReferenceReading extends RelationshipReading {
  /** Index of the package that is being read. */
  open = 0;
  kind: ReferenceKind | undefined = undefined;
  private position = NO_POSITION;
  private locator: string | undefined = undefined;

  beginReference(): void {
    this.kind = undefined;
    this.setLocator(NO_POSITION, undefined);
  }
  /** A string by its position, any other value by its text. */
  setLocator(position: number, locator: string | undefined): void {
    this.position = position;
    this.locator = locator;
  }

  endReference(textAt: (position: number) => string): void {
    const { table, open, position } = this;
    if (this.kind !== "purl" || (position < 0 && this.locator === undefined)) return;
    const isFirst = table.number(open, FIELD.purl) === 0;
    if (isFirst && position >= 0) table.setPosition(open, FIELD.purl, position);
    else if (isFirst) table.setText(open, FIELD.purl, this.locator);
    else this.addPurl(position >= 0 ? textAt(position) : (this.locator ?? ""));
  }

  /** Nearly every package has one purl; the further ones are kept as texts. */
  private addPurl(purl: string): void {
    const extra = this.table.addExtra(this.open);
    const first = this.table.text(this.open, FIELD.purl) ?? "";
    extra.purls = [...(extra.purls ?? [asPurl(first)]), asPurl(purl)].filter((each) => each.trim() !== "");
  }
}

export const externalReference: Schema<ReferenceReading> = {
  open: (into) => into.beginReference(),
  members: () => ({
    referenceType: {
      string: (into, value) => {
        into.kind = value.find(KINDS);
      },
    },
    referenceLocator: {
      begin: (into, value) => {
        if (value.isString) into.setLocator(value.textStart, undefined);
        else if (!value.isNull) into.setLocator(NO_POSITION, value.raw());
      },
    },
  }),
  close: (into) => into.endReference((position) => into.table.texts.at(position)),
  type: { type: "object", name: "an external reference" },
};
