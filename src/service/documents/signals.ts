/** Support levels for `POST /v1/sbom?signals=1`. The settings can be sent to a worker thread. */
import type { IsoDate } from "../../text/ids.ts";
import type { AssessedComponent, Catalogue, Policy, Support } from "../../model/index.ts";
import { NEWEST_LIST } from "../../catalogue/newest-versions.ts";
import { DEFAULT_POLICY } from "../../policy/fields.ts";
import type { PolicyLayer } from "../../policy/policy.ts";
import { openSignals, type SignalsSession } from "../../signals/session.ts";

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
export const determineSupport = (
  settings: SignalsSettings,
  components: readonly AssessedComponent[],
  { facts, day }: SignalsContext,
): Promise<readonly AssessedComponent[]> =>
  inSession(settings, { facts, day }, (session) => session.determine(components));

/** Query the sources for all packages. */
export const packageSupport = (
  settings: SignalsSettings,
  purls: readonly string[],
  { facts, day }: SignalsContext,
): Promise<ReadonlyMap<string, Support>> => inSession(settings, { facts, day }, (session) => session.packages(purls));

async function inSession<Result>(
  { policy: layer, ...settings }: SignalsSettings,
  { facts, day }: SignalsContext,
  query: (session: SignalsSession) => Promise<Result>,
): Promise<Result> {
  const { signalsTimeout = MAX_QUERY_SECONDS } = layer;
  const policy: Policy = { ...DEFAULT_POLICY, ...layer, signalsTimeout: Math.min(signalsTimeout, MAX_QUERY_SECONDS) };
  const session = await openSignals({ ...settings, newestVersions: NEWEST_LIST, facts, policy, today: day, asOf: day });
  try {
    return await query(session);
  } finally {
    await session.close();
  }
}
