/** The licence texts of the packages in a bundle: whoever hands a bundle on has to hand them on too. */
import { readFileSync } from "node:fs";
import { join, sep } from "node:path";

/** Every package of which a module is in the bundle, with its licence text. `modules` are file paths. */
export function notices(modules: readonly string[]): string {
  const packages = new Map<string, string>();
  for (const module of modules) {
    const at = module.lastIndexOf(`${sep}node_modules${sep}`);
    if (at === -1) continue;
    const rest = module.slice(at + "/node_modules/".length).split(sep);
    const name = rest[0]?.startsWith("@") === true ? `${rest[0]}/${rest[1]}` : (rest[0] ?? "");
    packages.set(name, join(module.slice(0, at), "node_modules", name));
  }
  const parts = [...packages].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, folder]) => notice(name, folder));
  return `Packages in this bundle, with their licences.\n\n${parts.join("\n")}`;
}

function notice(name: string, folder: string): string {
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    version: string;
    license?: string;
  };
  const text = ["LICENSE", "LICENSE.md", "LICENSE.txt", "LICENCE", "license", "License", "COPYING"]
    .map((file) => {
      try {
        return readFileSync(join(folder, file), "utf8").trim();
      } catch {
        return undefined;
      }
    })
    .find((found) => found !== undefined);
  return `${"=".repeat(80)}\n${name} ${manifest.version} (${manifest.license ?? "licence in its text"})\n\n${text ?? "The package ships no licence text; the identifier above is from its manifest."}\n`;
}
