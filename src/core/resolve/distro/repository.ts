/** The repository of a distribution that a package is from, where the document names it. */
import type { Component, CycleRef } from "../../model.ts";
import type { PurlKey } from "../purl/key.ts";

export interface StatedRepository {
  /** The segments of its address and its id: `alpine`, `v3.18`, `community`. Empty: the document does not name it. */
  readonly words: readonly string[];
  /** It promises less than the release does, for a time that no release states. */
  readonly isShorter: boolean;
}

interface Question {
  readonly purl: PurlKey;
  readonly component: Pick<Component, "publisher" | "supplier">;
}

const NOT_STATED: StatedRepository = { words: [], isShorter: false };

/** Extra Packages for Enterprise Linux, development branches, repositories of contributors. */
const SHORTER = /^(?:epel|edge|testing|unstable|rawhide|copr|rpmfusion|backports)(?:\b|_|$)/;

/** Rebuilds of RHEL, on which packages that the Fedora project published are from EPEL. */
const USES_EPEL: ReadonlySet<string> = new Set(["rhel", "centos", "almalinux", "rocky-linux", "oracle-linux"]);
const FEDORA = /^(?:organization:\s*)?fedora project/i;

export function statedRepository({ purl, component }: Question, release: CycleRef): StatedRepository {
  const address = purl.qualifier("repository_url")?.replace(/^[a-z]+:\/\//, "");
  const id = purl.qualifier("repository_id");
  const words = [...(address?.split(/[/?#]/).slice(1) ?? []), id ?? ""].map((word) => word.toLowerCase());
  const stated = words.filter((word) => word !== "");
  if (stated.length > 0) return { words: stated, isShorter: stated.some((word) => SHORTER.test(word)) };
  return USES_EPEL.has(release.product) && isByFedora(component) ? { words: ["epel"], isShorter: true } : NOT_STATED;
}

const isByFedora = ({ publisher, supplier }: Question["component"]): boolean =>
  [publisher, supplier].some((name) => name !== undefined && FEDORA.test(name));
