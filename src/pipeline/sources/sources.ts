/**
 * Every source, by its id: those that are described as data (`curated/feeds`), and those whose form needs code. What
 * reads, counts and documents sources goes over this table.
 */
import { adoptiumAvailableReleases } from "./adoptium-available-releases.ts";
import { airflowVersions } from "./airflow-versions.ts";
import { almalinuxWiki } from "./almalinux-wiki.ts";
import { alpineReleases } from "./alpine-releases.ts";
import { cisaKev } from "./cisa-kev.ts";
import { debianSecuritySupport } from "./debian-security-support.ts";
import { distroInfoDebian, distroInfoDevuan, distroInfoUbuntu } from "./distro-info.ts";
import { dotnetReleasesIndex } from "./dotnet-releases-index.ts";
import { drupalUpdates } from "./drupal-updates.ts";
import { endoflifeDate } from "./endoflife-date.ts";
import { fedoraBodhi } from "./fedora-bodhi.ts";
import { goHistory } from "./go-history.ts";
import { joomlaUpdates } from "./joomla-updates.ts";
import { mozillaProductDetails } from "./mozilla-product-details.ts";
import { opensuseLeap } from "./opensuse-leap.ts";
import { phpReleases } from "./php-releases.ts";
import { railsMaintenance } from "./rails-maintenance.ts";
import { redhatPlcc } from "./redhat-plcc.ts";
import { ros2Distributions } from "./ros2-distributions.ts";
import { rubyBranches } from "./ruby-branches.ts";
import { springGenerations } from "./spring-generations.ts";
import { symfonyKernel, symfonyReleases } from "./symfony.ts";
import { temurinSupport } from "./temurin-support.ts";
import { typo3Get } from "./typo3-get.ts";
import { readFeeds } from "./declared/read-feeds.ts";
import type { Source } from "./source.ts";

export const SOURCES = {
  "adoptium-available-releases": adoptiumAvailableReleases,
  "airflow-versions": airflowVersions,
  "almalinux-wiki": almalinuxWiki,
  "alpine-releases": alpineReleases,
  "cisa-kev": cisaKev,
  "debian-security-support": debianSecuritySupport,
  "distro-info-debian": distroInfoDebian,
  "distro-info-devuan": distroInfoDevuan,
  "distro-info-ubuntu": distroInfoUbuntu,
  "dotnet-releases-index": dotnetReleasesIndex,
  "drupal-updates": drupalUpdates,
  "endoflife.date": endoflifeDate,
  "fedora-bodhi": fedoraBodhi,
  "go-history": goHistory,
  "joomla-updates": joomlaUpdates,
  "mozilla-product-details": mozillaProductDetails,
  "opensuse-leap": opensuseLeap,
  "php-releases": phpReleases,
  "rails-maintenance": railsMaintenance,
  "redhat-plcc": redhatPlcc,
  "ros2-distributions": ros2Distributions,
  "ruby-branches": rubyBranches,
  "spring-generations": springGenerations,
  "symfony-kernel": symfonyKernel,
  "symfony-releases": symfonyReleases,
  "temurin-support": temurinSupport,
  "typo3-get": typo3Get,
} as const satisfies Record<string, Source>;

/** In the order of their ids. */
export const allSources: readonly Source[] = [...Object.values(SOURCES), ...readFeeds()].sort((a, b) =>
  a.id < b.id ? -1 : 1,
);

/** The row of an id that came from outside: a file, a flag, a compiled catalogue. */
export function findSource(id: string): Source | undefined {
  return allSources.find((source) => source.id === id);
}
