/**
 * Keeps the changes that hold: the changed text is read and checked again, each changed pin resolves to the release
 * cycle that it was moved to and does not fail, and every other pin is what it was.
 */
import { edited } from "../enrich/edits.ts";
import type { Finding } from "../model/index.ts";
import { joined } from "../text/encodings.ts";
import type { FixPlan, PinChange } from "./plan.ts";

/** The findings of a text of the same file. Rejects if it cannot be read. */
export type Recheck = (bytes: Uint8Array) => Promise<readonly Finding[]>;

/** The plan without the changes that do not hold; those are listed as unchanged. */
export async function verifyFixes(
  bytes: Uint8Array,
  before: readonly Finding[],
  plan: FixPlan,
  recheck: Recheck,
): Promise<FixPlan> {
  if (plan.changes.length === 0) return plan;
  const held = await holding(bytes, before, plan.changes, recheck);
  const dropped = plan.changes.filter((change) => !held.includes(change));
  const unchanged = dropped.map(({ from, to, before: written, edit }) => ({
    from,
    to,
    written,
    at: edit.start,
    obstacle: "not-verified" as const,
  }));
  const rest = { changes: held, unchanged: [...plan.unchanged, ...unchanged] };
  // What is left is checked again as a whole, because a dropped change moves the others.
  return dropped.length === 0 ? rest : verifyFixes(bytes, before, rest, recheck);
}

async function holding(
  bytes: Uint8Array,
  before: readonly Finding[],
  changes: readonly PinChange[],
  recheck: Recheck,
): Promise<readonly PinChange[]> {
  const after = await recheck(
    joined([
      ...edited(
        bytes,
        changes.map(({ edit }) => edit),
      ),
    ]),
  ).catch(() => undefined);
  if (after === undefined) return [];
  const at = (start: number): readonly Finding[] => {
    const moved = start + shiftBefore(changes, start);
    return after.filter(({ component: { span } }) => span.start === moved);
  };
  const touched = new Set(changes.flatMap(({ pins }) => pins));
  const isRemoved = ({ component: { span } }: Finding): boolean =>
    changes.some(({ edit, after: text }) => text === "" && edit.start <= span.start && span.end <= edit.end);
  const others = before.filter((finding) => !touched.has(finding.component.span.start) && !isRemoved(finding));
  if (!others.every((finding) => at(finding.component.span.start).some((now) => isSame(finding, now)))) return [];
  return changes.filter((change) => change.pins.every((pin) => isMoved(at(pin), change)));
}

/** How far a byte moves through the edits before it. */
const shiftBefore = (changes: readonly PinChange[], start: number): number =>
  changes.reduce((sum, { edit }) => (edit.end <= start ? sum + edit.text.length - (edit.end - edit.start) : sum), 0);

const isSame = (one: Finding, other: Finding): boolean =>
  one.component.name === other.component.name && one.component.version === other.component.version;

/** No finding of the pin fails, and one is of the new release cycle. An action has one row, which another part may decide. */
function isMoved(findings: readonly Finding[], { from, to }: PinChange): boolean {
  return (
    findings.every(({ outcome }) => outcome.severity !== "fail") &&
    findings.some(
      ({ component, resolution }) =>
        resolution.kind === "resolved" &&
        (component.purls.some((purl) => purl.startsWith("pkg:githubactions/")) ||
          (resolution.releaseCycle.product === from.releaseCycle.product && resolution.releaseCycle.cycle === to.name)),
    )
  );
}
