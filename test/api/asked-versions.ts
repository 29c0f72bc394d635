/** The versions by which tests ask every product of a catalogue. */
import type { Product } from "../../src/model/index.ts";

/** Versions that ask a product in each way; at most one of a way, so that every product is asked in about a second each. */
export function versionsOf({ cycles }: Product): readonly string[] {
  const names = cycles.map(({ name }) => name);
  const [newest, oldest] = [names[0], names.at(-1)];
  const middle = cycles[Math.floor(cycles.length / 2)];
  const majors = names.map((name) => /^\d+/.exec(name)?.[0]).filter((major) => major !== undefined);
  const shared = majors.find((major, index) => majors.indexOf(major) !== index && !names.includes(major));
  const versions: readonly (string | undefined)[] = [
    newest,
    oldest,
    middle?.name,
    middle?.latest?.name,
    middle && `${middle.name}.1`,
    newest && `${newest}.0.1`,
    shared,
    oldest && /^[2-9]/.test(oldest) ? "1.0.3" : "0.0.7",
    "9876.5",
  ];
  return [
    ...new Set(versions.flatMap((version) => (version === undefined || /[\s,:@]/.test(version) ? [] : [version]))),
  ];
}
