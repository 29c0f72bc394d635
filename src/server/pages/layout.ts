/** The frame of every page: head, bar with search, the page, foot. Works without script. */
import { markup, trusted, type Address, type Markup } from "./markup.ts";
import { day } from "./parts.ts";
import { DOCUMENT_POLICY } from "./policy.ts";
import { scriptElement } from "./scripts.ts";
import { COPY_SCRIPT } from "./scripts/copy.ts";
import { SUGGEST_SCRIPT } from "./scripts/suggest.ts";
import type { FeedLink } from "./subscribe.ts";
import type { Site, SitePaths } from "./site.ts";

export interface Page {
  /** Of the document, without the site's name. */
  readonly title: string;
  readonly description: string;
  readonly body: Markup;
  /** Which entry of the bar this page belongs to. */
  readonly section?: "products" | "check" | "watch" | "methodology" | "docs" | "keys";
  /** The address under which this page is known to others. */
  readonly canonical?: Address | null;
  /** Not for search engines: errors, and pages behind a link in a mail. */
  readonly unlisted?: true;
  /** Feeds that a reader may subscribe to. */
  readonly feeds?: readonly FeedLink[];
  /** The picture that other sites show next to a link. */
  readonly preview?: Address | null;
  /** The page has a search field of its own. */
  readonly searches?: true;
}

export function layout(page: Page, site: Site): string {
  const { places, version, asOf, catalogue } = site;
  const { html } = markup`<!doctype html>
<html lang="en">
${head(page, site)}
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="bar"><div>
<a class="brand" href="${places.home}">${MARK} eolgate</a>
<nav aria-label="Main"><ul>
<li>${entry(page, "products", places.home, "Products")}</li>
${site.interactive && markup`<li>${entry(page, "check", places.check, "Check")}</li>\n<li>${entry(page, "watch", places.watchForm, "Watch")}</li>\n`}<li>${entry(page, "methodology", places.methodology, "Methodology")}</li>
<li>${entry(page, "docs", places.docs, "API")}</li>
${site.interactive && markup`<li>${entry(page, "keys", places.keys, "Get a key")}</li>\n`}</ul></nav>
${!page.searches && site.interactive && searchForm(places, "")}
</div></header>
<main id="content" tabindex="-1">
${page.body}
</main>
<footer class="foot"><div>
<p>Catalogue of ${day(catalogue.metadata.date)}, as of ${day(asOf)} (UTC)</p>
<p>eolgate ${version} · <a href="${places.openapi}">OpenAPI</a> · <a href="${places.catalogue}">catalogue</a></p>
</div></footer>
${site.interactive && scriptElement(SUGGEST_SCRIPT)}
${scriptElement(COPY_SCRIPT)}
</body>
</html>
`;
  return html;
}

function head(page: Page, { places }: Site): Markup {
  const { title, description, canonical, preview, feeds = [] } = page;
  return markup`<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${DOCUMENT_POLICY}">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${description}">
${page.unlisted && markup`<meta name="robots" content="noindex">\n`}<title>${title} · eolgate</title>
${canonical && markup`<link rel="canonical" href="${canonical}">\n`}<meta property="og:site_name" content="eolgate">
<meta property="og:type" content="website">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
${canonical && markup`<meta property="og:url" content="${canonical}">\n`}${preview && markup`<meta property="og:image" content="${preview}">\n<meta name="twitter:card" content="summary_large_image">\n`}${feeds.map(({ title, type, href }) => href && markup`<link rel="alternate" type="${type}" title="${title}" href="${href}">\n`)}<link rel="icon" href="${places.icon}" type="image/svg+xml">
<link rel="stylesheet" href="${places.style}">
</head>`;
}

function entry(page: Page, section: NonNullable<Page["section"]>, target: Address, words: string): Markup {
  return markup`<a href="${target}"${page.section === section && markup` aria-current="true"`}>${words}</a>`;
}

/** Asks the home page. `autofocus` is left out on purpose: it takes a screen reader past the heading. */
export function searchForm({ home, suggest }: SitePaths, asked: string): Markup {
  return markup`<form class="search" role="search" action="${home}" method="get" data-suggest="${suggest.href}"><label class="hidden" for="q">Find a product, version or package URL</label><input id="q" name="q" type="search" maxlength="300" placeholder="node 18, windows 10, pkg:npm/express" value="${asked}" autocomplete="off" spellcheck="false"><button type="submit">Find</button></form>`;
}

/** A region that scrolls sideways on narrow screens: reachable by keyboard, with a name. */
export function scrolling(label: string, inner: Markup): Markup {
  return markup`<div class="scroll" role="region" aria-label="${label}" tabindex="0">${inner}</div>`;
}

/** Where the reader is: the way back up. The last is the page itself. */
export function breadcrumbs(steps: readonly (readonly [words: string, target: Address])[], here: string): Markup {
  const before = steps.map(([words, target]) => markup`<li><a href="${target}">${words}</a></li>`);
  return markup`<nav class="trail" aria-label="Breadcrumb"><ol>${before}<li aria-current="page">${here}</li></ol></nav>`;
}

const MARK = trusted(
  '<svg viewBox="0 0 32 32" aria-hidden="true"><path class="alive" d="M4 11h14"/><path class="near" d="M4 21h8"/><path class="gate" d="M25 4v24"/></svg>',
);
