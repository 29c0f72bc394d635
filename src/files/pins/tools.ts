/**
 * The names of tools in pin files. The table maps a name to a package URL, by which the resolver finds the product;
 * tools without a package URL resolve by their exact name. Unknown names are kept, so that they are reported as not
 * recognised.
 */
import { own } from "../../text/own.ts";
import type { Pin } from "./pin.ts";
import { type TextLocation } from "../tree/tree.ts";

interface Tool {
  readonly name: string;
  readonly purl?: string;
}

const generic = (name: string): Tool => ({ name, purl: `pkg:generic/${name}` });
const npm = (name: string): Tool => ({ name, purl: `pkg:npm/${name}` });

/** Keys are the names in asdf, mise, the setup actions and the version files. */
const TOOLS: Readonly<Record<string, Tool>> = {
  bun: generic("bun"),
  composer: generic("composer"),
  consul: generic("consul"),
  deno: generic("deno"),
  "dotnet-core": { name: "dotnet" },
  dotnet: { name: "dotnet" },
  elixir: generic("elixir"),
  erlang: generic("erlang"),
  ghc: generic("ghc"),
  go: generic("go"),
  golang: generic("go"),
  gradle: { name: "gradle" },
  java: { name: "java" },
  julia: generic("julia"),
  kotlin: { name: "kotlin" },
  kubectl: { name: "kubectl", purl: "pkg:golang/k8s.io/kubectl" },
  lua: generic("lua"),
  mariadb: generic("mariadb"),
  maven: { name: "maven" },
  mongodb: generic("mongodb"),
  mysql: generic("mysql"),
  node: generic("node"),
  nodejs: generic("node"),
  opentofu: { name: "opentofu", purl: "pkg:github/opentofu/opentofu" },
  perl: generic("perl"),
  php: generic("php"),
  pnpm: npm("pnpm"),
  postgres: generic("postgresql"),
  python: generic("python"),
  redis: generic("redis"),
  ruby: generic("ruby"),
  rust: generic("rust"),
  scala: { name: "scala" },
  sqlite: generic("sqlite"),
  terraform: generic("terraform"),
  traefik: generic("traefik"),
  vault: generic("vault"),
  yarn: npm("yarn"),
};

/**
 * Vendors of Java, by their names in asdf, the setup action, SDKMAN and Gradle. Only the product of a vendor has dates.
 */
const JAVA_VENDORS: Readonly<Record<string, string>> = {
  adoptium: "eclipse-temurin",
  albba: "alibaba-dragonwell",
  amazon: "amazon-corretto",
  amzn: "amazon-corretto",
  azul: "azul-zulu",
  bellsoft: "bellsoft-liberica",
  corretto: "amazon-corretto",
  dragonwell: "alibaba-dragonwell",
  graal: "oracle-graalvm",
  graal_vm: "oracle-graalvm",
  graalce: "graalvm-ce",
  graalvm: "oracle-graalvm",
  "graalvm-community": "graalvm-ce",
  ibm: "ibm-semeru-runtime",
  liberica: "bellsoft-liberica",
  librca: "bellsoft-liberica",
  microsoft: "microsoft-build-of-openjdk",
  ms: "microsoft-build-of-openjdk",
  open: "openjdk-builds-from-oracle",
  openjdk: "openjdk-builds-from-oracle",
  oracle: "oracle-jdk",
  sap: "sapmachine",
  sapmachine: "sapmachine",
  sapmchn: "sapmachine",
  sem: "ibm-semeru-runtime",
  semeru: "ibm-semeru-runtime",
  "semeru-openj9": "ibm-semeru-runtime",
  tem: "eclipse-temurin",
  temurin: "eclipse-temurin",
  zulu: "azul-zulu",
};

/**
 * Long-term releases of Node.js by their names in `lts/…`; from `codename` in the release team's schedule, checked on
 * 2026-11-17.
 */
