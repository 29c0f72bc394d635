/** Patterns of packages that are never sent to a source. */
import type { PolicyLayer } from "../core/policy/policy.ts";
import { readNpmConfig } from "./npmrc.ts";

export interface NeverSentOptions {
  readonly policy: Pick<PolicyLayer, "signals" | "privatePackages">;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where npm's project configuration is looked for. */
  readonly folder: string;
  readonly execPath: string;
}

/** Those of the policy, of Go's settings, and npm scopes with a registry of their own that the mode does not ask. */
export function neverSent({ policy, env, folder, execPath }: NeverSentOptions): readonly string[] {
  const scopes = policy.signals === "deps.dev" ? readNpmConfig({ env, folder, execPath }).privateScopes : [];
  return [...(policy.privatePackages ?? []), ...goPrivate(env), ...scopes.map((scope) => `pkg:npm/${scope}`)];
}

/** https://go.dev/ref/mod#private-modules: prefixes of module paths, separated by commas. */
export function goPrivate(env: NeverSentOptions["env"]): readonly string[] {
  const lists = [env["GOPRIVATE"], env["GONOPROXY"]];
  return lists
    .flatMap((list) => (list ?? "").split(",").filter((prefix) => prefix.trim() !== "" && prefix !== "none"))
    .map((prefix) => `pkg:golang/${prefix.trim()}`);
}
