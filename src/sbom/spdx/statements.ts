/** Values of SPDX that state nothing, and names of agents. */

/** Whether a text states something: SPDX writes NOASSERTION and NONE where other formats leave a field out. */
export const isStated = (value: string | undefined): value is string =>
  value !== undefined && value.trim() !== "" && value !== "NOASSERTION" && value !== "NONE";

/** `Organization: Example (mail@example.org)` → `Example`. */
export const agentName = (value: string | undefined): string | undefined =>
  isStated(value) ? value.replace(/^(?:Organization|Person|Tool): */, "").replace(/ *\([^()]*\)$/, "") : undefined;
