/** The part of the JSON report that describes container images. */
import { Type } from "typebox";
import { count, oneOf, text, textOrNull, type Wire } from "../../wire/schemas/types.ts";

export const imageSchema = Type.Object(
  {
    image: text("As given"),
    platform: textOrNull("os/architecture; null when a scanner read the image"),
    digest: textOrNull("Of its manifest or, without one, of its configuration"),
    evidence: Type.Array(
      Type.Object({
        kind: oneOf(["sbom", "operating-system", "packages", "runtimes", "scanner"]),
        source: text("How an SBOM is attached, a path in the image, variables, or the scanner"),
        components: count(),
      }),
      { description: "Where the components come from. The signature of an attached SBOM is not verified" },
    ),
    not_read: Type.Array(
      Type.Object({
        kind: oneOf(["language-packages", "foreign-attestation", "attachment", "file-system", "system-packages"]),
        detail: text(),
      }),
      { description: "Parts that were not read" },
    ),
  },
  { description: "Contents of a container image" },
);
export type ImageObject = Wire<typeof imageSchema>;
