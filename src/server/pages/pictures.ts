/** The icon, and the timeline of a product as the picture of links to its page. */
import { dayNumber, lastDay } from "../../core/lifecycle/days.ts";
import type { IsoDate } from "../../core/ids.ts";
import type { Assessment, Status } from "../../core/model.ts";
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
const MAX_BARS = 12;
const YEAR = 365;
const [BEFORE, AFTER] = [6 * YEAR, 4 * YEAR];

/** A bar for each of the newest release cycles, from its release to its end; the white line is the day. */
export function previewPicture(assessments: readonly Assessment[], asOf: IsoDate): Buffer {
  const today = dayNumber(asOf);
  const scale = (PREVIEW.width - 2 * MARGIN) / (BEFORE + AFTER);
  const x = (day: number): number => MARGIN + Math.min(BEFORE + AFTER, Math.max(0, day - today + BEFORE)) * scale;
  const shown = assessments.slice(0, MAX_BARS);
  const step = (PREVIEW.height - 2 * MARGIN) / Math.max(shown.length, 6);
  const bars = shown.map(({ cycle, eolDate, status }, index): Rectangle => {
    const start = x(cycle.releaseDate ? dayNumber(lastDay(cycle.releaseDate)) : today - BEFORE);
    const open = status === "eol" ? today : today + AFTER;
    const end = x(eolDate ? dayNumber(lastDay(eolDate)) : open);
    const place = { x: start, y: MARGIN + index * step, width: Math.max(8, end - start), height: step * 0.6 };
    return { ...place, colour: COLOURS[status] };
  });
  const line = { x: x(today) - 3, y: MARGIN / 2, width: 6, height: PREVIEW.height - MARGIN, colour: 1 };
  return toPng({ ...PREVIEW, palette: PALETTE, rectangles: [...bars, line] });
}
