/** The Node.js that an action of GitHub declares. The runner starts one that declares a removed Node.js on the next one. */
import { getOwn, percentEncode } from "../text/values.ts";
import type { ToolNames } from "../model/index.ts";
import type { PurlKey } from "./purl/types.ts";

/** The product whose release cycles are the versions of Node.js on runners. */
export const ACTION_RUNTIME = "pkg:generic/github-actions-runtime";

/** A commit states no version of the service that an action needs. */
const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/i;

/**
 * The action that a purl means: its path, with that of an action below the root of the repository in the name or behind `#`,
 * its reference, and the purl of the repository.
 */
export function actionOfPurl(
  { namespace, name, version }: PurlKey,
  written: string,
  stated: string | undefined,
): { readonly path: string; readonly ref: string; readonly repository: string } {
  const below = /#(.+)$/.exec(written)?.slice(1) ?? [];
  const path = [namespace, name, ...below].join("/").toLowerCase();
  const ref = version ?? stated ?? "";
  const at = ref === "" || COMMIT.test(ref) ? "" : `@${percentEncode(ref)}`;
  return { path, ref, repository: `pkg:githubactions/${path.split("/").slice(0, 2).join("/")}${at}` };
}

/**
 * What a reference of an action declares; undefined for an action that the catalogue does not have.
 * @param action - `owner/name`, with the path of an action below it, in lower case
 * @param ref - A tag, a branch or a commit; SBOMs write tags without their `v` too. The version is absent where it is not
 *   known what the reference declares
 */
export function declaredRuntime(
  action: string,
  ref: string,
  { actions }: Pick<ToolNames, "actions">,
): { readonly version: string | undefined } | undefined {
  const runtimes = getOwn(actions, action);
  return runtimes && { version: runtimeOf(runtimes, ref) ?? runtimeOf(runtimes, `v${ref}`) };
}

/** The Node.js of a reference: of this one, or of all tags of its major version. */
export function runtimeOf(runtimes: Readonly<Record<string, string>>, ref: string): string | undefined {
  const major = /^v?\d+(?=\.|$)/.exec(ref)?.[0];
  return getOwn(runtimes, ref) ?? (major === undefined ? undefined : getOwn(runtimes, `${major}.*`));
}
