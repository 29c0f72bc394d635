/** Reads the flags that select and sort the rows of a table. */
import { EolgateError } from "../messages/error.ts";
import type { ReportView } from "../report/reporter.ts";
import { list, on, text } from "./config.ts";
import type { Settings } from "./config.ts";

/** @throws EolgateError `usage` for an invalid number of rows. */
export function reportView({ values }: Settings): ReportView {
  const only = list(values["only"]).filter((outcome) => outcome === "fail" || outcome === "warn");
  const groupBy = oneOf(GROUPS, text(values["groupBy"]));
  const sort = oneOf(ORDERS, text(values["sort"]));
  const top = topRows(text(values["top"]));
  return {
    ...(groupBy && { groupBy }),
    ...(sort && { sort }),
    ...(only.length > 0 && { only }),
    ...(top !== undefined && { top }),
    quiet: on(values["quiet"]),
    verbose: on(values["verbose"]),
  };
}

const GROUPS = ["file", "cycle"] as const;
const ORDERS = ["risk", "end", "name", "count"] as const;

/** The command line parser has already checked the value against the flag's choices. */
const oneOf = <Word extends string>(words: readonly Word[], written: string | undefined): Word | undefined =>
  words.find((word) => word === written);

function topRows(written: string | undefined): number | undefined {
  if (written === undefined) return undefined;
  if (/^[1-9]\d{0,6}$/.test(written)) return Number(written);
  throw EolgateError.of(
    "invalid-value",
    { problem: `"${written}" is not a number of rows`, advice: "Use a whole number above 0: --top 20" },
    { where: "--top" },
  );
}
