/**
 * npm's client configuration: the registry of each package, with its token, proxy and certificates.
 * https://docs.npmjs.com/cli/v11/configuring-npm/npmrc
 *
 * A project's `.npmrc` may set registries. Its tokens and `${VARIABLES}` are ignored: a repository must not be able to
 * send a secret from the environment to an address of its choice.
 */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { readUpTo } from "../platform/bounded-file.ts";
import { compact } from "../text/values.ts";
import type { NpmRegistries } from "./sources/npm.ts";

export interface NpmConfig {
  readonly registries: NpmRegistries;
  /**
   * Whether the registry of the package may be contacted: the public one, and those that the environment, the user's or
   * the global configuration names, as a registry or with credentials. A project's `.npmrc` could name any address.
   */
  readonly isTrusted: (path: string) => boolean;
  /** Scopes (`@acme`) with their own registry. Their packages are treated as private. */
  readonly privateScopes: readonly string[];
  readonly ca?: readonly string[];
  readonly proxy?: { readonly http?: string; readonly https?: string; readonly none?: string };
}

export interface NpmConfigOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder in which the search for the project's `.npmrc` starts. */
  readonly folder: string;
  /** Path of the running `node`, from which npm's global configuration is found. */
  readonly execPath: string;
}

type NpmSettings = ReadonlyMap<string, readonly string[]>;

export const NPM_BASE = "https://registry.npmjs.org/";

/** Read the configuration in npm's order: environment, project, user, global. */
export function readNpmConfig({ env, folder, execPath }: NpmConfigOptions): NpmConfig {
  const trusted = [environmentSettings(env), userSettings(env), globalSettings(env, execPath)];
  const [environment = new Map(), ...files] = trusted;
  const project = projectSettings(folder, env);
  const all = [environment, project, ...files];
  const privateScopes = [...new Set(all.flatMap((settings) => scopesOf(settings)))];
  return {
    registries: (path) => {
      const base = registryOf(path, all);
      return compact({ base, authorization: authorizationFor(base, trusted) });
    },
    isTrusted(path) {
      const base = registryOf(path, all);
      return namesAddress(trusted, base) || authorizationFor(base, trusted) !== undefined;
    },
    privateScopes,
    ...compact({ ca: certificates(trusted), proxy: proxyOf(trusted) }),
  };
}

const first = (all: readonly NpmSettings[], key: string): string | undefined =>
  all.map((settings) => settings.get(key)?.at(-1)).find((value) => value !== undefined && value !== "");

function registryOf(path: string, all: readonly NpmSettings[]): URL {
  const scope = path.startsWith("@") ? path.slice(0, path.indexOf("/")) : undefined;
  const address = (scope && first(all, `${scope}:registry`)) ?? first(all, "registry") ?? NPM_BASE;
  const url = URL.canParse(address) ? new URL(address) : new URL(NPM_BASE);
  return url.pathname.endsWith("/") ? url : new URL(`${url.href}/`);
}

function namesAddress(trusted: readonly NpmSettings[], { href }: URL): boolean {
  const named = trusted.flatMap((settings) =>
    [...settings].flatMap(([key, values]) => (/^(?:@[^:]+:)?registry$/.test(key) ? values : [])),
  );
  return [NPM_BASE, ...named].some((address) => address === href || `${address}/` === href);
}

/** Scopes whose registry is not the public one. */
function scopesOf(settings: NpmSettings): readonly string[] {
  return [...settings.keys()].flatMap((key) => {
    const scope = /^(@[^:]+):registry$/.exec(key)?.[1];
    return scope === undefined || settings.get(key)?.at(-1)?.replace(/\/?$/, "/") === NPM_BASE ? [] : [scope];
  });
}

/** Credentials are stored for an address without its scheme (`//host/path/`) and apply to all paths below it. */
function authorizationFor(base: URL, trusted: readonly NpmSettings[]): string | undefined {
  if (base.protocol !== "https:" && !/^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(base.hostname)) return undefined;
  let prefix = `//${base.host}${base.pathname}`;
  for (;;) {
    const token = first(trusted, `${prefix}:_authToken`);
    if (token !== undefined) return `Bearer ${token}`;
    const basic = first(trusted, `${prefix}:_auth`);
    if (basic !== undefined) return `Basic ${basic}`;
    const shorter = prefix.replace(/[^/]*\/?$/, "");
    if (shorter === prefix || shorter === "//") return undefined;
    prefix = shorter;
  }
}

