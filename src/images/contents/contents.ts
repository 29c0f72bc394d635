/** Reads the operating system and the package databases from the root file system of an image. */
import { readApk, readDpkg } from "./stanzas.ts";
import type { ImageContents, PackageDatabase } from "./document.ts";
import type { JarBudget } from "./languages/jars.ts";
import { readLanguageFile } from "./languages/packages.ts";
import { readOsRelease, readReleaseTitle, type SystemRelease } from "./os-release.ts";
import type { ImageRoot } from "./root.ts";
import { readRpm } from "./rpm/database.ts";
import {
  APK_DATABASES,
  DPKG_FOLDER,
  DPKG_LISTS,
  DPKG_STATUS,
  OS_RELEASE_FILES,
  RELEASE_TITLE_FILES,
  RPM_DATABASES,
  RPM_FOLDERS,
} from "./wanted.ts";

const decoder = new TextDecoder();

/**
 * Reads the operating system and all package databases.
 * @throws EolgateError `image-archive` for a database that cannot be read completely
 */
export function readContents(root: ImageRoot, jars: JarBudget): Omit<ImageContents, "platform" | "products"> {
  const system = systemOf(root);
  const databases = databasesOf(root);
  return {
    ...(system !== undefined && { system }),
    databases,
    languages: languagesOf(root, databases, jars),
    sboms: root.sboms(),
  };
}

/** The files with packages of languages, without those that a package of the operating system installed. */
function languagesOf(
  root: ImageRoot,
  databases: readonly PackageDatabase[],
  jars: JarBudget,
): ImageContents["languages"] {
  const files = root.languageFiles((path, bytes) => readLanguageFile(path, bytes, jars));
  const listed = new Set(listedFiles(root));
  // The lists of files in a database of rpm are not read. Its packages do not install below `usr/local`.
  const hasRpm = databases.some(({ manager }) => manager === "rpm");
  const isOwned = (path: string) =>
    listed.has(path) || (hasRpm && /^(?:usr\/(?!local\/|src\/)|lib(?:64)?\/)/.test(path));
  return files.filter(({ path }) => !isOwned(path)).sort((one, other) => (one.path < other.path ? -1 : 1));
}

const lines = (bytes: Uint8Array): readonly string[] => decoder.decode(bytes).split("\n");

/** The files that packages of dpkg and apk installed. */
function* listedFiles(root: ImageRoot): Generator<string> {
  for (const { name, bytes } of root.filesIn(DPKG_LISTS))
    if (name.endsWith(".list")) for (const line of lines(bytes)) yield line.slice(1);
  // A checksum has 32 digits, and two blanks follow.
  for (const { name, bytes } of root.filesIn(DPKG_FOLDER))
    if (name.endsWith(".md5sums")) for (const line of lines(bytes)) yield line.slice(34);
  for (const path of APK_DATABASES) yield* apkFiles(lines(root.file(path) ?? new Uint8Array()));
}

/** A folder (`F:`) and the files in it (`R:`). */
function* apkFiles(lines: readonly string[]): Generator<string> {
  let folder = "";
  for (const line of lines) {
    if (line.startsWith("F:")) folder = line.slice(2);
    else if (line.startsWith("R:")) yield `${folder}/${line.slice(2)}`;
  }
}

function systemOf(root: ImageRoot): ImageContents["system"] {
  const readers: readonly (readonly [readonly string[], (text: string) => SystemRelease | undefined])[] = [
    [OS_RELEASE_FILES, readOsRelease],
    [RELEASE_TITLE_FILES, readReleaseTitle],
  ];
  for (const [paths, read] of readers)
    for (const path of paths) {
      const bytes = root.file(path);
      const system = bytes && read(decoder.decode(bytes));
      if (system) return { ...system, path };
    }
  return undefined;
}

function databasesOf(root: ImageRoot): readonly PackageDatabase[] {
  return [...dpkgDatabases(root), ...apkDatabases(root), ...rpmDatabases(root)];
}

function* dpkgDatabases(root: ImageRoot): Generator<PackageDatabase> {
  const status = root.file(DPKG_STATUS);
  if (status !== undefined)
    yield { manager: "dpkg", path: DPKG_STATUS, packages: readDpkg(decoder.decode(status), DPKG_STATUS) };
  // The folder also contains checksums of the packages' files.
  const entries = root.filesIn(DPKG_FOLDER).filter(({ name }) => !name.endsWith(".md5sums"));
  const packages = entries.flatMap(({ name, bytes }) => readDpkg(decoder.decode(bytes), `${DPKG_FOLDER}/${name}`));
  if (packages.length > 0) yield { manager: "dpkg", path: DPKG_FOLDER, packages };
}

/** A database that is found under two paths, because one folder links to the other, is read once. */
function* apkDatabases(root: ImageRoot): Generator<PackageDatabase> {
  const read = new Set<Uint8Array>();
  for (const path of APK_DATABASES) {
    const bytes = root.file(path);
    if (bytes === undefined || read.has(bytes)) continue;
    read.add(bytes);
    yield { manager: "apk", path, packages: readApk(decoder.decode(bytes), path) };
  }
}

function* rpmDatabases(root: ImageRoot): Generator<PackageDatabase> {
  const read = new Set<Uint8Array>();
  for (const folder of RPM_FOLDERS) {
    // rpm keeps the old database when its backend changes, so only the database of the newest backend is read.
    const path = RPM_DATABASES.map((name) => `${folder}/${name}`).find((each) => (root.file(each)?.length ?? 0) > 0);
    const bytes = path === undefined ? undefined : root.file(path);
    if (path === undefined || bytes === undefined || read.has(bytes)) continue;
    read.add(bytes);
    const log = path.endsWith(".sqlite") ? root.file(`${path}-wal`) : undefined;
    yield { manager: "rpm", path, packages: readRpm({ bytes, log }, path) };
  }
}
