/** Addresses of the documentation: installed users have no folder `docs`. */

/** The address of a page, such as `inputs.md`. */
export const pageAddress = (page: string): string => `https://github.com/eolgate/eolgate/blob/main/docs/${page}`;
