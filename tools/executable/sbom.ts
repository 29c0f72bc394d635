/** The SBOM of the executable: the packages of its scripts (tools/bundle-records.ts), and the Node that runs them. */
import { objectOf } from "../json.ts";
import manifest from "../../package.json" with { type: "json" };

interface Bundle {
  readonly components?: readonly { readonly "bom-ref": string }[];
}

/** @param bundle the SBOM of the scripts. @returns a CycloneDX document without a timestamp, so that it is reproducible */
export function sbomOfProgram(bundle: string): string {
  const { components = [], ...rest }: Bundle = objectOf(JSON.parse(bundle));
  const program = component("application", manifest.name, manifest.version, `pkg:npm/${manifest.name}`);
  const node = component("platform", "node", process.versions.node, "pkg:generic/node");
  const all = [...components, node];
  const dependsOn = all.map((each) => each["bom-ref"]);
  const document = {
    ...rest,
    metadata: { component: program },
    components: all,
    dependencies: [{ ref: program["bom-ref"], dependsOn }],
  };
  return `${JSON.stringify(document, null, 1)}\n`;
}

function component(type: string, name: string, version: string, purl: string) {
  return { type, name, version, "bom-ref": `${purl}@${version}`, purl: `${purl}@${version}` };
}
