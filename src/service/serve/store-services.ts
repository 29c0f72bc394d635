/**
 * Creates the services of the server over a store, and the background jobs. `cli/commands/serve.ts` passes the real
 * dependencies; tests pass their own clock, transport and catalogue.
 */
import { EolgateError } from "../../messages/error.ts";
import type { Catalogue } from "../../model/index.ts";
import type { OutboxCounts, Store, WatchList } from "../store/store.ts";
import { runAlerts } from "../alerts/run.ts";
import { runPackageAlerts, runPackageAlertsOf, type PackageSources } from "../alerts/packages.ts";
import { createWatch } from "../alerts/watch.ts";
import type { Clock } from "../clock.ts";
import { createJobs, standardJobs, type Jobs } from "./jobs.ts";
import { createKeys, type Keys } from "../keys/keys.ts";
import { createQuota } from "../keys/quota.ts";
import type { SecretRing } from "../keys/secret.ts";
import type { Tiers } from "../keys/tiers.ts";
import type { Log } from "./log.ts";
import { compose } from "../mail/compose.ts";
import { createMailer } from "../mail/mailer.ts";
import type { Transport } from "../mail/transport.ts";
import type { PaymentService, Services } from "../services.ts";

export interface StoreServicesOptions {
  readonly store: Store;
  readonly secrets: SecretRing;
  readonly tiers: Tiers;
  readonly clock: Clock;
  readonly log: Log;
  /** Returns the catalogue in use. */
  readonly catalogue: () => Catalogue;
  readonly transport: Transport;
  /** Base URL of links in mails. Undefined: not configured, and requests that send a mail are refused. */
  readonly publicUrl: string | undefined;
  /** Domain of Message-IDs: that of `--mail-from`. */
  readonly mailDomain: string;
  /** Loads a newer catalogue. `every`: milliseconds. */
  readonly refresh?: { readonly every: number; readonly run: () => Promise<object> };
  /** Sources for the packages of watch lists. If absent, packages are not checked, and no socket is opened for them. */
  readonly sources?: PackageSources;
  readonly payments?: (keys: Keys) => PaymentService;
}

export interface StoreServices {
  readonly services: Services;
  readonly keys: Keys;
  /** `mails`, `alerts`, `prune`, `refresh`, `packages`. Wake `alerts` after a change of the catalogue. */
  readonly jobs: Jobs;
  readonly outbox: () => Promise<OutboxCounts>;
  /** Stops the jobs, returns leased quota and closes the store. Call it after the last request. */
  close(): Promise<void>;
}

export function createStoreServices(options: StoreServicesOptions): StoreServices {
  const { store, secrets, tiers, clock, log, catalogue, transport, publicUrl, mailDomain } = options;
  const keys = createKeys({ store, secrets, tiers, clock });
  const quota = createQuota({ store, clock });
  const packages = watchedPackages(options);
  const watches = createWatch({ store, secrets, clock, catalogue, ...(packages && { onConfirmed: packages.check }) });
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
      checks: { store: () => storeProblem(store) },
      remarks: { mail: () => deadLetters(store) },
    },
    keys,
    jobs,
    outbox: () => store.outbox.counts(),
    async close() {
      await Promise.all([jobs.stop(), mailer.stop(), packages?.stop()]);
      // If the store is unavailable, the leased uses count as used, so a quota is never exceeded.
      await quota.close().catch(() => undefined);
      await store.close();
    },
  };
}

/** Checks the packages of all lists in a job, and those of a newly confirmed list immediately. */
function watchedPackages({ store, clock, log, sources }: StoreServicesOptions) {
  if (sources === undefined) return undefined;
  const options = { store, clock, ...sources };
  let running = Promise.resolve();
  return {
    run: () => runPackageAlerts(options),
    check({ id }: WatchList): void {
      running = running
        .then(() => runPackageAlertsOf(id, options))
        // The next run of the job includes the list.
        .catch((error: unknown) =>
          log.warn({ list: id, reason: String(error) }, "packages of a list were not checked"),
        );
    },
    stop: () => running,
  };
}

async function storeProblem(store: Store): Promise<string | undefined> {
  try {
    await store.ping();
    return undefined;
  } catch (error) {
    if (error instanceof EolgateError) return error.message;
    throw error;
  }
}

/** Dead letters do not make the service unready, but an operator should check them. */
async function deadLetters(store: Store): Promise<string | undefined> {
  const { dead } = await store.outbox.counts();
  return dead === 0 ? undefined : `${dead} dead letters; list them with: eolgate mail dead`;
}

/** Links are never built from a Host header, so mails with links need a configured public URL. */
const noMail = (): Promise<never> => Promise.reject(EolgateError.of("no-public-url", {}));
