/** Feeds that state which releases are current or supported, without the date of any end. */
import { vendorFeed } from "./feed/claim-list.ts";
import { feedChanged, FeedLocation } from "./feed/location.ts";
import { xmlAttribute, xmlChildren, xmlRoot } from "./feed/markup.ts";

/** Which releases are available with long-term support. */
export const adoptiumAvailableReleases = vendorFeed(
  {
    id: "adoptium-available-releases",
    title: "Adoptium available releases",
    product: "eclipse-temurin",
    origin: "adoptium",
    format: "json",
    verification: "excerpt",
    documents: [{ url: "https://api.adoptium.net/v3/info/available_releases" }],
  },
  (claims, text) => {
    for (const release of FeedLocation.json(text).get("available_lts_releases").items())
      claims.mark("lts", String(release.number()));
  },
);

export const drupalUpdates = vendorFeed(
  {
    id: "drupal-updates",
    title: "Drupal core update status",
    product: "drupal",
    format: "xml",
    verification: "excerpt",
    documents: [{ url: "https://updates.drupal.org/release-history/drupal/current" }],
  },
  (claims, text) => {
    const [branches, ...further] = xmlChildren(xmlRoot(text, "project"), "supported_branches");
    if (!branches || further.length > 0) throw feedChanged("/project", "one element supported_branches");
    for (const branch of branches.text.split(",")) {
      const cycle = /^(\d+(?:\.\d+)?)\.$/.exec(branch.trim())?.[1];
      if (cycle === undefined) throw feedChanged("/project/supported_branches", "branches such as 11.3.");
      claims.mark("supported", cycle);
    }
  },
);

const numbers = (version: string): readonly number[] => version.split(".").map(Number);

function newer(a: string, b: string | undefined): boolean {
  if (b === undefined) return true;
  const [left, right] = [numbers(a), numbers(b)];
  const at = left.findIndex((number, index) => number !== (right[index] ?? 0));
  return at >= 0 && (left[at] ?? 0) > (right[at] ?? 0);
}

/** The update server lists the newest release for each version that asks. Cycles are major versions. */
export const joomlaUpdates = vendorFeed(
  {
    id: "joomla-updates",
    title: "Joomla core updates",
    product: "joomla",
    format: "xml",
    documents: [{ url: "https://update.joomla.org/core/list.xml" }],
  },
  (claims, text) => {
    const newest = new Map<string, string>();
    for (const extension of xmlChildren(xmlRoot(text, "extensionset"), "extension")) {
      const version = xmlAttribute(extension, "version");
      if (!/^\d+(?:\.\d+)+$/.test(version)) throw feedChanged("/extensionset/extension/@version", "a version");
      const [major = ""] = version.split(".");
      if (newer(version, newest.get(major))) newest.set(major, version);
    }
    for (const [cycle, version] of newest) claims.latest(cycle, version);
  },
);

/** A release cycle is supported until the next one; the extended one is marked as such. */
export const mozillaProductDetails = vendorFeed(
  {
    id: "mozilla-product-details",
    title: "Mozilla product details, Firefox versions",
    product: "firefox",
    origin: "mozilla",
    format: "json",
    documents: [{ url: "https://product-details.mozilla.org/1.0/firefox_versions.json" }],
  },
  (claims, text) => {
    const versions = FeedLocation.json(text);
    const add = (place: FeedLocation | undefined, isLongTerm: boolean): void => {
      if (!place) return;
      const version = place.match(/^(\d+(?:\.\d+)+)(?:esr)?$/, "a version N.N");
      const [cycle = version] = version.split(".");
      claims.latest(cycle, version);
      claims.mark("supported", cycle);
      if (isLongTerm) claims.mark("lts", cycle);
    };
    add(versions.get("LATEST_FIREFOX_VERSION"), false);
    add(versions.get("FIREFOX_ESR"), true);
    add(versions.maybe("FIREFOX_ESR_NEXT"), true);
  },
);

/** The newest release of each major, and which branches are supported. */
export const phpReleases = vendorFeed(
  {
    id: "php-releases",
    title: "PHP releases",
    product: "php",
    format: "json",
    documents: [{ url: "https://www.php.net/releases/?json" }],
  },
  (claims, text) => {
    for (const [, major] of FeedLocation.json(text).entries()) {
      const version = major.get("version").text();
      claims.latest(version.split(".").slice(0, 2).join("."), version);
      for (const branch of major.get("supported_versions").items()) claims.mark("supported", branch.text());
    }
  },
);
