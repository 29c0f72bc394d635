/** The content of a document without its byte positions, which differ between two serializations. */
import type { SbomDocument } from "../../src/model/index.ts";

export const meaning = (document: SbomDocument): unknown => ({
  format: document.format,
  specVersion: document.specVersion,
  serialNumber: document.serialNumber,
  roots: document.roots,
  dependencies: [...document.dependencies].map(([ref, on]) => [ref, [...on]]),
  components: document.components.map((each) => ({
    pointer: each.pointer,
    parent: each.parent,
    kind: each.kind,
    bomRef: each.bomRef,
    name: each.name,
    group: each.group,
    version: each.version,
    purls: each.purls,
    cpes: each.cpes,
    licenses: each.licenses,
    supplier: each.supplier,
    publisher: each.publisher,
    scope: each.scope,
    declared: each.declared,
  })),
});
