/**
 * Packs the newest versions of packages for look-ups. The reference data next to the checkout lists the most used packages
 * of npm and PyPI. Run: node tools/newest-versions.ts
 */
import { readFileSync, writeFileSync } from "node:fs";
import { packNames } from "./pack-names.ts";
import { NEWEST_VERSIONS } from "../src/catalogue/places.ts";

type Row = readonly [name: string, version: string, ...rest: unknown[]];
const source = new URL("../../shared/upstream/registry-latest-2026-11.json", import.meta.url);
const { npm, pypi }: { readonly npm: readonly Row[]; readonly pypi: readonly Row[] } = JSON.parse(
  readFileSync(source, "utf8"),
);
const isListed = ([name, version]: Row): boolean => version !== "" && !/\s/.test(name + version);
const lines = [
  ...npm.filter(isListed).map(([name, version]) => `npm/${name}\t${version}`),
  ...pypi
    .filter(isListed)
    .map(([name, version, month]) => [`pypi/${name}`, version, ...(month === "" ? [] : [month])].join("\t")),
];
const packed = packNames(lines);
writeFileSync(NEWEST_VERSIONS, packed);
console.log(`${lines.length} packages, ${packed.length} bytes`);
