/** `eolgate products [search]`: lists the tracked products; a search matches parts of the slug and the name. */
import { productList } from "../../report/cards/lists.ts";
import { escapeTerminal } from "../../report/escape.ts";
import type { Invocation } from "../command.ts";
import { lookUp } from "../lookup.ts";

export const run = (invocation: Invocation): Promise<number> => {
  const word = (invocation.args[0] ?? "").toLowerCase();
  return lookUp(
    invocation,
    async ({ operations }) => {
      const all = await operations.products({});
      const items = all.items.filter(({ slug, name }) => slug.includes(word) || name.toLowerCase().includes(word));
      return { ...all, count: items.length, products: items.map(({ slug }) => slug), items };
    },
    ({ items }) => (items.length === 0 ? `no product matches "${escapeTerminal(word)}"\n` : `${productList(items)}\n`),
  );
};
