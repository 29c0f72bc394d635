/** `/keys` and `/watch`: forms that request a key or a watch list by mail, and the lists of what is watched. */
import type { EolgateError } from "../../messages/error.ts";
import { formatCount, formatNumber } from "../../messages/format.ts";
import { sentence } from "../../wire/error.ts";
import { WATCH_LIMIT, assessCycles } from "../alerts/cycles.ts";
import type { ListedCycles } from "../documents/listed.ts";
import type { ProductCycle, Tier } from "../services.ts";
import { type HtmlPage, ending, layout, risk, statusChip, dataTable } from "./layout.ts";
import { markup, trusted, type Markup, link } from "./markup.ts";
import { delivery, keyMail, type Site } from "./site.ts";
import type { Assessment } from "../../model/index.ts";
import { formatCycle } from "../../report/labels.ts";

/** Names of form fields, which the routes read. */
export const ACCOUNT_FIELDS = { email: "email", action: "action", list: "list" } as const;

/** The content of a submitted form, and the error. */
export interface FormState {
  readonly email?: string;
  readonly list?: string;
  readonly problem?: EolgateError;
}

export const keysPage = (site: Site, free: Tier, state: FormState = {}): string =>
  layout(
    {
      title: "Get an API key",
      description: "A free API key by e-mail, or your key again.",
      section: "keys",
      ...listed(state),
      body: markup`<h1>Get an API key</h1>
${problemNote(state.problem)}
${mailNote(site)}
<p class="lead">The key comes by e-mail. It is free, needs no password and does not expire. It has ${requestLimit(free)}.</p>
<form class="stacked" method="post" action="${site.paths.keys}">
${emailField(state.email)}
<div class="buttons"><button type="submit" name="${ACCOUNT_FIELDS.action}" value="free">Send me a key</button>
<button class="plain" type="submit" name="${ACCOUNT_FIELDS.action}" value="recover">Send my keys again</button></div>
</form>
<p>Each address has one free key: asking again sends the same key. The <a href="${site.paths.prices}">paid plans</a> allow more requests, and the <a href="${site.paths.docs}">API documentation</a> has the limits and the routes.</p>`,
    },
    site,
  );

const requestLimit = ({ requestsPerDay: limit }: Tier): string =>
  limit === null ? "no limit of requests" : `${formatNumber(limit)} requests a day`;

export const watchFormPage = (site: Site, state: FormState = {}): string =>
  layout(
    {
      title: "Watch a stack",
      description: "Get a mail before a release cycle that you use reaches its end of life.",
      section: "watch",
      ...listed(state),
      body: markup`<h1>Watch a stack</h1>
${problemNote(state.problem)}
${mailNote(site)}
<p class="lead">You get a mail 12 months and 90, 60, 30 and 7 days before a release cycle ends, when it has ended, and when a vulnerability of an ended one is newly known to be exploited. Only your address, the names of at most ${WATCH_LIMIT} release cycles are stored.</p>
<form class="stacked" method="post" action="${site.paths.watchForm}">
${listField(state.list)}
${emailField(state.email)}
<div class="buttons"><button type="submit" name="${ACCOUNT_FIELDS.action}" value="watch">Watch</button></div>
</form>
<p>To watch an SBOM or a lockfile, <a href="${site.paths.check}">check it</a> and use the form below the result.</p>
<h2>Change or end a watch list</h2>
<p>Every mail has a link to your list. If you have none left, have it sent again:</p>
<form class="stacked" method="post" action="${site.paths.watchForm}">
${emailField(state.email, "link-email")}
<div class="buttons"><button class="plain" type="submit" name="${ACCOUNT_FIELDS.action}" value="link">Send me the link</button></div>
</form>`,
    },
    site,
  );

/** Mails of a service without a mail server reach only its operator; forms that request one state it. */
export const mailNote = ({ sendsMail }: Site): Markup | null =>
  sendsMail
    ? null
    : markup`<p class="note warn" role="note"><b>This service has no mail server.</b> It sends no mails: ask its operator for yours.</p>`;

/** Search engines must not list a form with an error. */
const listed = ({ problem }: FormState): Pick<HtmlPage, "unlisted"> => (problem ? { unlisted: true } : {});

/** The form below the result of a check, which requests a watch list of its release cycles. */
export function watchResultForm(site: Site, cycles: readonly ProductCycle[]): Markup | null {
  if (cycles.length === 0) return null;
  const watched = cycles.slice(0, WATCH_LIMIT);
  const all = formatCount(cycles.length, "release cycle");
  const which = watched.length < cycles.length ? `the ${WATCH_LIMIT} riskiest of ${all}` : all;
  const names = watched.map(
    ({ product, cycle }) =>
      markup`<input type="hidden" name="${ACCOUNT_FIELDS.list}" value="${`${product} ${cycle}`}">\n`,
  );
  return markup`<section class="panel screen" aria-labelledby="watch"><h2 id="watch">Watch ${which}</h2>
<p>Get a mail before support ends, and when a vulnerability of an ended release cycle is newly exploited. Nothing is watched until you confirm.</p>
<form class="stacked" method="post" action="${site.paths.watchForm}">${names}${emailField()}
<div class="buttons"><button type="submit" name="${ACCOUNT_FIELDS.action}" value="watch">Watch</button></div></form></section>`;
}

const emailField = (value = "", id = "email"): Markup =>
  markup`<div><label for="${id}">E-mail address</label>
<input id="${id}" type="email" name="${ACCOUNT_FIELDS.email}" value="${value}" maxlength="254" autocomplete="email" required></div>`;

