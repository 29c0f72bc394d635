/** Signal sources over package registries, which return one package with all its versions per request. */
import type { SignalSourceName } from "../model/index.ts";
import type { SignalsResponse } from "./http.ts";
import { answered, byPackage, concurrently, NOT_FOUND, type Reading, unanswered } from "./outcomes.ts";
import type { QueryContext, Outcome, SignalSource, Subject } from "./source.ts";

/** `read`: the registry has the package, and `readingOf` returns what it states about one version. */
export type PackageResponse =
  | { readonly kind: "read"; readonly readingOf: (version: string) => Reading }
  | Exclude<SignalsResponse, { readonly kind: "body" }>;

export interface Registry {
  readonly name: SignalSourceName;
  /** Purl type. */
  readonly type: string;
  /** Packages that are queried at the same time. Default: 8. */
  readonly concurrency?: number;
  /** Milliseconds between two packages, if the registry's terms require a pause. */
  readonly spacing?: number;
  /** @param path name of the package as in its purl. @param versions the versions that the result is used for */
  fetchPackage(path: string, versions: readonly string[], context: QueryContext): Promise<PackageResponse>;
}

const CONCURRENCY = 8;

export function registrySource(registry: Registry): SignalSource {
  const { name, type, concurrency = CONCURRENCY, spacing } = registry;
  return {
    name,
    id: name,
    stage: "versions",
    accepts: (subject) => subject.package?.type === type,
    async *query(subjects, context) {
      const queryGroup = async (group: readonly Subject[]): Promise<readonly Outcome[]> => {
        const outcomes = await queryPackage(registry, group, context);
        if (spacing !== undefined) await context.pause(spacing);
        return outcomes;
      };
      for await (const outcomes of concurrently(byPackage(subjects), concurrency, queryGroup)) yield* outcomes;
    },
  };
}

async function queryPackage(
  { name, fetchPackage }: Registry,
  group: readonly Subject[],
  context: QueryContext,
): Promise<readonly Outcome[]> {
  const packages = group.flatMap(({ package: subject }) => subject ?? []);
  const path = packages[0]?.path ?? "";
  const response = await fetchPackage(
    path,
    packages.map(({ version }) => version),
    context,
  );
  return group.map(({ key, package: subject }) => {
    if (response.kind === "failed") return unanswered(key, name, response);
    const reading = response.kind === "read" ? response.readingOf(subject?.version ?? "") : NOT_FOUND;
    return answered(key, reading, context);
  });
}
