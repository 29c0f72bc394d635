/** `eolgate serve`: starts store, catalogue, mail, documents, application, ports; stops them in the reverse order. */
import { UNNAMED_HOST } from "../http/replies.ts";
import { join } from "node:path";
import { linksUnder } from "../../wire/links.ts";
import { VERSION } from "../../platform/version.ts";
import { isLoopback } from "../http/admission.ts";
import { createApp } from "../http/app.ts";
import { MINUTE, SECOND } from "../clock.ts";
import { createDocuments } from "../documents/pool.ts";
import { clockProblem, createEditions, type ServedCatalogue } from "../http/editions.ts";
import { closeWithin, freePort, listen, listenTelemetry, createTelemetry } from "./ports.ts";
import { createLineLog } from "./log.ts";
import { folderTransport, holdingTransport, smtpTransport, type Transport } from "../mail/transport.ts";
import {
  type StoreServices,
  type StoreSession,
  type StoreServicesOptions,
  createStoreServices,
  openStoreSession,
} from "./store-services.ts";
import type { Keys } from "../keys/keys.ts";
import type { PaymentOptions } from "../payments/payments.ts";
import { paymentSettings, serveSettings, type ServeSettings } from "./settings.ts";
import { pages } from "../pages/pages.ts";
import type { Services } from "../services.ts";
import type { Invocation } from "../../shell/command.ts";
import { followCatalogueChanges, openCatalogueService, jitter } from "./catalogue.ts";

export interface RunningService {
  readonly address: string;
  /** The API key that the first start on a terminal creates; undefined if the store has a key, and with `--open`. */
  readonly firstKey: string | undefined;
  /** What is off, and the flag that turns it on. */
  readonly notes: readonly string[];
  /** Completes the current requests, then closes everything. */
  stop(): Promise<void>;
}

/** Process managers kill a process ten to thirty seconds after the signal to stop. */
const GRACE = 8 * SECOND;
const DEFAULT_SENDER = "eolgate <eolgate@localhost.localdomain>";

