/** Actions that a workflow of GitHub uses, and the Node.js that an action of the repository declares. */
import { ACTION_RUNTIME } from "../../resolve/action.ts";
import type { ActionPin, NamedPin } from "./pin.ts";
import type { TextLocation } from "../tree/tree.ts";

const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/i;

/** The action of `uses`; undefined for a path in the repository and for an image. */
export function actionPin(uses: string, location: TextLocation): ActionPin | undefined {
  const [, action, ref] = /^([\w.-]+\/[\w./-]+)@(\S+)$/.exec(uses.trim()) ?? [];
  return action === undefined || ref === undefined || action.startsWith("./") ? undefined : { action, ref, location };
}

/** The Node.js that `runs.using` of an action declares. */
export const runtimePin = (name: string, version: string | undefined, location: TextLocation): NamedPin => ({
  name,
  purl: ACTION_RUNTIME,
  version,
  location,
});

/** The component of an action: the resolver judges what it declares, what it needs and where it is. A commit states no version. */
export const actionComponent = ({ action, ref, location }: ActionPin): NamedPin => ({
  name: action,
  purl: `pkg:githubactions/${action.toLowerCase()}`,
  version: COMMIT.test(ref) ? undefined : ref,
  location,
});
