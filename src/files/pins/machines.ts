/** Operating systems of machines: labels of hosted runners (`ubuntu-22.04`, `macos-12`, `windows-2019`). */
import type { Pin } from "./pin.ts";
import { type TextLocation } from "../tree/tree.ts";

const RUNNERS: readonly { readonly pattern: RegExp; readonly name: string }[] = [
  { pattern: /^ubuntu-(\d\d\.\d\d|latest|slim)(?:-.*)?$/i, name: "ubuntu" },
  { pattern: /^macos-(\d+(?:\.\d+)?|latest)(?:-.*)?$/i, name: "macos" },
  { pattern: /^windows-(20\d\d(?:-r2)?|latest)(?:-.*)?$/i, name: "windows server" },
  { pattern: /^vs2017-win(2016)$/i, name: "windows server" },
  { pattern: /^windows-(11)(?:-.*)?$/i, name: "windows" },
];
/** Labels of self-hosted runners, which name no release. */
const PLAIN = /^(?:self-hosted|linux|macos|windows|x64|x86|arm|arm64|gpu)$/i;

/**
 * Reads the operating system from a label. An unknown label is kept, so that it is reported as not recognised.
 * @param host The product of the runner images, for a host that removes them.
 */
export function runnerPins(label: string, location: TextLocation, host?: string): readonly Pin[] {
  const written = label.trim();
  const system = systemPins(written, location);
  return host === undefined ? system : [...system, { runner: written, host, location }];
}

function systemPins(written: string, location: TextLocation): readonly Pin[] {
  if (written === "" || PLAIN.test(written)) return [];
  const system = RUNNERS.find(({ pattern }) => pattern.test(written));
  const version = system?.pattern.exec(written)?.[1];
  if (!system || version === undefined) return [{ name: written, location }];
  return [{ name: system.name, ...(/^\d/.test(version) && { version }), kind: "operating-system", location }];
}
