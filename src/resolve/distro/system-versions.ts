/** The part of an operating system's version that names its release cycle. */
import type { OsVersionRule } from "../../model/index.ts";

/** The part of an operating system's version that names its cycle; undefined if none does. */
export type SystemVersion = (version: string) => string | undefined;

const numbers =
  (pattern: RegExp): SystemVersion =>
  (version) =>
    pattern.exec(version)?.[0];

/** By the rule's name in the catalogue. */
export const SYSTEM_VERSIONS: Readonly<Record<OsVersionRule, SystemVersion>> = {
  /** `12 (bookworm)`, `10.13`, `7.6.1810`. */
  major: numbers(/^\d+/),
  /** `3.18.12`. */
  minor: numbers(/^\d+(?:\.\d+)?/),
  /** `22.04.2 LTS`. */
  "year-month": numbers(/^\d{1,2}\.\d{2}/),
  /** `2`, `2 (Karoo)`, `2018.03`. */
  whole: numbers(/^\S+/),
  /** `2023.10.20260105 (Amazon Linux)`. */
  "first-word": numbers(/^\S+/),
  /** `15.5`, `15-SP5`, `15 SP5`. A bare 15 is any of its service packs. */
  sles: (version) => {
    const [, major, pack] = /^(\d+)(?:[.\s-]*(?:SP)?(\d+))?/i.exec(version) ?? [];
    return major === undefined ? undefined : pack === undefined ? major : `${major}.${pack}`;
  },
  /** `cos-113`, `113`, `113-18244.85.5`. */
  "prefix-cos": (version) => {
    const milestone = /^(?:cos-)?(\d+)/.exec(version)?.[1];
    return milestone === undefined ? undefined : `cos-${milestone}`;
  },
  "minor-then-major": numbers(/^\d+(?:\.\d+)?/),
};
