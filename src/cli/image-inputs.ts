/** The images of `--image`: the flags for them, and their documents. */
import type { CheckInput } from "../api/check.ts";
import { collectFailure } from "../api/failed-document.ts";
import { EolgateError } from "../messages/error.ts";
import type { Catalogue, ImageCoverage } from "../model/index.ts";
import type { ImageReading } from "../images/read.ts";
import type { ScannerName } from "../images/scanner.ts";
import type { ImageContext } from "../images/targets.ts";
import type { Invocation } from "./command.ts";
import { listValue, stringValue, type Settings } from "./config.ts";
import { flagKey, longName } from "./flags/flag.ts";
import { IMAGE_OPTION_FLAGS } from "./flags/check.ts";

export interface ImageTargets {
  readonly names: readonly string[];
  readonly platform: string | undefined;
  readonly scanner: ScannerName | undefined;
  readonly insecure: readonly string[];
}

/** @throws EolgateError `invalid-usage` for a flag about images without one */
export function imageTargets({ flags }: Invocation, { values }: Settings): ImageTargets {
  const names = listValue(values["image"]);
  const alone = IMAGE_OPTION_FLAGS.find((flag) => names.length === 0 && flags[flagKey(flag)] !== undefined);
  if (alone !== undefined)
    throw EolgateError.of(
      "invalid-usage",
      { problem: `${longName(alone)} has no effect without an image`, advice: "Add --image NAME:TAG." },
      { where: "check" },
    );
  const scanner = stringValue(values["with"]);
  return {
    names,
    platform: stringValue(values["platform"]),
    scanner: scanner === "syft" || scanner === "trivy" ? scanner : undefined,
    insecure: listValue(values["insecureRegistry"]),
  };
}

/**
 * Reads the images. An image that cannot be read is among the inputs with its error; a failing registry ends the run.
 */
export async function readImages(
  { names, platform, scanner, insecure }: ImageTargets,
  { cwd, env }: Invocation["io"],
  { facts }: Catalogue,
): Promise<{ readonly inputs: readonly CheckInput[]; readonly coverage: readonly ImageCoverage[] }> {
  const context = { cwd, env, facts, insecure, architecture: process.arch };
  const inputs: CheckInput[] = [];
  const coverage: ImageCoverage[] = [];
  for (const image of names) {
    const found = await collectFailure(image, () => readOne({ image, platform }, scanner, context));
    if ("error" in found) inputs.push(found);
    else {
      inputs.push(...found.inputs);
      coverage.push(found.coverage);
    }
  }
  return { inputs, coverage };
}

async function readOne(
  request: { readonly image: string; readonly platform: string | undefined },
  scanner: ScannerName | undefined,
  context: ImageContext,
): Promise<ImageReading> {
  if (scanner !== undefined) {
    const { scanImage } = await import("../images/scanner.ts");
    return scanImage(scanner, request, context);
  }
  const { readImage } = await import("../images/read.ts");
  return readImage(request, context);
}
