/** The release cycles of `watch preview`: one by its name, or those of an SBOM. */
import type { IsoDate } from "../../text/ids.ts";
import { EolgateError } from "../../messages/error.ts";
import { findProduct } from "../../resolve/product.ts";
import { resolveVersion } from "../../resolve/version/resolve.ts";
import { riskiest } from "../../wire/sbom.ts";
import type { Catalogue, Policy } from "../../model/index.ts";
import { assessByCycle } from "../../api/assess.ts";
import { kevFromCatalogue } from "../../lifecycle/assess.ts";
import { readInput } from "../../api/input.ts";
import { checkDocument } from "../../api/check.ts";
import { assessCycles } from "../alerts/cycles.ts";
import type { WatchedCycle } from "../store/store.ts";
import type { ProcessContext } from "../../cli/process-context.ts";

export interface WatchContext {
  readonly io: ProcessContext;
  readonly catalogue: Catalogue;
  readonly policy: Policy;
  readonly asOf: IsoDate;
}

/**
 * The cycles of a subject, which is `slug:version` or the path of a document. Each cycle once, riskiest first, as POST
 * /v1/sbom/watch stores them.
 */
export async function watchedCycles(subject: string, context: WatchContext): Promise<readonly WatchedCycle[]> {
  return /^[^/\\]+:[^:]+$/.test(subject)
    ? [cycleOf(context.catalogue, subject)]
    : await documentCycles(subject, context);
}

function cycleOf(catalogue: Catalogue, subject: string): WatchedCycle {
  const [slug = "", version = ""] = subject.split(":");
  const product = findProduct(catalogue, slug);
  const resolution = product && resolveVersion(product, version);
  if (product && resolution?.kind === "cycle") return { product: product.slug, cycle: resolution.cycle.name };
  throw EolgateError.of("cycle-not-found", { subject });
}

async function documentCycles(file: string, { io, ...context }: WatchContext): Promise<readonly WatchedCycle[]> {
  const { findings } = await checkDocument(await readInput(file, io.cwd, () => io.stdin()), {
    ...context,
    assess: assessByCycle(
      async (cycles) => assessCycles(context.catalogue, cycles, context.asOf),
      kevFromCatalogue(context.catalogue),
    ),
  });
  const assessed = findings.flatMap(({ assessment }) => (assessment ? [{ assessment }] : []));
  const byName = riskiest(assessed).map(
    ({ assessment: { releaseCycle } }) => [`${releaseCycle.product}:${releaseCycle.cycle}`, releaseCycle] as const,
  );
  return [...new Map(byName).values()];
}
