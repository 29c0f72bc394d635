import type { SbomDocument } from "../model.ts";
import { noSbom } from "./faults.ts";
import type { Opened } from "./unwrap.ts";
export function readSpdx3(opened: Opened): SbomDocument {
  throw noSbom(opened);
}