const NODE_CODENAMES: Readonly<Record<string, string>> = {
  argon: "4",
  boron: "6",
  carbon: "8",
  dubnium: "10",
  erbium: "12",
  fermium: "14",
  gallium: "16",
  hydrogen: "18",
  iron: "20",
  jod: "22",
  krypton: "24",
  lithium: "26",
};

/** Registries that mise names before a colon: `npm:prettier`. */
const BACKENDS: Readonly<Record<string, string>> = { npm: "npm", pipx: "pypi", gem: "gem", cargo: "cargo" };

/** Words that mean the newest or the installed version. */
const NO_VERSION =
  /^(?:|\*|x|latest|stable|oldstable|lts|lts\/\*|lts\/-\d+|node|iojs|current|system|nightly|min-required|default)$/i;

/**
 * Normalizes a version: removes quotes, `v` and a trailing `.x`, which names a whole release cycle. Undefined if the
 * text names no version.
 */
export function versionOf(written: string): string | undefined {
  const words = written.trim().replace(/^(["'])(.*)\1$/, "$2");
  if (NO_VERSION.test(words) || /\$\{\{/.test(words)) return undefined;
  const bare = words.replace(/^v(?=\d)/, "").replace(/^latest:/, "");
  return /^\d+(?:\.\d+)*(?:\.[x*])+$/i.test(bare) ? bare.replace(/(?:\.[x*])+$/i, "") : bare;
}

/** Creates the pin of a tool, with the name and the version as a pin file writes them. */
export function toolPin(word: string, written: string, location: TextLocation): Pin {
  const key = word.trim().toLowerCase();
  if (key === "java") return javaPin(written, undefined, location);
  const [backend, packageName] = /^([a-z]+):(.+)$/.exec(key)?.slice(1) ?? [];
  const registry = backend === undefined ? undefined : own(BACKENDS, backend);
  if (registry !== undefined && packageName !== undefined) {
    return pin(
      { name: packageName, purl: `pkg:${registry}/${packageName.replace(/^@/, "%40")}` },
      versionOf(written),
      location,
    );
  }
  const tool = own(TOOLS, key) ?? { name: word.trim() };
  return pin(...engine(tool, written), location);
}

/**
 * `jruby-9.4.0`, `pypy3.10-7.3`, `ruby-3.2.2`, `go1.22.3`, `lts/hydrogen`: the version may name another implementation
 * of the tool.
 */
function engine(tool: Tool, written: string): readonly [Tool, string | undefined] {
  const words = versionOf(written);
  if (words === undefined) return [tool, undefined];
  const codename = tool.name === "node" ? /^lts\/([a-z]+)$/i.exec(words)?.[1] : undefined;
  if (codename !== undefined) return [tool, own(NODE_CODENAMES, codename.toLowerCase()) ?? codename];
  const [, other, version] = /^([a-z]+)-?(\d.*)$/i.exec(words) ?? [];
  if (other === undefined || version === undefined) return [tool, words.replace(/-dev$/, "")];
  return other.toLowerCase() === tool.name
    ? [tool, versionOf(version)]
    : [{ name: other.toLowerCase() }, versionOf(version)];
}

/** A Java version, with the vendor if the pin states it: `temurin-17.0.8+7`, `17.0.8-tem`, `distribution: zulu`. */
export function javaPin(written: string, vendor: string | undefined, location: TextLocation): Pin {
  const words = versionOf(written);
  const [, before, number = words, after] =
    /^(?:([a-z][a-z0-9_-]*?)-)?(\d[\w.+]*?)(?:-([a-z]+))?$/i.exec(words ?? "") ?? [];
  const slug = [vendor, before, after]
    .map((word) => word && own(JAVA_VENDORS, word.toLowerCase()))
    .find((name) => name !== undefined);
  return pin({ name: slug ?? vendor ?? "java" }, number, location);
}

function pin({ name, purl }: Tool, version: string | undefined, location: TextLocation): Pin {
  return { name, ...(purl !== undefined && { purl }), ...(version !== undefined && { version }), location };
}
