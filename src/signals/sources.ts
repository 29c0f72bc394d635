/** The table of signal sources, with the modes of `--signals` that use them and their addresses. */
import { SIGNAL_SOURCES } from "../model/support.ts";
import type { SignalsMode } from "../model/index.ts";
import { EolgateError } from "../messages/error.ts";
import type { NpmRegistries } from "./sources/npm.ts";
import type { SignalSource } from "./source.ts";
import type { NewestVersions } from "./sources/bundled.ts";

export interface SourceOptions {
  /** Addresses (`EOLGATE_DEPSDEV_URL` and the like, `GOPROXY`, `PIP_INDEX_URL`) and tokens. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly npm: NpmRegistries;
  /** Absent where the package's own list cannot be asked. */
  readonly newestVersions?: NewestVersions;
}

interface SourceRow {
  readonly modes: ReadonlySet<SignalsMode>;
  /** Loads the module of the source, so that unused sources are not loaded. */
  readonly create: (options: SourceOptions) => Promise<readonly SignalSource[]>;
}

const DEPS_DEV: ReadonlySet<SignalsMode> = new Set(["deps.dev", "all"]);
const REGISTRY: ReadonlySet<SignalsMode> = new Set(["registry", "all"]);
/** Hosts of repositories need a token. A token from the environment is used only in the mode `all`. */
const HOST: ReadonlySet<SignalsMode> = new Set(["all"]);

export const DEPS_DEV_BASE = "https://api.deps.dev/";

const ROWS: readonly SourceRow[] = [
  {
    modes: new Set(["bundled"]),
    create: async ({ newestVersions }) =>
      newestVersions === undefined ? [] : [(await import("./sources/bundled.ts")).bundledSource(newestVersions)],
  },
  {
    modes: DEPS_DEV,
    async create({ env }) {
      const { depsDevHistory, depsDevProjects, depsDevVersions } = await import("./sources/deps-dev.ts");
      const { url } = addressOf(env, "EOLGATE_DEPSDEV_URL", DEPS_DEV_BASE);
      return [depsDevVersions(url), depsDevProjects(url), depsDevHistory(url)];
    },
  },
  {
    modes: REGISTRY,
    create: async ({ npm }) => [(await import("./sources/npm.ts")).npmSource(npm)],
  },
  {
    modes: REGISTRY,
    async create({ env }) {
      const name = env["EOLGATE_PYPI_URL"] ? "EOLGATE_PYPI_URL" : "PIP_INDEX_URL";
      const { url, authorization } = addressOf(env, name, "https://pypi.org/simple/");
      return [(await import("./sources/pypi.ts")).pypiSource(url, authorization)];
    },
  },
  registry("EOLGATE_PACKAGIST_URL", "https://repo.packagist.org/", async (url) =>
    (await import("./sources/packagist.ts")).packagistSource(url),
  ),
  {
    modes: REGISTRY,
    async create({ env }) {
      const { url } = addressOf(env, "EOLGATE_NUGET_URL", "https://api.nuget.org/v3/index.json", "document");
      return [(await import("./sources/nuget.ts")).nugetSource(url)];
    },
  },
  {
    modes: REGISTRY,
    async create({ env }) {
      const proxy = goproxy(env["GOPROXY"]);
      if (proxy === "off") return [];
      const { url } = addressOf({ GOPROXY: proxy }, "GOPROXY", "https://proxy.golang.org/");
      return [(await import("./sources/goproxy.ts")).goproxySource(url)];
    },
  },
  {
    ...registry("EOLGATE_CRATES_URL", "https://crates.io/", async (url) =>
      (await import("./sources/crates.ts")).cratesSource(url),
    ),
    // Not in `all`: crates.io allows one request per second, and deps.dev has all crates.
    modes: new Set(["registry"]),
  },
  registry("EOLGATE_RUBYGEMS_URL", "https://rubygems.org/", async (url) =>
    (await import("./sources/rubygems.ts")).rubygemsSource(url),
  ),
  registry("EOLGATE_MAVEN_URL", "https://repo.maven.apache.org/maven2/", async (url) =>
    (await import("./sources/maven.ts")).mavenSource(url),
  ),
  {
    modes: HOST,
    async create({ env }) {
      const token = env["GH_TOKEN"] || env["GITHUB_TOKEN"];
      if (!token) return [];
      const { url } = addressOf(env, "EOLGATE_GITHUB_URL", "https://api.github.com/graphql", "document");
      return [(await import("./sources/github.ts")).githubSource(url, token)];
    },
  },
  {
    modes: HOST,
    async create({ env }) {
      const token = env["GITLAB_TOKEN"];
      if (!token) return [];
      const { url } = addressOf(env, "EOLGATE_GITLAB_URL", "https://gitlab.com/api/graphql", "document");
      return [(await import("./sources/gitlab.ts")).gitlabSource(url, token)];
    },
  },
];

/** A registry that has one address without credentials. */
function registry(variable: string, base: string, create: (url: URL) => Promise<SignalSource>): SourceRow {
  return {
    modes: REGISTRY,
    create: async ({ env }) => [await create(addressOf(env, variable, base).url)],
  };
}

/** Create the sources of a mode; none for `cache`. @throws EolgateError `invalid-value` */
export async function createSources(mode: SignalsMode, options: SourceOptions): Promise<readonly SignalSource[]> {
  const chosen = await Promise.all(ROWS.filter(({ modes }) => modes.has(mode)).map(({ create }) => create(options)));
  return chosen.flat();
}

/** Ids of the sources in the cache, by stage, in the order in which their evidence is merged. */
export const VERSION_SOURCE_IDS = SIGNAL_SOURCES.filter((source) => source !== "github" && source !== "gitlab");
export const REPOSITORY_SOURCE_IDS = ["deps.dev/projects", "github", "gitlab"] as const;
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

/** Credentials in the address become an Authorization header. @throws EolgateError `invalid-value` */
function addressOf(
  env: SourceOptions["env"],
  name: string,
  fallback: string,
  kind: "folder" | "document" = "folder",
): SourceAddress {
  const text = env[name]?.trim() || fallback;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw EolgateError.of(
      "invalid-value",
      {
        problem: "the address of a signal source is not an http or https URL",
        advice: `For example ${name}=${fallback}`,
      },
      { where: name },
    );
  const { username, password } = url;
  url.username = "";
  url.password = "";
  if (kind === "folder" && !url.pathname.endsWith("/")) url.pathname += "/";
  if (username === "") return { url };
  const secret = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { url, authorization: `Basic ${Buffer.from(secret).toString("base64")}` };
}
