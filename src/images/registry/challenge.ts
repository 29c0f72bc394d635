/** Parses the WWW-Authenticate header of a registry. https://distribution.github.io/distribution/spec/auth/token/, RFC 9110, 11.6.1 */

export type Challenge =
  | { readonly kind: "basic" }
  | { readonly kind: "bearer"; readonly realm: string; readonly service?: string; readonly scope?: string };

const PARAMETER = /([a-z_]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/gi;

/** The first challenge with a supported scheme; undefined if there is none. */
export function parseChallenge(header: string | readonly string[] | undefined): Challenge | undefined {
  for (const text of [header ?? []].flat()) {
    if (/^\s*basic\b/i.test(text)) return { kind: "basic" };
    if (!/^\s*bearer\b/i.test(text)) continue;
    const parameters = new Map(
      [...text.matchAll(PARAMETER)].map(([, name = "", quoted, plain = ""]) => [
        name.toLowerCase(),
        quoted?.replaceAll(/\\(.)/g, "$1") ?? plain,
      ]),
    );
    const [realm, service, scope] = ["realm", "service", "scope"].map((name) => parameters.get(name));
    if (realm) return { kind: "bearer", realm, ...(service && { service }), ...(scope && { scope }) };
  }
  return undefined;
}
