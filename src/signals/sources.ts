/** The table of signal sources, with the modes of `--signals` that use them and their addresses. */
import { SIGNAL_SOURCES } from "../model/support.ts";
import type { SignalsMode } from "../model/index.ts";
import { EolgateError } from "../messages/error.ts";
import type { NpmRegistries } from "./sources/npm.ts";
import type { SignalSource } from "./source.ts";

export interface SourceOptions {
  /** Addresses (`EOLGATE_DEPSDEV_URL` and the like, `GOPROXY`, `PIP_INDEX_URL`) and tokens. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly npm: NpmRegistries;
}

interface SourceRow {
  readonly modes: ReadonlySet<SignalsMode>;
  /** Loads the module of the source, so that unused sources are not loaded. */
  readonly create: (options: SourceOptions) => Promise<readonly SignalSource[]>;
}

const DEPS_DEV: ReadonlySet<SignalsMode> = new Set(["deps.dev", "all"]);
const REGISTRY: ReadonlySet<SignalsMode> = new Set(["registry", "all"]);
/** GitHub needs a token. A token from the environment is used only in the mode `all`. */
const HOST: ReadonlySet<SignalsMode> = new Set(["all"]);

export const DEPS_DEV_BASE = "https://api.deps.dev/";

const ROWS: readonly SourceRow[] = [
  at(DEPS_DEV, "EOLGATE_DEPSDEV_URL", DEPS_DEV_BASE, async ({ url }) => {
    const { depsDevHistory, depsDevProjects, depsDevVersions } = await import("./sources/deps-dev.ts");
    return [depsDevVersions(url), depsDevProjects(url), depsDevHistory(url)];
  }),
  { modes: REGISTRY, create: async ({ npm }) => [(await import("./sources/npm.ts")).npmSource(npm)] },
  at(REGISTRY, ["EOLGATE_PYPI_URL", "PIP_INDEX_URL"], "https://pypi.org/simple/", async ({ url, authorization }) => [
    (await import("./sources/pypi.ts")).pypiSource(url, authorization),
  ]),
  at(REGISTRY, "EOLGATE_PACKAGIST_URL", "https://repo.packagist.org/", async ({ url }) => [
    (await import("./sources/packagist.ts")).packagistSource(url),
  ]),
  at(REGISTRY, "EOLGATE_NUGET_URL", "https://api.nuget.org/v3/index.json", async ({ url }) => [
    (await import("./sources/nuget.ts")).nugetSource(url),
  ]),
  {
    modes: REGISTRY,
    async create({ env }) {
      const proxy = goproxy(env["GOPROXY"]);
      if (proxy === "off") return [];
      const { url } = addressOf({ GOPROXY: proxy }, "GOPROXY", "https://proxy.golang.org/");
      return [(await import("./sources/goproxy.ts")).goproxySource(url)];
    },
  },
  at(REGISTRY, "EOLGATE_RUBYGEMS_URL", "https://rubygems.org/", async ({ url }) => [
    (await import("./sources/rubygems.ts")).rubygemsSource(url),
  ]),
  at(REGISTRY, "EOLGATE_MAVEN_URL", "https://repo.maven.apache.org/maven2/", async ({ url }) => [
    (await import("./sources/maven.ts")).mavenSource(url),
  ]),
  at(HOST, "EOLGATE_GITHUB_URL", "https://api.github.com/graphql", async ({ url }, env) => {
    const token = env["GH_TOKEN"] || env["GITHUB_TOKEN"];
    return token ? [(await import("./sources/github.ts")).githubSource(url, token)] : [];
  }),
];

/** A source with one address, from the first of the variables that is set. */
function at(
  modes: SourceRow["modes"],
  variables: string | readonly string[],
  base: string,
  create: (address: SourceAddress, env: SourceOptions["env"]) => Promise<readonly SignalSource[]>,
): SourceRow {
  const names = [variables].flat();
  return {
    modes,
    create: ({ env }) => create(addressOf(env, names.find((name) => env[name]) ?? names[0] ?? "", base), env),
  };
}

/** Create the sources of a mode; none for `cache`. @throws EolgateError `invalid-value` */
export async function createSources(mode: SignalsMode, options: SourceOptions): Promise<readonly SignalSource[]> {
  const chosen = await Promise.all(ROWS.filter(({ modes }) => modes.has(mode)).map(({ create }) => create(options)));
  return chosen.flat();
}

/** Ids of the sources in the cache, by stage, in the order in which their evidence is merged. */
export const VERSION_SOURCE_IDS = SIGNAL_SOURCES.filter((source) => source !== "github" && source !== "bundled");
export const REPOSITORY_SOURCE_IDS = ["deps.dev/projects", "github"] as const;
export const HISTORY_SOURCE_IDS = ["deps.dev/packages"] as const;

/** The first proxy of a GOPROXY list; `off` if the list has none, because Go then uses no proxy either. */
function goproxy(list: string | undefined): string | undefined {
  if (list === undefined || list === "") return undefined;
  return list.split(/[,|]/).find((entry) => /^https?:\/\//.test(entry.trim())) ?? "off";
}

interface SourceAddress {
  readonly url: URL;
  readonly authorization?: string;
}

/**
 * Credentials in the address become an Authorization header. The default shows whether it is a folder or a document.
 * @throws EolgateError `invalid-value`
 */
function addressOf(env: SourceOptions["env"], name: string, fallback: string): SourceAddress {
  const text = env[name]?.trim() || fallback;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw EolgateError.of("invalid-value", {
      problem: "the address of a signal source is not an http or https URL",
      advice: `For example ${name}=${fallback}`,
    }).at(name);
  const { username, password } = url;
  url.username = "";
  url.password = "";
  if (fallback.endsWith("/") && !url.pathname.endsWith("/")) url.pathname += "/";
  if (username === "") return { url };
  const secret = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { url, authorization: `Basic ${Buffer.from(secret).toString("base64")}` };
}
