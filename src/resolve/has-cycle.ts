import type { Resolution } from "../model/index.ts";

/** Whether a release cycle was determined: of the component itself, or of the distribution that maintains it. */
export function hasCycle(
  resolution: Resolution,
): resolution is Extract<Resolution, { kind: "resolved" | "distro-maintained" }> {
  return resolution.kind === "resolved" || resolution.kind === "distro-maintained";
}
