/** `/prices` with a button for each plan that is sold, the page before the payment, and `/paid` after it. */
import { formatNumber } from "../../messages/format.ts";
import type { PricedTier } from "../services.ts";
import { mailNote } from "./account.ts";
import { dataTable, layout } from "./layout.ts";
import { external, markup, type Markup } from "./markup.ts";
import type { Site } from "./site.ts";

/** The name of a tier that can be bought; undefined for any other. */
export const soldTier = (name: string) => (["starter", "pro"] as const).find((tier) => tier === name);

export interface Prices {
  readonly tiers: readonly PricedTier[];
  /** Whether this server sells plans. */
  readonly sells: boolean;
  /** Whether the customer has cancelled the payment. */
  readonly cancelled?: boolean;
}

export const pricesPage = (site: Site, { tiers, sells, cancelled = false }: Prices): string =>
  layout(
    {
      title: "Prices",
      description: "The plans of this service with their limits and prices.",
      section: "keys",
      ...(cancelled && { unlisted: true }),
      body: markup`<h1>Prices</h1>
${cancelled && markup`<p class="note warn" role="status"><b>Nothing was paid.</b> The payment was cancelled.</p>`}
<p class="lead">Every plan has the same data. They differ in what a key may ask for.</p>
${dataTable(
  "Plans",
  ["Plan", "Price", "Requests per day", "Items in a batch", "Scored components of an SBOM", "Get it"],
  tiers
    .filter(({ name }) => name !== "anonymous")
    .map(
      (tier) =>
        markup`<tr><th scope="row">${tier.name}</th><td>${price(tier)}</td>${limitCells(tier)}<td>${action(site, tier, sells)}</td></tr>\n`,
    ),
)}
${
  sells
    ? markup`<p>You pay on the page of the payment service, which also shows the currency and taxes. The key comes by mail when the payment has arrived. A plan that you cancel lasts until the end of the month that is paid; after a full refund, the key has the limits of the free plan at once.</p>`
    : markup`<p>This server sells no plans. Its operator can give a key of each plan.</p>`
}`,
    },
    site,
  );

export const limitCells = ({ requestsPerDay, batchItems, sbomComponents }: PricedTier): readonly Markup[] =>
  [requestsPerDay, batchItems, sbomComponents].map(
    (limit) => markup`<td>${limit === null ? "unlimited" : formatNumber(limit)}</td>`,
  );

const price = ({ pricePerMonth: monthly }: PricedTier): string =>
  monthly === null ? "by arrangement" : monthly === 0 ? "free" : `${formatNumber(monthly)} a month`;

function action({ paths }: Site, { name }: PricedTier, sells: boolean): Markup {
  if (name === "free") return markup`<a href="${paths.keys}">Get a free key</a>`;
  if (!sells || soldTier(name) === undefined) return markup`from the operator`;
  return markup`<form method="post" action="${paths.prices}"><input type="hidden" name="tier" value="${name}"><button type="submit">Buy ${name}</button></form>`;
}

/** The answer also has the header Refresh: browsers do not let a form redirect to another host. */
export const payPage = (site: Site, address: string): string =>
  layout(
    {
      title: "To the payment",
      description: "To the payment",
      unlisted: true,
      body: markup`<h1>To the payment</h1>
<p>The page of the payment service opens now. If it does not, <a href="${external(address)}">open it</a>.</p>`,
    },
    site,
  );

export const paidPage = (site: Site): string =>
  layout(
    {
      title: "Paid",
      description: "Paid",
      unlisted: true,
      body: markup`<h1>Thank you</h1>
<div class="note pass" role="status"><p><b>Paid. The key comes by mail</b> to the address that you gave, usually within a minute. A bank transfer or direct debit can take days to arrive; the key comes when it has.</p></div>
${mailNote(site)}
<p>No mail? <a href="${site.paths.keys}">Have your keys sent again</a>.</p>`,
    },
    site,
  );
