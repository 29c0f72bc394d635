/** A directory with a fitting digest and checksum but another shape is refused as damage, not with an internal error. */
import { readFileSync } from "node:fs";
import { crc32 } from "node:zlib";
import { expect, test } from "vitest";
import { readContent } from "../../../src/catalogue/file.ts";
import { parseCatalogue } from "../../../src/catalogue/load.ts";
import { digestOf } from "../../../src/platform/file-source.ts";

const bytes = readFileSync(new URL("../../fixtures/catalogue.json", import.meta.url));
const [first, second] = [bytes.indexOf("\n"), bytes.indexOf("\n", bytes.indexOf("\n") + 1)];
const written = JSON.parse(
  `{${bytes
    .subarray(first + 1, second)
    .toString()
    .replace(/,$/, "")}}`,
);

/** The fixture with another directory. */
function withDirectory(directory: unknown): Buffer {
  const row = `"directory":${JSON.stringify(directory)},`;
  const digested = Buffer.concat([Buffer.from(row), bytes.subarray(second)]);
  const head = JSON.parse(`${bytes.subarray(0, first).toString().replace(/,$/, "")}}`);
  const changed = JSON.stringify({ ...head, digest: digestOf(digested), checksum: crc32(row) });
  return Buffer.concat([Buffer.from(`${changed.slice(0, -1)},\n`), digested]);
}
const read = (directory: unknown): void => {
  const changed = withDirectory(directory);
  const catalogue = parseCatalogue(changed, "changed");
  for (const slug of catalogue.slugs()) catalogue.product(slug);
  readContent(changed, "changed");
};
const withPurls = (purls: unknown) => ({ ...written.directory, sections: { ...written.directory.sections, purls } });
const { purls } = written.directory.sections;

test("the directory of the fixture is read", () => {
  expect(() => read(written.directory)).not.toThrow();
});

test.each([
  ["no directory", null],
  ["a list", []],
  ["sections that are a text", { ...written.directory, sections: "x" }],
  ["a section that is a number", withPurls(1)],
  ["a section without keys", withPurls({ ...purls, keys: undefined })],
  ["a section without starts", withPurls({ ...purls, starts: undefined })],
  ["a section without checksums", withPurls({ ...purls, checksums: undefined })],
  ["starts that are texts", withPurls({ ...purls, starts: purls.starts.map(String) })],
  ["starts in reverse", withPurls({ ...purls, starts: purls.starts.toReversed() })],
  ["a start that is missing", withPurls({ ...purls, starts: purls.starts.slice(1) })],
])("%s is refused", (_, directory) => {
  expect(() => read(directory)).toThrow(expect.objectContaining({ kind: "catalogue", exit: 4 }));
});
