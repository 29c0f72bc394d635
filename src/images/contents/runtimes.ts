/**
 * Reads the runtimes that the environment of an image names. Official images set these variables when they install the
 * runtime (https://github.com/docker-library/official-images); other variables are not reliable.
 */
import type { InventoryEntry } from "../../files/document.ts";

export type Runtime = Pick<InventoryEntry, "name" | "purl" | "version"> & { readonly variable: string };

interface RuntimeVariable {
  readonly name: string;
  /** Absent if the name belongs to several vendors. */
  readonly purl?: string;
}

const VARIABLES: Readonly<Record<string, RuntimeVariable>> = {
  NODE_VERSION: { name: "node", purl: "pkg:generic/node" },
  PYTHON_VERSION: { name: "python", purl: "pkg:generic/python" },
  JAVA_VERSION: { name: "java" },
  PHP_VERSION: { name: "php", purl: "pkg:generic/php" },
  RUBY_VERSION: { name: "ruby", purl: "pkg:generic/ruby" },
  GOLANG_VERSION: { name: "go", purl: "pkg:generic/go" },
};

/** `v18.19.0`, `jdk-17.0.10+7`, `8u402`, `3.12.1`. Other values are not versions. */
const VERSION = /^(?:v|jdk-?)?(\d[\w.+-]{0,63})$/;

/**
 * Reads the runtimes.
 * @param environment Entries of the image configuration: `NODE_VERSION=18.19.0`.
 */
export function readRuntimes(environment: readonly string[]): readonly Runtime[] {
  const values = new Map(environment.map((entry) => splitOnce(entry)));
  return Object.entries(VARIABLES).flatMap(([variable, { name, purl }]) => {
    const version = VERSION.exec(values.get(variable)?.trim() ?? "")?.[1];
    return version === undefined ? [] : [{ name, version, variable, ...(purl !== undefined && { purl }) }];
  });
}

function splitOnce(entry: string): readonly [name: string, value: string] {
  const at = entry.indexOf("=");
  return at === -1 ? [entry, ""] : [entry.slice(0, at), entry.slice(at + 1)];
}
