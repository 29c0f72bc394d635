/** The fields of an SPDX 3 element. */

export interface ExternalIdentifier {
  readonly type: string;
  readonly identifier: string;
}

/** What an element states, whatever its type is: the type often comes last. */
export class Element {
  /** JSON pointer. */
  readonly pointer: string;
  readonly start: number;
  type = "";
  id: string | undefined = undefined;
  /** The identifier of JSON-LD. Some generators write it next to `spdxId`. */
  nodeId: string | undefined = undefined;
  name: string | undefined = undefined;
  version: string | undefined = undefined;
  packageUrl: string | undefined = undefined;
  downloadLocation: string | undefined = undefined;
  purpose: string | undefined = undefined;
  identifierType: string | undefined = undefined;
  identifier: string | undefined = undefined;
  externalSpdxId: string | undefined = undefined;
  from: string | undefined = undefined;
  relationship: string | undefined = undefined;
  scope: string | undefined = undefined;
  license: string | undefined = undefined;
  specVersion: string | undefined = undefined;
  validUntil: string | undefined = undefined;
  identifiers: ExternalIdentifier[] = [];
  identifierIds: string[] = [];
  to: string[] = [];
  tools: string[] = [];
  elements: string[] = [];
  rootElements: string[] = [];
  suppliers: string[] = [];
  originators: string[] = [];
  supportLevels: string[] = [];
  /** Where the targets of a relationship begin. */
  targetsAt = 0;

  constructor(pointer: string, start: number) {
    this.pointer = pointer;
    this.start = start;
  }
}
