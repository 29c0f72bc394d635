/** An exception in the reader of one file means that this file was not read: the others are checked, and the exit code is 3. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { assessLocally } from "../../../src/api/assess.ts";
import { type CheckInput, checkDocuments } from "../../../src/api/check.ts";
import { readFolder } from "../../../src/api/inventory/folder.ts";
import { loadCatalogue } from "../../../src/catalogue/load.ts";
import { LOCKFILE_KINDS } from "../../../src/files/lockfiles/kinds.ts";
import { PIN_KINDS } from "../../../src/files/pins/kinds.ts";
import { type InventoryKind, readInventory } from "../../../src/files/read.ts";
import { layerPolicies } from "../../../src/policy/policy.ts";
import { asIsoDate } from "../../../src/text/ids.ts";
import { keysOf } from "../../../src/text/values.ts";
import { linksUnder } from "../../../src/wire/links.ts";
import { LOCKFILE_SAMPLES, PIN_SAMPLES } from "../../files/samples.ts";

const catalogue = loadCatalogue();
const asOf = asIsoDate("2026-11-24");

afterEach(() => {
  vi.restoreAllMocks();
});

const check = (inputs: readonly CheckInput[]) =>
  checkDocuments(inputs, {
    catalogue,
    policy: layerPolicies({}),
    asOf,
    tool: { name: "eolgate", version: "1.0.0" },
    links: linksUnder("https://example.org"),
    assess: assessLocally(catalogue, asOf),
  });

const failingReader = () =>
  Promise.resolve(() => {
    throw new RangeError("Invalid string length");
  });

interface Row {
  readonly load: () => Promise<unknown>;
}

const KINDS: readonly (readonly [name: string, kind: InventoryKind, row: Row, text: string])[] = [
  ...keysOf(PIN_KINDS).map(
    (pins) => [pins, { pins, lockfile: undefined }, PIN_KINDS[pins], PIN_SAMPLES[pins]] as const,
  ),
  ...keysOf(LOCKFILE_KINDS).map(
    (lockfile) =>
      [lockfile, { pins: undefined, lockfile }, LOCKFILE_KINDS[lockfile], LOCKFILE_SAMPLES[lockfile]] as const,
  ),
];

describe("an exception in the reader of", () => {
  test.each(KINDS)("%s is an error of the file, with exit code 3", async (_, kind, row, text) => {
    vi.spyOn(row, "load").mockImplementation(failingReader);
    const error: unknown = await readInventory(kind, new TextEncoder().encode(text), catalogue.facts).catch(
      (cause: unknown) => cause,
    );
    expect(error).toMatchObject({
      code: "unreadable",
      exit: 3,
      message: "its reader failed (RangeError: Invalid string length)",
    });
  });

  test("an SBOM is an error of the document", async () => {
    const input = {
      file: "bom.json",
      digest: () => "sha256:",
      gzipped: false,
      bytes(): Uint8Array {
        throw new TypeError("planted");
      },
    };
    const { exit, failed } = await check([input]);
    expect(exit.code).toBe(3);
    expect(failed).toMatchObject([{ file: "bom.json", error: { message: "its reader failed (TypeError: planted)" } }]);
  });
});

test("the other files of a folder are checked", async () => {
  const folder = await mkdtemp(join(tmpdir(), "eolgate-throwing-"));
  try {
    await writeFile(join(folder, "Dockerfile"), "FROM node:24\n");
    await writeFile(join(folder, ".nvmrc"), "16\n");
    vi.spyOn(PIN_KINDS.Dockerfile, "load").mockImplementation(failingReader);
    const { inputs } = await readFolder(".", folder, { facts: catalogue.facts });
    const { exit, failed, documents } = await check(inputs);
    expect(exit.code).toBe(3);
    expect(failed.map(({ file }) => file)).toEqual(["Dockerfile"]);
    expect(documents.map(({ file, verdict }) => [file, verdict.value])).toEqual([[".nvmrc", "fail"]]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
