/** apk's database, `lib/apk/db/installed`. https://wiki.alpinelinux.org/wiki/Apk_spec */
import { packagesError, type InstalledPackage } from "./package.ts";
import { entriesOf, type Stanza } from "./stanzas.ts";

/**
 * Reads the installed packages.
 * @throws EolgateError `image-packages` with the line of a package without a name or version
 */
export function readApk(text: string, where: string): readonly InstalledPackage[] {
  return entriesOf(text, where).map((stanza) => toPackage(stanza, where));
}

function toPackage({ line, fields }: Stanza, where: string): InstalledPackage {
  const [name, version] = [fields.get("P"), fields.get("V")];
  if (!name || !version) throw packagesError("an entry has no name or no version", `${where}:${String(line)}`);
  const [architecture, source, license, vendor] = ["A", "o", "L", "m"].map((key) => fields.get(key));
  return {
    name,
    version,
    ...(architecture && { architecture }),
    ...(source && source !== name && { source }),
    ...(license && { license }),
    ...(vendor && { vendor }),
  };
}
