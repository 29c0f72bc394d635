/** Support levels for the documents of `POST /v1/sbom?signals=1`: plain settings, so that they reach a worker thread. */
import type { IsoDate } from "../../core/ids.ts";
import type { AssessedComponent, Policy, Support } from "../../core/model.ts";
import { DEFAULT_POLICY, type PolicyLayer } from "../../core/policy/policy.ts";
import { openSignals, type SignalsSession } from "../../signals/session.ts";

export interface SignalsSettings {
  /** Sources, private packages, ages and limits. */
  readonly policy: PolicyLayer;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where npm's project configuration is looked for. */
  readonly folder: string;
  readonly execPath: string;
  readonly cachePath: string;
}

/** Seconds: a request is answered before its deadline, with what is known by then. */
export const LONGEST_ASKING = 30;

/** Asks the sources once for all components. What a source did not answer is unknown with a reason. */
export const determineSupport = (
  settings: SignalsSettings,
  components: readonly AssessedComponent[],
  day: IsoDate,
): Promise<readonly AssessedComponent[]> => inSession(settings, day, (session) => session.determine(components));

/** Asks the sources once for all packages. */
export const packageSupport = (
  settings: SignalsSettings,
  purls: readonly string[],
  day: IsoDate,
): Promise<ReadonlyMap<string, Support>> => inSession(settings, day, (session) => session.packages(purls));

async function inSession<Result>(
  { policy: layer, ...settings }: SignalsSettings,
  day: IsoDate,
  ask: (session: SignalsSession) => Promise<Result>,
): Promise<Result> {
  const { signalsTimeout = LONGEST_ASKING } = layer;
  const policy: Policy = { ...DEFAULT_POLICY, ...layer, signalsTimeout: Math.min(signalsTimeout, LONGEST_ASKING) };
  const session = await openSignals({ ...settings, policy, today: day, asOf: day });
  try {
    return await ask(session);
  } finally {
    await session.close();
  }
}
