/**
 * Adobe Commerce: an HTML table inside Markdown. What Adobe calls standard support is the extended support of the
 * catalogue's `magento`, whose end of life is the open-source one; Adobe's later periods are tracks.
 */
import { englishDate } from "./feed/dates.ts";
import { cycleName } from "./feed/table.ts";
import { htmlSource } from "./table-source.ts";

export const adobeCommerceLifecycle = htmlSource({
  id: "adobe-commerce-lifecycle",
  title: "Adobe Commerce end of support dates",
  product: "magento",
  url: "https://raw.githubusercontent.com/AdobeDocs/commerce-operations.en/main/help/_includes/templated/release/end-of-support-dates.md",
  columns: [
    "Release",
    "General Availability",
    "End of standard support",
    "End of extended support",
    "End of security-only period",
  ],
  row(row, facts) {
    const cycle = cycleName(row, /^Adobe Commerce (\d+\.\d+\.\d+)$/, "Release");
    const paid = { vendor: "Adobe", cost: "paid" } as const;
    facts.date("releaseDate", cycle, row.date(englishDate, "General Availability"));
    facts.end("eoes", cycle, row.date(englishDate, "End of standard support"));
    facts.track(cycle, { name: "Extended support", ...paid }, row.date(englishDate, "End of extended support"));
    facts.track(cycle, { name: "Security-only", ...paid }, row.date(englishDate, "End of security-only period"));
  },
});
