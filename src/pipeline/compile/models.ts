/** AI platforms: one product for each, one release cycle for each model, and the models by their ids. */
import { compact, byText } from "../../text/values.ts";
import type { StoredClaim, StoredContent, StoredCycle, StoredEnd, StoredProduct } from "../../catalogue/schema.ts";
import type { CuratedPlatform } from "./curated.ts";
import { type CompileContext, ownSource } from "./context.ts";
import { attackSurface } from "./traits.ts";

export function platformProduct(context: CompileContext, platform: CuratedPlatform): StoredProduct {
  const cycles = platformCycles(context, platform, []);
  const { slug } = platform;
  return compact({
    name: platform.name,
    category: "service",
    tags: ["llm"],
    surface: attackSurface(context.curated.surfaces, { slug, category: "service", tags: [] }),
    record: "custom" as const,
    models: true as const,
    read: platformSource(context, platform, 0),
    cycles: cycles.map((cycle) => (cycle.read === platformSource(context, platform, 0) ? withoutRead(cycle) : cycle)),
  });
}

/** Models: those that a record has get our own claim in addition to the record's, the others are added. */
export function platformCycles(
  context: CompileContext,
  platform: CuratedPlatform,
  recorded: readonly StoredCycle[],
): StoredCycle[] {
  const known = new Set(recorded.map(({ name }) => name));
  const own = new Map(platform.cycles.map((model) => [model.cycle, model]));
  const merged = recorded.map((cycle): StoredCycle => {
    const model = own.get(cycle.name);
    if (model === undefined) return cycle;
    const claim: StoredClaim = [platformSource(context, platform, model.read ?? 0), modelEnd(model)];
    // The record prints the vendor's "not sooner than" as an end: it is kept apart, and the end stays open.
    if (model.notBefore !== undefined && model.notBefore === cycle.eol)
      return { ...cycle, eol: false, notBefore: model.notBefore, also: [claim] };
    return { ...cycle, also: [claim] };
  });
  const added = platform.cycles.flatMap((model): StoredCycle[] =>
    known.has(model.cycle)
      ? []
      : [
          compact({
            name: model.cycle,
            released: model.released,
            eoas: model.deprecated,
            eol: modelEnd(model),
            notBefore: model.notBefore,
            read: platformSource(context, platform, model.read ?? 0),
          }),
        ],
  );
  return [...merged, ...added.sort(newestFirst)];
}

type Model = CuratedPlatform["cycles"][number];
function modelEnd(model: Model): StoredEnd {
  return model.retires ?? model.retired ?? false;
}

function newestFirst(a: StoredCycle, b: StoredCycle): number {
  const [left, right] = [a.released ?? "", b.released ?? ""];
  return left === right ? (a.name < b.name ? -1 : 1) : left < right ? 1 : -1;
}

function platformSource(context: CompileContext, platform: CuratedPlatform, index: number): number {
  const read = platform.reads[index];
  if (read === undefined) {
    context.problems.refuse("no-source", platform.slug, `read ${index} does not exist`);
    return 0;
  }
  return ownSource(context, platform.slug, { basis: "stated", ...read });
}

function withoutRead(cycle: StoredCycle): StoredCycle {
  const { read: _, ...others } = cycle;
  return others;
}

export function modelIndex(platforms: readonly CuratedPlatform[]): StoredContent["models"] {
  const index = new Map<string, (readonly [string, string, string | null])[]>();
  for (const { slug, vendor, cycles } of platforms) {
    for (const model of cycles) {
      // Where names and versions are the platform's ids, the cycle contains both: `gpt-4o@2024-05-13`.
      for (const id of model.ids ?? [model.cycle]) {
        const entry = [slug, model.cycle, model.vendor === undefined ? vendor : model.vendor] as const;
        const known = index.get(id);
        if (known) known.push(entry);
        else index.set(id, [entry]);
      }
    }
  }
  return Object.fromEntries([...index].sort(([a], [b]) => byText(a, b)));
}
