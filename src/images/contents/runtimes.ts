/**
 * Reads the products that the configuration of an image names: variables that official images set when they install a
 * product (https://github.com/docker-library/official-images), and the references of the image and of the one below
 * it. The catalogue lists the variables and the repositories.
 */
import { compact } from "../../text/values.ts";
import { purlKey } from "../../resolve/purl/key.ts";
import type { Catalogue, CatalogueFacts, ComponentKind, ToolNames } from "../../model/index.ts";
import { imagePins } from "../../files/pins/images.ts";
import { isSystemImage } from "../../resolve/image-parts.ts";
import { namedPins } from "../../files/pins/tools.ts";

/** A product with the path of the place that names it: `config/Env/REDIS_VERSION`. */
export interface ImageProduct {
  readonly name: string;
  readonly purl?: string;
  readonly version?: string;
  readonly kind?: ComponentKind;
  readonly path: string;
}

/** `v18.19.0`, `jdk-17.0.10+7`, `8u402`, `1:10.11.6+maria~ubu2204`, `16.4-1.pgdg120+1`. Other values are not versions. */
const VERSION = /^(?:v|jdk-?|1:)?(\d[\w.]{0,40}(?:\+\d+)?)(?:[-+~][\w.+~-]{0,63})?$/;

/**
 * Reads the variables. The first one of a product decides: `PG_VERSION` states more than `PG_MAJOR`.
 * @param environment Entries of the image configuration: `NODE_VERSION=18.19.0`.
 * @param variables The variables that name a product, from the catalogue.
 */
export function readVariables(
  environment: readonly string[],
  variables: CatalogueFacts["imageVariables"],
): readonly ImageProduct[] {
  const values = new Map(environment.map((entry) => splitOnce(entry)));
  const found = new Map<string, ImageProduct>();
  for (const [variable, { name, purl }] of Object.entries(variables)) {
    const version = VERSION.exec(values.get(variable)?.trim() ?? "")?.[1];
    if (version !== undefined && !found.has(name))
      found.set(name, { name, version, path: `config/Env/${variable}`, ...(purl !== undefined && { purl }) });
  }
  return [...found.values()];
}

function splitOnce(entry: string): readonly [name: string, value: string] {
  const at = entry.indexOf("=");
  return at === -1 ? [entry, ""] : [entry.slice(0, at), entry.slice(at + 1)];
}

/** Where the products of references are looked up. */
export interface ImageNames {
  readonly tools: ToolNames;
  readonly purl: Catalogue["purl"];
}

/**
 * Reads the products of references with a tag. Repositories that the catalogue does not have are the user's own; only it
 * takes a reference for a package of a distribution. The system is left out where the image itself states it.
 */
export function readReferences(
  references: readonly string[],
  { tools, purl }: ImageNames,
  hasSystem: boolean,
): readonly ImageProduct[] {
  return [...new Set(references)].flatMap((reference) => {
    const named = imagePins(reference, { at: 0, length: 0 }).flatMap((pin) => namedPins(pin, tools));
    const key = purlKey(named[0]?.purl ?? "");
    if (key.kind !== "purl" || (key.type !== "rpm" && purl(key.key) === undefined)) return [];
    return named
      .filter(({ version }) => version !== undefined)
      .filter(({ name, kind }) => !(hasSystem && (kind === "operating-system" || isSystemImage(name))))
      .map(({ name, purl, version, kind }) => ({
        ...compact({ name, purl, version, kind }),
        path: `reference/${reference}`,
      }));
  });
}
