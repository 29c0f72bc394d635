/** Routes of product pages and score cards. */
import { upgradeAdvice } from "../../../compare/upgrade-targets.ts";
import { normalizeVersion } from "../../../resolve/version/parse.ts";
import { findCycle, productNamed } from "../../../api/operations/lookup.ts";
import { moved, SAME_ORIGIN, type PageRoutesContext } from "../page-sender.ts";
import { productPage } from "./page.ts";
import { scoreCardPage } from "./score-card.ts";
import { siteOf } from "../site.ts";

export function productRoutes(context: PageRoutesContext): void {
  const { scope, parts, send } = context;
  const { editions } = parts;
  scope.get<{ Params: { slug: string } }>("/:slug", SAME_ORIGIN, (request, reply) => {
    const { local, served } = editions.current();
    const { paths, links } = siteOf(parts);
    const product = productNamed(served.catalogue, request.params.slug, links.products);
    if (product.slug !== request.params.slug) return moved(reply, paths.product(product.slug));
    return send(request, reply, `product ${product.slug}`, async (site) => {
      const cycles = product.cycles.map(({ name }) => ({ product: product.slug, cycle: name }));
      return productPage(site, product, await local.assessCycles(cycles));
    });
  });
  scope.get<{ Params: { slug: string }; Querystring: { version?: string } }>(
    "/score/:slug",
    SAME_ORIGIN,
    (request, reply) => {
      const { slug } = request.params;
      const { paths } = siteOf(parts);
      const version = request.query.version?.trim();
      return moved(reply, version ? paths.scoreCard({ product: slug, cycle: version }) : paths.product(slug));
    },
  );
  scoreCardRoute(context);
}

function scoreCardRoute({ scope, parts, send }: PageRoutesContext): void {
  scope.get<{ Params: { slug: string; version: string } }>("/score/:slug/:version", SAME_ORIGIN, (request, reply) => {
    const { slug, version } = request.params;
    const { local, served, asOf } = parts.editions.current();
    const { paths, links } = siteOf(parts);
    const product = productNamed(served.catalogue, slug, links.products);
    if (product.slug !== slug) return moved(reply, paths.scoreCard({ product: product.slug, cycle: version }));
    // The path of a card contains the name of a release cycle. The same text as a version may be ambiguous.
    const own = product.cycles.find(({ name }) => name === version);
    const { cycle, requested } = own ? { cycle: own, requested: undefined } : findCycle(product, version, asOf);
    const others = (product.split.get(normalizeVersion(version)) ?? []).filter((name) => own && name !== version);
    return send(request, reply, `score ${slug} ${version}`, async (site) => {
      const [assessment] = await local.assessCycles([{ product: product.slug, cycle: cycle.name }]);
      if (!assessment) throw new TypeError("no assessment of a known release cycle");
      const advice = upgradeAdvice(product, cycle, asOf);
      return scoreCardPage(site, {
        product,
        assessment,
        others,
        ...(requested && { requested }),
        ...(advice && { advice }),
      });
    });
  });
}