export async function startService(invocation: Invocation): Promise<RunningService> {
  const base = await openBase(invocation);
  const { settings, publicUrl, editions, clock, log } = base;
  const over = createStoreServices(await storeOptions(invocation, base, () => follow.look()));
  const take = (served: ServedCatalogue): void => takeCatalogue(served, base, over);
  const follow = followCatalogueChanges(base.catalogueService, take, log, MINUTE);
  const telemetry = telemetryOf(editions, over);
  const documents = createDocuments({ editions, publicUrl });
  const services = withChecks(over.services, base);
  const server = { ...settings.server, publicUrl };
  const app = createApp(
    { version: VERSION, settings: server, services, editions, documents, clock, log, telemetry },
    pages,
  );

  const stop = async (): Promise<void> => {
    follow.stop();
    await closeWithin(app, GRACE);
    await documents.close();
    await over.close();
    telemetry.close();
    log.flush();
  };

  try {
    const metrics = await metricsPort(settings, telemetry);
    const address = await listen(app, { host: settings.host, port: base.port });
    const { firstKey, keyNote } = await firstKeyOf(invocation, base, over);
    over.jobs.start();
    documents.warm();
    return { address, firstKey, notes: [...notesOn(base), ...keyNote], stop: () => stopBoth(stop, metrics) };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The metrics port stays open until the service has stopped. */
async function stopBoth(stop: () => Promise<void>, metrics: { close(): Promise<void> } | undefined): Promise<void> {
  try {
    await stop();
  } finally {
    await metrics?.close();
  }
}

/** A key is created for a person at a terminal. Elsewhere, standard output is usually collected as a log. */
async function firstKeyOf({ io }: Invocation, { settings }: Base, { keys }: StoreServices) {
  if (settings.server.open || (await keys.exist())) return { firstKey: undefined, keyNote: [] };
  if (!io.terminal.out) return { firstKey: undefined, keyNote: [NO_KEY] };
  return { firstKey: (await keys.createLocal())?.text, keyNote: [] };
}

const NO_KEY = "the store has no API key; create one with: eolgate keys create --email ADDRESS --tier enterprise";

const telemetryOf = (editions: Base["editions"], { outbox }: StoreServices) =>
  createTelemetry({ version: VERSION, catalogueDate: () => editions.served().catalogue.metadata.date, outbox });

const withChecks = (services: Services, { settings, editions }: Base): Services => ({
  ...services,
  checks: { ...services.checks, clock: () => clockProblem(editions) },
  remarks: {
    ...services.remarks,
    smtp: () => Promise.resolve(settings.server.sendsMail ? undefined : NO_MAIL_SERVER),
  },
});

const NO_MAIL_SERVER =
  "no mail server is set: with --database mails wait in the queue, otherwise they are files in the folder mail; set --smtp";

const notesOn = ({ settings }: Base): readonly string[] => [
  ...(settings.server.sendsMail ? [] : [NO_MAIL_SERVER]),
  ...(settings.publicUrl === undefined && !isLoopback(settings.host)
    ? ["requests for a mail are refused, because links in mails need an address; set --public-url"]
    : []),
];

type Base = Awaited<ReturnType<typeof openBase>>;

/** Creates what the rest of the service depends on: settings, address, clock, log and the catalogue. */
async function openBase(invocation: Invocation) {
  const { io } = invocation;
  const settings = serveSettings(invocation);
  const clock = (): number => io.now();
  const log = createLineLog((lines) => io.err(lines), clock);
  const port = settings.port === 0 ? await freePort(settings.host) : settings.port;
  const publicUrl = settings.publicUrl ?? localUrl(settings.host, port);
  const catalogueService = await openCatalogueService(invocation);
  const editions = createEditions(catalogueService.first, { links: linksUnder(publicUrl), version: VERSION }, clock);
  // Throws on a day before the catalogue's date, as every other command does.
  editions.current();
  return { settings, clock, log, port, publicUrl, catalogueService, editions };
}

/** `look`: loads a catalogue that the refresh has written. */
async function storeOptions(
  invocation: Invocation,
  { settings, clock, log, publicUrl, catalogueService, editions }: Base,
  look: () => Promise<unknown>,
): Promise<StoreServicesOptions> {
  const session = await openStoreSession(invocation, "any", settings.databaseConnections);
  const sender = settings.mailFrom ?? DEFAULT_SENDER;
  const { refresh } = catalogueService;
  const refreshed = async (run: () => Promise<object>): Promise<object> => {
    const report = await run();
    await look();
    return report;
  };
  return {
    ...session,
    clock,
    log,
    catalogue: () => editions.current().served.catalogue,
    transport: await transportOf(settings, sender, session),
    publicUrl: settings.publicUrl ?? (isLoopback(settings.host) ? publicUrl : undefined),
    webhookHosts: settings.webhookHosts,
    mailDomain: sender.slice(sender.lastIndexOf("@") + 1).replace(/>$/, ""),
    ...(settings.refresh !== undefined &&
      refresh && { refresh: { every: jitter(settings.refresh), run: () => refreshed(refresh) } }),
    ...(await paymentsFor(invocation, { store: session.store, clock, log, publicUrl })),
  };
}

function takeCatalogue(served: ServedCatalogue, { editions, log }: Base, { jobs }: StoreServices): void {
  editions.replace(served);
  const { date, digest } = served.catalogue.metadata;
  log.info({ date, digest }, "a new catalogue is in use");
  void jobs.wake("alerts");
}

const metricsPort = async ({ host, metricsPort: port }: ServeSettings, telemetry: ReturnType<typeof createTelemetry>) =>
  port === undefined ? undefined : listenTelemetry(telemetry, { host, port });

/** The address for clients on this machine, where it means "all interfaces" with a name. */
function localUrl(host: string, port: number): string {
  const name = host === "0.0.0.0" || host === "::" ? UNNAMED_HOST : host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}

/** Without payment variables, payment routes answer with 501. */
async function paymentsFor({ io }: Invocation, parts: Pick<PaymentOptions, "store" | "clock" | "log" | "publicUrl">) {
  const settings = paymentSettings(io.env);
  if (!settings) return {};
  const { createPayments, createStripe } = await import("../payments/payments.ts");
  const { base, apiKey, webhookSecret, prices } = settings;
  const stripe = createStripe({ base, apiKey, env: io.env });
  return { payments: (keys: Keys) => createPayments({ ...parts, keys, stripe, webhookSecret, prices }) };
}

function transportOf({ smtp }: ServeSettings, sender: string, { embedded, folder }: StoreSession): Promise<Transport> {
  if (smtp !== undefined) return smtpTransport(smtp, sender);
  return embedded ? folderTransport(join(folder, "mail"), sender) : Promise.resolve(holdingTransport);
}

export async function run(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const stop = io.stop();
  const running = await startService(invocation);
  io.err(`eolgate serves ${running.address}\n`);
  for (const note of running.notes) io.err(`eolgate: note: ${note}\n`);
  if (running.firstKey !== undefined) {
    io.err(
      "The store has no API key yet. This one (tier enterprise) is shown only once, so store it. To create more keys, run: eolgate keys create\n",
    );
    await io.out(`${running.firstKey}\n`);
  }
  await new Promise<void>((resolve) => {
    if (stop.aborted) resolve();
    else stop.addEventListener("abort", () => resolve(), { once: true });
  });
  io.err("eolgate is stopping after the current requests\n");
  await running.stop();
  return 0;
}
