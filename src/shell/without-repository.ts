/** The same check without what files of the checked repository contribute, from the settings and the catalogue. */
import { assessLocally } from "../api/assess.ts";
import type { CheckWithout } from "../api/check.ts";
import type { Catalogue, ContributionKind } from "../model/index.ts";
import type { Backend } from "./backend.ts";
import { type Settings, stringValue } from "./settings.ts";

const OF_CONFIG = ["waivers", "policy", "exclude", "exit", "settings"] as const satisfies readonly ContributionKind[];
const OF_CATALOGUE = ["catalogue", "purls"] as const satisfies readonly ContributionKind[];

/** A file with its roles. */
interface ContributingFile {
  readonly kinds: readonly ContributionKind[];
  /** Relative to the working directory. */
  readonly files: readonly string[];
  /** Found by its name, or named by a file that was. */
  readonly found: boolean;
}

/** Undefined where no file of the repository contributes. */
export function withoutRepository(
  settings: Settings,
  catalogue: Catalogue,
  backend: Pick<Backend, "assess">,
): CheckWithout | undefined {
  const { policy, asOf, fields } = settings.contributed;
  const { commit, isCommitted } = settings.files;
  const sources = sourcesOf(settings, catalogue).filter(({ files }) => files.length > 0);
  if (sources.length === 0) return undefined;
  const below = catalogue.contributed?.below ?? catalogue;
  const isSame = below === catalogue && asOf === settings.asOf;
  const isHosted = stringValue(settings.values["api"]) !== undefined;
  const refused = policy.strict ? sources.flatMap(({ kinds, found }) => (found ? kinds : [])) : [];
  return {
    catalogue: below,
    policy,
    asOf,
    assess: isSame || isHosted ? backend.assess : assessLocally(below, asOf),
    files: ofKinds(sources, ({ files }) => files.join(" and ")),
    commits: ofKinds(sources, ({ files }) => (files.some(isCommitted) ? (commit ?? undefined) : undefined)),
    fields,
    refused: new Set(refused),
  };
}

function ofKinds(
  sources: readonly ContributingFile[],
  value: (source: ContributingFile) => string | undefined,
): Readonly<Partial<Record<ContributionKind, string>>> {
  const known = sources.flatMap((source) => {
    const given = value(source);
    return given === undefined ? [] : source.kinds.map((kind) => [kind, given] as const);
  });
  return Object.fromEntries(known);
}

function sourcesOf({ values, contributed }: Settings, { contributed: own }: Catalogue): readonly ContributingFile[] {
  const { file, found, fields } = contributed;
  const isOfFile = found && fields.includes("baseline");
  const baseline = stringValue(values["baseline"]);
  return [
    { kinds: OF_CONFIG, files: fields.length === 0 || file === undefined ? [] : [file], found },
    { kinds: OF_CATALOGUE, files: own?.files ?? [], found: own?.found === true },
    { kinds: ["baseline"], files: baseline === undefined ? [] : [baseline], found: isOfFile },
  ];
}
