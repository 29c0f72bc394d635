/** Composes the mails of watch lists: confirmation, welcome, alerts, the link to the list. */
import { percentEncode } from "../../text/values.ts";
import { formatCount } from "../../messages/format.ts";
import { contentsOf } from "../alerts/cycles.ts";
import type { WatchList, Store } from "../store/store.ts";
import { watchLink, watchToken } from "../alerts/link.ts";
import type { AlertDetails, MailContent } from "./content.ts";
import { alertCard, headline, cycleCard, namesInLines, packageBlocks, packagesSubject } from "./cards.ts";
import { paragraph, type MailBlock, type MailLink } from "./message.ts";
import type { Keys } from "../keys/keys.ts";
import type { SecretRing } from "../keys/secret.ts";

type WatchFacts = Exclude<MailContent, { readonly kind: "key" | "key-ending" }>;

/** Undefined if the mail is obsolete: the list was replaced or deleted, or the secret of its links was removed. */
export function composeWatchMail(
  facts: WatchFacts,
  list: WatchList,
  options: ComposeOptions,
): ComposedMail | undefined {
  const secret = options.secrets.version(list.secretVersion);
  if (!secret) return undefined;
  const { publicUrl } = options;
  if (facts.kind === "watch-confirm") {
    const link = `${publicUrl}/v1/watch/confirm?token=${watchToken("confirm", list.id, secret)}`;
    return list.state === "pending" ? confirmationMail(facts, link) : undefined;
  }
  if (list.state === "pending") return undefined;
  const unsubscribe = `${publicUrl}/v1/watch/unsubscribe?token=${watchLink("unsubscribe", list.id, secret)}`;
  const page = { text: "Your watch list", url: `${publicUrl}/watch/${watchLink("manage", list.id, secret)}` };
  const footer: MailBlock = {
    kind: "footer",
    text: `You receive this mail because you confirmed a watch list for ${contentsOf(list)}.`,
    links: [page, { text: "Unsubscribe", url: unsubscribe }],
  };
  const { subject, blocks } = confirmedMail(facts, list, { page, publicUrl });
  return { subject, blocks: [...blocks, footer], unsubscribe };
}

type ConfirmedFacts = Exclude<WatchFacts, { kind: "watch-confirm" }>;

interface MailPageLinks {
  readonly page: MailLink;
  readonly publicUrl: string;
}

function confirmedMail(facts: ConfirmedFacts, list: WatchList, { page, publicUrl }: MailPageLinks): ComposedMail {
  const links = {
    scoreCard: (product: string, cycle: string): string =>
      `${publicUrl}/score/${percentEncode(product)}/${percentEncode(cycle)}`,
  };
  const open: MailBlock = { kind: "button", text: "Open your watch list", url: page.url };
  switch (facts.kind) {
    case "watch-link":
      return {
        subject: "The link to your watch list",
        blocks: [
          paragraph(
            "You requested the link to your watch list. With this link, you can change, pause and delete the list.",
          ),
          open,
        ],
      };
    case "watch-welcome":
      return {
        subject: `Your watch list: ${contentsOf(list)}`,
        blocks: [
          paragraph(`Your watch list is confirmed.${list.cycles.length > 0 ? ` ${SCHEDULE} Their status today:` : ""}`),
          ...facts.cycles.map((releaseCycle) => cycleCard(releaseCycle, links)),
          ...(list.packages.length > 0 ? [paragraph(followedText(list))] : []),
          open,
        ],
      };
    case "watch-alert":
      return {
        subject: alertSubject(facts.alerts),
        blocks: [...facts.alerts.map((alert) => alertCard(alert, links)), open],
      };
    case "watch-packages":
      return { subject: packagesSubject(facts.packages), blocks: [...packageBlocks(facts.packages), open] };
  }
}

const SCHEDULE =
  "You get a mail 12 months and 90, 60, 30 and 7 days before one of them reaches its end of life, when it ends, and when a vulnerability of an ended release cycle is newly known to be exploited.";

function confirmationMail(
  { cycles, packages = 0 }: Extract<MailContent, { readonly kind: "watch-confirm" }>,
  link: string,
): ComposedMail {
  const names = cycles.map(({ label }) => label);
  const followed = `the support level of ${formatCount(packages, "package")}`;
  const subjects = [
    ...(cycles.length > 0 ? [`the end of life of ${formatCount(cycles.length, "release cycle")}`] : []),
    ...(packages > 0 ? [followed] : []),
  ].join(" and ");
  return {
    subject: "Confirm your watch list",
    blocks: [
      paragraph(`Someone, hopefully you, requested mails about ${subjects}${cycles.length > 0 ? ":" : "."}`),
      ...(cycles.length > 0 ? namesInLines(names).map(paragraph) : []),
      { kind: "button", text: "Confirm the watch list", url: link },
      {
        kind: "footer",
        text: "The link works for 7 days. If you did not request this, ignore this mail, and you will receive no others.",
      },
    ],
  };
}

/** The subject names the most urgent alert; of equally urgent ones, the one with the highest risk. */
function alertSubject(alerts: readonly AlertDetails[]): string {
  const [first] = [...alerts].sort((a, b) => URGENCY[b.trigger] - URGENCY[a.trigger]);
  if (!first) throw new Error("an alert mail without an alert");
  return alerts.length === 1 ? headline(first) : `${headline(first)}, and ${alerts.length - 1} more`;
}

const URGENCY: Readonly<Record<AlertDetails["trigger"], number>> = {
  kev: 6,
  passed: 5,
  "7-days": 4,
  "30-days": 3,
  "60-days": 2,
  "90-days": 1,
  "12-months": 0,
};

const followedText = ({ packages, follow }: WatchList): string =>
  `You will receive a mail when the maintainers of a package on the list (${packages.length}) ${
    follow.includes("unmaintained") ? "deprecate or archive" : "deprecate"
  } it.`;

export interface ComposeOptions {
  readonly store: Pick<Store, "watch">;
  readonly secrets: SecretRing;
  readonly keys: Pick<Keys, "textOf">;
  /** Base URL of links, from the settings. */
  readonly publicUrl: string;
  /** Domain of Message-IDs. */
  readonly domain: string;
}

export interface ComposedMail {
  readonly subject: string;
  readonly blocks: readonly MailBlock[];
  readonly unsubscribe?: string;
}
