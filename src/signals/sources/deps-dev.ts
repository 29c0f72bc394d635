/** deps.dev, versions. https://docs.deps.dev/api/v3alpha/#purllookupbatch */
import { Type } from "typebox";
import { Check } from "typebox/value";
import { dayOf } from "../../support/days.ts";
import { messageText } from "../../support/evidence.ts";
import { evidenceOf, NOT_FOUND, type Reading, type StatedEvidence } from "../outcomes.ts";
import { repositoryId } from "../repositories.ts";
import type { QueryContext, SignalSource, Subject } from "../source.ts";
import { depsDevSystem, versionUrl } from "./deps-dev-address.ts";
import { queryInBatches, type BatchItem, type BatchEndpoint, NAME } from "./deps-dev-batch.ts";
import { projectStatus } from "./project-status.ts";

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
const itemSchema = Type.Object({
  request: Type.Optional(Type.Object({ purl: Type.Optional(Type.String()) })),
  result: Type.Optional(Type.Object({ version: Type.Optional(versionSchema) })),
});
type Version = Type.Static<typeof versionSchema>;

export function depsDevVersions(base: URL): SignalSource {
  const endpoint: BatchEndpoint = {
    url: new URL("v3alpha/purlbatch", base),
    idOf: ({ key }) => key,
    request: (purl) => ({ purl }),
    read: (item) => readItem(item, base),
  };
  return {
    name: NAME,
    id: "deps.dev",
    stage: "versions",
    accepts: (subject) => subject.package !== undefined && depsDevSystem(subject.package.type) !== undefined,
    query: (subjects, context) => queryInBatches(endpoint, subjects, context),
  };
}

function readItem(item: unknown, base: URL): BatchItem | undefined {
  if (!Check(itemSchema, item)) return undefined;
  return {
    id: item.request?.purl,
    reading: (subject, context) => readVersion(subject, item.result?.version, base, context),
  };
}

function readVersion(subject: Subject, version: Version | undefined, base: URL, context: QueryContext): Reading {
  if (version === undefined || subject.package === undefined) return NOT_FOUND;
  const url = versionUrl(base, subject.package);
  const repository = sourceRepository(version);
  const stated = [deprecation(version, url), projectStatus(version.projectStatus, url), release(version, url)];
  return {
    found: true,
    evidence: evidenceOf(NAME, context, stated),
    ...(repository !== undefined && { repository }),
  };
}

function deprecation({ isDeprecated, deprecatedReason }: Version, url: string): StatedEvidence | undefined {
  if (isDeprecated !== true) return undefined;
  const message = messageText(deprecatedReason);
  return { statement: "version-deprecated", url, ...(message !== undefined && { message }) };
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
