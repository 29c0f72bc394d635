/** The files of an image that are kept while its layers are read. All others are skipped. */
import { isLanguageFile } from "./languages/packages.ts";

/** Folders of rpm databases: the usual one, SUSE's and Fedora's, and that of image-based systems. */
export const RPM_FOLDERS = ["var/lib/rpm", "usr/lib/sysimage/rpm", "usr/share/rpm"] as const;
export const RPM_DATABASES = ["rpmdb.sqlite", "Packages.db", "Packages"] as const;
export const OS_RELEASE_FILES = ["etc/os-release", "usr/lib/os-release"] as const;
export const RELEASE_TITLE_FILES = ["etc/centos-release", "etc/redhat-release", "etc/system-release"] as const;
export const DPKG_STATUS = "var/lib/dpkg/status";
export const DPKG_FOLDER = "var/lib/dpkg/status.d";
/** A file `<package>.list` names the files of each package. */
export const DPKG_LISTS = "var/lib/dpkg/info";
export const APK_DATABASES = ["lib/apk/db/installed", "usr/lib/apk/db/installed"] as const;

const FILES: readonly string[] = [
  ...OS_RELEASE_FILES,
  ...RELEASE_TITLE_FILES,
  DPKG_STATUS,
  ...APK_DATABASES,
  ...RPM_FOLDERS.flatMap((folder) => [...RPM_DATABASES, "rpmdb.sqlite-wal"].map((name) => `${folder}/${name}`)),
];
const FOLDERS: readonly string[] = [DPKG_FOLDER];

/** SBOMs of software that was copied into the image: those of Bitnami, and folders for them. */
export const isSbomInside = (path: string): boolean =>
  /(?:^|\/)\.spdx-[^/]+\.spdx$|^(?:(?:usr\/(?:local\/)?share\/)?sboms?|opt\/sboms?)\/(?:[^/]+\/)?[^/]+\.(?:json|spdx|xml|jsonld)$/.test(
    path,
  );

/** Paths are those of a tar archive without a leading slash: `etc/os-release`. */
export class WantedPaths {
  private readonly files = new Set<string>(FILES);
  private readonly folders = new Set<string>(FOLDERS);
  private readonly ancestors = new Set<string>();

  constructor() {
    for (const path of [...this.files, ...this.folders, DPKG_LISTS]) this.addAncestors(path);
  }

  /** Grows with each path that is added. */
  get size(): number {
    return this.files.size + this.folders.size;
  }

  /** `file`: its content is kept. `ancestor`: a folder above a wanted file, which may be a link. */
  kind(path: string): "file" | "ancestor" | undefined {
    if (this.files.has(path)) return "file";
    const slash = path.lastIndexOf("/");
    const folder = path.slice(0, Math.max(0, slash));
    if (this.folders.has(folder) || (folder === DPKG_LISTS && path.endsWith(".list"))) return "file";
    if (isLanguageFile(path) || isSbomInside(path)) return "file";
    return this.ancestors.has(path) ? "ancestor" : undefined;
  }

  /** Whether a file is kept for its content. Of other ones the packages that they list are kept. */
  keepsBytes(path: string): boolean {
    return this.files.has(path) || !isLanguageFile(path);
  }

  /** Adds the target of a link. Returns whether it is new. */
  add(path: string, isFolder: boolean): boolean {
    const known = isFolder ? this.folders : this.files;
    if (known.has(path)) return false;
    known.add(path);
    this.addAncestors(path);
    return true;
  }

  private addAncestors(path: string): void {
    if (this.folders.has(path)) this.ancestors.add(path);
    for (let slash = path.lastIndexOf("/"); slash > 0; slash = path.lastIndexOf("/", slash - 1))
      this.ancestors.add(path.slice(0, slash));
  }
}
