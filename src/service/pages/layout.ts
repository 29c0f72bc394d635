/** The layout of all pages: head, header with navigation and search, content, footer. It works without scripts. */
import { external, markup, trusted, type LinkTarget, type Markup } from "./markup.ts";
import { day } from "./parts.ts";
import { DOCUMENT_POLICY, scriptElement, COPY_SCRIPT, SUGGEST_SCRIPT } from "./assets/scripts.ts";
import { rootOf, type Site, type SitePaths } from "./site.ts";
import { PREVIEW_PATH } from "./assets/style.ts";

export interface FeedLink {
  readonly title: string;
  readonly type: string;
  readonly href: LinkTarget | null;
}

export interface HtmlPage {
  /** Title of the document, without the name of the site. */
  readonly title: string;
  readonly description: string;
  readonly body: Markup;
  /** The entry of the navigation that is highlighted. */
  readonly section?: "products" | "check" | "watch" | "methodology" | "docs" | "keys";
  /** The canonical URL of the page. */
  readonly canonical?: LinkTarget | null;
  /** Not listed by search engines: errors, search results, and pages behind a link in a mail. */
  readonly unlisted?: true;
  /** Feeds that the page links in its head. */
  readonly feeds?: readonly FeedLink[];
  /** The page contains a search field, so the header has none. */
  readonly searches?: true;
}

export function layout(page: HtmlPage, site: Site): string {
  const { paths, version, asOf, catalogue } = site;
  const { html } = markup`<!doctype html>
<html lang="en">
${head(page, site)}
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="bar"><div>
<a class="brand" href="${paths.home}">${MARK} eolgate</a>
<nav aria-label="Main"><ul>
<li>${entry(page, "products", paths.home, "Products")}</li>
${site.interactive && markup`<li>${entry(page, "check", paths.check, "Check")}</li>\n<li>${entry(page, "watch", paths.watchForm, "Watch")}</li>\n`}<li>${entry(page, "methodology", paths.methodology, "Methodology")}</li>
<li>${entry(page, "docs", paths.docs, "API")}</li>
${site.interactive && markup`<li>${entry(page, "keys", paths.keys, "Get a key")}</li>\n`}</ul></nav>
${!page.searches && site.interactive && searchForm(paths, "")}
</div></header>
<main id="content" tabindex="-1">
${page.body}
</main>
<footer class="foot"><div>
<p>Catalogue of ${day(catalogue.metadata.date)}, as of ${day(asOf)} (UTC)</p>
<p>eolgate ${version} · <a href="${paths.openapi}">OpenAPI</a> · <a href="${paths.catalogue}">catalogue</a></p>
</div></footer>
${site.interactive && scriptElement(SUGGEST_SCRIPT)}
${scriptElement(COPY_SCRIPT)}
</body>
</html>
`;
  return html;
}

function head(page: HtmlPage, { paths, links }: Site): Markup {
  const { title, description, canonical, feeds = [] } = page;
  const preview = external(`${rootOf(links)}${PREVIEW_PATH}`);
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
${canonical && markup`<meta property="og:url" content="${canonical}">\n`}${!page.unlisted && markup`<meta property="og:image" content="${preview}">\n<meta name="twitter:card" content="summary_large_image">\n`}${feeds.map(({ title, type, href }) => href && markup`<link rel="alternate" type="${type}" title="${title}" href="${href}">\n`)}<link rel="icon" href="${paths.icon}" type="image/svg+xml">
<link rel="stylesheet" href="${paths.style}">
</head>`;
}

const entry = (page: HtmlPage, section: NonNullable<HtmlPage["section"]>, target: LinkTarget, text: string): Markup =>
  markup`<a href="${target}"${page.section === section && markup` aria-current="true"`}>${text}</a>`;

/** The search field. It has no `autofocus`, because screen readers would skip the heading. */
export const searchForm = ({ home, suggest }: SitePaths, query: string): Markup =>
  markup`<form class="search" role="search" action="${home}" method="get" data-suggest="${suggest.href}"><label class="hidden" for="q">Find a product, version or package URL</label><input id="q" name="q" type="search" maxlength="300" placeholder="node 18, windows 10, pkg:npm/express" value="${query}" autocomplete="off" spellcheck="false"><button type="submit">Find</button></form>`;

/** A labelled region that scrolls horizontally on narrow screens and can be focused with the keyboard. */
export const scrolling = (label: string, inner: Markup): Markup =>
  markup`<div class="scroll" role="region" aria-label="${label}" tabindex="0">${inner}</div>`;

/** @param ancestors pages above this one. @param current name of this page */
export function breadcrumbs(
  ancestors: readonly (readonly [text: string, target: LinkTarget])[],
  current: string,
): Markup {
  const links = ancestors.map(([text, target]) => markup`<li><a href="${target}">${text}</a></li>`);
  return markup`<nav class="trail" aria-label="Breadcrumb"><ol>${links}<li aria-current="page">${current}</li></ol></nav>`;
}

const MARK = trusted(
  '<svg viewBox="0 0 32 32" aria-hidden="true"><path class="alive" d="M4 11h14"/><path class="near" d="M4 21h8"/><path class="gate" d="M25 4v24"/></svg>',
);
