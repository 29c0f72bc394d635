/** A catalogue from elsewhere, another server's or a file: digest and signature are verified before it is installed. */
import { openCatalogue } from "./file.ts";
import { type CatalogueBytes, installCatalogue, type InstalledCatalogue, type InstallOptions } from "./install.ts";
import { verifySignature, type Trust } from "./signature.ts";

export interface AcceptOptions extends InstallOptions {
  readonly offered: CatalogueBytes;
  readonly trust: Trust;
}

/** @throws EolgateError `catalogue`: corrupt, unsigned, signed by another key, or as `installCatalogue`. */
export async function acceptCatalogue(options: AcceptOptions): Promise<InstalledCatalogue> {
  const { offered, trust } = options;
  verifySignature(openCatalogue(offered.bytes, offered.origin).head, trust, offered.origin);
  return installCatalogue(offered, options);
}
