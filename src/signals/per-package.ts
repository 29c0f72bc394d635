/** Sources that answer for one package at a time, with all its versions: the package registries. */
import type { SignalSourceName } from "../core/model.ts";
import type { SignalsResponse } from "./http.ts";
import { answered, byPackage, concurrently, NOT_FOUND, type Reading, unanswered } from "./outcomes.ts";
import type { AskContext, Outcome, SignalSource, Subject } from "./source.ts";

/** `read`: the package is known, and `of` answers for one of its versions. */
export type PackageResponse =
  | { readonly kind: "read"; readonly of: (version: string) => Reading }
  | Exclude<SignalsResponse, { readonly kind: "body" }>;

export interface Registry {
  readonly name: SignalSourceName;
  /** Purl type. */
  readonly type: string;
  /** Packages that are queried at the same time, where the registry does not ask for fewer. */
  readonly concurrency?: number;
  /** Milliseconds between two packages, where the registry's terms ask for a pause. */
  readonly spacing?: number;
  /** `versions`: those that are queried. */
  look(path: string, versions: readonly string[], context: AskContext): Promise<PackageResponse>;
}

const CONCURRENCY = 8;

export function registrySource(registry: Registry): SignalSource {
  const { name, type, concurrency = CONCURRENCY, spacing } = registry;
  return {
    name,
    id: name,
    stage: "versions",
    accepts: (subject) => subject.package?.type === type,
    async *ask(subjects, context) {
      const ask = async (group: readonly Subject[]): Promise<readonly Outcome[]> => {
        const outcomes = await askPackage(registry, group, context);
        if (spacing !== undefined) await context.pause(spacing);
        return outcomes;
      };
      for await (const outcomes of concurrently(byPackage(subjects), concurrency, ask)) yield* outcomes;
    },
  };
}

async function askPackage(
  { name, look }: Registry,
  group: readonly Subject[],
  context: AskContext,
): Promise<readonly Outcome[]> {
  const packages = group.flatMap(({ package: subject }) => subject ?? []);
  const path = packages[0]?.path ?? "";
  const response = await look(
    path,
    packages.map(({ version }) => version),
    context,
  );
  return group.map(({ key, package: subject }) => {
    if (response.kind === "failed") return unanswered(key, name, response);
    const reading = response.kind === "read" ? response.of(subject?.version ?? "") : NOT_FOUND;
    return answered(key, reading, context);
  });
}
