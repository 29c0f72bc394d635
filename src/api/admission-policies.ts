/**
 * Writes the tables of `admission.ts` as resources of Kubernetes. Expressions are in CEL as ValidatingAdmissionPolicy has
 * it: without a clock, so that the day is the time of creation that the API server sets before it validates a Pod.
 */
import type { Catalogue } from "../model/index.ts";
import { HUB_HOST, HUB_HOSTS, SYSTEM_IMAGES } from "../resolve/image-parts.ts";
import type { IsoDate } from "../text/ids.ts";
import { type AdmissionTables, admissionTables, type Ends } from "./admission.ts";

/**
 * Characters of data in one policy. `kubectl apply` keeps the whole resource in an annotation, all of which have 262,144
 * bytes together, and CEL compiles expressions of at most 100,000 characters.
 */
const MOST_DATA = 80_000;

const quoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
const list = (texts: Iterable<string>): string => `[${[...texts].map(quoted).join(",")}]`;
const map = (entries: Iterable<readonly [string, string]>): string =>
  `{${[...entries].map(([key, value]) => `${quoted(key)}:${value}`).join(",")}}`;
const daysMap = (ends: Ends): string => map([...ends].map(([key, day]) => [key, quoted(day)]));

const HOST = "n.split('/')[0]";
const MIRROR_OF_HUB = "library/";

/** The images of all containers of a Pod. */
const imagesIn = (of: string): string =>
  [".containers", ".initContainers", ".ephemeralContainers"]
    .map((field) => `(has(${of}.spec${field}) ? ${of}.spec${field}.filter(c, has(c.image)).map(c, c.image) : [])`)
    .join(" + ");

/** Steps from the images of a Pod to `repository` and `tag` of each, in the form that `separated` makes. */
function imageVariables({ facts }: Catalogue, generated: IsoDate): readonly Variable[] {
  const mirrors = Object.entries(facts.tools.imageMirrors);
  const mirrored = mirrors.reduce(
    (otherwise, [from, to]) =>
      `n.startsWith(${quoted(from)}) ? ${quoted(to)} + n.substring(${from.length}) : ${otherwise}`,
    "n",
  );
  return [
    {
      name: "day",
      expression: `request.operation == 'CREATE' || object.metadata.creationTimestamp > '${generated}' ? object.metadata.creationTimestamp : '${generated}'`,
    },
    { name: "before", expression: `request.operation == 'UPDATE' ? ${imagesIn("oldObject")} : []` },
    { name: "images", expression: `(${imagesIn("object")}).filter(i, !(i in variables.before))` },
    { name: "named", expression: "variables.images.map(i, i.split('@')[0])" },
    {
      name: "hosted",
      expression: `variables.named.map(n, n.contains('/') && (${HOST}.contains('.') || ${HOST}.contains(':') || ${HOST} == 'localhost') ? n : '${HUB_HOST}/' + n)`,
    },
    {
      name: "hub",
      expression: `variables.hosted.map(n, ${HOST} in ${list(HUB_HOSTS)} ? '${HUB_HOST}' + n.substring(n.indexOf('/')) : n)`,
    },
    {
      name: "full",
      expression: `variables.hub.map(n, n.startsWith('${HUB_HOST}/') && n.split('/').size() == 2 ? '${HUB_HOST}/${MIRROR_OF_HUB}' + n.substring(${HUB_HOST.length + 1}) : n).map(n, ${mirrored})`,
    },
    {
      name: "references",
      expression:
        "variables.full.map(n, n.lastIndexOf(':') > n.lastIndexOf('/') ? [n.substring(0, n.lastIndexOf(':')).lowerAscii(), n.substring(n.lastIndexOf(':') + 1).lowerAscii()] : [n.lowerAscii(), ''])",
    },
    {
      name: "compared",
      expression:
        "variables.references.map(r, [string(r[0]), string(r[1].matches('^v[0-9]') ? r[1].substring(1) : r[1]), string(r[0] + ':' + r[1])]).map(r, [r[0], '^-' + r[1].split('_').join('-').split('+').join('-').split('-').join('.-') + '.-', r[2]])",
    },
  ];
}

interface Variable {
  readonly name: string;
  readonly expression: string;
}

/** One policy: its data, and an expression that is true for a reference `r` that has ended. */
interface PolicyPart {
  readonly variables: readonly Variable[];
  readonly ended: string;
}

