/** The status of a Python project as PyPI and deps.dev state it. https://peps.python.org/pep-0792/ */
import { messageText } from "../../core/support/evidence.ts";
import type { Stated } from "../outcomes.ts";

const STATUSES = new Map<string, Stated["statement"]>([
  ["archived", "project-archived"],
  ["deprecated", "project-deprecated"],
  ["quarantined", "project-quarantined"],
]);

export function projectStatus(
  stated: { readonly status?: string; readonly reason?: string } | undefined,
  url: string,
): Stated | undefined {
  const statement = STATUSES.get(stated?.status?.toLowerCase() ?? "");
  if (statement === undefined) return undefined;
  const message = messageText(stated?.reason);
  return { statement, url, ...(message !== undefined && { message }) };
}
