/**
 * A version pin: text in a project's file that names a version of a product. `tools.ts` finds the products of tools and
 * tags by the names of the catalogue, and `document.ts` converts the pins to components.
 */
import { percentEncode } from "../../text/values.ts";
import { EolgateError } from "../../messages/error.ts";
import type { InventoryEntry } from "../document.ts";
import type { RelatedFiles } from "../lockfiles/lockfile.ts";
import { type TextLocation } from "../tree/tree.ts";

export type Pin = NamedPin | ToolPin | ImagePin | ActionPin | RunnerPin | KnownPin;

/** A version of a tool, both as the file writes them. */
export interface ToolPin {
  readonly tool: string;
  readonly written: string;
  /** The file states the lowest version that it supports, not the one that it uses. */
  readonly minimum?: true;
  /** The vendor of Java, where the file states it. */
  readonly vendor?: string;
  readonly location: TextLocation;
}

/** A reference to a container image. */
export interface ImagePin {
  /** With its registry, in lower case: `docker.io/library/redis`. */
  readonly repository: string;
  /** Absent for `latest`. */
  readonly tag?: string;
  readonly location: TextLocation;
}

/** An action of GitHub, `actions/checkout@v4` or with a path in its repository. */
export interface ActionPin {
  readonly action: string;
  /** A tag, a branch or a commit. */
  readonly ref: string;
  readonly location: TextLocation;
}

/** Readings of a value that may be none: the first whose name the catalogue lists. */
export interface KnownPin {
  readonly known: readonly Pin[];
}

/** The label of a runner image. */
export interface RunnerPin {
  readonly runner: string;
  /** The product of the host's images. */
  readonly host: string;
  readonly location: TextLocation;
}

/** A version of a product by its usual name: `node`, `postgres`; without a version if the text names none (`latest`, `lts/*`). */
export type NamedPin = Omit<InventoryEntry, "id" | "dependsOn">;

/** @param related Reads other files of the project, such as those of a Terraform module. */
export type PinReader = (text: string, related: RelatedFiles) => readonly Pin[];

/** The values of lines such as `NAME=value`, `export NAME="value"` and `name = value`. */
export const assignments = (text = ""): ReadonlyMap<string, string | undefined> =>
  new Map(
    [...text.matchAll(/^[ \t]*(?:export[ \t]+)?(\w+)[ \t]*=[ \t]*(["']?)([^\s"'#]*)\2[ \t]*(?:#.*)?$/gm)].map(
      ([, name = "", , value]) => [name, value],
    ),
  );

/** Replaces comments by blanks, so that offsets stay the same. Matches that begin with a quotation mark are strings. */
export const blanked = (text: string, comments: RegExp): string =>
  text.replace(comments, (match) => (match.startsWith('"') ? match : match.replace(/[^\n]/g, " ")));

/** Comments of Java, Groovy and Kotlin. An address in a string has slashes, too. */
export const JAVA_COMMENTS = /\/\*[^]*?\*\/|(?<![:"'])\/\/.*$/gm;

/** Returns the text and the location of one group for every match of a pattern with the `d` flag. */
export function found(
  text: string,
  pattern: RegExp,
  group: number | string,
): readonly { matched: string; location: TextLocation }[] {
  return [...text.matchAll(pattern)].flatMap((match) => {
    const matched = typeof group === "number" ? match[group] : match.groups?.[group];
    const range = typeof group === "number" ? match.indices?.[group] : match.indices?.groups?.[group];
    return matched === undefined || range === undefined
      ? []
      : [{ matched, location: { at: range[0], length: range[1] - range[0] } }];
  });
}

/** The package URL of a Helm chart, with the repository that a file states for it. */
export const chartPurl = (name: string, repository = ""): string =>
  `pkg:helm/${name}${/^(?:https?|oci):\/\//.test(repository) ? `?repository_url=${percentEncode(repository)}` : ""}`;

/**
 * Parses the value of `--stack`: products by slug or exact name, such as `nodejs:18,python:3.11`.
 * @throws EolgateError `invalid-value`
 */
export function stackPins(stack: string): readonly NamedPin[] {
  const pins: NamedPin[] = [];
  let at = 0;
  for (const pair of stack.split(",")) {
    const [, name, version] = /^\s*([^\s:@]+)[:@]([^\s:@]+)\s*$/.exec(pair) ?? [];
    if (name === undefined || version === undefined) {
      throw EolgateError.of("invalid-value", {
        problem: `${JSON.stringify(pair.trim().slice(0, 60))} is not a product:version pair`,
        advice: "Separate pairs with commas: --stack nodejs:18,python:3.11",
      }).at("--stack");
    }
    pins.push({ name, version, asked: true, location: { at: at + pair.indexOf(name), length: pair.trim().length } });
    at += pair.length + 1;
  }
  return pins;
}