/** A longer text that begins alike and ends later decides: `-jdk14.-openjdk.-` and `-jdk14.-`. */
const ENDED =
  "exists(k, r[1].contains(k) && t[k] <= variables.day && !t.exists(l, l.startsWith(k) && t[l] > variables.day && r[1].contains(l)))";

/**
 * The systems that tags of any repository name, and the repositories whose names state a release. What the comparison of
 * each text needs is computed once for an image, since Kubernetes limits the cost of an expression.
 */
function systemPart({ systems, streams }: AdmissionTables): PolicyPart {
  return {
    variables: [
      { name: "systems", expression: daysMap(systems) },
      { name: "streams", expression: map([...streams].map(([pattern, ends]) => [pattern, daysMap(ends)])) },
    ],
    ended: `[r[0].split('/')[r[0].split('/').size() - 1]].exists(name, ${[
      `(!(name in ${list(SYSTEM_IMAGES)}) && !name.matches('^ubi[0-9]+(-.*)?$') && [r[1] + '-' + name.split('-')[name.split('-').size() - 1] + '.-'].exists(s, [variables.systems].exists(t, t.exists(k, s.contains(k) && t[k] <= variables.day))))`,
      `variables.streams.exists(p, r[0].matches(p) && variables.streams[p].exists(k, ('/' + name + '-').contains(k) && variables.streams[p][k] <= variables.day))`,
    ].join(" || ")})`,
  };
}

/** The repositories of the catalogue, in as many parts as their size needs. */
function repositoryParts({ repositories }: AdmissionTables): readonly PolicyPart[] {
  const byTable = Map.groupBy([...repositories], ([, ends]) => ends);
  const parts: { tables: string[]; repositories: [string, string][]; size: number }[] = [];
  for (const [ends, rows] of byTable) {
    const table = daysMap(ends);
    const size = table.length + rows.reduce((sum, [name]) => sum + name.length + 10, 0);
    let last = parts.at(-1);
    if (last === undefined || last.size + size > MOST_DATA) {
      last = { tables: [], repositories: [], size: 0 };
      parts.push(last);
    }
    const index = String(last.tables.push(table) - 1);
    last.repositories.push(...rows.map(([name]): [string, string] => [name, index]));
    last.size += size;
  }
  return parts.map(({ tables, repositories: rows }) => ({
    variables: [
      { name: "tables", expression: `[${tables.join(",")}]` },
      { name: "repositories", expression: map(rows) },
    ],
    ended: `r[0] in variables.repositories && [variables.tables[variables.repositories[r[0]]]].exists(t, t.${ENDED})`,
  }));
}

/** The policies and their bindings, as one list of resources. */
export function admissionPolicies(catalogue: Catalogue, generated: IsoDate) {
  const tables = admissionTables(catalogue);
  const common = imageVariables(catalogue, generated);
  const parts = [systemPart(tables), ...repositoryParts(tables)];
  const items = parts.flatMap((part, at) => resources(catalogue, `eolgate-images-${at + 1}`, common, part));
  return { apiVersion: "v1", kind: "List", items };
}

function resources(
  { metadata }: Catalogue,
  name: string,
  common: readonly Variable[],
  { variables, ended }: PolicyPart,
) {
  const apiVersion = "admissionregistration.k8s.io/v1";
  return [
    {
      apiVersion,
      kind: "ValidatingAdmissionPolicy",
      metadata: {
        name,
        annotations: { "eolgate/catalogue": metadata.digest, "eolgate/catalogue-date": metadata.date },
      },
      spec: {
        failurePolicy: "Fail",
        matchConstraints: {
          resourceRules: [
            {
              apiGroups: [""],
              apiVersions: ["v1"],
              operations: ["CREATE", "UPDATE"],
              resources: ["pods", "pods/ephemeralcontainers"],
            },
          ],
        },
        variables: [
          ...common,
          ...variables,
          { name: "ended", expression: `variables.compared.filter(r, ${ended}).map(r, r[2])` },
        ],
        validations: [
          {
            expression: "variables.ended.size() == 0",
            messageExpression: `'support has ended for what these images name: ' + variables.ended.join(', ') + ' (eolgate, catalogue of ${metadata.date})'`,
          },
        ],
      },
    },
    {
      apiVersion,
      kind: "ValidatingAdmissionPolicyBinding",
      metadata: { name },
      spec: { policyName: name, validationActions: ["Deny"] },
    },
  ];
}
