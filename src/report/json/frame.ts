/** The parts of the JSON report besides the components: policy, waivers, catalogue, exit. */
import { fullName } from "../../compare/finding-record.ts";
import { dayOf } from "../../wire/lifecycle.ts";
import { kevEntryObject } from "../../wire/score.ts";
import type {
  AllowedRisk,
  Contribution,
  Counted,
  CoverageShare,
  DocumentSubject,
  FailedDocument,
  FailOn,
  FolderCoverage,
  Forecast,
  ImageCoverage,
  EvaluatedComponent,
  Policy,
  Report,
  SupportCounts,
  UpcomingFailure,
  Verdict,
  Waiver,
} from "../../model/index.ts";
import { supportCounts } from "../../support/levels.ts";

export function frameObject(report: Report) {
  const { tool, asOf, catalogue, policy, settings, verdict, comparison, forecast, exit } = report;
  const { oldestStatement: oldest } = verdict;
  return {
    schema_version: "1.0" as const,
    tool: { name: tool.name, version: tool.version },
    as_of: asOf,
    catalogue: {
      date: catalogue.date,
      digest: catalogue.digest,
      age_days: catalogue.ageDays,
      purl_map_date: catalogue.purlMapDate,
      kev_version: catalogue.kevVersion,
      origin: catalogue.origin,
      ...(oldest && {
        oldest_statement: { ...oldest.releaseCycle, day: oldest.day, age_days: oldest.ageDays },
      }),
    },
    policy: policyObject(policy),
    ...(settings && { settings: settingsObject(settings, report.contributions) }),
    waivers: waiversObject(verdict),
    ...(report.contributions && { contributions: report.contributions.map(contributionObject) }),
    ...(verdict.allowed && { allowed: verdict.allowed.map(allowedObject) }),
    ...(comparison && { baseline: { against: comparison.against, gone: comparison.gone } }),
    ...(forecast && { forecast: forecastObject(forecast) }),
    ...(report.folders && { folders: report.folders.map(folderObject) }),
    ...(report.images && { images: report.images.map(imageObject) }),
    exit: { code: exit.code, name: exit.name, why: exit.why },
  };
}

const settingsObject = (
  { configFile, configFrom, asOf, given }: NonNullable<Report["settings"]>,
  contributions: Report["contributions"],
) => ({
  config_file: configFile,
  config_from: configFrom,
  own_catalogue: contributions?.find(({ kind }) => kind === "catalogue" || kind === "purls")?.file ?? null,
  as_of_origin: asOf,
  given: given.map(({ setting, origin }) => ({ setting, origin })),
});

export const contributionObject = ({ kind, file, commit, fields, applied, count, replaced }: Contribution) => ({
  kind,
  file,
  commit,
  fields,
  applied,
  count,
  replaced: replaced.map(({ subject, count: components, before, after }) => ({ subject, components, before, after })),
});

export const allowedObject = ({ kind, components, releases }: AllowedRisk) => ({
  kind,
  components,
  releases: releases.map(({ subject, components: count, kevEntries, track }) => ({
    subject,
    components: count,
    kev_entries: kevEntries.map(kevEntryObject),
    support_track: track?.name ?? null,
    support_end_date: dayOf(track?.end ?? null),
  })),
});

const folderObject = ({ folder, read, notRead, skipped }: FolderCoverage) => ({
  folder,
  read: read.map(({ kind, files }) => ({ kind, files })),
  not_read: notRead.map(({ kind, reason, count, examples }) => ({ kind, reason, count, examples: [...examples] })),
  skipped: {
    directories: skipped.directories.map(({ name, count }) => ({ name, count })),
    git_ignored: skipped.gitIgnored,
    excluded: skipped.excluded,
    links: skipped.links,
  },
});

const imageObject = ({ image, platform, digest, evidence, notRead }: ImageCoverage) => ({
  image,
  platform,
  digest,
  evidence: evidence.map(({ kind, source, components, signedBy }) => ({
    kind,
    source,
    components,
    ...(signedBy !== undefined && { signed_by: signedBy }),
  })),
  not_read: notRead.map(({ kind, detail }) => ({ kind, detail })),
});

function policyObject(policy: Policy) {
  return {
    fail_on: policy.failOn.map(formatFailOn),
    warn_days: policy.warnDays,
    superseded_after_days: policy.supersededAfterDays,
    strict: policy.strict,
    min_coverage: policy.minCoverage,
    allow_unassessed: policy.allowUnassessed,
    allow_empty: policy.allowEmpty,
    support: policy.support,
    contracts: policy.contracts.map(({ product, cycle, vendor, until }) => ({
      product,
      cycle: cycle ?? null,
      vendor,
      until,
    })),
    scope: policy.scope,
    distro_packages: policy.distroPackages,
    deny_licenses: policy.denyLicense,
    max_catalogue_age: policy.maxCatalogueAge ?? null,
    ...(policy.signals !== "off" && {
      signals: { source: policy.signals, inactive_months: policy.inactiveMonths },
    }),
    exit_zero: policy.exitZero,
  };
}

function forecastObject({ until, failures }: Forecast) {
  return {
    until,
    turns: failures.map(turnObject),
  };
}

export const turnObject = ({ day, outcome, cause, findings }: UpcomingFailure) => ({
  day,
  product: outcome.assessment?.releaseCycle.product ?? null,
  cycle: outcome.assessment?.releaseCycle.cycle ?? null,
  condition: outcome.condition,
  cause,
  components: findings.map(({ component }) => ({
    name: fullName(component),
    version: component.version ?? null,
    purl: component.purls[0] ?? null,
  })),
});

/** The software that a document describes; null where it states none of it. */
export const subjectObject = ({ name, group, version, supplier, serialNumber, imageDigest }: DocumentSubject) => ({
  name: name ?? null,
  group: group ?? null,
  version: version ?? null,
  supplier: supplier ?? null,
  serial_number: serialNumber ?? null,
  image_digest: imageDigest ?? null,
});

/** The condition in the syntax of `--fail-on`. */
export const formatFailOn = (failOn: FailOn): string =>
  "atLeast" in failOn ? `${failOn.kind}>=${failOn.atLeast}` : failOn.kind;

const waiversObject = ({ waivers }: Verdict) => ({
  used: waivers.used.map(waiverObject),
  unused: waivers.unused.map(waiverObject),
  expired: waivers.expired.map(waiverObject),
});

export const waiverObject = ({ target, reason, expires, approvedBy }: Waiver) => ({
  target,
  reason,
  expires,
  approved_by: approvedBy ?? null,
});

export const failedObject = ({ file, error }: FailedDocument) => ({
  file,
  kind: error.kind,
  code: error.code,
  message: error.message,
  where: error.where ?? null,
  hint: error.hint ?? null,
});

/** The coverage by release cycles, with the coverage by support levels if signals were requested. */
export const coverageObject = (
  coverage: Verdict["coverage"],
  evaluatedComponents: Iterable<Counted<EvaluatedComponent>>,
) => coverageFields(coverage, supportCounts(evaluatedComponents));

export function coverageFields({ pins, packages, ...all }: Verdict["coverage"], support: SupportCounts | undefined) {
  return {
    ...shareFields(all),
    ...(pins && packages && { pins: shareFields(pins), packages: shareFields(packages) }),
    ...(support && { support_level: support }),
  };
}

const shareFields = ({ assessed, notAssessed, percent }: CoverageShare) => ({
  assessed,
  not_assessed: notAssessed,
  percent,
});
