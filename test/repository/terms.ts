/**
 * Terms that docs/glossary.md rules out. Identifiers are split into words (`readOnly` is "read only"); file names count
 * as identifiers. Prose is documentation and comments.
 *
 * `limit` is the number of uses that are left from before the glossary. It may only fall: lower it with every rewrite,
 * and remove it at zero.
 */
export interface RuledOutTerm {
  /** A name for the row, and the word that identifiers must not contain if there is no pattern. */
  readonly term: string;
  /** What to write in its place. */
  readonly use: string;
  /** Matches the words of an identifier, joined by spaces, in lower case. */
  readonly identifier?: RegExp;
  readonly prose?: RegExp;
  /** Files to which the row applies; absent: all. */
  readonly within?: RegExp;
  readonly limit?: { readonly identifiers?: number; readonly prose?: number };
}

export const RULED_OUT: readonly RuledOutTerm[] = [
  {
    term: "ruling",
    use: "severity, outcome",
    identifier: /\brulings?\b/,
    prose: /\brulings?\b/i,
  },
  {
    term: "sighting",
    use: "finding",
    identifier: /\bsightings?\b/,
    prose: /\bsightings?\b/i,
  },
  { term: "gravest", use: "highest severity", identifier: /\bgravest\b/, prose: /\bgravest\b/i },
  {
    term: "voice",
    use: "source",
    identifier: /\b(?:voices|(?:a|the|one|first) voice)\b/,
    prose: /\bvoices?\b/i,
  },
  {
    term: "house",
    use: "module, layer",
    identifier: /\bhouse\b/,
    prose: /\b(?:the|this|our) house\b/i,
  },
  {
    term: "room",
    use: "module, layer",
    identifier: /\brooms?\b/,
    prose: /\brooms?\b/i,
  },
  {
    term: "door",
    use: "entry point",
    identifier: /\bdoors?\b/,
    prose: /\bdoors?\b/i,
  },
  {
    term: "shelf",
    use: "index, cache",
    identifier: /\bshelf\b/,
    prose: /\bshelf\b/i,
  },
  { term: "workshop", use: "module", identifier: /\bworkshop\b/, prose: /\bworkshop\b/i },
  {
    term: "fault",
    use: "error, EolgateError",
    identifier: /\bfaults?\b/,
    prose: /\bfaults?\b/i,
  },
  {
    term: "told",
    use: "resolved, reported",
    identifier: /\btold\b/,
    prose: /\btold\b/i,
  },
  {
    term: "said",
    use: "text, message",
    identifier: /\bsaid\b/,
    prose: /\bsaid\b/i,
  },
  { term: "spoken", use: "formatted", identifier: /\bspoken\b/ },
  { term: "fold", use: "normalize", identifier: /\bfold(?:ed|s)?\b/, limit: { identifiers: 24 } },
  { term: "foreseer", use: "forecast", identifier: /\bforeseer\b/, prose: /\bforeseer\b/i },
  { term: "spared", use: "baselined", identifier: /\bspared\b/, prose: /\bspared\b/i },
  { term: "past its end", use: "ended, end-of-life", prose: /\bpast (?:its|their|the) end\b/i },
  { term: "near its end", use: "ending soon", prose: /\bnear (?:its|their|an|the) end\b/i },
  { term: "release line", use: "release cycle", prose: /\brelease lines?\b/i },
  { term: "who says so", use: "source", prose: /\bwho says so\b|\bsays who\b/i },
  { term: "leaves with", use: "exits with", prose: /\bleaves? with\b/i },
  { term: "comes along", use: "is bundled", prose: /\b(?:comes?|goes|go) along\b/i },
  { term: "nobody", use: "no source, no user", prose: /\bnobody\b/i },
  { term: "brought in by", use: "introduced by", identifier: /\bbrought in\b/, prose: /\bbrought in by\b/i },
  {
    term: "stands",
    use: "is, is located in, means",
    identifier: /\bstands\b/,
    prose: /\bstands\b/i,
  },
  { term: "world", use: "test harness, fixture", identifier: /(?<!open )\bworld\b/, prose: /\bworld\b/i },
  { term: "says", use: "states, shows, reports", identifier: /\bsays\b/, prose: /\bsays\b/i },
  { term: "speaks", use: "states, is about", identifier: /\bspeaks?\b/, prose: /\bspeaks?\b/i },
  { term: "whom", use: "name the role: user, client", prose: /\bwhom\b/i },
  {
    term: "line",
    use: "release cycle",
    identifier: /\b(?:line ref|assess lines?|platform lines?|lines (?:added|removed))\b/,
  },
  {
    // Sources and lists of names have lines of text. The other two files read the earlier names of keys.
    term: "line (in the catalogue)",
    use: "release cycle, cycle",
    identifier: /\blines?\b/,
    within:
      /^(?:src\/(?:catalogue|pipeline)\/(?!sources\/|debian-packages\.ts|name-list\.ts|format\/earlier\.ts|own\/(?:schema|earlier-key)\.ts)|src\/service\/store\/(?:rows|store)\.ts)/,
  },
  { term: "turns red", use: "starts to fail", prose: /\bturns? red\b/i },
  { term: "without a line", use: "unresolved", prose: /\bwithout a line\b/i },
  { term: "covered", use: "distro-maintained", identifier: /\bcovered\b/, prose: /\bcovered (?:by|package)/i },
  {
    term: "early end",
    use: "package-level end of life",
    identifier: /\b(?:early ends?|ended early)\b/,
    prose: /\bearly ends?\b/i,
  },
  { term: "judgement", use: "evaluated component", identifier: /\bjudge?ments?\b/, prose: /\bjudge?ments?\b/i },
  { term: "foresee", use: "forecast", identifier: /\bforesees?\b/, prose: /\bforesees?\b/i },
  // "judged PRODUCT" is the form of an expectation in the labelled cases.
  {
    term: "judge",
    use: "evaluate, assess, check",
    identifier: /\bjudg|\bunjudged\b/,
    within: /^(?!test\/resolution\/)/,
  },
  { term: "lane", use: "worker", identifier: /\blanes?\b/, prose: /\blanes?\b/i },
  {
    term: "maintainer",
    use: "backporting distribution, distroAssessment",
    identifier: /^maintainer(?: of)?$/,
  },
  { term: "backporter", use: "backporting distribution", identifier: /\bbackporters?\b/, prose: /\bbackporters?\b/i },
  {
    term: "standing",
    use: "assessment",
    identifier: /\bstandings?\b/,
    prose: /\bstandings\b|\b(?:its|the) standing\b/i,
  },
  { term: "stamp", use: "catalogue metadata, timestamp", identifier: /\bstamps?\b/, prose: /\bstamps?\b/i },
  {
    term: "served",
    use: "effective date",
    identifier: /\bserved (?:dates?|ends?)\b|\b(?:dates?|ends?) served\b/,
    prose: /\bserved (?:dates?|ends?)\b/i,
  },
  { term: "item", use: "component", prose: /\bSBOM (?:items?|pieces?)\b|\b(?:items?|pieces?) of (?:an|the) SBOM\b/i },
  { term: "destination", use: "upgrade target", identifier: /\bdestination\b/, prose: /\bupgrade destinations?\b/i },
  { term: "sight", use: "policy, condition", identifier: /\bsights?\b/, prose: /\bsights?\b/i },
  { term: "counts again", use: "the waiver has expired", prose: /\bcounts? again\b/i },
  { term: "hallway", use: "module, layer", identifier: /\bhallways?\b/, prose: /\bhallways?\b/i },
  { term: "floor", use: "module, layer", identifier: /\bfloors?\b/, prose: /\bfloors?\b/i, within: /^src\// },
  { term: "invented", use: "fixture", identifier: /\binvented\b/, prose: /\binvented\b/i },
  { term: "hole", use: "placeholder, interpolate", identifier: /\bholes?\b/, prose: /\bholes?\b/i },
  { term: "workspace", use: "config, settings file", identifier: /\bworkspaces?\b/ },
  { term: "version-cut", use: "stripPackagingSuffix", identifier: /\bversion cut\b/ },
  { term: "revival", use: "date change", identifier: /\brevivals?\b/, prose: /\brevivals?\b/i },
  { term: "left out", use: "out of scope, omitted", identifier: /\bleft out\b/ },
  { term: "own read", use: "own source, platform source", identifier: /^(?:own|platform) reads?$/ },
  { term: "ingredient", use: "input file", identifier: /\bingredients?\b/, prose: /\bingredients?\b/i },
  { term: "wholly", use: "is generated", identifier: /\bwholly\b/ },
  { term: "worth it", use: "minimum: name what is counted", identifier: /\bworth it\b/ },
  { term: "strange", use: "unexpected", identifier: /\bstrange\b/, prose: /\bstrange\b/i },
];
