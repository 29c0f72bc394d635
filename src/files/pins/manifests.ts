/** Manifests that name the language they need: pyproject.toml, Pipfile, .NET projects, Cargo.toml, gemspecs. */
import { found } from "./pin.ts";
import type { Pin, PinReader } from "./pin.ts";
import { toolPin } from "./tools.ts";

/** `requires-python` of PEP 621, else the `python` of Poetry's dependencies; usually a range. */
export const pyprojectToml: PinReader = (text) => {
  const standard = found(text, /^requires-python\s*=\s*["']([^"']+)["']/dgm, 1);
  const section = /^\[tool\.poetry\.dependencies\]$(?:\n(?!\[).*)*/m.exec(text);
  const poetry = section
    ? found(section[0], /^python\s*=\s*["']([^"']+)["']/dgm, 1).map(({ words, place }) => ({
        words,
        place: { ...place, at: place.at + section.index },
      }))
    : [];
  return (standard.length > 0 ? standard : poetry).map(({ words, place }) => toolPin("python", words, place));
};

export const pipfile: PinReader = (text) =>
  found(text, /^python_(?:full_)?version\s*=\s*["']([^"']+)["']/dgm, 1).map(({ words, place }) =>
    toolPin("python", words, place),
  );

export const cargoToml: PinReader = (text) =>
  found(text, /^rust-version\s*=\s*["']([^"']+)["']/dgm, 1).map(({ words, place }) => toolPin("rust", words, place));

export const gemspec: PinReader = (text) =>
  found(text, /\.required_ruby_version\s*=\s*(?:Gem::Requirement\.new\s*\(?\s*)?\[?["']([^"']+)["']/dgm, 1).map(
    ({ words, place }) => toolPin("ruby", words, place),
  );

/** https://learn.microsoft.com/dotnet/standard/frameworks: each moniker names a product of its own. */
const FRAMEWORKS: readonly { readonly pattern: RegExp; readonly pin: (version: string) => Omit<Pin, "place"> }[] = [
  { pattern: /^net(\d+\.\d+)(?:-.*)?$/, pin: (version) => ({ name: "dotnet", version }) },
  { pattern: /^netcoreapp(\d+\.\d+)$/, pin: (version) => ({ name: "dotnet", version }) },
  {
    pattern: /^net(\d{2,3})$/,
    pin: (digits) => ({ name: "dotnetfx", version: digits.replace(/(?<=\d)(?=\d)/g, ".") }),
  },
  // .NET Standard is an interface that several products implement: it has no end of its own.
  { pattern: /^netstandard(\d+\.\d+)$/, pin: (version) => ({ name: "netstandard", version }) },
  { pattern: /^v(\d(?:\.\d){1,2})$/, pin: (version) => ({ name: "dotnetfx", version }) },
];

const TARGET = /<TargetFramework(?:s|Version)?(?:\s[^>]*)?>([^<]+)<\/TargetFramework(?:s|Version)?>/dg;

/** Several frameworks are separated by semicolons; each has its own location. */
export const msbuildFrameworks: PinReader = (text) =>
  found(text, TARGET, 1).flatMap(({ words, place }) =>
    [...words.matchAll(/[^;\s]+/g)].flatMap((moniker): readonly Pin[] => {
      const at = { at: place.at + moniker.index, length: moniker[0].length };
      const row = FRAMEWORKS.find(({ pattern }) => pattern.test(moniker[0]));
      const version = row?.pattern.exec(moniker[0])?.[1];
      return [row && version !== undefined ? { ...row.pin(version), place: at } : { name: moniker[0], place: at }];
    }),
  );
