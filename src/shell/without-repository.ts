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
  readonly file: string | undefined;
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
  const sources = sourcesOf(settings, catalogue).filter(({ file }) => file !== undefined);
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
    files: Object.fromEntries(sources.flatMap(({ kinds, file }) => kinds.map((kind) => [kind, file] as const))),
    fields,
    refused: new Set(refused),
  };
}

function sourcesOf({ values, contributed }: Settings, { contributed: own }: Catalogue): readonly ContributingFile[] {
  const { file, found, fields } = contributed;
  const isOfFile = found && fields.includes("baseline");
  return [
    { kinds: OF_CONFIG, file: fields.length === 0 ? undefined : file, found },
    { kinds: OF_CATALOGUE, file: own?.files.join(" and "), found: own?.found === true },
    { kinds: ["baseline"], file: stringValue(values["baseline"]), found: isOfFile },
  ];
}
