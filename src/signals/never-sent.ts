/** Patterns of private packages, which are never sent to a signal source. */
import type { PolicyLayer } from "../policy/policy.ts";
import { readNpmConfig } from "./npmrc.ts";

export interface NeverSentOptions {
  readonly policy: Pick<PolicyLayer, "signals" | "privatePackages">;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder in which the search for npm's project configuration starts. */
  readonly folder: string;
  /** Path of the running `node`, from which npm's global configuration is found. */
  readonly execPath: string;
}

/** Patterns from the policy and Go's settings; with deps.dev as the source, also npm scopes with their own registry. */
export function neverSent({ policy, env, folder, execPath }: NeverSentOptions): readonly string[] {
  const scopes = policy.signals === "deps.dev" ? readNpmConfig({ env, folder, execPath }).privateScopes : [];
  return [...(policy.privatePackages ?? []), ...goPrivate(env), ...scopes.map((scope) => `pkg:npm/${scope}`)];
}

/** Patterns from GOPRIVATE and GONOPROXY, comma-separated module path prefixes. https://go.dev/ref/mod#private-modules */
export function goPrivate(env: NeverSentOptions["env"]): readonly string[] {
  const lists = [env["GOPRIVATE"], env["GONOPROXY"]];
  return lists
    .flatMap((list) => (list ?? "").split(",").filter((prefix) => prefix.trim() !== "" && prefix !== "none"))
    .map((prefix) => `pkg:golang/${prefix.trim()}`);
}