function certificates(trusted: readonly NpmSettings[]): readonly string[] | undefined {
  const file = first(trusted, "cafile");
  const listed = trusted.flatMap((settings) => [...(settings.get("ca") ?? []), ...(settings.get("ca[]") ?? [])]);
  const text = file === undefined ? undefined : readText(file);
  const ca = [...(text === undefined ? [] : [text]), ...listed.map((pem) => pem.replaceAll("\\n", "\n"))];
  return ca.length === 0 ? undefined : ca;
}

function proxyOf(trusted: readonly NpmSettings[]): NpmConfig["proxy"] {
  const http = first(trusted, "proxy") ?? first(trusted, "http-proxy");
  const https = first(trusted, "https-proxy") ?? http;
  const proxy = compact({ http, https, none: first(trusted, "noproxy") });
  return Object.keys(proxy).length === 0 ? undefined : proxy;
}

/** Variables like `npm_config_registry`, in any case. `_` replaces `-`, except in keys of addresses and scopes. */
function environmentSettings(env: NpmConfigOptions["env"]): NpmSettings {
  const entries = Object.entries(env).flatMap(([name, value]) => {
    const key = /^npm_config_(.+)$/i.exec(name)?.[1];
    if (key === undefined || value === undefined || value === "") return [];
    return [[/^(?:\/\/|@)/.test(key) ? key : key.toLowerCase().replaceAll("_", "-"), [value]] as const];
  });
  return new Map(entries);
}

function projectSettings(folder: string, env: NpmConfigOptions["env"]): NpmSettings {
  for (let at = folder; ; at = dirname(at)) {
    const file = join(at, ".npmrc");
    if (existsSync(file) && file !== userFile(env)) return parseNpmrc(readText(file) ?? "", {});
    const isRoot = existsSync(join(at, "package.json")) || existsSync(join(at, "node_modules"));
    if (isRoot || dirname(at) === at) return new Map();
  }
}

const userFile = (env: NpmConfigOptions["env"]): string =>
  variable(env, "npm_config_userconfig") ?? join(env["HOME"] ?? env["USERPROFILE"] ?? homedir(), ".npmrc");

const userSettings = (env: NpmConfigOptions["env"]): NpmSettings => parseNpmrc(readText(userFile(env)) ?? "", env);

function globalSettings(env: NpmConfigOptions["env"], execPath: string): NpmSettings {
  const prefix = variable(env, "npm_config_prefix") ?? env["PREFIX"] ?? dirname(dirname(execPath));
  const file = variable(env, "npm_config_globalconfig") ?? join(prefix, "etc", "npmrc");
  return parseNpmrc(readText(file) ?? "", env);
}

const variable = (env: NpmConfigOptions["env"], name: string): string | undefined =>
  [env[name], env[name.toUpperCase()]].find((value) => value !== undefined && value !== "");

const MAX_BYTES = 16 * 1024 * 1024;

/** Undefined for a file that cannot be read or is too large. */
function readText(file: string): string | undefined {
  try {
    return readUpTo(file, MAX_BYTES)?.toString("utf8");
  } catch {
    return undefined;
  }
}

/** Parse lines `key = value`; a key may repeat. A value that refers to an undefined variable is left out. */
export function parseNpmrc(text: string, env: NpmConfigOptions["env"]): NpmSettings {
  const settings = new Map<string, readonly string[]>();
  for (const line of text.replace(/^\uFEFF/, "").split(/\r?\n/)) {
    const [, key, raw] = /^\s*([^;#=\s][^=]*?)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    const value = raw === undefined ? undefined : expandVariables(unquoted(raw), env);
    if (key === undefined || value === undefined) continue;
    settings.set(key, [...(settings.get(key) ?? []), value]);
  }
  return settings;
}

const unquoted = (text: string): string => /^"(.*)"$|^'(.*)'$/.exec(text)?.slice(1).find(Boolean) ?? text;

function expandVariables(text: string, env: NpmConfigOptions["env"]): string | undefined {
  let isComplete = true;
  const value = text.replaceAll(/\$\{([^}?]+)(\?)?\}/g, (_, name: string, optional: string | undefined) => {
    const found = env[name];
    if (found === undefined && optional === undefined) isComplete = false;
    return found ?? "";
  });
  return isComplete ? value : undefined;
}

// Patterns of private packages, which are never sent to a signal source.

/** Patterns from GOPRIVATE and GONOPROXY, comma-separated module path prefixes. https://go.dev/ref/mod#private-modules */
export function goPrivate(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const lists = [env["GOPRIVATE"], env["GONOPROXY"]];
  return lists
    .flatMap((list) => (list ?? "").split(",").filter((prefix) => prefix.trim() !== "" && prefix !== "none"))
    .map((prefix) => `pkg:golang/${prefix.trim()}`);
}
