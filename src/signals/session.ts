/** Support levels for the components of documents: one client and one cache for all documents of a run. */
import { setTimeout as sleep } from "node:timers/promises";
import type { IsoDate } from "../text/ids.ts";
import type {
  AssessedComponent,
  CatalogueFacts,
  Evidence,
  PackageSignals,
  Policy,
  Support,
  UnknownReason,
} from "../model/index.ts";
import { periods } from "../support/levels.ts";
import { knownSupport } from "../support/cycle.ts";
import { type CycleSupport, decideSupport, NO_CYCLE } from "../support/decide.ts";
import { knownMove } from "../support/evidence.ts";
import {
  type PackageSubject,
  type PrivateMatcher,
  compilePrivatePatterns,
  packageSubject,
} from "../support/subject.ts";
import { openCache, type SignalCache } from "./cache.ts";
import { collectSignals } from "./collect.ts";
import { createSignalsClient, type SignalsClient } from "./http.ts";
import { goPrivate, type NpmConfig, readNpmConfig } from "./npmrc.ts";
import type { SignalSource } from "./source.ts";
import { createSources } from "./sources.ts";

export interface SignalsOptions {
  readonly policy: Policy;
  readonly facts: Pick<CatalogueFacts, "packageMoves">;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder in which the search for npm's project configuration starts. */
  readonly folder: string;
  /** Path of the running `node`, from which npm's global configuration is found. */
  readonly execPath: string;
  readonly cachePath: string;
  /** Current day in UTC, recorded as the retrieval day of answers. */
  readonly today: IsoDate;
  /** The last day of the inactivity period. */
  readonly asOf: IsoDate;
  readonly cancelled?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
  /** Receives messages about problems that do not stop the run. */
  readonly onNote?: (note: string) => void;
  readonly pause?: (milliseconds: number) => Promise<unknown>;
}

export interface SignalsSession {
  /** The same components with their support levels. */
  determine(components: readonly AssessedComponent[]): Promise<readonly AssessedComponent[]>;
  close(): Promise<void>;
}

/** Open the sources and the cache for one run. @throws EolgateError `signals-cache-unreadable` in the mode `cache`, `invalid-value` */
export async function openSignals(options: SignalsOptions): Promise<SignalsSession> {
  const { policy, env, folder, execPath } = options;
  const mode = policy.signals;
  const npm = readNpmConfig({ env, folder, execPath });
  const sources = mode === "off" ? [] : await createSources(mode, { ...options, npm: npm.registries });
  const cache = openOptionalCache(options);
  const outOfTime = AbortSignal.timeout(policy.signalsTimeout * 1000);
  const pause =
    options.pause ?? ((time: number) => sleep(time, undefined, { signal: outOfTime }).catch(() => undefined));
  const { cancelled } = options;
  const client = createSignalsClient({
    env,
    outOfTime,
    pause,
    ...(cancelled && { cancelled }),
    ...(npm.ca && { ca: npm.ca }),
    ...(npm.proxy && { proxy: npm.proxy }),
  });
  const context: SessionContext = {
    options,
    client,
    ...(cache && { cache }),
    ...reachable(sources, npm),
    isPrivate: compilePrivatePatterns([...policy.privatePackages, ...goPrivate(env)]),
  };
  return {
    determine: (components) => determine(components, context),
    async close() {
      cache?.close();
      await client.close();
    },
  };
}

/** In modes with sources, a run continues without the cache if it cannot be opened. */
function openOptionalCache({ policy, cachePath, onNote }: SignalsOptions): SignalCache | undefined {
  try {
    return openCache(cachePath);
  } catch (error) {
    if (policy.signals === "cache") throw error;
    onNote?.(error instanceof Error ? error.message : String(error));
    return undefined;
  }
}

interface SessionContext {
  readonly options: SignalsOptions;
  readonly client: SignalsClient;
  readonly cache?: SignalCache;
  readonly sources: readonly SignalSource[];
  readonly isPrivate: PrivateMatcher;
  /** The reason why no source is queried about a package; undefined if one is. */
  readonly unreachable: (subject: PackageSubject) => UnknownReason | undefined;
}

