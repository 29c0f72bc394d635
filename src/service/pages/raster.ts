/**
 * Encodes pictures of coloured rectangles as PNG, without a library: the icon, and the preview picture of links, for
 * which other sites do not accept SVG.
 */
import { crc32, deflateSync } from "node:zlib";

export type Colour = readonly [red: number, green: number, blue: number];

export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Index into the palette. */
  readonly colour: number;
}

export interface Raster {
  readonly width: number;
  readonly height: number;
  /** The first colour is the background. */
  readonly palette: readonly Colour[];
  readonly rectangles: readonly Rectangle[];
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** An indexed PNG (https://www.w3.org/TR/png-3/). Rectangles are clipped at the edges. */
export function toPng({ width, height, palette, rectangles }: Raster): Buffer {
  // Each row begins with the number of its filter, 0.
  const rows = Buffer.alloc((width + 1) * height);
  for (const rectangle of rectangles) {
    const [left, right] = [clamp(rectangle.x, width), clamp(rectangle.x + rectangle.width, width)];
    const [top, bottom] = [clamp(rectangle.y, height), clamp(rectangle.y + rectangle.height, height)];
    for (let y = top; y < bottom; y += 1) {
      const start = y * (width + 1) + 1;
      rows.fill(rectangle.colour, start + left, start + Math.max(left, right));
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3], 8); // 8 bits, colours from the palette
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", header),
    chunk("PLTE", Buffer.from(palette.flat())),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

const clamp = (value: number, most: number): number => Math.min(most, Math.max(0, Math.round(value)));

function chunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(content), 4);
  return Buffer.concat([frame.subarray(0, 4), content, frame.subarray(4)]);
}

/** An ICO file with a PNG of less than 256 pixels, for /favicon.ico. */
export function toIcon(png: Buffer, size: number): Buffer {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.set([size, size], 6);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, png]);
}
