/** What a generated document states, apart from how it is written. */
import type { Random } from "./random.ts";

export interface ModelComponent {
  readonly ref: string;
  readonly name: string;
  readonly version: string;
  readonly purl: string | undefined;
  readonly license: string | undefined;
  /** Refs of the components that it depends on. */
  readonly dependencies: readonly string[];
}

export interface Model {
  readonly root: ModelComponent;
  readonly components: readonly ModelComponent[];
}

/** Ended, supported and unknown software, and names with every kind of character. */
type Package = readonly [name: string, version: string, purl: string | undefined];
const PACKAGES: readonly [Package, ...Package[]] = [
  ["django", "3.2.25", "pkg:pypi/django@3.2.25"],
  ["express", "4.21.2", "pkg:npm/express@4.21.2"],
  ["react", "19.2.0", "pkg:npm/react@19.2.0"],
  ["vue", "2.7.16", "pkg:npm/vue@2.7.16"],
  ["openssl", "1.1.1", "pkg:deb/debian/openssl@1.1.1w-0+deb11u1?distro=debian-11"],
  ["left", "1.3.0", "pkg:npm/acme-left@1.3.0"],
  ['grün <&> "quoted" 😀', "1.0.0", undefined],
  ["nodejs", "24.8.0", undefined],
];
const LICENSES = ["MIT", "Apache-2.0", "GPL-3.0-only WITH Classpath-exception-2.0"] as const;

export function randomModel(random: Random): Model {
  const count = random.below(6);
  const refs = Array.from({ length: count }, (_, index) => `ref-${index}`);
  const components = refs.map((ref, index): ModelComponent => {
    const [name, version, purl] = random.pick(PACKAGES);
    return {
      ref,
      name,
      version,
      purl,
      license: random.chance(50) ? random.pick(LICENSES) : undefined,
      dependencies: refs.slice(index + 1).filter(() => random.chance(30)),
    };
  });
  const root = { ref: "root", name: "shop", version: "1.0.0", purl: undefined, license: undefined };
  return { root: { ...root, dependencies: refs.filter(() => random.chance(50)) }, components };
}
