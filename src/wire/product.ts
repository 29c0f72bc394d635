/** Products on the wire. */
import type { Assessment, End, LifecycleDate, Product, ReleaseCycle } from "../model/index.ts";
import type { MilestoneKind } from "../model/dates.ts";
import { formatDate } from "../messages/format.ts";
import { isExploitedWhileSupported } from "../lifecycle/gate.ts";
import { lastDay } from "../lifecycle/days.ts";
import { byText, compact } from "../text/values.ts";
import { precision } from "./lifecycle.ts";
import type { Links } from "./links.ts";
import type { Badge, ProductList, ProductObject } from "./schemas.ts";
import { scoreObject } from "./score.ts";

export function productList(products: readonly Product[], links: Links): ProductList {
  return {
    count: products.length,
    products: products.map((product) => product.slug),
    items: products.map((product) => ({
      slug: product.slug,
      name: product.name,
      category: product.category,
      product_url: links.product(product.slug),
    })),
    docs: links.docs,
  };
}

/** `assessments` are those of every cycle, newest first. */
export function productObject(product: Product, assessments: readonly Assessment[], links: Links): ProductObject {
  const { gateEnd } = product;
  return {
    product: product.slug,
    name: product.name,
    aliases: product.aliases,
    category: product.category,
    version_count: assessments.length,
    versions: assessments.map((assessment) => ({
      ...scoreObject(assessment, links),
      milestones: milestonesOf(product, assessment.cycle).map(({ kind, date, counts }) => ({
        kind,
        date: lastDay(date),
        ...precision("date", date),
        counts,
      })),
    })),
    ...(gateEnd && { gate_end: { field: gateEnd.end, basis: gateEnd.basis, ...compact({ why: gateEnd.why }) } }),
    cpe: product.cpes,
    purl: product.purls,
    product_url: links.product(product.slug),
    docs: links.docs,
  };
}

interface Milestone {
  readonly kind: MilestoneKind;
  readonly date: LifecycleDate;
  /** Whether the gate takes it as an end. */
  readonly counts: boolean;
}

const row = (kind: MilestoneKind, date: LifecycleDate | undefined, counts = false): readonly Milestone[] =>
  date === undefined ? [] : [{ kind, date, counts }];

/** Every day that is stated in the life of a release cycle, earliest first. Only the end of security fixes and free tracks count. */
export function milestonesOf({ gateEnd }: Pick<Product, "gateEnd">, cycle: ReleaseCycle): readonly Milestone[] {
  const kinds = gateEnd?.kinds ?? {};
  return [
    ...row("general-availability", cycle.releaseDate),
    ...row(kinds.eoas ?? "active-support-end", dateOf(cycle.eoasFrom)),
    // Where another field is the gate's end, `eol` has its day.
    ...row(
      gateEnd?.end === "eol" ? (kinds.eol ?? "security-fixes-end") : "security-fixes-end",
      dateOf(cycle.eol),
      true,
    ),
    ...row("not-before", cycle.eolNotBefore),
    ...cycle.tracks.flatMap(({ cost, end }) =>
      row(cost === "free" ? "extended-free-end" : "extended-paid-end", end ?? undefined, cost === "free"),
    ),
    ...(cycle.otherMilestones ?? []).flatMap(({ kind, date }) => row(kind, date)),
  ].toSorted((a, b) => byText(lastDay(a.date), lastDay(b.date)));
}

const dateOf = (end: End | undefined): LifecycleDate | undefined => (end?.kind === "dated" ? end.date : undefined);

const COLOURS = {
  active: "brightgreen",
  approaching: "yellow",
  eol: "red",
  superseded: "yellow",
  unknown: "lightgrey",
} as const;
const CACHE_SECONDS = 3600;

export function badge(assessment: Assessment): Badge {
  const { releaseCycle } = assessment;
  const isExploited = isExploitedWhileSupported(assessment);
  return {
    schemaVersion: 1,
    label: `${releaseCycle.product} ${releaseCycle.cycle}`,
    message: `${message(assessment)}${isExploited ? ", known to be exploited" : ""}`,
    color: isExploited ? COLOURS.eol : COLOURS[stateOf(assessment)],
    cacheSeconds: CACHE_SECONDS,
  };
}

export function greyBadge(label: string, message: "not tracked" | "ambiguous"): Badge {
  return { schemaVersion: 1, label, message, color: "lightgrey", cacheSeconds: CACHE_SECONDS };
}

/** Only the newest release gets fixes, so an older one is superseded, which is no end of life. */
const stateOf = ({ support: { status }, cycle }: Assessment): keyof typeof COLOURS =>
  status === "eol" && cycle.rolling && !cycle.retired ? "superseded" : status;

/** By the support that counts; its track is named. */
function message(assessment: Assessment): string {
  const [state, { date, track, status }] = [stateOf(assessment), assessment.support];
  if (state === "unknown") return "unknown";
  if (status === "eol" && assessment.cycle.retired) return "retired";
  const { dated, undated } = MESSAGES[state];
  const end = date ? `${dated} ${formatDate(date)}` : undated;
  return track === null ? end : `${end} (${track.name})`;
}

const MESSAGES = {
  active: { dated: "supported until", undated: "supported" },
  approaching: { dated: "end of life", undated: "end of life near" },
  eol: { dated: "end of life since", undated: "end of life" },
  superseded: { dated: "superseded since", undated: "superseded" },
} as const;
