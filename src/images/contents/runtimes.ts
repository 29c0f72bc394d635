/**
 * Reads the runtimes that the environment of an image names. Official images set these variables when they install the
 * runtime (https://github.com/docker-library/official-images); other variables are not reliable. The catalogue lists them.
 */
import type { CatalogueFacts } from "../../model/index.ts";
import type { InventoryEntry } from "../../files/document.ts";

export type Runtime = Pick<InventoryEntry, "name" | "purl" | "version"> & { readonly variable: string };

/** `v18.19.0`, `jdk-17.0.10+7`, `8u402`, `3.12.1`. Other values are not versions. */
const VERSION = /^(?:v|jdk-?)?(\d[\w.+-]{0,63})$/;

/**
 * Reads the runtimes.
 * @param environment Entries of the image configuration: `NODE_VERSION=18.19.0`.
 * @param variables The variables that name a runtime, from the catalogue.
 */
export function readRuntimes(
  environment: readonly string[],
  variables: CatalogueFacts["imageVariables"],
): readonly Runtime[] {
  const values = new Map(environment.map((entry) => splitOnce(entry)));
  return Object.entries(variables).flatMap(([variable, { name, purl }]) => {
    const version = VERSION.exec(values.get(variable)?.trim() ?? "")?.[1];
    return version === undefined ? [] : [{ name, version, variable, ...(purl !== undefined && { purl }) }];
  });
}

function splitOnce(entry: string): readonly [name: string, value: string] {
  const at = entry.indexOf("=");
  return at === -1 ? [entry, ""] : [entry.slice(0, at), entry.slice(at + 1)];
}
