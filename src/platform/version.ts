/** The version in package.json, read when this module is loaded. */
import { readPackageFile } from "./package-files.ts";

function readVersion(): string {
  const manifest: unknown = JSON.parse(
    readPackageFile(new URL("../../package.json", import.meta.url)).toString("utf8"),
  );
  if (
    typeof manifest === "object" &&
    manifest !== null &&
    "version" in manifest &&
    typeof manifest.version === "string"
  )
    return manifest.version;
  throw new TypeError("package.json has no version");
}

export const VERSION = readVersion();
