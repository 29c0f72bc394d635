/** The names of images, actions and runners in the form of the catalogue, from the curated files. */
import type { Static } from "typebox";
import type { ToolNames } from "../../model/index.ts";
import type { CuratedProduct } from "./curated-schemas.ts";
import type { Actions, Images } from "./facts-schemas.ts";

interface PurlRow {
  readonly product: string;
  readonly basis: string;
  readonly cycle?: string;
  purls: string[];
}

/** The package URLs of image repositories. */
export const imagePurls = ({ images }: Static<typeof Images>): readonly PurlRow[] =>
  images.map(({ repository, product, cycle }) => {
    const [host = "", ...path] = repository.split("/");
    const address = host === "docker.io" ? "" : `?repository_url=${repository}`;
    const purl = `pkg:${address === "" ? `docker/${path.join("/")}` : `oci/${path.at(-1) ?? ""}`}${address}`;
    return { product, basis: "image", ...(cycle !== undefined && { cycle }), purls: [purl] };
  });

export const imageNames = ({ images, mirrors }: Static<typeof Images>): Pick<ToolNames, "images" | "imageMirrors"> => ({
  images: Object.fromEntries(
    images.map(({ repository, version, cycle, also }) => [
      repository,
      { ...(version !== undefined && { version }), ...(cycle !== undefined && { cycle }), ...(also && { also }) },
    ]),
  ),
  imageMirrors: Object.fromEntries(Object.entries(mirrors).map(([start, { of }]) => [start, of])),
});

const ACTION_PURL = "pkg:githubactions/";

/** Names of actions are compared without case. */
export const actionNames = (
  { actions, runners }: Static<typeof Actions>,
  purls: readonly Pick<PurlRow, "purls">[],
  products: readonly CuratedProduct[],
): Pick<ToolNames, "actions" | "serviceActions" | "runners"> => ({
  actions: Object.fromEntries(actions.map(({ action, runtimes }) => [action.toLowerCase(), runtimes])),
  serviceActions: purls
    .flatMap((group) => group.purls)
    .flatMap((purl) => (purl.startsWith(ACTION_PURL) ? purl.slice(ACTION_PURL.length).toLowerCase() : [])),
  runners: Object.fromEntries(
    runners.map((runner) => [
      runner,
      products.find(({ slug }) => slug === runner)?.cycles.map(({ cycle }) => cycle) ?? [],
    ]),
  ),
});
