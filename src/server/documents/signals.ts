/** Support levels for the documents of `POST /v1/sbom?signals=1`: plain settings, so that they reach a worker thread. */
import type { IsoDate } from "../../core/ids.ts";
import type { AssessedComponent, Policy } from "../../core/model.ts";
import { DEFAULT_POLICY, type PolicyLayer } from "../../core/policy/policy.ts";
import { openSignals } from "../../signals/session.ts";

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
export async function determineSupport(
  { policy: layer, ...settings }: SignalsSettings,
  components: readonly AssessedComponent[],
  day: IsoDate,
): Promise<readonly AssessedComponent[]> {
  const { signalsTimeout = LONGEST_ASKING } = layer;
  const policy: Policy = { ...DEFAULT_POLICY, ...layer, signalsTimeout: Math.min(signalsTimeout, LONGEST_ASKING) };
  const session = await openSignals({ ...settings, policy, today: day, asOf: day });
  try {
    return await session.determine(components);
  } finally {
    await session.close();
  }
}
