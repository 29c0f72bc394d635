/** `eolgate status`: whether a release cycle is supported, in one line. */
import { escapeTerminal } from "../../report/escape.ts";
import type { Invocation } from "../command.ts";
import { lookUp } from "../lookup.ts";

export const run = (invocation: Invocation): Promise<number> => {
  const [slug = "", version = ""] = invocation.args;
  return lookUp(
    invocation,
    ({ operations }) => operations.status({ slug, version }),
    (status) => {
      const end = status.eol_date === null ? "" : `  end of life ${status.eol_date}`;
      const days =
        status.days_past_eol === null
          ? status.days_until_eol === null
            ? ""
            : `, ${status.days_until_eol} days left`
          : `, ${status.days_past_eol} days ago`;
      return `${escapeTerminal(`${status.product} ${status.version}  ${status.status}${end}${days}`)}\n`;
    },
  );
};
