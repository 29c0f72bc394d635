/** One made-up text in each source's real form: structure as the vendor publishes it, names and dates made up. */
import { readFileSync } from "node:fs";
import type { LifecycleSource, Source } from "../../../src/pipeline/sources/source.ts";
import { findSource } from "../../../src/pipeline/sources/sources.ts";

export interface Fixture {
  readonly id: string;
  readonly file: string;
  /** Part of the source's document, where the text does not say what it is about. */
  readonly part?: string;
  /** A key or heading that the reader needs, as written in the text. */
  readonly needs: string;
}

export const FIXTURES: readonly Fixture[] = [
  { id: "adobe-commerce-lifecycle", file: "adobe-commerce-lifecycle.md", needs: "End of extended support" },
  { id: "airflow-versions", file: "airflow-versions.py", needs: "EOL/Terminated" },
  { id: "aks-docs", file: "aks-docs.md", needs: "End of life" },
  { id: "almalinux-wiki", file: "almalinux-wiki.md", needs: "security support until" },
  { id: "alpine-releases", file: "alpine-releases.json", needs: "eol_date" },
  { id: "angular-releases", file: "angular-releases.md", needs: "LTS ends" },
  { id: "ansible-core-support", file: "ansible-core-support.rst", needs: "End Of Life" },
  { id: "anthropic-sdk-models", file: "anthropic-sdk-models.ts.txt", needs: "DEPRECATED_MODELS" },
  { id: "asterisk-versions", file: "asterisk-versions.md", needs: "Security Fix Only" },
  { id: "aws-aurora-mysql-calendar", file: "aws-aurora-mysql-calendar.html", needs: "end of standard support" },
  { id: "aws-eks", file: "aws-eks.html", needs: "End of standard support" },
  { id: "aws-emr-standard-support", file: "aws-emr-standard-support.html", needs: "Standard support end date" },
  { id: "aws-lambda-cfn-lint", file: "aws-lambda-cfn-lint.json", needs: "update-block" },
  { id: "aws-sdk-matrix", file: "aws-sdk-matrix.md", needs: "Current Phase" },
  { id: "azure-model-retirements", file: "azure-model-retirements.md", needs: "Retirement date" },
  { id: "azure-sdk-dotnet", file: "azure-sdk.csv", needs: "EOLDate" },
  { id: "azure-sdk-go", file: "azure-sdk.csv", needs: "EOLDate" },
  { id: "azure-sdk-java", file: "azure-sdk-java.csv", needs: "EOLDate" },
  { id: "azure-sdk-js", file: "azure-sdk.csv", needs: "EOLDate" },
  { id: "azure-sdk-python", file: "azure-sdk.csv", needs: "EOLDate" },
  { id: "ceph-releases", file: "ceph-releases.yml", needs: "target_eol" },
  { id: "cisa-kev", file: "cisa-kev.json", needs: "dateAdded" },
  { id: "cockroachdb-versions", file: "cockroachdb-versions.csv", needs: "asst_supp_exp_date" },
  { id: "containerd-releases", file: "containerd-releases.md", needs: "End of Life" },
  { id: "debian-security-support", file: "debian-security-support.deb42", part: "42", needs: "non-supported" },
  { id: "distro-info-debian", file: "distro-info-debian.csv", needs: "eol-lts" },
  { id: "distro-info-devuan", file: "distro-info-devuan.csv", needs: "eol" },
  { id: "distro-info-ubuntu", file: "distro-info-ubuntu.csv", needs: "eol-esm" },
  { id: "django-download", file: "django-download.html", needs: "End of extended support" },
  { id: "dotnet-releases-index", file: "dotnet-releases-index.json", needs: "eol-date" },
  { id: "drupal-security-coverage", file: "drupal-security-coverage.php.txt", needs: "SECURITY_COVERAGE_END_DATE" },
  { id: "electron-schedule", file: "electron-schedule.json", needs: "eolDate" },
  { id: "endoflife.date", file: "endoflife.date.json", needs: "eolFrom" },
  { id: "envoy-releases", file: "envoy-releases.md", needs: "End of Life" },
  { id: "eslint-support", file: "eslint-support.md", needs: "EOL Start" },
  { id: "fedora-bodhi", file: "fedora-bodhi.json", needs: "eol" },
  { id: "fortinet-software-rss", file: "fortinet-software-rss.xml", needs: "End of Support" },
  { id: "gemini-deprecations", file: "gemini-deprecations.html", needs: "Shutdown date" },
  { id: "github-enterprise-dates", file: "github-enterprise-dates.json", needs: "deprecationDate" },
  { id: "go-history", file: "go-history.go", needs: "Version{" },
  { id: "google-functions-runtimes", file: "google-functions-runtimes.ts.txt", needs: "decommissionDate" },
  { id: "grafana-support", file: "grafana-support.md", needs: "Support end of life" },
  { id: "ibm-lifecycle-csv", file: "ibm-lifecycle-csv.csv", needs: "EOS" },
  { id: "istio-support", file: "istio-support.yml", needs: "eolDate" },
  { id: "knative-schedule", file: "knative-schedule.md", needs: "| EOL" },
  { id: "kubernetes-eol", file: "kubernetes-eol.yaml", needs: "endOfLifeDate" },
  { id: "kubernetes-schedule", file: "kubernetes-schedule.yaml", needs: "endOfLifeDate" },
  { id: "kuma-versions", file: "kuma-versions.yml", needs: "endOfLifeDate" },
  { id: "laravel-docs", file: "laravel-docs.md", needs: "Security Fixes Until" },
  { id: "mariadb-rest", file: "mariadb-rest.json", needs: "release_eol_date" },
  { id: "mattermost-releases", file: "mattermost-releases.md", needs: "Support ends" },
  { id: "mdn-browsers", file: "mdn-browsers.json", part: "chrome", needs: "release_date" },
  { id: "mdn-firefox", file: "mdn-firefox.json", needs: "release_date" },
  { id: "microsoft-lifecycle-export", file: "microsoft-lifecycle-export.csv", needs: "ExtendedEndDate" },
  { id: "moodle-versions", file: "moodle-versions.json", needs: "securityEndDate" },
  { id: "mssql-jdbc-support", file: "mssql-jdbc-support.md", needs: "End of Mainstream Support" },
  { id: "nodejs-schedule", file: "nodejs-schedule.json", needs: "maintenance" },
  { id: "nservicebus-packages", file: "nservicebus-packages.md", needs: "Mainstream Until" },
  { id: "nservicebus-versions", file: "nservicebus-versions.md", needs: "Mainstream Until" },
  { id: "openai-deprecations", file: "openai-deprecations.html", needs: "Affected model" },
  { id: "openssl-releases", file: "openssl-releases.json", needs: "eol" },
  { id: "opensuse-leap", file: "opensuse-leap.yml", needs: "state" },
  { id: "php-branches", file: "php-branches.json", needs: "security_support_end" },
  { id: "php-sqlsrv-support", file: "php-sqlsrv-support.md", needs: "End of Mainstream Support" },
  { id: "postgresql-versions", file: "postgresql-versions.json", needs: "eolDate" },
  { id: "powershell-lifecycle", file: "powershell-lifecycle.md", needs: "End-of-support" },
  { id: "prometheus-lts", file: "prometheus-lts.md", needs: "End of support" },
  { id: "python-release-cycle", file: "python-release-cycle.json", needs: "end_of_life" },
  { id: "python-releases", file: "python-releases.toml", needs: "end-of-bugfix" },
  { id: "rails-maintenance", file: "rails-maintenance.html", needs: "Security Issues" },
  { id: "reactor-support", file: "reactor-support.json", needs: "endOfOssSupport" },
  { id: "redhat-plcc", file: "redhat-plcc.json", needs: "end_date_format" },
  { id: "redis-enterprise-lifecycle", file: "redis-enterprise-lifecycle.md", needs: "End of Life" },
  { id: "rocky-wiki", file: "rocky-wiki.md", needs: "End of Life" },
  { id: "ros2-distributions", file: "ros2-distributions.rst", needs: "EOL date" },
  { id: "ruby-branches", file: "ruby-branches.yml", needs: "expected_eol_date" },
  { id: "silverstripe-roadmap", file: "silverstripe-roadmap.json", needs: "supportEnds" },
  {
    id: "spring-data-generations",
    file: "spring-generations.json",
    part: "spring-data-jpa",
    needs: "ossSupportEndDate",
  },
  { id: "spring-generations", file: "spring-generations.json", part: "spring-boot", needs: "ossSupportEndDate" },
  { id: "sqlclient-support", file: "sqlclient-support.md", needs: "Initial release" },
  { id: "symfony-kernel", file: "symfony-kernel.php", needs: "END_OF_LIFE" },
  { id: "temurin-support", file: "temurin-support.adoc", needs: "col-end-of-availability" },
  { id: "traefik-releases", file: "traefik-releases.md", needs: "Security Support" },
  { id: "typo3-get", file: "typo3-get.json", needs: "elts_until" },
  { id: "ubuntu-release-cycle", file: "ubuntu-release-cycle.html", needs: "End of Standard Support" },
  { id: "undici-support", file: "undici-support.md", needs: "End of Life" },
  { id: "valkey-releases", file: "valkey-releases.md", needs: "Security support end" },
];

export const fixtureText = (file: string): string =>
  readFileSync(new URL(`./fixtures/${file}`, import.meta.url), "utf8");

export function sourceOf(id: string): Source {
  const source = findSource(id);
  if (source === undefined) throw new RangeError(`no source ${id}`);
  return source;
}

export function feedOf(id: string): LifecycleSource {
  const source = sourceOf(id);
  if (source.kind !== "lifecycle") throw new RangeError(`${id} is no feed of dates`);
  return source;
}
