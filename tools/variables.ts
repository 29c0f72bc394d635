/** Environment variables without a flag: secrets, which must not be on a command line, and settings of the platform. */

export interface Variable {
  readonly name: string;
  readonly summary: string;
}

export const VARIABLES: readonly Variable[] = [
  { name: "EOLGATE_API_KEY", summary: "API key for the service that --api names" },
  {
    name: "EOLGATE_CACHE",
    summary: "folder for the updated or imported catalogue and the signal cache (default: the platform's cache folder)",
  },
  { name: "EOLGATE_DEPSDEV_URL", summary: "--signals: another address of the deps.dev API" },
  { name: "EOLGATE_PYPI_URL", summary: "--signals: another PyPI simple index (or PIP_INDEX_URL)" },
  { name: "EOLGATE_PACKAGIST_URL", summary: "--signals: another Composer repository" },
  { name: "EOLGATE_NUGET_URL", summary: "--signals: another NuGet service index" },
  { name: "EOLGATE_RUBYGEMS_URL", summary: "--signals: another RubyGems server" },
  { name: "EOLGATE_MAVEN_URL", summary: "--signals: another Maven repository" },
  { name: "EOLGATE_GITHUB_URL", summary: "--signals all: another GraphQL address of GitHub" },
  { name: "GITHUB_TOKEN", summary: "--signals all: query GitHub for archived repositories (or GH_TOKEN)" },
  { name: "GOPROXY", summary: "--signals: the Go module proxy; GOPRIVATE and GONOPROXY name private modules" },
  { name: "EOLGATE_SECRET", summary: "serve: the server's secret, instead of --secret-file" },
  { name: "EOLGATE_STRIPE_KEY", summary: "serve: Stripe's API key; without it checkout answers 501" },
  { name: "EOLGATE_STRIPE_WEBHOOK_SECRET", summary: "serve: verifies the signature of Stripe's events" },
  { name: "EOLGATE_STRIPE_PRICE_STARTER", summary: "serve: id of Stripe's price for the tier starter" },
  { name: "EOLGATE_STRIPE_PRICE_PRO", summary: "serve: id of Stripe's price for the tier pro" },
  { name: "EOLGATE_STRIPE_BASE", summary: "serve: another address of Stripe's API" },
  { name: "NO_COLOR", summary: "any value: print without colours" },
  {
    name: "FORCE_COLOR",
    summary: "print colours even if the output is not a terminal, like CLICOLOR_FORCE; 0 for none",
  },
  { name: "COLUMNS", summary: "width of the table without a terminal" },
  { name: "HTTPS_PROXY", summary: "proxy for --api and catalogue update, with HTTP_PROXY and NO_PROXY" },
];
