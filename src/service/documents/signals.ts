/** Support levels for `POST /v1/sbom?signals=1`. The settings can be sent to a worker thread. */
import type { IsoDate } from "../../text/ids.ts";
import type { AssessedComponent, Catalogue, Policy } from "../../model/index.ts";
import { NEWEST_LIST } from "../../catalogue/newest-versions.ts";
import { DEFAULT_POLICY } from "../../policy/fields.ts";
import type { PolicyLayer } from "../../policy/policy.ts";
import { openSignals } from "../../signals/session.ts";

export interface SignalsSettings {
  /** Sources, private packages, ages and limits. */
  readonly policy: PolicyLayer;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder in which the search for npm's project configuration starts. */
  readonly folder: string;
  readonly execPath: string;
  readonly cachePath: string;
}

/** The catalogue in use, and the day of the query. */
export interface SignalsContext extends Pick<Catalogue, "facts"> {
  readonly day: IsoDate;
}

/** Maximum seconds for queries. The response contains the levels that are known by then. */
export const MAX_QUERY_SECONDS = 30;

/** Query the sources for all components. Without an answer, the level is unknown, with a reason. */
export async function determineSupport(
  { policy: layer, ...settings }: SignalsSettings,
  components: readonly AssessedComponent[],
  { facts, day }: SignalsContext,
): Promise<readonly AssessedComponent[]> {
  const { signalsTimeout = MAX_QUERY_SECONDS } = layer;
  const policy: Policy = { ...DEFAULT_POLICY, ...layer, signalsTimeout: Math.min(signalsTimeout, MAX_QUERY_SECONDS) };
  const session = await openSignals({ ...settings, newestVersions: NEWEST_LIST, facts, policy, today: day, asOf: day });
  try {
    return await session.determine(components);
  } finally {
    await session.close();
  }
}