/** Restricts the sources: packages of a scope with its own registry are sent to that registry only, if it is trusted. */
function reachable(
  sources: readonly SignalSource[],
  { privateScopes, isTrusted }: NpmConfig,
): Pick<SessionContext, "sources" | "unreachable"> {
  const scopes = new Set(privateScopes);
  const isElsewhere = ({ type, path }: PackageSubject): boolean =>
    type === "npm" && path.startsWith("@") && scopes.has(path.slice(0, path.indexOf("/")));
  const isUntrusted = ({ type, path }: PackageSubject): boolean => type === "npm" && !isTrusted(path);
  const restricted = sources.map((source) => ({
    ...source,
    accepts(subject: Parameters<SignalSource["accepts"]>[0]) {
      const isRefused = source.name === "npm" ? isUntrusted : isElsewhere;
      return !(subject.package !== undefined && isRefused(subject.package)) && source.accepts(subject);
    },
  }));
  return {
    sources: restricted,
    unreachable(subject) {
      const accepted = (list: readonly SignalSource[]): boolean =>
        list.some((source) => source.stage === "versions" && source.accepts({ key: subject.purl, package: subject }));
      if (sources.length === 0 || accepted(restricted)) return undefined;
      return isElsewhere(subject) || isUntrusted(subject) ? "other-registry" : "type-without-source";
    },
  };
}

async function determine(
  components: readonly AssessedComponent[],
  context: SessionContext,
): Promise<readonly AssessedComponent[]> {
  const subjects = components.map(({ component }) => toQuery(packageSubject(component, context.isPrivate), context));
  const cycles = components.map((each) => knownSupport(each, context.options.policy, context.options.asOf));
  const levels = await levelsOf(subjects, cycles, context);
  return components.map((component, index) => ({ ...component, support: levels[index] }));
}

/** A package to query, or the reason why its support level cannot be determined. */
type SubjectOrReason = PackageSubject | UnknownReason;

/** One support level for each subject, in the same order. */
async function levelsOf(
  subjects: readonly SubjectOrReason[],
  cycles: readonly CycleSupport[],
  context: SessionContext,
): Promise<readonly Support[]> {
  const { policy, asOf } = context.options;
  const moves = context.options.facts.packageMoves;
  const since = periods(asOf, policy.inactiveMonths);
  const open = openPackages(subjects, cycles);
  const signals = await collect(subjects, context, (purl, evidence) => {
    const known: PackageSignals = { evidence, unanswered: [], found: true };
    const { level, reason } = decideSupport(NO_CYCLE, known, since);
    return open.has(purl) && level === "unknown" && reason !== "quarantined";
  });
  return subjects.map((subject, index) => {
    const known = typeof subject === "string" ? subject : (signals.get(subject.purl) ?? "not-found");
    const move = typeof subject === "string" ? undefined : knownMove(moves, subject);
    return decideSupport({ ...(cycles[index] ?? NO_CYCLE), ...(move && { move }) }, known, since);
  });
}

const toQuery = (subject: SubjectOrReason, { unreachable }: SessionContext): SubjectOrReason =>
  typeof subject === "string" ? subject : (unreachable(subject) ?? subject);

/** Package URLs whose level the catalogue does not decide. */
function openPackages(subjects: readonly SubjectOrReason[], cycles: readonly CycleSupport[]): ReadonlySet<string> {
  return new Set(
    subjects.flatMap((subject, index) =>
      typeof subject === "string" || cycles[index]?.level !== undefined ? [] : [subject.purl],
    ),
  );
}

function collect(
  subjects: readonly SubjectOrReason[],
  { options, client, cache, sources }: SessionContext,
  isOpen: (purl: string, evidence: readonly Evidence[]) => boolean,
): Promise<ReadonlyMap<string, PackageSignals>> {
  const { policy, today, onProgress, onNote } = options;
  return collectSignals(
    subjects.filter((subject) => typeof subject !== "string"),
    {
      client,
      today,
      sources,
      isOpen,
      maxAgeDays: policy.signalsMaxAge,
      ...(cache && { cache }),
      ...(onProgress && { onProgress }),
      onCacheFailure: (error) => onNote?.(`the signal cache is not written: ${String(error)}`),
    },
  );
}
