/** The repository that a package comes from, where the document names it. */
import type { Component, CycleRef } from "../../model/index.ts";
import type { PurlKey } from "../purl/key.ts";

export interface StatedRepository {
  /** The segments of its address and its id: `alpine`, `v3.18`, `community`. Empty: the document does not name it. */
  readonly words: readonly string[];
  /** It is supported for a shorter time than the release, and the release does not state for how long. */
  readonly isShorter: boolean;
}

interface RepositoryRequest {
  readonly purl: PurlKey;
  readonly component: Pick<Component, "publisher" | "supplier">;
}

const NOT_STATED: StatedRepository = { words: [], isShorter: false };

/** Extra Packages for Enterprise Linux, development branches, repositories of contributors. */
const SHORTER_SUPPORT = /^(?:epel|edge|testing|unstable|rawhide|copr|rpmfusion|backports)(?:\b|_|$)/;

/** RHEL and its rebuilds: packages of the Fedora project on them come from EPEL. */
const USES_EPEL: ReadonlySet<string> = new Set(["rhel", "centos", "almalinux", "rocky-linux", "oracle-linux"]);
const FEDORA = /^(?:organization:\s*)?fedora project/i;

export function statedRepository({ purl, component }: RepositoryRequest, release: CycleRef): StatedRepository {
  const address = purl.qualifier("repository_url")?.replace(/^[a-z]+:\/\//, "");
  const id = purl.qualifier("repository_id");
  const words = [...(address?.split(/[/?#]/).slice(1) ?? []), id ?? ""].map((word) => word.toLowerCase());
  const stated = words.filter((word) => word !== "");
  if (stated.length > 0) return { words: stated, isShorter: stated.some((word) => SHORTER_SUPPORT.test(word)) };
  return USES_EPEL.has(release.product) && isByFedora(component) ? { words: ["epel"], isShorter: true } : NOT_STATED;
}

const isByFedora = ({ publisher, supplier }: RepositoryRequest["component"]): boolean =>
  [publisher, supplier].some((name) => name !== undefined && FEDORA.test(name));
