/**
 * Packs the newest versions of packages for look-ups. The reference data next to the checkout lists the most used packages
 * of npm and PyPI. Run: node tools/newest-versions.ts
 */
import { writeFileSync } from "node:fs";
import { Type } from "typebox";
import { readShaped } from "../src/pipeline/sources/declared/read-feeds.ts";
import { packNames } from "./pack-names.ts";
import { NEWEST_VERSIONS } from "../src/catalogue/places.ts";

const row = Type.Array(Type.Unknown());
const { npm, pypi } = readShaped(
  new URL("../../shared/upstream/registry-latest-2026-11.json", import.meta.url),
  Type.Object({ npm: Type.Array(row), pypi: Type.Array(row) }),
);
const isListed = ([name, version]: readonly unknown[]): boolean =>
  version !== "" && !/\s/.test(`${String(name)}${String(version)}`);
const lines = [
  ...npm.filter(isListed).map(([name, version]) => `npm/${String(name)}\t${String(version)}`),
  ...pypi
    .filter(isListed)
    .map(([name, version, month]) => [`pypi/${String(name)}`, version, ...(month === "" ? [] : [month])].join("\t")),
];
const packed = packNames(lines);
writeFileSync(NEWEST_VERSIONS, packed);
console.log(`${lines.length} packages, ${packed.length} bytes`);
