import { soaked } from "../soaked.ts";

/** A longer document repeats its structures: a cut at every byte would read it as often as it has bytes. */
const WHOLE = soaked(2_000, 8_000);
/** Brackets that close the document and its last lists. */
const END = soaked(250, 1_000);
/** No divisor of the lengths of usual lines, so that each kind of place is cut. */
const STEP = 17;

/** The lengths at which a document is cut off: all of them, of a long document every seventeenth and those of its end. */
export function* cutsOf({ length }: Uint8Array): Generator<number> {
  const step = length > WHOLE ? soaked(STEP, 1) : 1;
  const last = length - END;
  for (let end = 0; end < length; end += end < last ? step : 1) yield end;
}
