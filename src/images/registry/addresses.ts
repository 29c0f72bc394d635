/** Rules for the addresses of a registry, and for addresses to which it redirects. */
import { EolgateError } from "../../messages/error.ts";

/** `localhost` and the loopback addresses of RFC 1122 and RFC 4291. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/:\d+$/, "");
  return name === "localhost" || name === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(name);
}

/** The rules for one registry. */
export class AddressRules {
  private readonly host: string;
  private readonly insecure: readonly string[];

  /** @param insecure hosts that the user accepts without TLS */
  constructor(host: string, insecure: readonly string[]) {
    this.host = host;
    this.insecure = insecure;
  }

  /** Whether the registry itself may be used without TLS. */
  get allowsPlainHttp(): boolean {
    return isLoopback(this.host) || this.insecure.includes(this.host);
  }

  /**
   * Check an address from a response of the registry: of a token service, or of a redirect. It must use TLS, and only a
   * registry on loopback may refer to loopback.
   * @throws EolgateError `registry-address`
   */
  resolve(address: string, base?: URL): URL {
    const url = URL.canParse(address, base?.href) ? new URL(address, base?.href) : undefined;
    if (url === undefined || !isHttpUrlWithoutCredentials(url)) throw this.refused(address, "it is not an https URL");
    const problem = this.problemOf(url);
    if (problem !== undefined) throw this.refused(url.origin, problem);
    return url;
  }

  private problemOf({ host, protocol }: URL): string | undefined {
    if (isLoopback(host)) return isLoopback(this.host) ? undefined : "it is on this machine";
    return protocol === "https:" || this.insecure.includes(host) ? undefined : "it has no TLS";
  }

  private refused(address: string, why: string): EolgateError {
    return EolgateError.of("registry-address", { address: address.slice(0, 200), why }, { where: this.host });
  }
}

/** Whether the URL has the scheme http or https and contains no credentials. */
const isHttpUrlWithoutCredentials = ({ username, password, protocol }: URL): boolean =>
  username === "" && password === "" && /^https?:$/.test(protocol);
