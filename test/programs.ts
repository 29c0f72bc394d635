/** Programs of the machine that tests start. */
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Folders of programs for administrators, which the path of a user may lack. */
const ADMINISTRATION = ["/usr/local/sbin", "/usr/sbin", "/sbin"];

/** The file of a program; undefined where it is not installed. */
export function findProgram(name: string): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return [...folders, ...ADMINISTRATION].map((folder) => join(folder, name)).find((path) => existsSync(path));
}

export const isInstalled = (name: string): boolean => findProgram(name) !== undefined;
