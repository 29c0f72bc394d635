/**
 * The style of the terminal report: colours, glyphs, links. Uses the 16 colours of the terminal, so that it fits every
 * theme.
 */
import { Chalk, type ChalkInstance } from "chalk";
import { lazy } from "../../text/values.ts";
import type { Assessment, VerdictValue } from "../../model/index.ts";
import { safeUrl } from "../escape.ts";
import type { TerminalOptions } from "../reporter.ts";
import type { RowState } from "../rows.ts";
import { VERDICT_TITLES } from "../verdict.ts";

export interface Paint {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  /** The colour of a state. */
  readonly state: (state: RowState, text: string) => string;
  readonly glyph: (state: RowState) => string;
  readonly badge: (word: VerdictValue, tone?: VerdictValue) => string;
  /** The columns on each side of the word of a badge. */
  readonly badgeMargin: number;
  /** A text in the colour of the score's band. */
  readonly risk: (of: Assessment | undefined, text: string) => string;
  /** Five cells of a bar, the score and the band. */
  readonly riskBar: (of: Assessment) => string;
  /** An OSC 8 link if the terminal supports it and the address is a web address; otherwise the text. */
  readonly link: (text: string, target: string | null) => string;
}

const GLYPHS: Readonly<Record<RowState, string>> = { fail: "✖", warn: "▲", waived: "○", pass: "✔" };

type TextStyle = (text: string) => string;
const unchanged: TextStyle = (text) => text;

export function paint({ color, hyperlinks }: TerminalOptions): Paint {
  const chalk = lazy(() => new Chalk({ level: 1 }));
  // Without colours chalk is not loaded, which takes 3 ms of CPU time (docs/performance.md).
  const style = (choose: (chalk: ChalkInstance) => TextStyle): TextStyle => (color ? choose(chalk()) : unchanged);
  const [bold, dim] = [style((chalk) => chalk.bold), style((chalk) => chalk.dim)];
  const byState: Readonly<Record<RowState, TextStyle>> = {
    fail: style((chalk) => chalk.red),
    warn: style((chalk) => chalk.yellow),
    waived: style((chalk) => chalk.cyan),
    pass: style((chalk) => chalk.green),
  };
  const byVerdict: Readonly<Record<VerdictValue, TextStyle>> = {
    none: style((chalk) => chalk.bgMagenta.whiteBright.bold),
    fail: style((chalk) => chalk.bgRed.whiteBright.bold),
    warn: style((chalk) => chalk.bgYellow.black.bold),
    pass: style((chalk) => chalk.bgGreen.black.bold),
  };
  const byBand: Readonly<Record<Assessment["band"], TextStyle>> = {
    Critical: style((chalk) => chalk.red),
    High: style((chalk) => chalk.red),
    Medium: style((chalk) => chalk.yellow),
    Low: style((chalk) => chalk.green),
  };
  return {
    bold,
    dim,
    state: (state, text) => byState[state](text),
    glyph: (state) => byState[state](GLYPHS[state]),
    badge: (word, tone = word) => (color ? byVerdict[tone](` ${VERDICT_TITLES[word]} `) : VERDICT_TITLES[word]),
    badgeMargin: color ? 1 : 0,
    risk: (of, text) => (of === undefined ? text : byBand[of.band](text)),
    riskBar: ({ score, band }) => {
      const filled = Math.max(score === 0 ? 0 : 1, Math.round(score / 20));
      const bar = `${byBand[band]("━".repeat(filled))}${dim("╌".repeat(5 - filled))}`;
      return `${bar} ${byBand[band](`${String(score).padStart(3)}, ${band}`)}`;
    },
    link: (text, target) => {
      const safe = hyperlinks && target !== null ? safeUrl(target) : null;
      return safe === null ? text : `\u001b]8;;${safe}\u0007${text}\u001b]8;;\u0007`;
    },
  };
}
