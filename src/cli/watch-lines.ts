/** What a subject of `watch preview` watches: a line by its name, or the lines of an SBOM. */
import type { IsoDate } from "../core/ids.ts";
import { Fault } from "../core/errors.ts";
import { findProduct } from "../core/resolve/product.ts";
import { resolveVersion } from "../core/resolve/version.ts";
import { riskiest } from "../core/wire/sbom.ts";
import type { Catalogue, Policy } from "../core/model.ts";
import { readInput } from "../operations/input.ts";
import { scanDocument } from "../operations/scan.ts";
import { assessLines } from "../server/alerts/lines.ts";
import type { WatchLine } from "../store/store.ts";
import type { Io } from "./io.ts";

export interface WatchSetting {
  readonly io: Io;
  readonly catalogue: Catalogue;
  readonly policy: Policy;
  readonly asOf: IsoDate;
}

/** `slug:version`, or a document; each line once, riskiest first, as POST /v1/sbom/watch keeps them. */
export async function watchedLines(subject: string, setting: WatchSetting): Promise<readonly WatchLine[]> {
  return /^[^/\\]+:[^:]+$/.test(subject) ? [lineOf(setting.catalogue, subject)] : await documentLines(subject, setting);
}

function lineOf(catalogue: Catalogue, subject: string): WatchLine {
  const [slug = "", version = ""] = subject.split(":");
  const product = findProduct(catalogue, slug);
  const resolution = product && resolveVersion(product, version);
  if (product && resolution?.kind === "line") return { product: product.slug, cycle: resolution.cycle.name };
  throw new Fault("not-found", {
    code: "line-not-found",
    message: `no release line for ${subject}`,
    hint: "eolgate product SLUG",
  });
}

async function documentLines(file: string, { io, ...setting }: WatchSetting): Promise<readonly WatchLine[]> {
  const { findings } = await scanDocument(await readInput(file, io.cwd, () => io.stdin()), {
    ...setting,
    assessLines: async (lines) => assessLines(setting.catalogue, lines, setting.asOf),
  });
  const assessed = findings.flatMap(({ assessment }) => (assessment ? [{ assessment }] : []));
  const lines = riskiest(assessed).map(({ assessment: { line } }) => [`${line.product}:${line.cycle}`, line] as const);
  return [...new Map(lines).values()];
}
