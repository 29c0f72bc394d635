/**
 * The channel that a release reads by default. Both values are set when the first release is made; until then
 * `catalogue update` needs `--from`, `EOLGATE_CATALOGUE_CHANNEL` or `--from-sources`, and signatures need `--key`.
 * docs/operating.md describes how the keys are made and where their private halves are kept.
 */

/** Address of the folder that contains `v1/metadata.json`. */
export const RELEASE_CHANNEL: string | undefined = undefined;

/**
 * Ed25519 public keys, each as its raw 32 bytes in base64. The first signs; the second is kept offline and takes over
 * when the first is lost or stolen. A signature by either is accepted.
 */
export const RELEASE_KEYS: readonly string[] = [];
