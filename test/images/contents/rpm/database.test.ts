/** rpm databases of every backend, intact and damaged. */
import { describe, expect, test } from "vitest";
import { EolgateError } from "../../../../src/messages/error.ts";
import { readRpm, type RpmDatabase } from "../../../../src/images/contents/rpm/database.ts";
import { readRpmHeader } from "../../../../src/images/contents/rpm/header.ts";
import {
  berkeleyDatabase,
  hasBerkeley,
  hasRpm,
  headersOf,
  ndbDatabase,
  sqliteDatabase,
  withoutLog,
} from "./databases.ts";

const EXPECTED = [
  { name: "plain", version: "1.2-3.el9", license: "MIT", architecture: "noarch", source: "plain-1.2-3.el9.src.rpm" },
  {
    name: "vended",
    version: "1.2-3.el9",
    epoch: "4",
    vendor: "Example Corporation",
    license: "MIT",
    architecture: "noarch",
    source: "vended-1.2-3.el9.src.rpm",
  },
  {
    name: "modular",
    version: "1.2-3.el9",
    license: "MIT",
    architecture: "noarch",
    source: "modular-1.2-3.el9.src.rpm",
    module: "nodejs:18:8060020220523160029:ad008a3a",
  },
];
const inOrder = (packages: ReturnType<typeof readRpm>) =>
  EXPECTED.map(({ name }) => packages.find((each) => each.name === name));

/** The error of reading a database, or "none". */
function readError(database: RpmDatabase): string {
  try {
    readRpm(database, "var/lib/rpm/Packages");
  } catch (cause) {
    return cause instanceof EolgateError ? `${cause.code} ${cause.where ?? ""}` : String(cause);
  }
  return "none";
}
const REFUSED = "image-archive var/lib/rpm/Packages";

/** Inverts the byte at each position in turn. Each damaged file must be readable or refused with `REFUSED`. */
function expectNoOtherErrors(bytes: Uint8Array, positions: Iterable<number>): void {
  const wrong: number[] = [];
  for (const at of positions) {
    const damaged = Uint8Array.from(bytes);
    damaged[at] = (damaged[at] ?? 0) ^ 0xff;
    const problem = readError({ bytes: damaged });
    if (problem !== REFUSED && problem !== "none") wrong.push(at);
  }
  expect(wrong).toEqual([]);
}

describe.skipIf(!hasRpm)("database written by rpm", () => {
  const database = hasRpm ? sqliteDatabase() : { bytes: new Uint8Array(), log: undefined };
  const plain = hasRpm ? withoutLog(database) : new Uint8Array();
  const headers = hasRpm ? headersOf(plain) : [];

  test("reads SQLite with its write-ahead log", () => {
    expect(inOrder(readRpm(database, "x"))).toEqual(EXPECTED);
  });

  test("reads SQLite without a log", () => {
    expect(inOrder(readRpm({ bytes: plain }, "x"))).toEqual(EXPECTED);
  });

  test("an empty log changes nothing", () => {
    expect(readRpm({ bytes: plain, log: new Uint8Array() }, "x")).toHaveLength(3);
  });

  test("reads or refuses a database with a truncated log", () => {
    const { bytes, log = new Uint8Array() } = database;
    for (const part of [0.3, 0.6, 0.9]) {
      const truncated = { bytes, log: log.subarray(0, Math.floor(log.length * part)) };
      expect([REFUSED, "none"]).toContain(readError(truncated));
    }
  });

  test("ignores frames with a wrong checksum", () => {
    const { bytes, log = new Uint8Array() } = database;
    const damaged = Uint8Array.from(log);
    damaged[32 + 24 + 200] = (damaged[32 + 24 + 200] ?? 0) ^ 1;
    expect(readError({ bytes, log: damaged })).toBe(readError({ bytes }));
  });

  test("refuses a log in another format", () => {
    expect(readError({ bytes: plain, log: new Uint8Array(64) })).toBe(REFUSED);
  });

  test("reads the same headers as SQLite", () => {
    expect(
      headers.map((header) => readRpmHeader(header)?.name ?? "").toSorted((one, other) => one.localeCompare(other)),
    ).toEqual(["modular", "plain", "vended"]);
  });

  test("reads ndb", () => {
    expect(inOrder(readRpm({ bytes: ndbDatabase(headers) }, "x"))).toEqual(EXPECTED);
  });

  test.each([0, 100, 4096, 5000])("refuses ndb of %i bytes", (length) => {
    expect(readError({ bytes: ndbDatabase(headers).subarray(0, length) })).toBe(REFUSED);
  });

  test.each([100, 4096, 8192])("refuses SQLite of %i bytes", (length) => {
    expect(readError({ bytes: plain.subarray(0, length) })).toBe(REFUSED);
  });

  test("damage gives a specific error, never an internal one", () => {
    expectNoOtherErrors(
      plain,
      Array.from({ length: 600 }, (_, at) => at * 3),
    );
    expectNoOtherErrors(
      ndbDatabase(headers),
      Array.from({ length: 300 }, (_, at) => at),
    );
  });

  test.each([0, 4, 8, 12, 16, 20])("refuses a header truncated to %i bytes", (length) => {
    expect(() => readRpmHeader((headers[0] ?? new Uint8Array()).subarray(0, length))).toThrow(TypeError);
  });
});

describe.skipIf(!hasBerkeley)("hash file written by Berkeley DB", () => {
  const headers = hasBerkeley ? headersOf(withoutLog(sqliteDatabase())) : [];

  test.each([512, 4096, 16_384, 65_536])("reads pages of %i bytes", (pageSize) => {
    expect(inOrder(readRpm({ bytes: berkeleyDatabase(headers, pageSize) }, "x"))).toEqual(EXPECTED);
  });

  test("reads many packages on many pages", () => {
    const many = Array.from({ length: 300 }, () => headers[0] ?? new Uint8Array());
    expect(readRpm({ bytes: berkeleyDatabase(many) }, "x")).toHaveLength(300);
  });

  test.each([600, 4096, 8192, 12_288])("refuses a file of %i bytes", (length) => {
    expect(readError({ bytes: berkeleyDatabase(headers).subarray(0, length) })).toBe(REFUSED);
  });

  test("damage gives a specific error, never an internal one", () => {
    const bytes = berkeleyDatabase(headers);
    expectNoOtherErrors(
      bytes,
      Array.from({ length: 700 }, (_, at) => at * 7),
    );
  });
});

test.each([
  ["text", new TextEncoder().encode("no database ".repeat(100))],
  ["nothing", new Uint8Array()],
  ["zeros", new Uint8Array(8192)],
])("refuses %s", (_, bytes) => {
  expect(readError({ bytes })).toBe(REFUSED);
});
