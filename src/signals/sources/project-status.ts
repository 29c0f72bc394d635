/** The status of a Python project, from PyPI or deps.dev. https://peps.python.org/pep-0792/ */
import { messageText } from "../../support/evidence.ts";
import type { StatedEvidence } from "../outcomes.ts";

const STATUSES = new Map<string, StatedEvidence["statement"]>([
  ["archived", "project-archived"],
  ["deprecated", "project-deprecated"],
  ["quarantined", "project-quarantined"],
]);

export function projectStatus(
  stated: { readonly status?: string; readonly reason?: string } | undefined,
  url: string,
): StatedEvidence | undefined {
  const statement = STATUSES.get(stated?.status?.toLowerCase() ?? "");
  if (statement === undefined) return undefined;
  const message = messageText(stated?.reason);
  return { statement, url, ...(message !== undefined && { message }) };
}
