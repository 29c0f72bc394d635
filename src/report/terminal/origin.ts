/** The origin of the components of a row. */
export interface RowOrigin {
  /** Names from the root to the component that requires the first component of the row. */
  readonly path: readonly string[];
  /** Files and lines, in a table of several documents. */
  readonly location?: string;
}
