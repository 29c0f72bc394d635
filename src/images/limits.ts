/** Limits on what an image may contain. docs/images.md lists them. */
import { JarBudget } from "./contents/languages/jars.ts";
import { EolgateError } from "../messages/error.ts";

const MEBIBYTE = 1024 * 1024;
const GIBIBYTE = 1024 * MEBIBYTE;

export interface ImageLimits {
  /** Bytes of an index, manifest or configuration. */
  readonly manifestBytes: number;
  /** Bytes of an attached SBOM. */
  readonly sbomBytes: number;
  /** Attachments that are read, SBOMs and others. */
  readonly attachments: number;
  readonly layers: number;
  readonly entries: number;
  /** Bytes of all layers after decompression. */
  readonly totalBytes: number;
  /** Maximum ratio of uncompressed to compressed size, for layers above `ratioFromBytes`. */
  readonly ratio: number;
  readonly ratioFromBytes: number;
  /** Bytes of one package database. */
  readonly fileBytes: number;
  /** Bytes of all Java archives after decompression. */
  readonly jarBytes: number;
  /** Bytes and entries that are kept in memory. */
  readonly keptBytes: number;
  readonly keptEntries: number;
}

export const IMAGE_LIMITS: ImageLimits = {
  manifestBytes: 4 * MEBIBYTE,
  sbomBytes: 64 * MEBIBYTE,
  attachments: 50,
  layers: 500,
  entries: 10_000_000,
  totalBytes: 128 * GIBIBYTE,
  ratio: 200,
  ratioFromBytes: GIBIBYTE,
  fileBytes: 256 * MEBIBYTE,
  jarBytes: 4 * GIBIBYTE,
  keptBytes: 512 * MEBIBYTE,
  keptEntries: 50_000,
};

/** Counts the use of the limits by one image. The methods throw an EolgateError `image-limit`. */
export class ImageBudget {
  readonly limits: ImageLimits;
  readonly jars: JarBudget;
  private entries = 0;
  private bytes = 0;
  private keptBytes = 0;
  private keptEntries = 0;

  constructor(limits: ImageLimits) {
    this.limits = limits;
    this.jars = new JarBudget(limits.jarBytes);
  }

  addEntry(): void {
    this.entries += 1;
    refuseAbove(this.entries, this.limits.entries, "its layers have too many entries");
  }

  addBytes(count: number): void {
    this.bytes += count;
    refuseAbove(this.bytes, this.limits.totalBytes, "its layers have too many bytes");
  }

  /** Counts an entry that is kept in memory. */
  keep(bytes: number): void {
    refuseAbove(bytes, this.limits.fileBytes, `a file of a package database has ${String(bytes)} bytes`);
    this.keptEntries += 1;
    this.keptBytes += bytes;
    refuseAbove(this.keptEntries, this.limits.keptEntries, "its package databases have too many files");
    refuseAbove(this.keptBytes, this.limits.keptBytes, "its package databases have too many bytes");
  }
}

/** @throws EolgateError `image-limit` */
export function refuseAbove(count: number, limit: number, what: string): void {
  if (count > limit) throw EolgateError.of("image-limit", { what, limit });
}
