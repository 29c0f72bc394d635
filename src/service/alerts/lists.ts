import type { Store, WatchList } from "../store/store.ts";

/** Every confirmed watch list, read in pages so that memory does not grow with their number. */
export async function* confirmedLists(store: Store, page: number): AsyncGenerator<WatchList> {
  for (let after = ""; ;) {
    const lists = await store.watch.confirmed({ after, limit: page });
    yield* lists;
    const last = lists.at(-1);
    if (!last) return;
    after = last.id;
  }
}
