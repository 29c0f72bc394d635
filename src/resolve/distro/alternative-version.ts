/**
 * Reads the product and the version from the name of an alternative version, for packages that are not in the purl map.
 */
import type { Catalogue, ReleaseCycle } from "../../model/index.ts";

/** Names of the product's packages with the digits of a version, by product. */
const NAMES: readonly (readonly [pattern: RegExp, product: string])[] = [
  [/^nodejs(\d+)(?:-|$)/, "nodejs"],
  [/^php(\d[.\d]*)(?:-|$)/, "php"],
  [/^python(\d[.\d]*)(?:-|$)/, "python"],
  [/^postgresql-?(\d+)(?:-|$)/, "postgresql"],
  [/^ruby(\d[.\d]*)(?:-|$)/, "ruby"],
  [/^mariadb(\d+)(?:-|$)/, "mariadb"],
  [/^mysql(\d[.\d]*)(?:-|$)/, "mysql"],
  [/^go(1\.\d+)(?:-|$)/, "go"],
  [/^redis(\d+)(?:-|$)/, "redis"],
  [/^tomcat(\d+)(?:-|$)/, "tomcat"],
  [/^dotnet-[a-z-]+-(\d+)\.\d+$/, "dotnet"],
];

/** The cycles that the name may mean: `php74` and `php7.4` mean 7.4, `redis6` any 6.x. Empty for other names. */
export function cyclesInName(catalogue: Catalogue, name: string): readonly ReleaseCycle[] {
  for (const [pattern, slug] of NAMES) {
    const digits = pattern.exec(name)?.[1]?.replaceAll(".", "");
    if (digits === undefined) continue;
    const cycles = catalogue.product(slug)?.cycles ?? [];
    const exact = cycles.filter((cycle) => cycle.name.replaceAll(".", "") === digits);
    return exact.length > 0 ? exact : cycles.filter((cycle) => cycle.name.startsWith(`${digits}.`));
  }
  return [];
}
