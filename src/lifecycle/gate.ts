/** Beside the specified fields of a release cycle, on every surface: who maintains it by the support that counts. */
import { cycleFullName } from "../messages/cycle-names.ts";
import { formatTrackName } from "../messages/format.ts";
import type { Assessment, Resolution } from "../model/index.ts";

/**
 * Who maintains a release cycle: the distribution for a package that it builds (`Rocky Linux 9`), the support track that
 * counts (`Debian LTS`), else the maintainers of the product. Null where support has ended or is not known.
 * @param resolution - Of the component that the assessment decided about; without it, the assessment is of the cycle itself.
 */
export function maintainedBy({ support, productName, cycle, releaseCycle }: Assessment, resolution?: Resolution) {
  if (support.status !== "active" && support.status !== "approaching") return null;
  const track = support.track && formatTrackName(support.track);
  if (!isOfDistribution(releaseCycle.product, resolution)) return track ?? productName;
  return `${cycleFullName(productName, cycle)}${track === null ? "" : ` (${track})`}`;
}

const isOfDistribution = (product: string, resolution: Resolution | undefined): boolean =>
  resolution?.kind === "distro-maintained" ||
  (resolution?.kind === "resolved" && resolution.maintainedBy?.product === product);
