/**
 * deps.dev, all versions of a package: queried only if its version and repository do not decide the support level.
 * https://docs.deps.dev/api/v3/#getpackage
 */
import type { EvidenceSource } from "../../model/index.ts";
import { Type } from "typebox";
import { latestDay } from "../../support/days.ts";
import { sendJson } from "../http.ts";
import { answered, concurrently, evidenceOf, NOT_FOUND, type Reading, unanswered } from "../outcomes.ts";
import type { QueryContext, Outcome, SignalSource, Subject } from "../source.ts";
import { depsDevSystem, packageUrl } from "./deps-dev-address.ts";

const NAME = "deps.dev" satisfies EvidenceSource;
const CONCURRENCY = 8;

const packageSchema = Type.Object({
  versions: Type.Optional(
    Type.Array(
      Type.Object({
        publishedAt: Type.Optional(Type.String()),
        isDeprecated: Type.Optional(Type.Boolean()),
      }),
    ),
  ),
});

export function depsDevHistory(base: URL): SignalSource {
  return {
    name: NAME,
    id: "deps.dev/packages",
    stage: "histories",
    accepts: (subject) => subject.package !== undefined && depsDevSystem(subject.package.type) !== undefined,
    query: (subjects, context) =>
      concurrently(subjects, CONCURRENCY, (subject) => queryPackage(subject, base, context)),
  };
}

async function queryPackage(subject: Subject, base: URL, context: QueryContext): Promise<Outcome> {
  if (subject.package === undefined) return answered(subject.key, NOT_FOUND, context);
  const url = packageUrl(base, subject.package);
  const response = await sendJson(context.client, { url }, packageSchema);
  if (response.kind === "failed") return unanswered(subject.key, NAME, response);
  if (response.kind !== "json") return answered(subject.key, NOT_FOUND, context);
  return answered(subject.key, readPackage(url.href, response.value.versions ?? [], context), context);
}

function readPackage(
  url: string,
  versions: readonly { readonly publishedAt?: string; readonly isDeprecated?: boolean }[],
  context: QueryContext,
): Reading {
  const date = latestDay(versions.map(({ publishedAt }) => publishedAt));
  const deprecated = versions.length > 0 && versions.every(({ isDeprecated }) => isDeprecated === true);
  const evidence = evidenceOf(NAME, context, [
    deprecated ? { statement: "package-deprecated", url } : undefined,
    date === undefined ? undefined : { statement: "last-release", url, date },
  ]);
  return { found: true, evidence };
}
