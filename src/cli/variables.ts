/** Environment variables that no flag has: secrets, which do not belong on a command line, and what the platform says. */

export interface Variable {
  readonly name: string;
  readonly summary: string;
}

export const VARIABLES: readonly Variable[] = [
  { name: "EOLGATE_API_KEY", summary: "key for the service that --api names" },
  {
    name: "EOLGATE_CACHE",
    summary: "folder of the updated or imported catalogue (default: the platform's cache folder)",
  },
  { name: "EOLGATE_SECRET", summary: "serve: the server's secret itself, in place of --secret-file" },
  { name: "EOLGATE_STRIPE_KEY", summary: "serve: Stripe's API key; without it checkout answers 501" },
  { name: "EOLGATE_STRIPE_WEBHOOK_SECRET", summary: "serve: signs Stripe's events" },
  { name: "EOLGATE_STRIPE_PRICE_STARTER", summary: "serve: Stripe's price of the tier starter" },
  { name: "EOLGATE_STRIPE_PRICE_PRO", summary: "serve: Stripe's price of the tier pro" },
  { name: "EOLGATE_STRIPE_BASE", summary: "serve: another address of Stripe's API" },
  { name: "NO_COLOR", summary: "any value: no colour" },
  { name: "FORCE_COLOR", summary: "colour although the output is no terminal; 0 for none" },
  { name: "COLUMNS", summary: "width of the table where there is no terminal" },
  { name: "HTTPS_PROXY", summary: "proxy for --api and catalogue update, with HTTP_PROXY and NO_PROXY" },
];
