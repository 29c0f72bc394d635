/** Refuses SPDX 3 documents with a relationship to an element that the document neither contains nor imports. */
import { lineAndColumn } from "../../bytes/position.ts";
import { EolgateError } from "../errors.ts";
import type { Graph } from "./spdx3-graph.ts";

/** Individuals of the SPDX 3 model that stand for no element: https://spdx.github.io/spdx-spec/v3.0.1/model/Core/Individuals/ */
const INDIVIDUALS = /^(?:https?:\/\/spdx\.org\/rdf\/3|(?:expandedlicensing_)?(?:No\w*Element|NoAssertion\w*|None\w*)$)/;

/** @throws EolgateError `missing-element` */
export function requireTargets({ targets, ids, imported }: Graph, bytes: Uint8Array): void {
  for (const { id, at } of targets) {
    if (ids.has(id) || imported.has(id) || INDIVIDUALS.test(id)) continue;
    throw EolgateError.of("missing-element", { id: id.slice(0, 100) }, { where: lineAndColumn(bytes, at) });
  }
}
