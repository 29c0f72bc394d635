/**
 * Credentials for a registry, from Docker's configuration and its credential helpers. They are never logged and never
 * part of an error. https://docs.docker.com/reference/cli/docker/login/#credential-stores,
 * https://github.com/docker/docker-credential-helpers#development
 */
import { execFile } from "node:child_process";
import { homedir } from "node:os";
import { join } from "node:path";
import { type Static, Type } from "typebox";
import { Check } from "typebox/value";
import type { HttpClientOptions } from "../../http/client.ts";
import { EolgateError } from "../../messages/error.ts";
import { DOCKER_HUB } from "./reference.ts";
import { readBoundedFile } from "../../platform/bounded-file.ts";
import { errorCode } from "../../platform/write-error.ts";

export type Credentials =
  | { readonly kind: "basic"; readonly user: string; readonly password: string }
  /** A refresh token, which is exchanged for access tokens. */
  | { readonly kind: "identity"; readonly token: string };

const entrySchema = Type.Object({
  auth: Type.Optional(Type.String()),
  identitytoken: Type.Optional(Type.String()),
  username: Type.Optional(Type.String()),
  password: Type.Optional(Type.String()),
});
const configSchema = Type.Object({
  auths: Type.Optional(Type.Record(Type.String(), Type.Union([entrySchema, Type.Null()]))),
  credsStore: Type.Optional(Type.String()),
  credHelpers: Type.Optional(Type.Record(Type.String(), Type.String())),
});
const answerSchema = Type.Object({ Username: Type.String(), Secret: Type.String() });
type DockerConfig = Static<typeof configSchema>;

const HUB_KEY = "https://index.docker.io/v1/";
/** The user name in a helper's response if the secret is a refresh token. */
const TOKEN_USER = "<token>";
/** Milliseconds. */
const HELPER_TIMEOUT = 30_000;
const HELPER_OUTPUT = 64 * 1024;

/** Credentials for a host; undefined if there are none. @throws EolgateError `config-unreadable` */
export async function findCredentials(host: string, env: HttpClientOptions["env"]): Promise<Credentials | undefined> {
  const path = configPath(env);
  const config = readConfig(path);
  if (config === undefined) return undefined;
  const keys = host === DOCKER_HUB ? [HUB_KEY, "docker.io", "index.docker.io", DOCKER_HUB] : [host];
  const helper = keys.map((key) => config.credHelpers?.[key]).find((name) => name !== undefined) ?? config.credsStore;
  if (helper !== undefined) {
    const found = await credentialsFromHelper(helper, keys[0] ?? host, env);
    if (found !== undefined) return found;
  }
  return storedCredentials(config, keys, path);
}

const configPath = (env: HttpClientOptions["env"]): string =>
  env["REGISTRY_AUTH_FILE"] || join(env["DOCKER_CONFIG"] || join(env["HOME"] || homedir(), ".docker"), "config.json");

function readConfig(path: string): DockerConfig | undefined {
  let text: string;
  try {
    text = readBoundedFile(path, "configuration of the registries", (cause) =>
      badConfig(`it cannot be read (${errorCode(cause)})`, path, cause),
    ).toString("utf8");
  } catch (error) {
    if (error instanceof EolgateError && ["ENOENT", "ENOTDIR"].includes(errorCode(error.cause))) return undefined;
    throw error;
  }
  try {
    const value: unknown = JSON.parse(text);
    if (Check(configSchema, value)) return value;
  } catch {
    throw badConfig("it is not JSON", path);
  }
  throw badConfig("it does not have the form of Docker's configuration", path);
}

/** `cause` is an error of the file system: the message of a JSON parser would quote the file. */
const badConfig = (why: string, where: string, cause?: unknown): EolgateError =>
  EolgateError.of(
    "config-unreadable",
    {
      problem: `the credentials for the registry cannot be read from Docker's configuration: ${why}`,
      advice: "Log in again with docker login, or correct the file.",
    },
    { where, cause },
  );

/** Keys of `auths` are hosts, possibly with a scheme and a path: `https://ghcr.io/v2/`. */
function storedCredentials(
  { auths = {} }: DockerConfig,
  keys: readonly string[],
  path: string,
): Credentials | undefined {
  const wanted = new Set(keys.map((key) => hostOfKey(key)));
  const entry = Object.entries(auths).find(([key, value]) => value !== null && wanted.has(hostOfKey(key)))?.[1];
  if (!entry) return undefined;
  if (entry.identitytoken) return { kind: "identity", token: entry.identitytoken };
  if (entry.username !== undefined && entry.password !== undefined)
    return { kind: "basic", user: entry.username, password: entry.password };
  return entry.auth ? decodeAuth(entry.auth, path) : undefined;
}

const hostOfKey = (key: string): string =>
  key
    .replace(/^https?:\/\//, "")
    .replace(/\/.*$/, "")
    .toLowerCase();

function decodeAuth(auth: string, path: string): Credentials {
  const text = Buffer.from(auth, "base64").toString("utf8");
  const colon = text.indexOf(":");
  if (colon === -1) throw badConfig("an entry of auths is damaged", path);
  return { kind: "basic", user: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** Runs `docker-credential-NAME get`. */
async function credentialsFromHelper(
  name: string,
  key: string,
  env: HttpClientOptions["env"],
): Promise<Credentials | undefined> {
  if (!/^\w[\w.-]*$/.test(name)) throw helperFailed(name, "its name is not one of a program");
  const { error, stdout } = await runHelper(`docker-credential-${name}`, key, env);
  if (error !== null) {
    if (/not found in native keychain/i.test(stdout)) return undefined;
    throw helperFailed(name, errorCode(error) === "ENOENT" ? "it is not installed" : "it failed or took too long");
  }
  const answer = parseAnswer(stdout);
  if (answer === undefined) throw helperFailed(name, "its answer is not the JSON of a credential helper");
  const { Username: user, Secret: secret } = answer;
  if (user === "" && secret === "") return undefined;
  return user === TOKEN_USER ? { kind: "identity", token: secret } : { kind: "basic", user, password: secret };
}

const helperFailed = (name: string, why: string): EolgateError =>
  EolgateError.of("config-unreadable", {
    problem: `the credentials for the registry cannot be read from the credential helper ${JSON.stringify(name)}: ${why}`,
    advice: "Log in again with docker login, or correct the file.",
  });

function runHelper(program: string, key: string, env: HttpClientOptions["env"]) {
  return new Promise<{ readonly error: Error | null; readonly stdout: string }>((resolve) => {
    const options = { env, timeout: HELPER_TIMEOUT, maxBuffer: HELPER_OUTPUT, killSignal: "SIGKILL" as const };
    const helper = execFile(program, ["get"], options, (error, stdout) => resolve({ error, stdout }));
    // A helper that exits without reading its input causes EPIPE. Its exit code and output decide.
    helper.stdin?.on("error", () => undefined);
    helper.stdin?.end(key);
  });
}

function parseAnswer(text: string): Static<typeof answerSchema> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Check(answerSchema, value) ? value : undefined;
  } catch {
    return undefined;
  }
}
