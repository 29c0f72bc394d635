/** The content of a document: step 1 of the main path. */
import type { Purl } from "../text/ids.ts";

/**
 * `pins` and `lockfile`: not an SBOM but a file of the project itself (`files`), one document for each file.
 * `image`: components that were read from a container image.
 */
export type SbomFormat = "CycloneDX" | "SPDX" | "pins" | "lockfile" | "image";

/**
 * What wrapped the document: a DSSE envelope, an in-toto statement, a `{"sbom": …}` export, UTF-16. Outermost first.
 * Gzip is not listed (see `DocumentReport.gzipped`).
 */
export type Wrapper = "dsse" | "in-toto" | "export" | "utf-16";

/** A range of bytes: `start` counts from 0, `end` is the offset after the last byte. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Line and column of a byte, both from 1; the column counts UTF-16 units, as editors and SARIF do. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** What is stated about a document, whatever form its components and dependencies have. */
export interface DocumentFields {
  readonly format: SbomFormat;
  /** Version of the format as the document states it, such as `1.6` or `SPDX-2.3`. */
  readonly specVersion: string;
  readonly wrappers: readonly Wrapper[];
  /** CycloneDX `serialNumber`, SPDX `documentNamespace`. */
  readonly serialNumber?: string | undefined;
  /** CycloneDX `version`: the revision of the document, from 1. */
  readonly documentVersion?: number | undefined;
  /** The generator as the document names it. */
  readonly generator?: string | undefined;
  /** Whether the document contains a signature that an edit would break (JSF `signature`, DSSE). */
  readonly signed: boolean;
  /** Refs of the described software itself: the roots of the dependency tree. */
  readonly roots: readonly string[];
  /** Refs of elements that relationships name and the document does not contain; each counts as not assessed. */
  readonly absentElements?: readonly string[];
  /** The line and column of a byte, computed on demand. */
  position(byte: number): Position;
}

/** A document whose components can be gone through. */
export interface ComponentDocument extends DocumentFields {
  /** All components in document order, the root first, nested ones after their parent. */
  readonly components: ComponentList;
}

/** A document as plain objects. */
export interface SbomDocument extends ComponentDocument {
  readonly components: readonly Component[];
  /** The dependencies by ref; refs that belong to no component are kept. */
  readonly dependencies: ReadonlyMap<string, readonly string[]>;
}

/**
 * One component or package, identified by its pointer, because bom-refs and SPDXIDs occur twice in real documents. Its
 * fields are text of the document: unchecked and untrusted.
 */
export interface Component {
  /** RFC 6901 JSON pointer, e.g. `/components/3/components/0`. */
  readonly pointer: string;
  /** The component's object in the bytes. */
  readonly span: Span;
  readonly kind: ComponentKind;
  readonly bomRef?: string | undefined;
  readonly name: string;
  readonly group?: string | undefined;
  readonly version?: string | undefined;
  /** One in CycloneDX; SPDX packages may contain several. */
  readonly purls: readonly Purl[];
  /** Hash of the only purl along `purlPattern`, without creating a string; `NO_MATCH` when its bytes do not tell its key. */
  purlHash?(): number;
  /**
   * Copies the bytes of a text to `target` from `at` on, where there is space for 256, and returns their number. Returns -1
   * for a text that is absent, longer, or not only printable ASCII without escapes: it has to be read as a string.
   */
  copyText?(name: ComponentText, target: Uint8Array, at: number): number;
  readonly cpes: readonly string[];
  /** Licence expressions or names, as written. */
  readonly licenses: readonly string[];
  readonly supplier?: string | undefined;
  readonly publisher?: string | undefined;
  /** The version is a lower bound (`engines`, `rust-version`), not what is used. */
  readonly minimum?: true;
  /** One part of an image; the other parts are components of their own. */
  readonly isPart?: true;
  /** A person asked for it by the name of a product: the name of a recorded cycle always means this cycle. */
  readonly asked?: true;
  /** CycloneDX scope (`required`, `optional`, `excluded`), or `development` from a marker property. */
  readonly scope?: ComponentScope | undefined;
  /** End dates that the document itself declares, with their locations. */
  readonly declared: readonly DeclaredLifecycle[];
  /** What the file states of the package, as its maintainers wrote it. */
  readonly retirement?: StatedRetirement;
  /** Pointer of the component this one is nested in. */
  readonly parent?: string | undefined;
  /** The module that an rpm was built from: `name:stream:version:context`. */
  readonly moduleLabel?: string | undefined;
}

/** A lockfile copies what the registry stated when it was written. Its texts are unchecked and untrusted. */
export interface StatedRetirement {
  readonly kind: "deprecated" | "abandoned";
  readonly message?: string;
  readonly replacement?: string;
  /** In the file; absent for a file in an image. */
  readonly line?: number;
}

/** Components in an order. An array is one. */
export interface ComponentList extends Iterable<Component> {
  readonly length: number;
  /** Undefined behind the last component. */
  at(index: number): Component | undefined;
}

/** Texts of a component; `purl` is the first one. */
export type ComponentText = "name" | "bomRef" | "version" | "purl";

/** Whether the software needs the component at run time, as the document states. */
export type ComponentScope = "required" | "optional" | "excluded" | "development";

/**
 * The kind of a component, as far as the policy distinguishes kinds. `root` is the described software itself, unless
 * that is an operating system or a model, which have their own cycles; files are never assessed. `other` keeps every
 * remaining type (library, application, framework, container, …).
 */
export type ComponentKind = "root" | "file" | "operating-system" | "model" | "data" | "other";

/** A lifecycle statement inside the document (`cdx:lifecycle:milestone:*`, SPDX `validUntilDate`, `supportLevel`, `reliza:support:*`). */
export interface DeclaredLifecycle {
  readonly milestone: "end-of-support" | "end-of-life" | "support-level";
  readonly value: string;
  readonly pointer: string;
}
