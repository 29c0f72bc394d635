/** Creates rpm databases with rpm itself. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isInstalled } from "../../../programs.ts";

export const hasRpm = isInstalled("rpm") && isInstalled("rpmbuild");
export const hasBerkeley = hasRpm && isInstalled("db5.3_load");

export interface RealRpmDatabase {
  readonly bytes: Uint8Array;
  readonly log: Uint8Array | undefined;
}

const spec = (name: string, more: string): string =>
  [
    `Name: ${name}`,
    "Version: 1.2",
    "Release: 3.el9",
    "Summary: A package for tests",
    "License: MIT",
    "BuildArch: noarch",
    more,
    "%description",
    "x".repeat(6000),
    "%files",
  ].join("\n");

function buildPackage(folder: string, name: string, more: string): string {
  const file = join(folder, `${name}.spec`);
  writeFileSync(file, spec(name, more));
  const defines = ["--define", `_topdir ${folder}`, "--define", `_builddir ${folder}`];
  execFileSync("rpmbuild", ["-bb", ...defines, file], { stdio: "pipe", env: { ...process.env, HOME: folder } });
  return join(folder, "RPMS", "noarch", `${name}-1.2-3.el9.noarch.rpm`);
}

/** Three packages and a key, in the SQLite database of rpm 4.16 and later. */
export function sqliteDatabase(): RealRpmDatabase {
  const folder = mkdtempSync(join(tmpdir(), "eolgate-rpm-"));
  const packages = [
    buildPackage(folder, "plain", ""),
    buildPackage(folder, "vended", "Vendor: Example Corporation\nEpoch: 4"),
    buildPackage(folder, "modular", "ModularityLabel: nodejs:18:8060020220523160029:ad008a3a"),
  ];
  const databaseFolder = join(folder, "db");
  const flags = ["--dbpath", databaseFolder, "--define", "_db_backend sqlite"];
  const run = (args: readonly string[]) =>
    execFileSync("rpm", [...flags, ...args], { stdio: "pipe", env: { ...process.env, HOME: folder } });
  run(["--initdb"]);
  run(["-i", "--justdb", "--nodeps", ...packages]);
  return readDatabase(databaseFolder);
}

function readDatabase(folder: string): RealRpmDatabase {
  const log = join(folder, "rpmdb.sqlite-wal");
  return {
    bytes: readFileSync(join(folder, "rpmdb.sqlite")),
    log: existsSync(log) ? readFileSync(log) : undefined,
  };
}

/** The same database after SQLite has written the log into it (a checkpoint). */
export function withoutLog({ bytes, log }: RealRpmDatabase): Uint8Array {
  const file = join(mkdtempSync(join(tmpdir(), "eolgate-sqlite-")), "rpmdb.sqlite");
  writeFileSync(file, bytes);
  if (log !== undefined) writeFileSync(`${file}-wal`, log);
  const database = new DatabaseSync(file);
  database.exec("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode=DELETE;");
  database.close();
  return readFileSync(file);
}

/** The package headers, read with SQLite. */
export function headersOf(database: Uint8Array): readonly Uint8Array[] {
  const file = join(mkdtempSync(join(tmpdir(), "eolgate-sqlite-")), "rpmdb.sqlite");
  writeFileSync(file, database);
  const opened = new DatabaseSync(file);
  const rows = opened.prepare("SELECT blob FROM Packages ORDER BY hnum").all();
  opened.close();
  return rows.map(({ blob }) => blob as Uint8Array);
}

/** The hash file of older versions of rpm, written with Berkeley DB. */
export function berkeleyDatabase(headers: readonly Uint8Array[], pageSize = 4096): Uint8Array {
  const hex = (bytes: Uint8Array): string => ` ${Buffer.from(bytes).toString("hex")}`;
  const number = (value: number): Uint8Array => new Uint8Array(new Uint32Array([value]).buffer);
  const pairs = [
    [number(0), number(headers.length)] as const,
    ...headers.map((header, index) => [number(index + 1), header] as const),
  ].flatMap(([key, value]) => [hex(key), hex(value)]);
  const file = join(mkdtempSync(join(tmpdir(), "eolgate-berkeley-")), "Packages");
  const dump = ["VERSION=3", "format=bytevalue", "type=hash", `db_pagesize=${String(pageSize)}`, "HEADER=END"];
  execFileSync("db5.3_load", [file], { input: [...dump, ...pairs, "DATA=END", ""].join("\n") });
  return readFileSync(file);
}

const BLOCK = 16;

/** A file in the format of the ndb backend: slots, then blobs in blocks of 16 bytes. */
export function ndbDatabase(headers: readonly Uint8Array[]): Uint8Array {
  const page = 4096;
  const blocks = headers.map((header) => Math.ceil((BLOCK + header.length + 12) / BLOCK));
  const file = new Uint8Array(page + blocks.reduce((sum, count) => sum + count, 0) * BLOCK);
  const view = new DataView(file.buffer);
  const write = (at: number, values: readonly number[]) => {
    for (const [index, value] of values.entries()) view.setUint32(at + index * 4, value, true);
  };
  write(0, [0x506d7052, 0, 1, 1, headers.length + 1]);
  for (let at = 32; at < page; at += BLOCK) write(at, [0x746f6c53, 0, 0, 0]);
  let block = page / BLOCK;
  for (const [index, header] of headers.entries()) {
    write(32 + index * BLOCK, [0x746f6c53, index + 1, block, blocks[index] ?? 0]);
    write(block * BLOCK, [0x53626c42, index + 1, 1, header.length]);
    file.set(header, block * BLOCK + BLOCK);
    block += blocks[index] ?? 0;
  }
  return file;
}
