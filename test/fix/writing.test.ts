import { describe, expect, test } from "vitest";
import { duplicates } from "../../src/fix/lists.ts";
import { rewrite, type Move } from "../../src/fix/writing.ts";
import { cycle as cycleNamed } from "../resolve/tiny-catalogue.ts";

/** A cycle by name, with the latest release behind `@` and the code name behind `/`. */
function cycle(text: string) {
  const [name = "", latest, codename] = text.split(/[@/]/);
  return { ...cycleNamed(name), ...(latest && { latest: { name: latest } }), ...(codename && { codename }) };
}

function rewritten(written: string, version: string, from: string, to: string, minimum = false): string {
  const move: Move = {
    component: { version, ...(minimum && { minimum }) },
    from: cycle(from),
    to: cycle(to),
  };
  const found = rewrite(written, move);
  return typeof found === "string"
    ? found
    : written.slice(0, found.at) + found.text + written.slice(found.at + found.length);
}

const NODE = ["18", "24@24.11.1"] as const;

test.each([
  // The precision of the text is kept.
  ["18", "18", ...NODE, "24"],
  ["v18", "18", ...NODE, "v24"],
  ["18.x", "18", ...NODE, "24.x"],
  ['"18"', "18", ...NODE, '"24"'],
  ["18.20", "18.20", ...NODE, "24.11"],
  ["18.20.4", "18.20.4", ...NODE, "24.11.1"],
  ["node-18.20.4", "18.20.4", ...NODE, "node-24.11.1"],
  ["3.8", "3.8", "3.8", "3.12@3.12.9", "3.12"],
  ["3.8.1", "3.8.1", "3.8", "3.12@3.12.9", "3.12.9"],
  // A form that the catalogue does not name is never made up.
  ["18.20.4", "18.20.4", "18", "24", "no-release"],
  ["18.20.4.1", "18.20.4.1", ...NODE, "no-release"],
  ["18.20.4", "18.20.4", "18", "24@25.0.0", "no-release"],
  ["3", "3", "3.8", "3.12@3.12.9", "no-release"],
  ["18.20.4", "18.20.4", "18", "24@24.0.0-rc.1", "no-release"],
  ["lts/hydrogen", "lts/hydrogen", ...NODE, "writing"],
  // Images: only the tag, and nothing else of it may be a number.
  ["node:18-alpine", "18-alpine", ...NODE, "node:24-alpine"],
  ["docker://node:18", "18", ...NODE, "docker://node:24"],
  ["localhost:5000/team/node:18", "18", ...NODE, "localhost:5000/team/node:24"],
  ["registry.example.org:5000/node18/app:18", "18", ...NODE, "registry.example.org:5000/node18/app:24"],
  ["postgres:${TAG:-12}", "12", "12", "16@16.4", "postgres:${TAG:-16}"],
  ["node:18-alpine3.18", "18-alpine3.18", ...NODE, "writing"],
  ["temurin:11.0.16_8-jre", "11.0.16_8-jre", "11", "17@17.0.9", "writing"],
  ["pnpm@8.6.0+sha256.12ab", "8.6.0", "8", "10@10.1.0", "writing"],
  [`node:18@sha256:${"a".repeat(64)}`, "18", ...NODE, "digest"],
  ["node:${VERSION}", "18", ...NODE, "variable"],
  // Code names and names of cycles.
  ["debian:buster-slim", "buster-slim", "10@10.13/Buster", "13@13.1/Trixie", "debian:trixie-slim"],
  ["debian:10-slim", "10-slim", "10@10.13/Buster", "13@13.1/Trixie", "debian:13-slim"],
  ["focal", "focal", "20.04@20.04.6/Focal Fossa", "24.04@24.04.1/Noble Numbat", "noble"],
  ["ubuntu-20.04", "20.04", "20.04", "24.04", "ubuntu-24.04"],
  ["ubuntu-22.04-arm", "22.04", "22.04", "24.04", "ubuntu-24.04-arm"],
  ["nodejs18.x", "nodejs18.x", "nodejs18.x", "nodejs24.x", "nodejs24.x"],
  ["public.ecr.aws/lambda/python:3.8", "3.8", "python3.8", "python3.12", "public.ecr.aws/lambda/python:3.12"],
  ["public.ecr.aws/lambda/python:3.8", "3.8", "python3.8", "java21", "no-release"],
  // .NET.
  ["net6.0", "6.0", "6", "10", "net10.0"],
  ["net6.0-windows", "6.0", "6", "10", "net10.0-windows"],
  ["netcoreapp3.1", "3.1", "3.1", "10", "net10.0"],
  ["net452", "4.5.2", "4.5.2", "4.8.1", "net481"],
])("%s (%s) moves from %s to %s as %s", (written, version, from, to, expected) => {
  expect(rewritten(written, version, from, to)).toBe(expected);
});

test.each([
  [">=18", ">=24"],
  ["^18.0.0", "^24.11.1"],
  [">=18,<30", ">=24,<30"],
  [">=18,<24", "range"],
  [">=18,<20", "range"],
  ["^18 || ^20", "range"],
])("the lower bound of %s becomes %s", (written, expected) => {
  const version = /\d[\d.]*/.exec(written)?.[0] ?? "";
  expect(rewritten(written, version, ...NODE, true)).toBe(expected);
});

describe("a list has no version twice", () => {
  /** Words that begin with `!` are changed to the version behind the sign. */
  function removed(text: string): string {
    let plain = "";
    const entries = [...text.matchAll(/(!)?(["']?[\d.]+["']?)|[^!"'\d]+|!/g)].flatMap(([whole, mark, version]) => {
      const at = plain.length;
      plain += mark === undefined ? whole : (version ?? "");
      return version === undefined ? [] : [{ at, length: version.length, text: version, isChanged: mark === "!" }];
    });
    const ranges = [...duplicates(plain, entries).values()].toSorted((a, b) => b.at - a.at);
    return ranges.reduce((left, { at, length }) => left.slice(0, at) + left.slice(at + length), plain);
  }
  test.each([
    ["[!24, 24]", "[24]"],
    ["[24, !24]", "[24]"],
    ["[!24, !24, !24]", "[24]"],
    ["[24, !24, !24]", "[24]"],
    ["[!24, 22, !24]", "[22, 24]"],
    ['[!"24", 24]', "[24]"],
    ["['20', !'24', '24']", "['20', '24']"],
    ["- !24\n- !24\n- 26\n", "- 24\n- 26\n"],
    ["- 24\n- !24\nother: 24\n", "- 24\nother: 24\n"],
    ["[!24, 26]", "[24, 26]"],
    ["[24, 24]", "[24, 24]"],
    ["a: !24\nb: 24\n", "a: 24\nb: 24\n"],
    ["- !24 # old\n- 24\n", "- 24 # old\n- 24\n"],
  ])("%s becomes %s", (text, expected) => {
    expect(removed(text)).toBe(expected);
  });
});
