/** Manifests in JSON: `package.json`, `composer.json`, `global.json`. */
import type { Pin, PinReader } from "./pin.ts";
import { withoutJsonComments } from "../lockfiles/tree.ts";
import { toolPin } from "./tools.ts";
import { under, yamlLeaves } from "./yaml.ts";
import type { Leaf } from "./yaml.ts";

/** JSON is parsed as YAML, whose parser returns locations. */
const jsonLeaves = (text: string): readonly Leaf[] => yamlLeaves(withoutJsonComments(text)).flat();

const pinOf = (leaf: Leaf, tool: string): Pin => toolPin(tool, leaf.text, leaf.place);
const lastKey = ({ path }: Leaf): string => path.at(-1) ?? "";

/** engines and volta, the package manager, and the development engines. Engines are often ranges. */
export const packageJson: PinReader = (text) => {
  const all = jsonLeaves(text);
  const engines = under(all, "engines", "*").filter((leaf) =>
    ["node", "bun", "deno", "pnpm", "yarn"].includes(lastKey(leaf)),
  );
  const volta = under(all, "volta", "*").filter((leaf) => ["node", "pnpm", "yarn"].includes(lastKey(leaf)));
  return [
    ...[...engines, ...volta].map((leaf) => pinOf(leaf, lastKey(leaf))),
    ...under(all, "packageManager").flatMap(packageManager),
    ...developmentEngine(all),
  ];
};

/** `pnpm@8.6.0+sha256.…` */
function packageManager(leaf: Leaf): readonly Pin[] {
  const [, tool, version] = /^([a-z]+)@([^+]+)/.exec(leaf.text) ?? [];
  return tool === undefined || version === undefined ? [] : [toolPin(tool, version, leaf.place)];
}

function developmentEngine(all: readonly Leaf[]): readonly Pin[] {
  const [name] = under(all, "devEngines", "runtime", "name");
  const [version] = under(all, "devEngines", "runtime", "version");
  return name && version ? [pinOf(version, name.text)] : [];
}

/** The PHP that is required, and the one that Composer is configured to assume. */
export const composerJson: PinReader = (text) => {
  const all = jsonLeaves(text);
  return [...under(all, "require", "php"), ...under(all, "config", "platform", "php")].map((leaf) =>
    pinOf(leaf, "php"),
  );
};

export const globalJson: PinReader = (text) =>
  under(jsonLeaves(text), "sdk", "version").map((leaf) => pinOf(leaf, "dotnet"));
