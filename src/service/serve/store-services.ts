/**
 * Opens the store, the secret and the tiers that the flags name, for `serve` and the other store commands, and creates the
 * services of the server and its background jobs over a store.
 */
import { webhookTransport, type WebhookHosts } from "../mail/webhook.ts";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { EolgateError } from "../../messages/error.ts";
import { readBoundedFile } from "../../platform/bounded-file.ts";
import { type Keys, createKeys } from "../keys/keys.ts";
import { type SecretRing, checkSecrets, loadSecrets } from "../keys/secret.ts";
import { DEFAULT_TIERS, type Tiers, parseTiers } from "../keys/tiers.ts";
import { CONNECTIONS, type StoreLocation, hasEmbeddedStore, openStore, storeLocation } from "../store/open.ts";
import type { OutboxCounts, Store } from "../store/store.ts";
import type { Invocation } from "../../shell/command.ts";
import { flagValues, stringValue } from "../../shell/settings.ts";
import type { Catalogue } from "../../model/index.ts";
import { runAlerts } from "../alerts/run.ts";
import { createWatch } from "../alerts/watch.ts";
import { HOUR, SECOND, withTimeout, type Clock } from "../clock.ts";
import { unavailable } from "../store/driver-errors.ts";
import { type Jobs, createJobs, standardJobs } from "./jobs.ts";
import { createQuota } from "../keys/quota.ts";
import type { Log } from "./log.ts";
import { compose } from "../mail/compose.ts";
import { createMailer } from "../mail/mailer.ts";
import type { Transport } from "../mail/transport.ts";
import type { PaymentService, Services } from "../services.ts";

export interface StoreSession {
  readonly store: Store;
  readonly secrets: SecretRing;
  readonly tiers: Tiers;
  readonly keys: Keys;
  /** Whether only this process uses the store. */
  readonly embedded: boolean;
  /** The folder for the files of the service, even if a database is used. */
  readonly folder: string;
}

export interface StoreSettings {
  readonly place: StoreLocation;
  readonly folder: string;
  readonly secretFile: string | undefined;
  readonly tiersFile: string | undefined;
}

/** Which commands create a store: in a folder that is named, also in the default folder, or none. */
export type StoreCreation = "named" | "any" | "never";

/**
 * The settings from flags and environment; flags take precedence.
 * @throws EolgateError `invalid-value` if the folder has no store and the command does not create one
 */
export function storeSettings(invocation: Invocation, creation: StoreCreation): StoreSettings {
  const { io } = invocation;
  const values = flagValues(invocation);
  const path = (key: string): string | undefined => {
    const configured = stringValue(values[key]);
    return configured === undefined ? undefined : resolve(io.cwd, configured);
  };
  const named = path("data");
  const folder = named ?? dataFolder(io.env);
  const place = storeLocation(folder, stringValue(values["database"]) ?? readAddress(path("databaseFile")));
  if (place.kind === "embedded" && !hasEmbeddedStore(folder) && !mayCreate(creation, named)) throw noStore(folder);
  return { place, folder, secretFile: path("secretFile"), tiersFile: path("tiers") };
}

const mayCreate = (creation: StoreCreation, named: string | undefined): boolean =>
  creation === "any" || (creation === "named" && named !== undefined);

const noStore = (folder: string): EolgateError =>
  EolgateError.of("invalid-value", {
    problem: "--data or EOLGATE_DATA must name the folder of a store; this folder has none",
  }).at(folder);

/** The address in a file, without the line end. @throws EolgateError `config`, code `config-unreadable`. */
function readAddress(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  return readBoundedFile(file, "file with the address of the database", (cause) =>
    EolgateError.of(
      "config-unreadable",
      {
        problem: "the file with the address of the database cannot be read",
        advice: "Check the path and the permissions of --database-file.",
      },
      { where: file, cause },
    ),
  )
    .toString("utf8")
    .trim();
}

/**
 * Opens the store, which the caller must close.
 * @throws EolgateError `usage`, `config`, `unavailable`, `runtime`
 */
export async function openStoreSession(
  invocation: Invocation,
  creation: StoreCreation,
  connections = CONNECTIONS,
): Promise<StoreSession> {
  const { io } = invocation;
  const { place, folder, secretFile, tiersFile } = storeSettings(invocation, creation);
  const tiers = tiersFile === undefined ? DEFAULT_TIERS : await readTiers(tiersFile);
  const secrets = loadSecrets({
    ...(secretFile !== undefined && { file: secretFile }),
    ...(io.env["EOLGATE_SECRET"] !== undefined && { text: io.env["EOLGATE_SECRET"] }),
    ...(place.kind === "embedded" && { folder }),
  });
  const store = await openStore(place.kind === "postgres" ? { ...place, connections } : place, io.now());
  try {
    await checkSecrets(store, secrets);
  } catch (error) {
    await store.close();
    throw error;
  }
  const keys = createKeys({ store, secrets, tiers, clock: () => io.now() });
  return { store, secrets, tiers, folder, embedded: place.kind === "embedded", keys };
}

/** Runs `work` with the store, the secret and the tiers, and closes the store afterwards. */
export async function withStoreSession(
  invocation: Invocation,
  work: (session: StoreSession) => Promise<void>,
  creation: StoreCreation = "never",
): Promise<number> {
  const session = await openStoreSession(invocation, creation);
  return await closing(session.store, () => work(session));
}

/** Runs `work` with the store of the flags, without the secret, and closes the store afterwards. */
export async function withStore(invocation: Invocation, work: (store: Store) => Promise<void>): Promise<number> {
  const store = await openStore(storeSettings(invocation, "never").place, invocation.io.now());
  return await closing(store, () => work(store));
}

