/**
 * Members of a family that the family's line has left behind. The list of newest versions shows it without a network: a
 * member that the newest major version does not contain, or whose numbers stopped long ago, is not supported
 * because its family is. It needs a record of its own, or none.
 */
import { newestIn } from "../../catalogue/stored-values.ts";
import type { StoredContent, StoredProduct } from "../../catalogue/schema.ts";
import { leadingNumbers } from "../../resolve/version/parse.ts";
import { getOwn } from "../../text/values.ts";
import type { Problems } from "../problems.ts";
import { hasEnded } from "./traits.ts";

type FamilyContent = Pick<StoredContent, "purls" | "newestVersions"> & {
  readonly products: ReadonlyMap<string, StoredProduct>;
};

interface FamilyMember {
  readonly key: string;
  readonly product: string;
  readonly basis: string;
  readonly version: string;
  readonly major: number;
  readonly minor: number;
}

/** Bases of packages that have the whole number of their product, and not only its major version. */
const WHOLE_NUMBER: ReadonlySet<string> = new Set(["lockstep", "same"]);
/** From so many minor versions on, half of them are the work of more than a year. */
const MANY_MINORS = 10;

/** Refuses the members of each family that its newest line does not contain, while their own line is still supported. */
export function checkFamilies(content: FamilyContent, asOf: string, problems: Problems): void {
  const families = Map.groupBy(membersOf(content), ({ key, product }) => `${key.split("/", 1)[0]} ${product}`);
  for (const family of families.values()) {
    const product = content.products.get(family[0]?.product ?? "");
    const recorded = family.filter((member) => product !== undefined && cycleOf(product, member) !== undefined);
    const top = Math.max(...recorded.map(({ major }) => major));
    for (const member of recorded) {
      const newest = newestMinor(family, member, product);
      const isBehind = member.major < top ? member.minor < newest : stopped(member, newest);
      if (isBehind && product !== undefined && lives(product, member, asOf))
        problems.refuse(
          "left-its-family",
          member.key,
          `${member.key} stopped at ${member.version}, and other packages of ${member.product} have ${top}.x: give it a record of its own, or none`,
        );
    }
  }
}

function membersOf({ purls, newestVersions, products }: FamilyContent): readonly FamilyMember[] {
  return Object.entries(purls).flatMap(([key, entry]): FamilyMember[] => {
    const { product, basis, ...limits } = typeof entry === "string" ? { product: entry, basis: "same" } : entry;
    const version = newestIn(getOwn(newestVersions, key))?.version;
    // Of Go modules, only the versions that other modules require are listed.
    const isListed = /^(?:npm|pypi)\//.test(key);
    const isWhole = Object.keys(limits).every((name) => name === "written" || name === "min");
    if (version === undefined || !isListed || !isWhole || !hasPlainCycles(products.get(product))) return [];
    const [major = 0, minor = 0] = leadingNumbers(version);
    return [{ key, product, basis, version, major, minor }];
  });
}

const hasPlainCycles = (product: StoredProduct | undefined): boolean =>
  product !== undefined && !product.parts && product.rule === undefined;

/** The newest minor version that is known of the major version of a member: of the record, or of another member. */
function newestMinor(
  family: readonly FamilyMember[],
  { major }: FamilyMember,
  product: StoredProduct | undefined,
): number {
  const recorded = (product?.cycles ?? []).flatMap(({ latest = "" }) => {
    const [first, minor = 0] = leadingNumbers(typeof latest === "string" ? latest : latest[0]);
    return first === major ? [minor] : [];
  });
  return Math.max(0, ...recorded, ...family.flatMap((each) => (each.major === major ? [each.minor] : [])));
}

const stopped = ({ basis, minor }: FamilyMember, newest: number): boolean =>
  WHOLE_NUMBER.has(basis) && newest >= MANY_MINORS && minor * 2 < newest;

const cycleOf = ({ cycles }: StoredProduct, { major, minor }: FamilyMember) =>
  cycles.find(({ name }) => name === `${major}.${minor}` || name === String(major));

function lives(product: StoredProduct, member: FamilyMember, asOf: string): boolean {
  const cycle = cycleOf(product, member);
  return cycle !== undefined && !hasEnded(cycle, asOf);
}
