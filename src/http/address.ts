/** Rules for addresses that another host states: which redirects are followed. */
import { HttpFailure } from "./failure.ts";

export interface RedirectRule {
  /** The number of redirects that are followed one after another. */
  readonly max: number;
  /**
   * `same-origin`: scheme, host and port stay the same. `any-host`: any host with TLS. Only an address on loopback may
   * redirect to loopback.
   */
  readonly to: "same-origin" | "any-host";
  /** Hosts, with their port, that the user accepts without TLS. */
  readonly insecure?: readonly string[];
}

/** `localhost` and the loopback addresses of RFC 1122 and RFC 4291. */
export const isLoopback = ({ hostname }: Pick<URL, "hostname">): boolean =>
  hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);

/** Other names of this machine: they are refused like loopback, and have none of its rights. */
const isOtherNameOfLoopback = ({ hostname }: URL): boolean =>
  /^(?:0\.0\.0\.0|\[::\]|\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\]|(?:.+\.)?localhost\.?)$/.test(hostname);

/** Whether a connection to the address is encrypted or stays on this machine. */
export const isProtected = (url: URL): boolean =>
  url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url));

/** Whether the address contains a user name or a password. */
export const hasUserinfo = ({ username, password }: URL): boolean => username !== "" || password !== "";

/**
 * Resolves an address that `from` states, for a redirect or for its token service.
 * @throws HttpFailure of kind `redirect` for an address that the rule refuses; its message is the reason
 */
export function followedAddress(address: string, from: URL, rule: Pick<RedirectRule, "to" | "insecure">): URL {
  const url = URL.canParse(address, from.href) ? new URL(address, from.href) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || hasUserinfo(url))
    throw new HttpFailure("redirect", "it redirects to an address that is not https, or has a user name");
  const problem = rule.to === "same-origin" ? otherOrigin(url, from) : exposure(url, from, rule.insecure ?? []);
  if (problem !== undefined) throw new HttpFailure("redirect", `it redirects to ${problem}`);
  return url;
}

const otherOrigin = (url: URL, from: URL): string | undefined =>
  url.origin === from.origin ? undefined : `another host, ${url.host}`;

function exposure(url: URL, from: URL, insecure: readonly string[]): string | undefined {
  if (isLoopback(url) || isOtherNameOfLoopback(url))
    return isLoopback(from) ? undefined : `${url.origin}, which is on this machine`;
  return url.protocol === "https:" || insecure.includes(url.host) ? undefined : `${url.origin}, which is not https`;
}
