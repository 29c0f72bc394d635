/**
 * PyPI's simple API as JSON: project status, yanked files, upload times.
 * https://packaging.python.org/en/latest/specifications/simple-repository-api/
 */
import { percentEncode } from "../../text/values.ts";
import { Type } from "typebox";
import { latestDay } from "../../support/levels.ts";
import { messageText } from "../../support/evidence.ts";
import { sendJson } from "../http.ts";
import {
  lastRelease,
  projectStatus,
  type Reading,
  registrySource,
  type SignalSource,
  type StatedEvidence,
} from "../source.ts";

const ACCEPT = "application/vnd.pypi.simple.v1+json";

const fileSchema = Type.Object({
  filename: Type.String(),
  yanked: Type.Optional(Type.Union([Type.Boolean(), Type.String()])),
  "upload-time": Type.Optional(Type.Unknown()),
});
const projectSchema = Type.Object({
  files: Type.Array(fileSchema),
  versions: Type.Optional(Type.Array(Type.String())),
  "project-status": Type.Optional(
    Type.Object({ status: Type.Optional(Type.String()), reason: Type.Optional(Type.String()) }),
  ),
});
type PypiProject = Type.Static<typeof projectSchema>;
type File = Type.Static<typeof fileSchema>;

/** @param authorization header for a private index */
export function pypiSource(base: URL, authorization?: string): SignalSource {
  return registrySource({
    name: "pypi",
    type: "pypi",
    async fetchPackage(path, _versions, context) {
      const url = new URL(`${percentEncode(path)}/`, base);
      const credentials = authorization === undefined ? {} : { credentials: { authorization } };
      const response = await sendJson(
        context.client,
        { url, headers: { accept: ACCEPT }, ...credentials },
        projectSchema,
      );
      if (response.kind !== "json") return response;
      return { kind: "read", readingOf: (version) => readVersion(response.value, version, url.href) };
    },
  });
}

function readVersion(project: PypiProject, version: string, url: string): Reading | undefined {
  const wanted = canonicalVersion(version);
  const files = project.files.filter(({ filename }) => canonicalVersion(fileVersion(filename) ?? "") === wanted);
  const isListed = project.versions?.some((listed) => canonicalVersion(listed) === wanted) ?? false;
  if (files.length === 0 && !isListed) return undefined;
  const date = latestDay(project.files.map((file) => file["upload-time"]));
  return { stated: [projectStatus(project["project-status"], url), withdrawal(files, url), lastRelease(url, date)] };
}

/** A version is withdrawn when all its files are yanked. */
function withdrawal(files: readonly File[], url: string): StatedEvidence | undefined {
  if (files.length === 0 || !files.every(({ yanked }) => yanked === true || typeof yanked === "string"))
    return undefined;
  return { statement: "version-withdrawn", url, message: messageText(files[0]?.yanked) };
}

/** The version in the file name of a wheel or source distribution. */
function fileVersion(filename: string): string | undefined {
  if (filename.endsWith(".whl")) return filename.split("-")[1];
  return /-(\d[^-]*)\.(?:tar\.(?:gz|bz2|xz)|zip|tgz)$/i.exec(filename)?.[1];
}

/** A simplified normalization of PEP 440: equal versions get the same spelling. */
function canonicalVersion(version: string): string {
  return version
    .toLowerCase()
    .replace(/^v/, "")
    .replace(/\+.*$/, "")
    .replaceAll(/[-_.]?(alpha|beta|preview|pre|rc|a|b|c)[-_.]?(\d*)/g, (_, word: string, number: string) => {
      const kind = word.startsWith("a") ? "a" : word.startsWith("b") ? "b" : "rc";
      return `${kind}${number || "0"}`;
    })
    .replaceAll(/[-_]/g, ".")
    .replace(/(?:\.0)+(?=$|[a-z]|\.(?:post|dev))/, "");
}
