/** The types of a report format. The table of formats is in `reporters.ts`. */
import type { Report } from "../model/index.ts";

/** The properties of the terminal. The caller passes them, so that reports stay pure. */
export interface TerminalOptions {
  /** Whether ANSI colours are written. */
  readonly color: boolean;
  /** Columns. */
  readonly width: number;
  /** Whether the terminal renders OSC 8 links. */
  readonly hyperlinks: boolean;
  /** Whether its locale has only ASCII characters. */
  readonly ascii?: boolean;
}

/** What a table for people shows of the findings, and in which order; it changes no count and no verdict. */
export interface ReportView {
  /** One table for each file, or one for all with a row for each release cycle. By default, folders are grouped by cycle. */
  readonly groupBy?: "file" | "cycle";
  /** Only rows of these outcomes. */
  readonly only?: readonly ("fail" | "warn")[];
  /** At most this many rows in a table, 25 by default; the rest is counted. 0 for all. */
  readonly top?: number;
  readonly sort?: "risk" | "end" | "name" | "count";
  /** The verdict alone. */
  readonly quiet?: boolean;
  /** Every location of a row. */
  readonly verbose?: boolean;
}

/** What a report may depend on besides its content. */
export interface ReportOptions {
  readonly terminal: TerminalOptions;
  readonly view?: ReportView;
  /** The command that updates the catalogue where the report is read, if it is old. */
  readonly updateCommand?: string;
  /** List every component and every unresolved one, where a format lists a few by default. */
  readonly details: boolean;
}

/** For files and pipes: no colours, no links, 100 columns. */
export const PLAIN: ReportOptions = { terminal: { color: false, width: 100, hyperlinks: false }, details: false };

/** Formats a report. Pure: the same report gives the same text on any day and in any time zone. */
export type Reporter = (report: Report, options: ReportOptions) => string;

/** The same text in pieces, for reports that are large where documents are. Bytes are UTF-8. */
export type PieceReporter = (report: Report, options: ReportOptions) => Iterable<string | Uint8Array>;

/** A row of the table of formats. */
export interface ReporterRow {
  readonly load: () => Promise<Reporter>;
  readonly loadPieces?: () => Promise<PieceReporter>;
  readonly extension: string;
  readonly mediaType: string;
  /** One line for `--help` and the documentation. */
  readonly summary: string;
  /**
   * Matches the beginning (8 KiB) and the end (2 KiB) of an earlier report, which a report that a configuration file names
   * may replace.
   */
  readonly recognize: RegExp;
  /** It shows the digest of each document. */
  readonly showsDigests?: true;
  /** It needs `Report.statement`. */
  readonly needsStatement?: true;
}
