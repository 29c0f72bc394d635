/** Random updates, one after the other: the correct catalogue is accepted after them, and no answer of any day stays weaker. */
import { array, assert, constantFrom, oneof, property, tuple } from "fast-check";
import { expect, test } from "vitest";
import type { ComparedContent } from "../../../src/catalogue/load.ts";
import type { StoredContent, StoredCycle, StoredProduct } from "../../../src/catalogue/schema.ts";
import { addDays } from "../../../src/lifecycle/days.ts";
import { EolgateError } from "../../../src/messages/error.ts";
import type { AssessedComponent, Policy } from "../../../src/model/index.ts";
import { evaluatePolicy } from "../../../src/policy/evaluate.ts";
import { DEFAULT_POLICY } from "../../../src/policy/policy.ts";
import { assessAsked, assessComponent, createAssessContext } from "../../../src/resolve/answer.ts";
import { NO_COMPONENT } from "../../../src/resolve/resolve.ts";
import { asPurl } from "../../../src/text/ids.ts";
import { soaked } from "../../soaked.ts";
import { base, type Change, check, cycle, older, omit, product, row, today, track, withoutClaims } from "./changes.ts";

const CYCLES = Object.entries(base.products).flatMap(([slug, { cycles }]) =>
  cycles.map(({ name }) => [slug, name] as const),
);
/** Of each row of the purl map, the oldest and the newest release cycle of its product. */
const PURLS = Object.entries(base.purls).flatMap(([key, entry]) => {
  const { cycles = [] } = base.products[typeof entry === "string" ? entry.replace(/#.*/, "") : entry.product] ?? {};
  const named = [cycles.at(0), cycles.at(-1)].flatMap((each) => each?.name ?? []);
  return named.map((version) => asPurl(`pkg:${key.replace("/@", "/%40")}@${version.replace(/^.*@/, "")}`));
});
const ASKED = [...CYCLES.map((each) => each.join(":")), ...PURLS];
const DAYS = [0, 90, 365, 730].map((more) => addDays(today, more));
const POLICIES: readonly Policy[] = [
  DEFAULT_POLICY,
  {
    ...DEFAULT_POLICY,
    failOn: [{ kind: "eol" }, { kind: "retired" }, { kind: "superseded" }, { kind: "kev-product" }],
    supersededAfterDays: 0,
    support: "standard",
  },
  { ...DEFAULT_POLICY, support: "extended" },
];

/** The release cycles of the bundled catalogue that fail, with the day and the policy. */
function failures({ catalogue }: ComparedContent): ReadonlySet<string> {
  const failing = new Set<string>();
  for (const day of DAYS) {
    const context = createAssessContext(catalogue, { strict: false, asOf: day });
    const candidates = [
      ...CYCLES.map(([slug, version]): AssessedComponent => {
        const found = catalogue.product(slug);
        if (found !== undefined) return assessAsked(found, version, context);
        return { component: NO_COMPONENT, resolution: { kind: "unmatched", reason: "name-not-recognised" } };
      }),
      ...PURLS.map((purl) => assessComponent({ ...NO_COMPONENT, name: purl, purls: [purl] }, context)),
    ];
    for (const [at, policy] of POLICIES.entries())
      for (const [index, { outcome }] of evaluatePolicy(candidates, policy, day).findings.entries())
        if (outcome.severity === "fail") failing.add(`${ASKED[index]} on ${day} under policy ${at}`);
  }
  return failing;
}
const BEFORE = [...failures(older)];

const ofCycle = tuple(
  constantFrom(...CYCLES),
  constantFrom<(each: StoredCycle) => StoredCycle>(
    (each) => ({ ...withoutClaims(each), eol: "2026-12-20" }),
    (each) => ({ ...withoutClaims(each), eol: "2026-11-01" }),
    (each) => ({ ...withoutClaims(each), eol: "2032-01-01" }),
    (each) => ({ ...withoutClaims(each), eol: "2027-12-20" }),
    (each) => ({ ...withoutClaims(each), eol: "2028-10-30" }),
    (each) => ({ ...each, eoes: "2099-01-01" }),
    (each) => ({ ...each, tracks: track("paid", null) }),
    (each) => ({ ...withoutClaims(each), eol: true }),
    (each) => ({ ...each, tracks: track("free", "2031-01-01") }),
    (each) => ({ ...each, retired: true }),
    (each) => ({ ...each, rolling: true }),
    (each) => ({ ...each, latest: `${each.name}.99` }),
  ),
).map(([[slug, name], change]): Change => ifPresent(cycle(slug, name, change)));
const ofProduct = tuple(
  constantFrom(...Object.keys(base.products)),
  constantFrom<(found: StoredProduct) => StoredProduct>(
    (found) => ({ ...found, cycles: [{ name: "99", eol: true }, ...found.cycles] }),
    (found) => ({ ...found, cycles: [{ name: "98", eol: "2099-01-01" }, ...found.cycles] }),
    (found) => ({ ...found, cycles: found.cycles.slice(1) }),
    (found) => ({ ...found, surface: "standard" }),
    (found) => ({ ...found, monotonic: true }),
    (found) => omit(omit(found, "kev"), "kevCycles"),
  ),
).map(([slug, change]): Change => ifPresent(product(slug, change)));
const TABLES = ["purls", "cpes", "models", "systems"] as const;
const ofRow = tuple(
  constantFrom(...TABLES.flatMap((table) => Object.keys(base[table]).map((key) => [table, key] as const))),
  constantFrom("nodejs", "redis", undefined),
).map(([[table, key], slug]): Change => {
  const value = table === "models" ? [[slug, "99", null]] : table === "systems" ? [slug, "exact"] : slug;
  return ifPresent(row(table, key, slug === undefined ? undefined : value));
});
const ofNames = constantFrom<Change>(
  (content) => ({ ...content, imageVariables: { ...content.imageVariables, ADDED_VERSION: { name: "python" } } }),
  (content) => ({ ...content, tools: { ...content.tools, images: { ...content.tools.images, "added.test/a": {} } } }),
  (content) => ({ ...content, purls: { ...content.purls, "npm/added": "react" } }),
  (content) => ({ ...content, packageEnds: {} }),
  (content) => ({ ...content, alternativeVersions: content.alternativeVersions.slice(1) }),
  (content) => ({ ...content, newestVersions: omitFirst(content.newestVersions) }),
);
const omitFirst = <Row>(table: Readonly<Record<string, Row>>) => Object.fromEntries(Object.entries(table).slice(1));

/** An earlier step may have removed what is changed. */
function ifPresent(change: Change): Change {
  return (content) => {
    try {
      return change(content);
    } catch {
      return content;
    }
  };
}

/** The catalogue in use after an update, which is refused as a whole or taken in parts. */
function afterUpdate(inUse: ComparedContent, offered: StoredContent): ComparedContent {
  try {
    return check([inUse, older], offered).newer;
  } catch (error) {
    if (!(error instanceof EolgateError) || error.kind !== "catalogue") throw error;
    return inUse;
  }
}

test(
  "after any accepted updates no answer is weaker, and the bundled catalogue is accepted",
  () => {
    assert(
      property(
        array(array(oneof(ofCycle, ofProduct, ofRow, ofNames), { minLength: 1, maxLength: 12 }), { maxLength: 3 }),
        (steps) => {
          let inUse = older;
          for (const changes of steps)
            inUse = afterUpdate(
              inUse,
              changes.reduce((content, change) => change(content), inUse.content),
            );
          const after = failures(inUse);
          expect(BEFORE.filter((each) => !after.has(each))).toEqual([]);
          expect(check([inUse, older], base).quarantined).toEqual([]);
        },
      ),
      { numRuns: soaked(5, 500) },
    );
  },
  soaked(120_000, 1_800_000),
);
