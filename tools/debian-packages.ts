/**
 * Packs the names of Debian's packages for look-ups. The reference data next to the checkout has one name per line.
 * Run: node tools/debian-packages.ts
 */
import { readFileSync, writeFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { LISTED_RELEASES } from "../src/catalogue/debian-packages.ts";
import { DEBIAN_PACKAGES } from "../src/catalogue/places.ts";
import { packNames } from "./pack-names.ts";

const releases = new Map<string, number>();
for (const [release, number] of Object.entries(LISTED_RELEASES)) {
  const source = new URL(`../../shared/upstream/debian-package-names-${release}.txt.gz`, import.meta.url);
  for (const name of gunzipSync(readFileSync(source)).toString("latin1").split("\n"))
    if (name !== "") releases.set(name, (releases.get(name) ?? 0) + number);
}
const packed = packNames(Array.from(releases, ([name, number]) => `${name} ${number}`));
writeFileSync(DEBIAN_PACKAGES, packed);
console.log(`${releases.size} names, ${packed.length} bytes`);