async function closing(store: Store, work: () => Promise<void>): Promise<number> {
  try {
    await work();
    return 0;
  } finally {
    await store.close();
  }
}

/** The data folder of eolgate for the current user, by the convention of the platform. */
export function dataFolder(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): string {
  const home = stringValue(env["HOME"]) ?? stringValue(env["USERPROFILE"]) ?? homedir();
  if (platform === "win32")
    return join(stringValue(env["LOCALAPPDATA"]) ?? join(home, "AppData", "Local"), "eolgate", "data");
  if (platform === "darwin") return join(home, "Library", "Application Support", "eolgate");
  return join(stringValue(env["XDG_DATA_HOME"]) ?? join(home, ".local", "share"), "eolgate");
}

async function readTiers(path: string): Promise<Tiers> {
  const content = readBoundedFile(path, "tiers file", (cause) =>
    EolgateError.of("config-unreadable", { problem: "the tiers file cannot be read" }, { where: path, cause }),
  ).toString("utf8");
  const { parse } = await import("yaml");
  try {
    return parseTiers(parse(content, { maxAliasCount: 50 }), path);
  } catch (error) {
    if (error instanceof EolgateError) throw error;
    throw EolgateError.of(
      "server-config",
      { problem: "the tiers file is neither JSON nor YAML" },
      { where: path, cause: error },
    );
  }
}

export interface StoreServicesOptions {
  readonly store: Store;
  readonly secrets: SecretRing;
  readonly tiers: Tiers;
  readonly clock: Clock;
  readonly log: Log;
  /** Returns the catalogue in use. */
  readonly catalogue: () => Catalogue;
  readonly transport: Transport;
  readonly webhookHosts?: WebhookHosts;
  /** Base URL of links in mails. Undefined: not configured, and requests that send a mail are refused. */
  readonly publicUrl: string | undefined;
  /** Domain of Message-IDs: that of `--mail-from`. */
  readonly mailDomain: string;
  /** Loads a newer catalogue. `every`: milliseconds. */
  readonly refresh?: { readonly every: number; readonly run: () => Promise<object> };
  readonly payments?: (keys: Keys) => PaymentService;
}

export interface StoreServices {
  readonly services: Services;
  readonly keys: Keys;
  /** `mails`, `alerts`, `prune`, `refresh`. Wake `alerts` after a change of the catalogue. */
  readonly jobs: Jobs;
  readonly outbox: () => Promise<OutboxCounts>;
  /** Stops the jobs, returns leased quota and closes the store. Call it after the last request. */
  close(): Promise<void>;
}

export function createStoreServices(options: StoreServicesOptions): StoreServices {
  const { store, secrets, tiers, clock, log, catalogue, publicUrl, mailDomain, webhookHosts = new Set() } = options;
  const keys = createKeys({ store, secrets, tiers, clock });
  const quota = createQuota({ store, clock });
  const watches = createWatch({ store, secrets, clock, catalogue, webhookHosts });
  const composing = { store, secrets, keys, publicUrl: (publicUrl ?? "").replace(/\/+$/, ""), domain: mailDomain };
  const transport = webhookTransport(options.transport, webhookHosts, clock);
  const mailer = createMailer({ store, clock, log, transport, compose: (mail) => compose(mail, composing) });
  const standard = standardJobs({
    store,
    clock,
    sendMails: () => mailer.sendDue(),
    sendAlerts: () => runAlerts({ store, clock, catalogue }),
    ...(options.refresh && { refresh: options.refresh }),
  });
  const jobs = createJobs({ store, clock, log, jobs: standard });
  const payments = options.payments?.(keys);

  return {
    services: {
      keys: publicUrl === undefined ? { ...keys, mailFree: noMail, recover: noMail } : keys,
      quotas: quota,
      watches: publicUrl === undefined ? { ...watches, watch: noMail, mailLink: noMail } : watches,
      ...(payments && { payments }),
      anonymous: tiers.anonymous,
      free: tiers.free,
      tiers: tiers.all,
      checks: {},
      storeRemarks: { store: () => storeProblem(store), mail: () => mailRemark(store, clock()) },
    },
    keys,
    jobs,
    outbox: () => inTime(store.outbox.counts()),
    async close() {
      await Promise.all([jobs.stop(), mailer.stop()]);
      // If the store is unavailable, the leased uses count as used, so a quota is never exceeded.
      await quota.close().catch(() => undefined);
      await store.close();
    },
  };
}

/** Probes and Prometheus wait for an answer not much longer. */
const inTime = <Result>(question: Promise<Result>): Promise<Result> =>
  withTimeout(2 * SECOND, question, unavailable("no answer within 2 seconds"));

async function storeProblem(store: Store): Promise<string | undefined> {
  try {
    await inTime(store.ping());
    return undefined;
  } catch (error) {
    if (error instanceof EolgateError) return error.message;
    throw error;
  }
}

async function mailRemark(store: Store, now: number): Promise<string | undefined> {
  const { dead, queued, oldestQueuedAt } = await inTime(store.outbox.counts());
  const late = now - (oldestQueuedAt ?? now) > HOUR ? [`${queued} mails wait, the oldest for over an hour`] : [];
  const lost = dead === 0 ? [] : [`${dead} dead letters; list them with: eolgate mail dead`];
  return [...late, ...lost].join("; ") || undefined;
}

/** Links are never built from a Host header, so mails with links need a configured public URL. */
const noMail = (): Promise<never> => Promise.reject(EolgateError.of("no-public-url", {}));
