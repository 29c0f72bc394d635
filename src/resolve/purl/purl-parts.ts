/** The parts of a package URL. */

/** The parts of a purl that the purl map and the version rules need. */
export interface PurlKey {
  readonly kind: "purl";
  /** `type/namespace/name`, normalized; images of registries other than Docker Hub end in `?repository_url=…`. */
  readonly key: string;
  readonly type: string;
  /** In lower case if names of the type are compared without case; empty if absent. */
  readonly namespace: string;
  readonly name: string;
  /** Percent-decoded. */
  readonly version: string | undefined;
  /** Percent-decoded value of a qualifier, by lower-case name; empty ones are absent. */
  qualifier(name: string): string | undefined;
}

/** Text that is not a purl. */
export interface InvalidPurl {
  readonly kind: "invalid";
  /** What is wrong, as a phrase for messages. */
  readonly why: string;
}
