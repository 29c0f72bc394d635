/** The icon, and the timeline of a product as the picture of links to its page. */
import { dayNumber, lastDay } from "../../core/lifecycle/days.ts";
import type { IsoDate } from "../../core/ids.ts";
import type { Assessment, Status } from "../../core/model.ts";
import { cycleShortName } from "../../core/messages/cycle-names.ts";
import { charactersIn, lettering } from "./lettering.ts";
import { toIcon, toPng, type Colour, type Rectangle } from "./raster.ts";

const BRAND: Colour = [0x0b, 0x3b, 0x5c];
const WHITE: Colour = [0xff, 0xff, 0xff];
const GREEN: Colour = [0x7e, 0xe0, 0xa1];
const YELLOW: Colour = [0xf5, 0xc4, 0x51];
const RED: Colour = [0xff, 0x7b, 0x72];
const GREY: Colour = [0x9f, 0xb3, 0xc8];
const PALETTE = [BRAND, WHITE, GREEN, YELLOW, RED, GREY] as const;

const COLOURS: Readonly<Record<Status, number>> = { active: 2, approaching: 3, eol: 4, unknown: 5 };

/** A barrier across a line that ends, as in the SVG icon. */
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

/** The size that sites ask for. */
export const PREVIEW = { width: 1200, height: 630 } as const;
const MARGIN = 60;
/** Where the names of release cycles end and the bars begin, and where the rows begin below the product's name. */
const [BARS, TOP] = [350, 160];
const MAX_BARS = 10;
const YEAR = 365;
const [BEFORE, AFTER] = [5 * YEAR, 4 * YEAR];
/** Sides of the squares that letters are made of. */
const [NAME, SMALL_NAME, LABEL] = [9, 6, 3];

/** The product's name, and a bar for each of the newest release cycles from its release to its end; the white line is the day. */
export function previewPicture(product: string, assessments: readonly Assessment[], asOf: IsoDate): Buffer {
  const shown = assessments.slice(0, MAX_BARS);
  const step = (PREVIEW.height - TOP - MARGIN / 2) / Math.max(shown.length, 5);
  const rows = shown.flatMap((each, index) => row(each, asOf, { y: TOP + index * step, height: step * 0.6 }));
  const line = { x: xOf(0) - 3, y: TOP - MARGIN / 3, width: 6, height: PREVIEW.height - TOP, colour: 1 };
  return toPng({ ...PREVIEW, palette: PALETTE, rectangles: [...title(product), ...rows, line] });
}

/** Days from today to a place in the picture. */
function xOf(days: number): number {
  const scale = (PREVIEW.width - BARS - MARGIN) / (BEFORE + AFTER);
  return BARS + Math.min(BEFORE + AFTER, Math.max(0, days + BEFORE)) * scale;
}

function title(product: string): readonly Rectangle[] {
  const width = PREVIEW.width - 2 * MARGIN;
  const square = product.length <= charactersIn(width, NAME) ? NAME : SMALL_NAME;
  const text = product.slice(0, charactersIn(width, square));
  return lettering(text, { x: MARGIN, y: MARGIN * 0.75, square, colour: 1 });
}

function row(of: Assessment, asOf: IsoDate, place: Pick<Rectangle, "y" | "height">): readonly Rectangle[] {
  const { cycle, eolDate, status, productName } = of;
  const today = dayNumber(asOf);
  const start = xOf(cycle.releaseDate ? dayNumber(lastDay(cycle.releaseDate)) - today : -BEFORE);
  const end = xOf(eolDate ? dayNumber(lastDay(eolDate)) - today : status === "eol" ? 0 : AFTER);
  const name = cycleShortName(productName, cycle).slice(0, charactersIn(BARS - MARGIN - 20, LABEL));
  const y = place.y + (place.height - 7 * LABEL) / 2;
  return [
    ...lettering(name, { x: MARGIN, y, square: LABEL, colour: 1 }),
    { ...place, x: start, width: Math.max(8, end - start), colour: COLOURS[status] },
  ];
}
