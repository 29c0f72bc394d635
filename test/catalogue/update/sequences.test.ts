/** Random updates, one after the other: the correct catalogue is accepted after them, and no answer of any day stays weaker. */
import { array, assert, constantFrom, oneof, property, tuple } from "fast-check";
import { expect, test } from "vitest";
import type { ComparedContent } from "../../../src/catalogue/load.ts";
import type { StoredContent, StoredCycle } from "../../../src/catalogue/schema.ts";
import { addDays } from "../../../src/lifecycle/days.ts";
import { EolgateError } from "../../../src/messages/error.ts";
import type { AssessedComponent, Policy } from "../../../src/model/index.ts";
import { evaluatePolicy } from "../../../src/policy/evaluate.ts";
import { DEFAULT_POLICY } from "../../../src/policy/policy.ts";
import { assessAsked, createAssessContext } from "../../../src/resolve/answer.ts";
import { NO_COMPONENT } from "../../../src/resolve/resolve.ts";
import { soaked } from "../../soaked.ts";
import { base, type Change, check, cycle, older, product, row, today, track, withoutClaims } from "./changes.ts";

const CYCLES = Object.entries(base.products).flatMap(([slug, { cycles }]) =>
  cycles.map(({ name }) => [slug, name] as const),
);
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
    const candidates = CYCLES.map(([slug, version]): AssessedComponent => {
      const found = catalogue.product(slug);
      if (found !== undefined) return assessAsked(found, version, context);
      return { component: NO_COMPONENT, resolution: { kind: "unmatched", reason: "name-not-recognised" } };
    });
    for (const [at, policy] of POLICIES.entries())
      for (const [index, { outcome }] of evaluatePolicy(candidates, policy, day).findings.entries())
        if (outcome.severity === "fail") failing.add(`${CYCLES[index]?.join(":")} on ${day} under policy ${at}`);
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
const ofProduct = constantFrom(...Object.keys(base.products)).map((slug): Change =>
  product(slug, (found) => ({ ...found, cycles: [{ name: "99", eol: true }, ...found.cycles] })),
);
const ofPurl = constantFrom(...Object.keys(base.purls)).map((key): Change => ifPresent(row("purls", key, "nodejs")));

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
        array(array(oneof(ofCycle, ofProduct, ofPurl), { minLength: 1, maxLength: 12 }), { maxLength: 3 }),
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
