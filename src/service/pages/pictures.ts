/** The icon, and the preview picture of links to a product's page, which shows its timeline. */
import { dayNumber, lastDay } from "../../lifecycle/days.ts";
import type { IsoDate } from "../../text/ids.ts";
import type { Assessment, Status } from "../../model/index.ts";
import { cycleShortName } from "../../messages/cycle-names.ts";
import { charactersIn, textRectangles } from "./bitmap-font.ts";
import { toIcon, toPng, type Colour, type Rectangle } from "./raster.ts";

const BRAND: Colour = [0x0b, 0x3b, 0x5c];
const WHITE: Colour = [0xff, 0xff, 0xff];
const GREEN: Colour = [0x7e, 0xe0, 0xa1];
const YELLOW: Colour = [0xf5, 0xc4, 0x51];
const RED: Colour = [0xff, 0x7b, 0x72];
const GREY: Colour = [0x9f, 0xb3, 0xc8];
const PALETTE = [BRAND, WHITE, GREEN, YELLOW, RED, GREY] as const;

const COLOURS: Readonly<Record<Status, number>> = { active: 2, approaching: 3, eol: 4, unknown: 5 };

/** The same motif as the SVG icon: two lines that end before a barrier. */
export const FAVICON: Buffer = toIcon(
  toPng({
    width: 32,
    height: 32,
    palette: PALETTE,
    rectangles: [
      { x: 5, y: 10, width: 13, height: 4, colour: 2 },
      { x: 5, y: 19, width: 8, height: 4, colour: 3 },
      { x: 22, y: 6, width: 4, height: 20, colour: 1 },
    ],
  }),
  32,
);

/** The size in pixels that other sites expect. */
export const PREVIEW = { width: 1200, height: 630 } as const;
const MARGIN = 60;
/** Left edge of the bars, after the names of release cycles, and top edge of the rows, below the product's name. */
const [BARS, TOP] = [350, 160];
const MAX_BARS = 10;
/** Days. */
const YEAR = 365;
const [BEFORE, AFTER] = [5 * YEAR, 4 * YEAR];
/** Sizes of text, as the side of a square in pixels. */
const [NAME, SMALL_NAME, LABEL] = [9, 6, 3];

/** The product's name, and a bar from the release to the end of each of the newest cycles. The white line is `asOf`. */
export function previewPicture(product: string, assessments: readonly Assessment[], asOf: IsoDate): Buffer {
  const shown = assessments.slice(0, MAX_BARS);
  const step = (PREVIEW.height - TOP - MARGIN / 2) / Math.max(shown.length, 5);
  const rows = shown.flatMap((each, index) => row(each, asOf, { y: TOP + index * step, height: step * 0.6 }));
  const line = { x: xOf(0) - 3, y: TOP - MARGIN / 3, width: 6, height: PREVIEW.height - TOP, colour: 1 };
  return toPng({ ...PREVIEW, palette: PALETTE, rectangles: [...title(product), ...rows, line] });
}

/** The horizontal position of a day, given in days from today. */
function xOf(days: number): number {
  const scale = (PREVIEW.width - BARS - MARGIN) / (BEFORE + AFTER);
  return BARS + Math.min(BEFORE + AFTER, Math.max(0, days + BEFORE)) * scale;
}

function title(product: string): readonly Rectangle[] {
  const width = PREVIEW.width - 2 * MARGIN;
  const square = product.length <= charactersIn(width, NAME) ? NAME : SMALL_NAME;
  const text = product.slice(0, charactersIn(width, square));
  return textRectangles(text, { x: MARGIN, y: MARGIN * 0.75, square, colour: 1 });
}

function row(assessment: Assessment, asOf: IsoDate, area: Pick<Rectangle, "y" | "height">): readonly Rectangle[] {
  const { cycle, eolDate, status, productName } = assessment;
  const today = dayNumber(asOf);
  const start = xOf(cycle.releaseDate ? dayNumber(lastDay(cycle.releaseDate)) - today : -BEFORE);
  const end = xOf(eolDate ? dayNumber(lastDay(eolDate)) - today : status === "eol" ? 0 : AFTER);
  const name = cycleShortName(productName, cycle).slice(0, charactersIn(BARS - MARGIN - 20, LABEL));
  const y = area.y + (area.height - 7 * LABEL) / 2;
  return [
    ...textRectangles(name, { x: MARGIN, y, square: LABEL, colour: 1 }),
    { ...area, x: start, width: Math.max(8, end - start), colour: COLOURS[status] },
  ];
}
