/** The sources of deps.dev: versions of packages, their repositories, and the histories of packages. https://docs.deps.dev/api/v3alpha/ */
import { percentEncode } from "../../text/values.ts";
import { Type } from "typebox";
import { Check } from "typebox/value";
import { dayOf, latestDay } from "../../support/levels.ts";
import { messageText } from "../../support/evidence.ts";
import { sendJson } from "../http.ts";
import { repositoryId } from "../repositories.ts";
import {
  answered,
  concurrently,
  lastRelease,
  projectStatus,
  type QueryContext,
  type Reading,
  type SignalSource,
  type SourceOutcome,
  type StatedEvidence,
  type Subject,
  unanswered,
} from "../source.ts";
import {
  type BatchEndpoint,
  type BatchItem,
  depsDevSystem,
  NAME,
  packageUrl,
  queryInBatches,
  versionUrl,
} from "./deps-dev-batch.ts";

// deps.dev, versions. https://docs.deps.dev/api/v3alpha/#purllookupbatch

const versionSchema = Type.Object({
  publishedAt: Type.Optional(Type.String()),
  isDefault: Type.Optional(Type.Boolean()),
  isDeprecated: Type.Optional(Type.Boolean()),
  deprecatedReason: Type.Optional(Type.String()),
  relatedProjects: Type.Optional(
    Type.Array(
      Type.Object({
        projectKey: Type.Optional(Type.Object({ id: Type.Optional(Type.String()) })),
        relationType: Type.Optional(Type.String()),
      }),
    ),
  ),
  projectStatus: Type.Optional(
    Type.Object({ status: Type.Optional(Type.String()), reason: Type.Optional(Type.String()) }),
  ),
});
/** The result is empty for a purl that the service does not have. */
const versionItemSchema = Type.Object({
  request: Type.Optional(Type.Object({ purl: Type.Optional(Type.String()) })),
  result: Type.Optional(Type.Object({ version: Type.Optional(versionSchema) })),
});
type Version = Type.Static<typeof versionSchema>;

export function depsDevVersions(base: URL): SignalSource {
  const endpoint: BatchEndpoint = {
    url: new URL("v3alpha/purlbatch", base),
    idOf: ({ key }) => key,
    request: (purl) => ({ purl }),
    read: (item) => readVersionItem(item, base),
  };
  return {
    name: NAME,
    id: "deps.dev",
    stage: "versions",
    accepts: (subject) => subject.package !== undefined && depsDevSystem(subject.package.type) !== undefined,
    query: (subjects, context) => queryInBatches(endpoint, subjects, context),
  };
}

function readVersionItem(item: unknown, base: URL): BatchItem | undefined {
  if (!Check(versionItemSchema, item)) return undefined;
  return {
    id: item.request?.purl,
    reading: (subject) => readVersion(subject, item.result?.version, base),
  };
}

function readVersion(subject: Subject, version: Version | undefined, base: URL): Reading | undefined {
  if (version === undefined || subject.package === undefined) return undefined;
  const url = versionUrl(base, subject.package);
  const stated = [deprecation(version, url), projectStatus(version.projectStatus, url), release(version, url)];
  return { stated, repository: sourceRepository(version) };
}

function deprecation({ isDeprecated, deprecatedReason }: Version, url: string): StatedEvidence | undefined {
  if (isDeprecated !== true) return undefined;
  return { statement: "version-deprecated", url, message: messageText(deprecatedReason) };
}

function release({ publishedAt, isDefault }: Version, url: string): StatedEvidence | undefined {
  const date = dayOf(publishedAt);
  if (date === undefined) return undefined;
  return { statement: isDefault === true ? "default-version-released" : "version-released", url, date };
}

function sourceRepository({ relatedProjects = [] }: Version): string | undefined {
  const source = relatedProjects.find(({ relationType }) => relationType === "SOURCE_REPO");
  return repositoryId(source?.projectKey?.id);
}

// deps.dev, repositories: the OpenSSF Scorecard check `Maintained`. https://docs.deps.dev/api/v3alpha/#getprojectbatch

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
const projectItemSchema = Type.Object({
  request: Type.Optional(Type.Object({ projectKey: Type.Optional(Type.Object({ id: Type.Optional(Type.String()) })) })),
  project: Type.Optional(projectSchema),
});
type DepsDevProject = Type.Static<typeof projectSchema>;

/** Hosts of the repositories in deps.dev. */
const HOSTS = /^(?:github\.com|gitlab\.com|bitbucket\.org)\//;

export function depsDevProjects(base: URL): SignalSource {
  const endpoint: BatchEndpoint = {
    url: new URL("v3alpha/projectbatch", base),
    idOf: ({ repository }) => repository?.id ?? "",
    request: (id) => ({ projectKey: { id } }),
    read: (item) => readProjectItem(item, base),
  };
  return {
    name: NAME,
    id: "deps.dev/projects",
    stage: "repositories",
    accepts: ({ repository }) => repository !== undefined && HOSTS.test(repository.id),
    query: (subjects, context) => queryInBatches(endpoint, subjects, context),
  };
}

function readProjectItem(item: unknown, base: URL): BatchItem | undefined {
  if (!Check(projectItemSchema, item)) return undefined;
  return {
    id: item.request?.projectKey?.id?.toLowerCase(),
    reading: ({ repository }) => readProject(repository?.id ?? "", item.project, base),
  };
}

const readProject = (id: string, project: DepsDevProject | undefined, base: URL): Reading | undefined =>
  project && { stated: [maintained(project, new URL(`v3/projects/${percentEncode(id)}`, base).href)] };

/**
 * The reason of the check contains the number of commits in the last 90 days, or that the repository is archived. Issue
 * activity without commits counts as inactive. https://github.com/ossf/scorecard/blob/main/docs/checks.md#maintained
 */
function maintained({ scorecard }: DepsDevProject, url: string): StatedEvidence | undefined {
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

// deps.dev, all versions of a package: queried only if its version and repository do not decide the support level.
// https://docs.deps.dev/api/v3/#getpackage

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

async function queryPackage(subject: Subject, base: URL, context: QueryContext): Promise<SourceOutcome> {
  if (subject.package === undefined) return answered(subject.key, NAME, undefined, context);
  const url = packageUrl(base, subject.package);
  const response = await sendJson(context.client, { url }, packageSchema);
  if (response.kind === "failed") return unanswered(subject.key, NAME, response);
  const reading = response.kind === "json" ? readPackage(url.href, response.value.versions ?? []) : undefined;
  return answered(subject.key, NAME, reading, context);
}

function readPackage(
  url: string,
  versions: readonly { readonly publishedAt?: string; readonly isDeprecated?: boolean }[],
): Reading {
  const date = latestDay(versions.map(({ publishedAt }) => publishedAt));
  const deprecated = versions.length > 0 && versions.every(({ isDeprecated }) => isDeprecated === true);
  return { stated: [deprecated ? { statement: "package-deprecated", url } : undefined, lastRelease(url, date)] };
}
