/** deps.dev, repositories: the OpenSSF Scorecard check `Maintained`. https://docs.deps.dev/api/v3alpha/#getprojectbatch */
import { Type } from "typebox";
import { Check } from "typebox/value";
import { dayOf } from "../../support/days.ts";
import { evidenceOf, NOT_FOUND, type Reading, type StatedEvidence } from "../outcomes.ts";
import type { QueryContext, SignalSource } from "../source.ts";
import { queryInBatches, type BatchItem, type BatchEndpoint, NAME } from "./deps-dev-batch.ts";

const projectSchema = Type.Object({
  scorecard: Type.Optional(
    Type.Object({
      date: Type.Optional(Type.String()),
      checks: Type.Optional(
        Type.Array(
          Type.Object({
            name: Type.Optional(Type.String()),
            // JSON of Protocol Buffers: zero may be omitted, and 64-bit integers are strings.
            score: Type.Optional(Type.Union([Type.Number(), Type.String()])),
            reason: Type.Optional(Type.String()),
          }),
        ),
      ),
    }),
  ),
});
const itemSchema = Type.Object({
  request: Type.Optional(Type.Object({ projectKey: Type.Optional(Type.Object({ id: Type.Optional(Type.String()) })) })),
  project: Type.Optional(projectSchema),
});
type Project = Type.Static<typeof projectSchema>;

/** Hosts of the repositories in deps.dev. */
const HOSTS = /^(?:github\.com|gitlab\.com|bitbucket\.org)\//;

export function depsDevProjects(base: URL): SignalSource {
  const endpoint: BatchEndpoint = {
    url: new URL("v3alpha/projectbatch", base),
    idOf: ({ repository }) => repository?.id ?? "",
    request: (id) => ({ projectKey: { id } }),
    read: (item) => readItem(item, base),
  };
  return {
    name: NAME,
    id: "deps.dev/projects",
    stage: "repositories",
    accepts: ({ repository }) => repository !== undefined && HOSTS.test(repository.id),
    query: (subjects, context) => queryInBatches(endpoint, subjects, context),
  };
}

function readItem(item: unknown, base: URL): BatchItem | undefined {
  if (!Check(itemSchema, item)) return undefined;
  return {
    id: item.request?.projectKey?.id?.toLowerCase(),
    reading: ({ repository }, context) => readProject(repository?.id ?? "", item.project, base, context),
  };
}

function readProject(id: string, project: Project | undefined, base: URL, context: QueryContext): Reading {
  if (project === undefined) return NOT_FOUND;
  const url = new URL(`v3/projects/${encodeURIComponent(id)}`, base).href;
  return { found: true, evidence: evidenceOf(NAME, context, [maintained(project, url)]) };
}

/**
 * The reason of the check contains the number of commits in the last 90 days, or that the repository is archived. Issue
 * activity without commits counts as inactive. https://github.com/ossf/scorecard/blob/main/docs/checks.md#maintained
 */
function maintained({ scorecard }: Project, url: string): StatedEvidence | undefined {
  const check = scorecard?.checks?.find(({ name }) => name === "Maintained");
  const date = dayOf(scorecard?.date);
  if (check === undefined || date === undefined) return undefined;
  const statement = statementFor(Number(check.score ?? 0), check.reason ?? "");
  return statement === undefined ? undefined : { statement, url, date };
}

function statementFor(score: number, reason: string): StatedEvidence["statement"] | undefined {
  if (score === 0 && /\barchived\b/i.test(reason)) return "repository-archived";
  if (/(?:^|\D)[1-9]\d* commit/i.test(reason)) return "repository-active";
  return /(?:^|\D)0 commit/i.test(reason) ? "repository-inactive" : undefined;
}
