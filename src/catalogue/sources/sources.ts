/** Every source, by its id: one row each. What reads, counts and documents sources goes over this table. */
import { adobeCommerceLifecycle } from "./adobe-commerce-lifecycle.ts";
import { adoptiumAvailableReleases } from "./adoptium-available-releases.ts";
import { airflowVersions } from "./airflow-versions.ts";
import { aksDocs } from "./aks-docs.ts";
import { almalinuxWiki } from "./almalinux-wiki.ts";
import { alpineReleases } from "./alpine-releases.ts";
import { angularReleases } from "./angular-releases.ts";
import { awsEks } from "./aws-eks.ts";
import { awsLambdaCfnLint } from "./aws-lambda-cfn-lint.ts";
import { cisaKev } from "./cisa-kev.ts";
import { cockroachdbVersions } from "./cockroachdb-versions.ts";
import { containerdReleases } from "./containerd-releases.ts";
import { debianSecuritySupport } from "./debian-security-support.ts";
import { distroInfoDebian, distroInfoDevuan, distroInfoUbuntu } from "./distro-info.ts";
import { djangoDownload } from "./django-download.ts";
import { dotnetReleasesIndex } from "./dotnet-releases-index.ts";
import { drupalUpdates } from "./drupal-updates.ts";
import { electronSchedule } from "./electron-schedule.ts";
import { endoflifeDate } from "./endoflife-date.ts";
import { envoyReleases } from "./envoy-releases.ts";
import { eslintSupport } from "./eslint-support.ts";
import { fedoraBodhi } from "./fedora-bodhi.ts";
import { goHistory } from "./go-history.ts";
import { istioSupport } from "./istio-support.ts";
import { joomlaUpdates } from "./joomla-updates.ts";
import { knativeSchedule } from "./knative-schedule.ts";
import { kubernetesEol, kubernetesSchedule } from "./kubernetes.ts";
import { kumaVersions } from "./kuma-versions.ts";
import { laravelDocs } from "./laravel-docs.ts";
import { mariadbRest } from "./mariadb-rest.ts";
import { mattermostReleases } from "./mattermost-releases.ts";
import { moodleVersions } from "./moodle-versions.ts";
import { mozillaProductDetails } from "./mozilla-product-details.ts";
import { nodejsSchedule } from "./nodejs-schedule.ts";
import { opensuseLeap } from "./opensuse-leap.ts";
import { phpBranches } from "./php-branches.ts";
import { phpReleases } from "./php-releases.ts";
import { postgresqlVersions } from "./postgresql-versions.ts";
import { powershellLifecycle } from "./powershell-lifecycle.ts";
import { prometheusLts } from "./prometheus-lts.ts";
import { pythonReleaseCycle } from "./python-release-cycle.ts";
import { pythonReleases } from "./python-releases.ts";
import { railsMaintenance } from "./rails-maintenance.ts";
import { redhatPlcc, redhatPlccLayered } from "./redhat-plcc.ts";
import { rockyWiki } from "./rocky-wiki.ts";
import { ros2Distributions } from "./ros2-distributions.ts";
import { rubyBranches } from "./ruby-branches.ts";
import { silverstripeRoadmap } from "./silverstripe-roadmap.ts";
import { springGenerations } from "./spring-generations.ts";
import { symfonyKernel, symfonyReleases } from "./symfony.ts";
import { temurinSupport } from "./temurin-support.ts";
import { traefikReleases } from "./traefik-releases.ts";
import { typo3Get } from "./typo3-get.ts";
import type { Source } from "./source.ts";

export const SOURCES = {
  "adobe-commerce-lifecycle": adobeCommerceLifecycle,
  "adoptium-available-releases": adoptiumAvailableReleases,
  "airflow-versions": airflowVersions,
  "aks-docs": aksDocs,
  "almalinux-wiki": almalinuxWiki,
  "alpine-releases": alpineReleases,
  "angular-releases": angularReleases,
  "aws-eks": awsEks,
  "aws-lambda-cfn-lint": awsLambdaCfnLint,
  "cisa-kev": cisaKev,
  "cockroachdb-versions": cockroachdbVersions,
  "containerd-releases": containerdReleases,
  "debian-security-support": debianSecuritySupport,
  "distro-info-debian": distroInfoDebian,
  "distro-info-devuan": distroInfoDevuan,
  "distro-info-ubuntu": distroInfoUbuntu,
  "django-download": djangoDownload,
  "dotnet-releases-index": dotnetReleasesIndex,
  "drupal-updates": drupalUpdates,
  "electron-schedule": electronSchedule,
  "endoflife.date": endoflifeDate,
  "envoy-releases": envoyReleases,
  "eslint-support": eslintSupport,
  "fedora-bodhi": fedoraBodhi,
  "go-history": goHistory,
  "istio-support": istioSupport,
  "joomla-updates": joomlaUpdates,
  "knative-schedule": knativeSchedule,
  "kubernetes-eol": kubernetesEol,
  "kubernetes-schedule": kubernetesSchedule,
  "kuma-versions": kumaVersions,
  "laravel-docs": laravelDocs,
  "mariadb-rest": mariadbRest,
  "mattermost-releases": mattermostReleases,
  "moodle-versions": moodleVersions,
  "mozilla-product-details": mozillaProductDetails,
  "nodejs-schedule": nodejsSchedule,
  "opensuse-leap": opensuseLeap,
  "php-branches": phpBranches,
  "php-releases": phpReleases,
  "postgresql-versions": postgresqlVersions,
  "powershell-lifecycle": powershellLifecycle,
  "prometheus-lts": prometheusLts,
  "python-release-cycle": pythonReleaseCycle,
  "python-releases": pythonReleases,
  "rails-maintenance": railsMaintenance,
  "redhat-plcc": redhatPlcc,
  "redhat-plcc-layered": redhatPlccLayered,
  "rocky-wiki": rockyWiki,
  "ros2-distributions": ros2Distributions,
  "ruby-branches": rubyBranches,
  "silverstripe-roadmap": silverstripeRoadmap,
  "spring-generations": springGenerations,
  "symfony-kernel": symfonyKernel,
  "symfony-releases": symfonyReleases,
  "temurin-support": temurinSupport,
  "traefik-releases": traefikReleases,
  "typo3-get": typo3Get,
} as const satisfies Record<string, Source>;

export type SourceId = keyof typeof SOURCES;

/** In the order of their ids. */
export const allSources: readonly Source[] = Object.values(SOURCES);

/** The row of an id that came from outside: a file, a flag, a compiled catalogue. */
export function findSource(id: string): Source | undefined {
  return allSources.find((source) => source.id === id);
}
