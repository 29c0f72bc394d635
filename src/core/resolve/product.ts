/** A product by its slug or alias, for people who type. Likeness serves messages only; nothing is ever resolved by it. */
import type { ProductSlug } from "../ids.ts";
import type { Catalogue, Product } from "../model.ts";
import { foldName } from "./fold.ts";

/** The product of this slug, title or alias, exactly (after folding); undefined when none or several have it. */
export function findProduct(catalogue: Catalogue, slugOrAlias: string): Product | undefined {
  const direct = catalogue.product(slugOrAlias) ?? catalogue.product(slugOrAlias.toLowerCase());
  if (direct) return direct;
  const slugs = catalogue.named(foldName(slugOrAlias));
  const [only] = slugs;
  return only !== undefined && slugs.length === 1 ? catalogue.product(only) : undefined;
}

/** Slugs that look like `text`, the nearest first, for "did you mean". */
export function suggest(catalogue: Catalogue, text: string, limit = 5): readonly ProductSlug[] {
  return nearest(text, catalogue.slugs(), limit);
}

/** Words that look like `text`: an edit or two away, or one containing the other. The nearest first, then by the alphabet. */
export function nearest<Word extends string>(text: string, words: readonly Word[], limit = 5): readonly Word[] {
  const asked = text.toLowerCase().slice(0, 100);
  const allowed = Math.max(1, Math.floor(asked.length / 3));
  return words
    .map((word) => ({ word, distance: distance(asked, word.toLowerCase()) }))
    .filter(({ distance }) => distance <= allowed)
    .sort((a, b) => a.distance - b.distance || (a.word < b.word ? -1 : 1))
    .slice(0, limit)
    .map(({ word }) => word);
}

/** Containment counts as one edit; otherwise Levenshtein, with a neighbouring swap as one edit. */
function distance(left: string, right: string): number {
  if (left === right) return 0;
  if (left.length > 2 && right.length > 2 && (left.includes(right) || right.includes(left))) return 1;
  let older: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const same = left[row - 1] === right[column - 1] ? 0 : 1;
      let cost = Math.min(at(previous, column) + 1, at(current, column - 1) + 1, at(previous, column - 1) + same);
      if (left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1])
        cost = Math.min(cost, at(older, column - 2) + 1);
      current.push(cost);
    }
    older = previous;
    previous = current;
  }
  return at(previous, right.length);
}

const at = (row: readonly number[], index: number): number => row[index] ?? Number.POSITIVE_INFINITY;
