/**
 * One round of fuzzing. A document is written plainly, and in another way that means the same: both have the same
 * components and the same verdict. Then the second one is damaged: it is refused, or read without an internal error.
 */
import type { Catalogue } from "../../../src/model/index.ts";
import { EolgateError } from "../../../src/messages/error.ts";
import { readSbom } from "../../../src/sbom/read.ts";
import { check } from "../../../src/index.ts";
import { pieces } from "../../json-rows/pieces.ts";
import { FORMAT_NAMES, FORMATS, wrap, type FormatName } from "./formats.ts";
import { PLAIN_JSON, randomStyle } from "./json.ts";
import { randomModel } from "./model.ts";
import { Random } from "./random.ts";

export interface Round {
  readonly seed: number;
  readonly format: FormatName;
  /** What is wrong, or undefined. */
  readonly problem: string | undefined;
  /** The document that shows it. */
  readonly document: Uint8Array;
}

export async function fuzzDocument(seed: number, catalogue: Catalogue): Promise<Round> {
  const random = new Random(seed);
  const format = random.pick(FORMAT_NAMES);
  const model = randomModel(random);
  const plain = new TextEncoder().encode(FORMATS[format](model, random, PLAIN_JSON));
  const mutated = wrap(FORMATS[format](model, random, randomStyle(random)), format, random);
  const expected = await outcome(plain, catalogue);
  const found = await outcome(mutated, catalogue);
  if (expected !== found) return { seed, format, problem: `${expected}\n${found}`, document: mutated };
  const damaged = damage(mutated, random);
  return { seed, format, problem: problemOf(damaged, random), document: damaged };
}

/** The components, apart from their order, with the verdict. */
async function outcome(bytes: Uint8Array, catalogue: Catalogue): Promise<string> {
  const { verdict, exit, documents, failed } = await check(bytes, { catalogue, asOf: "2026-11-22" });
  const components = documents.flatMap(({ document }) =>
    document.components.map(({ kind, name, version, purls }) => [kind, name, version, purls].join(" ")),
  );
  const errors = failed.map(({ error }) => error.code);
  return JSON.stringify([verdict.value, exit.code, errors, components.toSorted()]);
}

/** Cuts, repeats, moves or changes some bytes. */
function damage(bytes: Uint8Array, random: Random): Uint8Array {
  let damaged = bytes;
  for (let count = random.below(3); count >= 0; count--) {
    const from = random.below(damaged.length + 1);
    const to = Math.min(damaged.length, from + random.below(40));
    const insert = damaged.subarray(to, Math.min(damaged.length, to + random.below(40)));
    damaged = random.pick<() => Uint8Array>([
      () => damaged.subarray(0, from),
      () => joined(damaged.subarray(0, from), damaged.subarray(to)),
      () => joined(damaged.subarray(0, from), insert, damaged.subarray(from)),
      () => joined(damaged.subarray(0, from), Uint8Array.of(random.below(256)), damaged.subarray(to)),
    ])();
  }
  return damaged;
}

const joined = (...parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat([...parts]));

/** An error without exit code 3, or a difference between reading in memory and in pieces. */
function problemOf(bytes: Uint8Array, random: Random): string | undefined {
  const whole = result(bytes);
  const inPieces = result(pieces(bytes, 1 + random.below(5000)));
  if (whole !== inPieces) return `in memory: ${whole}\nin pieces: ${inPieces}`;
  return whole.startsWith("error") ? whole : undefined;
}

function result(input: Parameters<typeof readSbom>[0]): string {
  try {
    const { components, position } = readSbom(input);
    return JSON.stringify(components.map((component) => [component, position(component.span.start)]));
  } catch (error) {
    if (!(error instanceof EolgateError)) return `error ${String(error instanceof Error ? error.stack : error)}`;
    const text = `${error.code} ${error.message} ${error.where ?? ""}`;
    return error.exit === 3 ? `refused: ${text}` : `error: ${text}`;
  }
}
