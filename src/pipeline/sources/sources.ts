/**
 * Every source, by its id: those that are described as data (`curated/feeds`), and those whose form needs code. What
 * reads, counts and documents sources goes over this table.
 */
import { alpineReleases } from "./alpine-releases.ts";
import { cisaKev } from "./cisa-kev.ts";
import { debianSecuritySupport } from "./debian-security-support.ts";
import { distroInfoDebian, distroInfoDevuan, distroInfoUbuntu } from "./distro-info.ts";
import { endoflifeDate } from "./endoflife-date.ts";
import { fedoraBodhi } from "./fedora-bodhi.ts";
import { goHistory } from "./go-history.ts";
import { redhatPlcc } from "./redhat-plcc.ts";
import { railsMaintenance } from "./rails-maintenance.ts";
import { readFeeds } from "./declared/read-feeds.ts";
import type { Source } from "./source.ts";

export const SOURCES = {
  "alpine-releases": alpineReleases,
  "cisa-kev": cisaKev,
  "debian-security-support": debianSecuritySupport,
  "distro-info-debian": distroInfoDebian,
  "distro-info-devuan": distroInfoDevuan,
  "distro-info-ubuntu": distroInfoUbuntu,
  "endoflife.date": endoflifeDate,
  "fedora-bodhi": fedoraBodhi,
  "go-history": goHistory,
  "rails-maintenance": railsMaintenance,
  "redhat-plcc": redhatPlcc,
} as const satisfies Record<string, Source>;

/** In the order of their ids. */
export const allSources: readonly Source[] = [...Object.values(SOURCES), ...readFeeds()].sort((a, b) =>
  a.id < b.id ? -1 : 1,
);

/** The row of an id that came from outside: a file, a flag, a compiled catalogue. */
export function findSource(id: string): Source | undefined {
  return allSources.find((source) => source.id === id);
}
