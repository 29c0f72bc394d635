/** Where the components of a row come from. */
export interface RowOrigin {
  /** Names from the root down to the one that asks for the row's first component. */
  readonly path: readonly string[];
  /** Files and lines, in a table of several documents. */
  readonly location?: string;
}
