/**
 * The server's services over a store, put together: what `cli/commands/serve.ts` hands to the application, and the
 * jobs that run next to it. Tests build it with a clock, a transport and a catalogue of their own.
 */
import { EolgateError } from "../core/errors.ts";
import type { Catalogue } from "../core/model.ts";
import type { OutboxCounts, Store, WatchList } from "../store/store.ts";
import { runAlerts } from "./alerts/run.ts";
import { runPackageAlerts, runPackageAlertsOf, type PackageSources } from "./alerts/packages.ts";
import { createWatch } from "./alerts/watch.ts";
import type { Clock } from "./clock.ts";
import { createJobs, standardJobs } from "./jobs.ts";
import type { Jobs } from "./jobs.ts";
import { createKeys } from "./keys/keys.ts";
import type { Keys } from "./keys/keys.ts";
import { createQuota } from "./keys/quota.ts";
import type { SecretRing } from "./keys/secret.ts";
import type { Tiers } from "./keys/tiers.ts";
import type { Log } from "./log.ts";
import { compose } from "./mail/compose.ts";
import { createMailer } from "./mail/mailer.ts";
import type { Transport } from "./mail/transport.ts";
import type { PaymentService, Services } from "./services.ts";

export interface StoreServicesOptions {
  readonly store: Store;
  readonly secrets: SecretRing;
  readonly tiers: Tiers;
  readonly clock: Clock;
  readonly log: Log;
  /** The catalogue that serves now. */
  readonly catalogue: () => Catalogue;
  readonly transport: Transport;
  /** Where links in mails lead. Undefined: not configured, and whatever sends a mail is refused. */
  readonly publicUrl: string | undefined;
  /** The right part of Message-IDs: the domain of `--mail-from`. */
  readonly mailDomain: string;
  /** Brings a newer catalogue into service. */
  readonly refresh?: { readonly every: number; readonly run: () => Promise<object> };
  /** Where packages of watch lists are queried; absent: nowhere, and no socket is opened for them. */
  readonly sources?: PackageSources;
  readonly payments?: (keys: Keys) => PaymentService;
}

export interface StoreServices {
  readonly services: Services;
  readonly keys: Keys;
  /** `mails`, `alerts`, `prune`, `refresh`, `packages`. Wake `alerts` when another catalogue came into service. */
  readonly jobs: Jobs;
  readonly outbox: () => Promise<OutboxCounts>;
  /** After the last request: ends the jobs, gives leased quota back, closes the store. */
  close(): Promise<void>;
}

export function createStoreServices(options: StoreServicesOptions): StoreServices {
  const { store, secrets, tiers, clock, log, catalogue, transport, publicUrl, mailDomain } = options;
  const keys = createKeys({ store, secrets, tiers, clock });
  const quota = createQuota({ store, clock });
  const packages = watchedPackages(options);
  const watches = createWatch({ store, secrets, clock, catalogue, ...(packages && { onConfirmed: packages.look }) });
  const composing = { store, secrets, keys, publicUrl: (publicUrl ?? "").replace(/\/+$/, ""), domain: mailDomain };
  const mailer = createMailer({ store, clock, log, transport, compose: (mail) => compose(mail, composing) });
  const standard = standardJobs({
    store,
    clock,
    sendMails: () => mailer.sendDue(),
    sendAlerts: () => runAlerts({ store, clock, catalogue }),
    ...(options.refresh && { refresh: options.refresh }),
    ...(packages && { watchPackages: packages.run }),
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
      checks: { store: () => answers(store) },
      remarks: { mail: () => deadLetters(store) },
    },
    keys,
    jobs,
    outbox: () => store.outbox.counts(),
    async close() {
      await Promise.all([jobs.stop(), mailer.stop(), packages?.stop()]);
      // When the store is down now, the leased uses count as used: a quota is never passed.
      await quota.close().catch(() => undefined);
      await store.close();
    },
  };
}

/** The packages of all lists in a job, and those of a list that was just confirmed at once. */
function watchedPackages({ store, clock, log, sources }: StoreServicesOptions) {
  if (sources === undefined) return undefined;
  const options = { store, clock, ...sources };
  let looking = Promise.resolve();
  return {
    run: () => runPackageAlerts(options),
    look({ id }: WatchList): void {
      looking = looking
        .then(() => runPackageAlertsOf(id, options))
        // The job comes to the list later.
        .catch((error: unknown) =>
          log.warn({ list: id, reason: String(error) }, "packages of a list were not checked"),
        );
    },
    stop: () => looking,
  };
}

async function answers(store: Store): Promise<string | undefined> {
  try {
    await store.ping();
    return undefined;
  } catch (error) {
    if (error instanceof EolgateError) return error.message;
    throw error;
  }
}

/** A mail that was given up is no reason to take no requests, but somebody should look. */
async function deadLetters(store: Store): Promise<string | undefined> {
  const { dead } = await store.outbox.counts();
  return dead === 0 ? undefined : `${dead} given up: eolgate mail dead`;
}

/** Links never come from a request's Host header, so without a public address there are none. */
function noMail(): Promise<never> {
  return Promise.reject(EolgateError.of("no-public-url", {}));
}
