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
/** Hosts of repositories need a token. A token from the environment is used only in the mode `all`. */
const HOST: ReadonlySet<SignalsMode> = new Set(["all"]);

const ROWS: readonly SourceRow[] = [
  {
    modes: DEPS_DEV,
    async create({ env }) {
      const [address, versions, projects, history] = await Promise.all([
        import("./sources/deps-dev-batch.ts"),
        import("./sources/deps-dev.ts"),
        import("./sources/deps-dev.ts"),
        import("./sources/deps-dev.ts"),
      ]);
      const { url } = addressOf(env, "EOLGATE_DEPSDEV_URL", address.DEPS_DEV_BASE);
      return [versions.depsDevVersions(url), projects.depsDevProjects(url), history.depsDevHistory(url)];
    },
  },
  {
    modes: REGISTRY,
    create: async ({ npm }) => [(await import("./sources/npm.ts")).npmSource(npm)],
  },
  {
    modes: REGISTRY,
    async create({ env }) {
      const { pypiSource, PYPI_BASE } = await import("./sources/pypi.ts");
      const name = env["EOLGATE_PYPI_URL"] ? "EOLGATE_PYPI_URL" : "PIP_INDEX_URL";
      const { url, authorization } = addressOf(env, name, PYPI_BASE);
      return [pypiSource(url, authorization)];
    },
  },
  {
    modes: REGISTRY,
    async create({ env }) {
      const { packagistSource, PACKAGIST_BASE } = await import("./sources/packagist.ts");
      return [packagistSource(addressOf(env, "EOLGATE_PACKAGIST_URL", PACKAGIST_BASE).url)];
    },
  },
  {
    modes: REGISTRY,
    async create({ env }) {
      const { nugetSource, NUGET_BASE } = await import("./sources/nuget.ts");
      return [nugetSource(addressOf(env, "EOLGATE_NUGET_URL", NUGET_BASE, "document").url)];
    },
  },
  {
    modes: REGISTRY,
    async create({ env }) {
      const { goproxySource, GOPROXY_BASE } = await import("./sources/goproxy.ts");
      const proxy = goproxy(env["GOPROXY"]);
      if (proxy === "off") return [];
      return [goproxySource(addressOf({ GOPROXY: proxy }, "GOPROXY", GOPROXY_BASE).url)];
    },
  },
  {
    // Not in `all`: crates.io allows one request per second, and deps.dev has all crates.
    modes: new Set(["registry"]),
    async create({ env }) {
      const { cratesSource, CRATES_BASE } = await import("./sources/crates.ts");
      return [cratesSource(addressOf(env, "EOLGATE_CRATES_URL", CRATES_BASE).url)];
    },
  },
  {
    modes: REGISTRY,
    async create({ env }) {
      const { rubygemsSource, RUBYGEMS_BASE } = await import("./sources/rubygems.ts");
      return [rubygemsSource(addressOf(env, "EOLGATE_RUBYGEMS_URL", RUBYGEMS_BASE).url)];
    },
  },
  {
    modes: REGISTRY,
    async create({ env }) {
      const { mavenSource, MAVEN_BASE } = await import("./sources/maven.ts");
      return [mavenSource(addressOf(env, "EOLGATE_MAVEN_URL", MAVEN_BASE).url)];
    },
  },
  {
    modes: HOST,
    async create({ env }) {
      const { githubSource, GITHUB_BASE } = await import("./sources/github.ts");
      const token = env["GH_TOKEN"] || env["GITHUB_TOKEN"];
      return token ? [githubSource(addressOf(env, "EOLGATE_GITHUB_URL", GITHUB_BASE, "document").url, token)] : [];
    },
  },
  {
    modes: HOST,
    async create({ env }) {
      const { gitlabSource, GITLAB_BASE } = await import("./sources/gitlab.ts");
      const token = env["GITLAB_TOKEN"];
      return token ? [gitlabSource(addressOf(env, "EOLGATE_GITLAB_URL", GITLAB_BASE, "document").url, token)] : [];
    },
  },
];

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
