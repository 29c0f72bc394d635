/**
 * Draws the output of a terminal as an SVG picture for the README: reads text with colours (SGR) from standard input,
 * writes the picture to standard output. `FORCE_COLOR=1 COLUMNS=110 eolgate check bom.json | node tools/screenshot.ts
 * "eolgate check bom.json"`.
 */

interface Style {
  readonly bold: boolean;
  readonly dim: boolean;
  readonly color: string | undefined;
  readonly background: string | undefined;
}
interface Run extends Style {
  readonly text: string;
  readonly column: number;
}

const PLAIN: Style = { bold: false, dim: false, color: undefined, background: undefined };
const THEME = { page: "#0d1117", bar: "#161b22", text: "#e6edf3", dim: "#7d8590" };
/** The 16 colours by their SGR number. */
const COLORS: Readonly<Record<number, string>> = {
  30: "#0d1117",
  31: "#ff7b72",
  32: "#56d364",
  33: "#e3b341",
  34: "#79c0ff",
  35: "#d2a8ff",
  36: "#56d4dd",
  37: "#e6edf3",
  90: "#7d8590",
  97: "#ffffff",
};
const CELL = 8.4;
const LINE = 19;
const FONT = 14;
const PADDING = 18;
const BAR = 34;

/** The lines of a terminal as runs of one style. Links (OSC 8) keep their text. */
export function runs(output: string): readonly (readonly Run[])[] {
  let style = PLAIN;
  return output
    .replaceAll(/\p{Cc}\]8;;[^\p{Cc}]*\p{Cc}/gu, "")
    .split("\n")
    .map((line) => {
      const found: Run[] = [];
      let column = 0;
      for (const part of line.split(/(?=\p{Cc}\[[\d;]*m)/u)) {
        const sgr = /^\p{Cc}\[([\d;]*)m/u.exec(part);
        if (sgr) style = (sgr[1] ?? "").split(";").reduce(apply, style);
        const text = part.slice(sgr?.[0].length ?? 0);
        if (text !== "") found.push({ ...style, text, column });
        column += text.length;
      }
      return found;
    });
}

function apply(style: Style, code: string): Style {
  const number = Number(code);
  if (number === 0) return PLAIN;
  if (number === 1) return { ...style, bold: true };
  if (number === 2) return { ...style, dim: true };
  if (number === 22) return { ...style, bold: false, dim: false };
  if (number === 39) return { ...style, color: undefined };
  if (number === 49) return { ...style, background: undefined };
  const color = COLORS[number];
  if (color !== undefined) return { ...style, color };
  const background = COLORS[number - 10];
  return background === undefined ? style : { ...style, background };
}

/** `title` is shown in the window's title bar. */
export function screenshot(output: string, title: string): string {
  const lines = runs(output.replaceAll(/^\n+|\n+$/g, ""));
  const columns = Math.max(
    title.length + 16,
    ...lines.map((line) => line.reduce((end, run) => Math.max(end, run.column + run.text.length), 0)),
  );
  const width = Math.ceil(columns * CELL + 2 * PADDING);
  const height = BAR + lines.length * LINE + 2 * PADDING;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escape(title)}">`,
    `<rect width="${width}" height="${height}" rx="10" fill="${THEME.page}"/>`,
    `<path d="M0 ${BAR}V10a10 10 0 0 1 10-10h${width - 20}a10 10 0 0 1 10 10v${BAR - 10}z" fill="${THEME.bar}"/>`,
    ...["#ff5f57", "#febc2e", "#28c840"].map(
      (color, index) => `<circle cx="${20 + index * 20}" cy="${BAR / 2}" r="6" fill="${color}"/>`,
    ),
    `<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="${FONT}">`,
    `<text x="${width / 2}" y="${BAR / 2 + 5}" text-anchor="middle" fill="${THEME.dim}">${escape(title)}</text>`,
    ...lines.flatMap((line, index) => line.flatMap((run) => drawn(run, BAR + PADDING + index * LINE))),
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}

/** Each run of text gets an explicit width, so that columns are aligned in any monospaced font. */
function drawn(run: Run, y: number): readonly string[] {
  const { text, column, bold, dim, color, background } = run;
  const box =
    background === undefined
      ? []
      : [
          `<rect x="${x(column)}" y="${y}" width="${round(text.length * CELL)}" height="${LINE}" rx="3" fill="${background}"/>`,
        ];
  const fill = dim ? THEME.dim : (color ?? THEME.text);
  const texts = [...text.matchAll(/\S+(?: \S+)*/g)].map(
    ({ 0: stretch, index }) =>
      `<text x="${x(column + index)}" y="${y + FONT}" textLength="${round(stretch.length * CELL)}" lengthAdjust="spacingAndGlyphs" fill="${fill}"${bold ? ' font-weight="700"' : ""}>${escape(stretch)}</text>`,
  );
  return [...box, ...texts];
}

const x = (column: number): number => round(PADDING + column * CELL);

const round = (number: number): number => Math.round(number * 10) / 10;

const escape = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

if (import.meta.main) {
  const chunks: Uint8Array[] = [];
  const input: AsyncIterable<Uint8Array> = process.stdin;
  for await (const chunk of input) chunks.push(chunk);
  process.stdout.write(screenshot(Buffer.concat(chunks).toString("utf8"), process.argv[2] ?? "eolgate"));
}
