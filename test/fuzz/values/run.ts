/** One round: a target reads a value that is made from the seed. */
import { EolgateError } from "../../../src/messages/error.ts";
import type { Catalogue } from "../../../src/model/index.ts";
import { Random } from "../documents/random.ts";
import type { Target } from "./targets.ts";

/** What is wrong, or undefined: an error that is no refusal. */
export async function fuzzValue(
  { exits, run }: Target,
  seed: number,
  catalogue: Catalogue,
): Promise<string | undefined> {
  try {
    await run(new Random(seed), catalogue);
    return undefined;
  } catch (error) {
    if (!(error instanceof EolgateError)) return String(error instanceof Error ? error.stack : error);
    return exits.includes(error.exit) ? undefined : `exit ${error.exit}: ${error.code} ${error.message}`;
  }
}
