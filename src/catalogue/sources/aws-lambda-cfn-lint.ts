/**
 * AWS Lambda runtimes: the machine-readable way to the Lambda page, kept by AWS in cfn-lint. `deprecated` ends standard
 * support; the block on updates is the end that the catalogue means.
 */
import { asProductSlug } from "../../core/ids.ts";
import { ClaimList } from "./feed/claim-list.ts";
import { FeedLocation } from "./feed/location.ts";
import type { LifecycleSource } from "./source.ts";

const product = asProductSlug("aws-lambda");

export const awsLambdaCfnLint: LifecycleSource = {
  kind: "lifecycle",
  id: "aws-lambda-cfn-lint",
  title: "AWS Lambda runtimes (cfn-lint)",
  origin: "aws-lambda",
  products: [product],
  format: "json",
  verification: "read",
  independentOfUpstream: true,
  documents: [
    {
      url: "https://raw.githubusercontent.com/aws-cloudformation/cfn-lint/main/src/cfnlint/data/AdditionalSpecs/LmbdRuntimeLifecycle.json",
    },
  ],
  parse(text) {
    const facts = new ClaimList(product);
    for (const [cycle, runtime] of FeedLocation.json(text).entries()) {
      const end = runtime.nullable("update-block")?.day();
      facts.end("eoas", cycle, runtime.nullable("deprecated")?.day());
      if (end) facts.end("eol", cycle, end);
      else facts.note("no-date", runtime.where, cycle);
    }
    return facts.reading();
  },
};
