/** Compares the ends that an SBOM declares with the catalogue's. The catalogue decides; a difference is reported. */
import type { IsoDate } from "../text/ids.ts";
import { asIsoDate, isIsoDate } from "../text/ids.ts";
import { lastDay, sameDate } from "../lifecycle/days.ts";
import type { Assessment, Component, DeclaredLifecycle, LifecycleDate } from "../model/index.ts";
import { getOwn } from "../text/values.ts";

/** Whether a declaration of the component contradicts the assessment of its cycle. */
export function contradictsDeclaration({ declared }: Component, assessment: Assessment): boolean {
  return declared.some((each) => {
    if (each.milestone === "support-level") return contradictsLevel(each.value, assessment);
    const date = declaredDate(each);
    return date !== undefined && contradictsDate(date, assessment);
  });
}

/** `2026-04-30`, `2026-04-30T00:00:00Z` or `2026-04`. */
function declaredDate({ value }: DeclaredLifecycle): LifecycleDate | undefined {
  const [, day, month] = /^\s*(?:(\d{4}-\d{2}-\d{2})(?:$|[T\s])|(\d{4}-\d{2})\s*$)/.exec(value) ?? [];
  const text = day ?? `${month ?? ""}-01`;
  return isIsoDate(text) ? { value: asIsoDate(text), precision: day === undefined ? "month" : "day" } : undefined;
}

function contradictsDate(declared: LifecycleDate, assessment: Assessment): boolean {
  if (knownEnds(assessment).some((date) => sameDate(date, declared))) return false;
  if (assessment.eolDate !== null) return true;
  return declaresEnded(declared, assessment.asOf) ? isSupported(assessment) : assessment.support.status === "eol";
}

/** "Support" may mean active, standard or extended support, so any of the cycle's ends may be meant. */
function knownEnds({ cycle, eolDate }: Assessment): readonly LifecycleDate[] {
  const ends = [cycle.eoasFrom, cycle.eoesFrom].flatMap((end) => (end?.kind === "dated" ? end.date : []));
  return [...(eolDate === null ? [] : [eolDate]), ...ends, ...cycle.tracks.flatMap((track) => track.end ?? [])];
}

const declaresEnded = (date: LifecycleDate, asOf: IsoDate): boolean => lastDay(date) < asOf;
const isSupported = ({ status }: Assessment): boolean => status === "active" || status === "approaching";

/** SPDX 3 `supportLevel`; the other values (`development`, `noAssertion`) do not state an end. */
const LEVELS: Readonly<Record<string, "ended" | "supported">> = {
  endofsupport: "ended",
  nosupport: "ended",
  support: "supported",
  deployed: "supported",
  limitedsupport: "supported",
};

function contradictsLevel(value: string, assessment: Assessment): boolean {
  const level = getOwn(LEVELS, value.toLowerCase().replaceAll(/[^a-z]/g, ""));
  if (level === undefined) return false;
  return level === "ended" ? isSupported(assessment) : assessment.support.status === "eol";
}