export const listField = (value = ""): Markup =>
  markup`<div><label for="list">Products and versions, or package URLs</label>
<p class="soft" id="list-note">One on each line, or separated by commas: <code>nodejs 18, debian 11</code> or <code>pkg:npm/express@4.21.2</code></p>
<textarea id="list" name="${ACCOUNT_FIELDS.list}" rows="6" spellcheck="false" autocomplete="off" aria-describedby="list-note" required>
${lines(value)}</textarea></div>`;

/** Escapes each line separately: newlines are kept, and other control characters are made visible. */
const lines = (text: string): readonly Markup[] =>
  text.split(/\r?\n/).map((line, index) => markup`${index > 0 && trusted("\n")}${line}`);

/** Shown above the form, so that screen readers announce it first. */
export function problemNote(problem: EolgateError | undefined): Markup | null {
  if (problem === undefined) return null;
  const { message, where, hint } = problem;
  const [, entry] = /^list, entry (\d+)$/.exec(where ?? "") ?? [];
  const text = entry === undefined ? sentence(message) : `Entry ${entry}: ${message}`;
  return markup`<p class="note fail" role="alert"><b>${text}.</b>${hint !== undefined && ` ${hint}`}</p>`;
}

export const keySentPage = (site: Site, email: string, request: "mailFree" | "recover"): string =>
  mailSentPage(site, "keys", keyMail(site, email, request));

/** The page is the same whether or not the address has a list. */
export const linkSentPage = (site: Site, email: string): string =>
  mailSentPage(
    site,
    "watch",
    `If there is a confirmed watch list of this address, the mail with its link ${delivery(site, email)}`,
  );

const mailSentPage = (site: Site, section: "keys" | "watch", outcome: string): string =>
  sentPage(site, section, {
    title: site.sendsMail ? "Check your mail" : "The mail did not leave this service",
    body: markup`<p>${outcome}. ${site.sendsMail && "It may take a minute."}</p>`,
  });

export interface SentWatchList {
  readonly email: string;
  readonly watched: readonly ProductCycle[];
  /** Number of release cycles beyond the limit of a list. */
  readonly dropped: number;
  readonly unknown: ListedCycles["unknown"];
}

/** What was typed and is not watched, and what that means for the rest. */
export const unknownNote = (unknown: ListedCycles["unknown"], rest = ""): Markup | null =>
  unknown.length === 0
    ? null
    : markup`<div class="note warn"><p><b>${formatCount(unknown.length, "entry", "entries")} not recognised, and not watched:</b></p><ul>${unknown.map(({ entry, problem }) => markup`<li>${`${entry}: ${problem.message}`}</li>`)}</ul>${rest !== "" && markup`<p>${rest}</p>`}</div>`;

export const watchSentPage = (site: Site, { email, watched, dropped, unknown }: SentWatchList): string =>
  sentPage(site, "watch", {
    title: "Confirm your watch list",
    body: markup`<p>A mail with a link ${delivery(site, email)}. Nothing is watched until you confirm it, within 7 days.</p>`,
    rest: markup`${unknownNote(unknown)}${dropped > 0 && markup`<p class="note warn">A list can contain ${WATCH_LIMIT} release cycles. The ${formatCount(dropped, "cycle", "cycles")} with the lowest risk ${dropped === 1 ? "is" : "are"} not watched.</p>`}
${cycleList(site, watched)}`,
  });

type SentPage = Pick<HtmlPage, "title" | "body"> & { readonly rest?: Markup };

function sentPage(site: Site, section: "keys" | "watch", { title, body, rest }: SentPage): string {
  const note = markup`<h1>${title}</h1>
<div class="note ${site.sendsMail ? "pass" : "warn"}" role="status">${body}</div>
${rest}`;
  return layout({ title, description: title, section, unlisted: true, body: note }, site);
}

interface Watched {
  readonly name: ProductCycle;
  readonly assessment: Assessment | undefined;
}

const watchedCycles = ({ catalogue, asOf }: Site, names: readonly ProductCycle[]): readonly Watched[] =>
  names.map((name) => ({ name, assessment: assessCycles(catalogue, [name], asOf)[0] }));

/** A list of the release cycles, with their number as the heading. */
export function cycleList(site: Site, cycles: readonly ProductCycle[]): Markup | null {
  if (cycles.length === 0) return null;
  const items = watchedCycles(site, cycles).map((each) => markup`<li>${cycleLink(site, each)}</li>\n`);
  return markup`<h2>${formatCount(cycles.length, "release cycle")}</h2>
<ul class="names">${items}</ul>`;
}

export function watchedTable(site: Site, cycles: readonly ProductCycle[]): Markup {
  const rows = watchedCycles(site, cycles).map((each) => {
    const { assessment } = each;
    const cells = assessment
      ? markup`<td>${statusChip(assessment)}<br><span class="soft">${ending(assessment)}</span></td><td>${risk(assessment)}</td>`
      : markup`<td colspan="2">no longer in the catalogue: no mails are sent for it</td>`;
    return markup`<tr><th scope="row">${cycleLink(site, each)}</th>${cells}</tr>\n`;
  });
  const label = "Watched release cycles";
  return dataTable(label, ["Release cycle", "Status", "Risk of 100"], rows);
}

function cycleLink({ paths }: Site, { name, assessment }: Watched): Markup {
  if (assessment === undefined) return markup`${`${name.product} ${name.cycle}`}`;
  return link(formatCycle(assessment), paths.scoreCard(assessment.releaseCycle));
}
