/** `/check`: checks a document or a list in the browser. The result page contains the downloads, because nothing is stored. */
import type { CheckedDocument } from "../services.ts";
import type { ServerSettings } from "../http/app-context.ts";
import { watchResultForm } from "./account.ts";
import { layout } from "./layout.ts";
import { embedded, markup, trusted, type Markup } from "./markup.ts";
import { scriptElement } from "./assets/assets.ts";
import type { Site } from "./site.ts";

/** Names of form fields, which the route reads. */
export const CHECK_FIELDS = { file: "document", list: "list", answer: "answer" } as const;
export type CheckAnswer = "page" | "report" | "enriched";

/** Bytes. Larger downloads are not embedded in the result page; other buttons of the form return them as files. */
const MAX_EMBEDDED = 1024 * 1024;

const MEGABYTE = 1024 * 1024;

/** Maximum bytes of a form. It is limited, because forms are parsed on the event loop. */
export const formLimit = ({ maxBody }: Pick<ServerSettings, "maxBody">): number => Math.min(maxBody, 16 * MEGABYTE);

export function checkPage(site: Site, settings: Pick<ServerSettings, "maxBody">): string {
  const maxMegabytes = Math.floor(formLimit(settings) / MEGABYTE);
  const description = "Check an SBOM, a lockfile or a list of versions for components that have reached end of life.";
  return layout(
    {
      title: "Check an SBOM",
      description,
      section: "check",
      body: markup`<h1>Check an SBOM or a list</h1>
<p class="lead">See which components have reached end of life, and whether a gate in CI would fail. Nothing is stored.</p>
${checkForm(site, maxMegabytes)}
<h2>The same in CI</h2>
<p><code>eolgate check bom.json</code> reads the file on your machine and sends nothing. It exits with code 1 if a component has reached end of life. This page has the limits of requests without a key.</p>`,
    },
    site,
  );
}

const checkForm = (
  { paths }: Site,
  maxMegabytes: number,
): Markup => markup`<form class="check" method="post" action="${paths.check}" enctype="multipart/form-data">
<div><label for="document">File</label>
<p class="soft" id="document-note">CycloneDX or SPDX in JSON, XML or tag-value; a lockfile, a Dockerfile or another file with versions. Up to ${maxMegabytes} MB. You can also drop it here.</p>
<input id="document" type="file" name="${CHECK_FIELDS.file}" aria-describedby="document-note"></div>
<div><label for="list">Or a list, or the text of a document</label>
<p class="soft" id="list-note">One product and version on each line, or separated by commas: <code>nodejs 18, debian 11</code></p>
<textarea id="list" name="${CHECK_FIELDS.list}" rows="6" spellcheck="false" autocomplete="off" aria-describedby="list-note"></textarea></div>
<div class="buttons"><button type="submit" name="${CHECK_FIELDS.answer}" value="page">Check</button>
<button class="plain" type="submit" name="${CHECK_FIELDS.answer}" value="report">Download the report</button>
<button class="plain" type="submit" name="${CHECK_FIELDS.answer}" value="enriched">Download the enriched document</button></div>
</form>`;

const LOOK = { fail: "fail", warn: "warn", pass: "pass", none: "fail" } as const;

/** @param name name of the checked document, from which that of the enriched one is derived */
export function resultPage(site: Site, checked: CheckedDocument, name: string): string {
  const { verdict, exit, content } = checked;
  return layout(
    {
      title: "Result of the check",
      description: "Result of the check",
      section: "check",
      unlisted: true,
      body: markup`<p class="note ${LOOK[verdict]}">In CI, <code>eolgate check</code> would exit with code <b>${exit.code}</b>: ${exit.why}.</p>
<p class="buttons">${download("Download the report", "text/html", "eolgate-report.html", Buffer.from(checked.report))}
${enrichedDownload(checked, name)}
<a href="${site.paths.check}">Check another</a></p>
<p class="soft">Nothing was stored: this page is the only copy of the result.</p>
<div class="report">${trusted(content)}</div>
${watchResultForm(site, checked.cycles)}
${scriptElement("report")}`,
    },
    site,
  );
}

function download(label: string, type: string, name: string, content: Uint8Array): Markup {
  if (content.length > MAX_EMBEDDED)
    return markup`<span class="soft">${label}: too large for this page; use the button in the form.</span>`;
  return markup`<a download="${name}" href="${embedded(type, content)}">${label}</a>`;
}

function enrichedDownload({ enriched }: CheckedDocument, name: string): Markup {
  if (typeof enriched === "string") return markup`<span class="soft">${enriched}</span>`;
  return download("Download the enriched document", "application/octet-stream", enrichedName(name), enriched);
}

/** `bom.enriched.json` for `bom.json`. Other characters than letters, digits, `_`, `.` and `-` are replaced. */
export function enrichedName(name: string): string {
  const safe = name.replaceAll(/[^\w.-]+/g, "_").replace(/^\.+/, "");
  const dot = safe.lastIndexOf(".");
  return dot <= 0 ? `${safe === "" ? "document" : safe}.enriched` : `${safe.slice(0, dot)}.enriched${safe.slice(dot)}`;
}
