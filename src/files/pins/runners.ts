/** Labels of hosted runners and build machines: `ubuntu-22.04`, `macos-12`, `windows-2019`. */
import type { Pin, PinLocation } from "./pin.ts";

const SYSTEMS: readonly { readonly pattern: RegExp; readonly name: string }[] = [
  { pattern: /^ubuntu-(\d\d\.\d\d|latest|slim)(?:-.*)?$/i, name: "ubuntu" },
  { pattern: /^macos-(\d+(?:\.\d+)?|latest)(?:-.*)?$/i, name: "macos" },
  { pattern: /^windows-(20\d\d(?:-r2)?|latest)(?:-.*)?$/i, name: "windows server" },
  { pattern: /^vs2017-win(2016)$/i, name: "windows server" },
  { pattern: /^windows-(11)(?:-.*)?$/i, name: "windows" },
];
/** Labels of self-hosted runners, which name no release. */
const PLAIN = /^(?:self-hosted|linux|macos|windows|x64|x86|arm|arm64|gpu)$/i;

/** Reads the operating system from a label. An unknown label is kept, so that it is reported as not recognised. */
export function runnerPins(label: string, place: PinLocation): readonly Pin[] {
  const written = label.trim();
  if (written === "" || PLAIN.test(written)) return [];
  const system = SYSTEMS.find(({ pattern }) => pattern.test(written));
  const version = system?.pattern.exec(written)?.[1];
  if (!system || version === undefined) return [{ name: written, place }];
  return [
    {
      name: system.name,
      ...(/^\d/.test(version) && { version }),
      kind: "operating-system",
      place,
    },
  ];
}
