/**
 * Actions that a workflow of GitHub uses: the Node.js that they declare, and the services that they need. The runner
 * starts an action that declares a removed Node.js on the next one; an action whose service was removed fails.
 */
import { getOwn } from "../../text/values.ts";
import type { ToolNames } from "../../model/index.ts";
import type { ActionPin, NamedPin } from "./pin.ts";
import type { TextLocation } from "../tree/tree.ts";

const RUNTIME = "pkg:generic/github-actions-runtime";
const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/i;

/** The action of `uses`; undefined for a path in the repository and for an image. */
export function actionPin(uses: string, location: TextLocation): ActionPin | undefined {
  const [, action, ref] = /^([\w.-]+\/[\w./-]+)@(\S+)$/.exec(uses.trim()) ?? [];
  return action === undefined || ref === undefined || action.startsWith("./") ? undefined : { action, ref, location };
}

/** The Node.js that `runs.using` of an action declares. */
export const runtimePin = (name: string, version: string | undefined, location: TextLocation): NamedPin => ({
  name,
  purl: RUNTIME,
  version,
  location,
});

/** The components of an action. One that the catalogue does not have is a component that is not tracked. */
export function namedAction({ action, ref, location }: ActionPin, names: ToolNames): readonly NamedPin[] {
  const key = action.toLowerCase();
  const repository = key.split("/").slice(0, 2).join("/");
  const runtimes = getOwn(names.actions, key);
  const runtime = runtimes && runtimeOf(runtimes, ref);
  // A commit states no version: the action is known, and what it declares is not.
  const version = COMMIT.test(ref) ? undefined : ref.replace(/^v(?=\d)/, "");
  const own = { name: action, purl: `pkg:githubactions/${repository}`, version, location };
  const declared = runtimePin(`${action}@${ref.slice(0, 40)}`, runtime, location);
  if (names.serviceActions.includes(repository)) return runtime === undefined ? [own] : [own, declared];
  return runtimes === undefined ? [own] : [declared];
}

/** The Node.js of a reference: of this one, or of all tags of its major version. */
export function runtimeOf(runtimes: Readonly<Record<string, string>>, ref: string): string | undefined {
  const major = /^v?\d+(?=\.|$)/.exec(ref)?.[0];
  return getOwn(runtimes, ref) ?? (major === undefined ? undefined : getOwn(runtimes, `${major}.*`));
}
