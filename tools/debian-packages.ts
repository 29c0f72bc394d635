/**
 * Packs the names of Debian's packages for look-ups. The reference data next to the checkout has one name per line.
 * Run: node tools/debian-packages.ts
 */
import { readFileSync, writeFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { DEBIAN_PACKAGES } from "../src/catalogue/places.ts";
import { packNames } from "./pack-names.ts";

const source = new URL("../../shared/upstream/debian-package-names.txt.gz", import.meta.url);
const names = gunzipSync(readFileSync(source))
  .toString("latin1")
  .split("\n")
  .filter((name) => name !== "");
const packed = packNames(names);
writeFileSync(DEBIAN_PACKAGES, packed);
console.log(`${names.length} names, ${packed.length} bytes`);
