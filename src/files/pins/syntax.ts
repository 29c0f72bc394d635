/**
 * Checks whether a file is well-formed, for readers that search it for a few lines: a malformed file must not count as
 * one without pins.
 */
import { EolgateError } from "../../messages/error.ts";
import { parseToml } from "../lockfiles/toml.ts";
import { requireJson, withoutJsonComments } from "../lockfiles/tree.ts";
import { parseXmlRoot } from "../lockfiles/xml.ts";
import { brokenPinFile } from "./broken.ts";
import { yamlLeaves } from "./yaml.ts";

const PARSERS = {
  json: (text: string) => requireJson(withoutJsonComments(text)),
  toml: parseToml,
  xml: parseXmlRoot,
  yaml: yamlLeaves,
} as const satisfies Record<string, (text: string) => unknown>;

/** JSON may contain comments, because the tools that read these files accept them. */
export type PinSyntax = keyof typeof PARSERS;

/**
 * Refuses a file that is not well-formed.
 * @throws EolgateError `pin-file-broken` with the line
 */
export function requireSyntax(syntax: PinSyntax, text: string): void {
  try {
    PARSERS[syntax](text);
  } catch (cause) {
    if (!(cause instanceof EolgateError)) throw cause;
    throw brokenPinFile(cause.message, cause.where, cause);
  }
}
