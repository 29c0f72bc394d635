/**
 * Runtimes, servers and applications that no package manager installed, by the files that state their version. A row of
 * the table names the file, the product and the version in its text. A program of a known name that no such file
 * explains is a component without a version.
 */
import { asRecord, getOwn, percentEncode } from "../../../text/values.ts";
import type { LanguagePackage } from "../package.ts";

/**
 * The path below the folder of the installation, and the version in the text: the groups, joined by points. Each
 * expression is searched on its own, so that the time grows with the text, and all of them must match.
 */
type FileRow = readonly [product: string, path: RegExp, ...version: readonly RegExp[]];

const at = (path: string): RegExp => new RegExp(`(?:^|/)${path}$`);

const FILES: readonly FileRow[] = [
  ["node", at("include/node/node_version\\.h"), /MAJOR_VERSION (\d+)/, /MINOR_VERSION (\d+)/, /PATCH_VERSION (\d+)/],
  ["python", at("include/python\\d[\\d.]*\\w?/patchlevel\\.h"), /define PY_VERSION\s+"([\d.]+\w*)/],
  ["python", at("(?:lib(?:64)?|share)/pkgconfig/python-\\d[\\d.]*\\w?\\.pc"), /^Version:\s*([\d.]+)/m],
  [
    "ruby",
    at("lib(?:64)?/ruby/[\\d.]+/[^/]+/rbconfig\\.rb"),
    /"MAJOR"\] = "(\d+)/,
    /"MINOR"\] = "(\d+)/,
    /"TEENY"\] = "(\d+)/,
  ],
  ["php", at("include/php/main/php_version\\.h"), /define PHP_VERSION "([\d.]+)/],
  ["perl", at("CORE/patchlevel\\.h"), /PERL_REVISION\s+(\d+)/, /PERL_VERSION\s+(\d+)/, /PERL_SUBVERSION\s+(\d+)/],
  ["erlang", at("lib/erlang/releases/\\d+/OTP_VERSION"), /^(\d[\d.]*)/],
  ["elixir", at("lib/elixir/ebin/elixir\\.app"), /\{vsn,\s*"([\d.]+)/],
  ["go", at("VERSION"), /^go(\d+\.\d+(?:\.\d+)?)\b/],
  ["openssl", at("include/openssl/opensslv\\.h"), /"OpenSSL (\d+\.\d+\.\d+[a-z]?)|OPENSSL_VERSION_STR "([\d.]+)/],
  ["postgresql", at("include/(?:postgresql/)?(?:\\d+/)?(?:server/)?pg_config\\.h"), /define PG_VERSION "([\d.]+)"/],
  ["mysql", at("include/(?:mysql/)?mysql_version\\.h"), /MYSQL_SERVER_VERSION\s+"([\d.]+)"/],
  ["mariadb", at("include/(?:mysql/)?(?:mariadb|mysql)_version\\.h"), /SERVER_VERSION\s+"([\d.]+)-MariaDB/],
  [
    "apache-http-server",
    at("include/ap_release\\.h"),
    /MAJORVERSION_NUMBER\s+(\d+)/,
    /MINORVERSION_NUMBER\s+(\d+)/,
    /PATCHLEVEL_NUMBER\s+(\d+)/,
  ],
  ["spark", at("RELEASE"), /^Spark (\d[\d.]*)/],
  ["kibana", at("kibana/package\\.json"), /"name":\s*"kibana"/, /"version":\s*"([\d.]+)/],
  ["wordpress", at("wp-includes/version\\.php"), /\$wp_version = '([\d.]+)/],
  ["drupal", at("core/lib/Drupal\\.php"), /const VERSION = '([\d.]+)/],
  ["drupal", at("includes/bootstrap\\.inc"), /define\('VERSION', '([\d.]+)/],
  [
    "joomla",
    at("libraries/src/Version\\.php"),
    /MAJOR_VERSION = (\d+)/,
    /MINOR_VERSION = (\d+)/,
    /PATCH_VERSION = (\d+)/,
  ],
  ["mediawiki", at("includes/Defines\\.php"), /MW_VERSION', '([\d.]+)/],
  ["nextcloud", at("version\\.php"), /OC_VersionString = '([\d.]+)/i, /nextcloud/i],
  ["moodle", at("version\\.php"), /\$release\s*=\s*'([\d.]+)/, /MATURITY/],
];

/** Makers of Java as `release` names them → products. */
const JAVA: readonly (readonly [implementor: RegExp, product: string])[] = [
  [/^Eclipse/, "eclipse-temurin"],
  [/^AdoptOpenJDK/, "adoptopenjdk"],
  [/^Amazon/, "amazon-corretto"],
  [/^Azul/, "azul-zulu"],
  [/^BellSoft/, "bellsoft-liberica"],
  [/^SAP/, "sapmachine"],
  [/^IBM|^International Business/, "ibm-semeru-runtime"],
  [/^Red Hat/, "redhat-build-of-openjdk"],
  [/^Microsoft/, "microsoft-build-of-openjdk"],
  [/^Alibaba/, "alibaba-dragonwell"],
  [/^GraalVM Community/, "graalvm-ce"],
];

type ProductReader = (text: string, prefix: string) => readonly LanguagePackage[];

/** The file `release` of a JDK. Oracle marks its commercial builds. */
const javaRelease: ProductReader = (text, prefix) => {
  const field = (name: string) => new RegExp(`^${name}="([^"]*)"`, "m").exec(text)?.[1] ?? "";
  const [version, maker] = [field("JAVA_VERSION"), field("IMPLEMENTOR")];
  const oracle = /^commercial/i.test(field("BUILD_TYPE")) ? "oracle-jdk" : "openjdk-builds-from-oracle";
  const known = maker === "Oracle Corporation" ? oracle : JAVA.find(([pattern]) => pattern.test(maker))?.[1];
  return version === "" ? [] : [{ name: known ?? "java", version, installed: { tool: "java", prefix, by: "file" } }];
};

/** A virtual environment has the version of the Python that it was made with. That of the system belongs to a package. */
const pythonEnvironment: ProductReader = (text, prefix) => {
  const field = (name: string) => new RegExp(`^${name}\\s*=\\s*(\\S+)`, "m").exec(text)?.[1] ?? "";
  const [version] = /^\d+\.\d+\.\d+/.exec(field("version") || field("version_info")) ?? [];
  if (version === undefined || field("home") === "/usr/bin") return [];
  return [{ name: "python", version, installed: { tool: "python", prefix, by: "copy" } }];
};

/** Packages of conda that are runtimes have the names and versions of the runtimes. */
const condaPackage: ProductReader = (text, prefix) => {
  const { name, version } = asRecord(JSON.parse(text));
  if (typeof name !== "string" || typeof version !== "string") return [];
  const tool = getOwn({ nodejs: "node", python: "python", ruby: "ruby", php: "php", perl: "perl" }, name);
  if (tool !== undefined) return [{ name: tool, version, installed: { tool, prefix, by: "file" } }];
  return [{ name, version, purl: `pkg:conda/${percentEncode(name)}@${percentEncode(version)}` }];
};

/** The components of an image of Bitnami. The revision of the build follows the version. */
const bitnamiComponents: ProductReader = (text, prefix) =>
  Object.entries(asRecord(JSON.parse(text))).flatMap(([name, component]) => {
    const { version } = asRecord(component);
    if (typeof version !== "string") return [];
    return [
      {
        name,
        version: version.replace(/-\d+$/, ""),
        installed: { tool: name, prefix: `${prefix}/${name}`, by: "file" },
      },
    ];
  });

const fileReader =
  (tool: string, parts: readonly RegExp[]): ProductReader =>
  (text, prefix) => {
    const found = parts.map((part) => part.exec(text));
    const version = found.flatMap((match) => match?.slice(1).filter((group) => group !== undefined) ?? []).join(".");
    return found.includes(null) ? [] : [{ name: tool, version, installed: { tool, prefix, by: "file" } }];
  };

const READERS: readonly (readonly [path: RegExp, read: ProductReader])[] = [
  [at("release"), javaRelease],
  [at("pyvenv\\.cfg"), pythonEnvironment],
  [at("conda-meta/[^/]+\\.json"), condaPackage],
  [at("\\.bitnami_components\\.json"), bitnamiComponents],
  ...FILES.map(([tool, path, ...version]) => [path, fileReader(tool, version)] as const),
];

/** The paths of all files of the table. */
export const INSTALLED = new RegExp(READERS.map(([path]) => path.source).join("|"));

/** Reads a file of the table. Its name may mean several products; the text decides. */
export const readInstalled = (bytes: Uint8Array, path: string): readonly LanguagePackage[] =>
  READERS.flatMap(([pattern, read]) => {
    const found = pattern.exec(path);
    return found === null ? [] : read(Buffer.from(bytes).toString("latin1"), path.slice(0, found.index));
  });

/** Programs by their name without a version → product. Those of Go state their modules themselves. */
export const PROGRAMS: Readonly<Record<string, string>> = Object.fromEntries(
  (
    "node nodejs=node java python ruby php php-fpm=php perl bun deno rustc=rust nginx haproxy memcached squid asterisk " +
    "redis-server=redis valkey-server=valkey mysqld=mysql mariadbd=mariadb postgres=postgresql mongod=mongodb " +
    "httpd=apache-http-server apache2=apache-http-server varnishd=varnish"
  )
    .split(" ")
    .map((row) => row.split("="))
    .map(([program = "", product = program]) => [program, product]),
);
const PROGRAM = /(?:^|\/)s?bin\/([a-z]+(?:-[a-z]+)?|apache2)-?(?:(\d+(?:\.\d+)+)|\d)?$/;

const MANAGED =
  /(?:env\/versions|\/(?:installs|candidates|Cellar)\/[^/]+|versions\/node|toolchains)\/v?(\d+(?:\.\d+)+)[^/]*\//;

/** The product of a program, by its path. */
export function installedProgram(path: string): LanguagePackage | undefined {
  const match = PROGRAM.exec(path);
  const tool = getOwn(PROGRAMS, match?.[1] ?? "");
  if (match === null || tool === undefined) return undefined;
  const version = versionInPath(path, `(?:${match[1] ?? ""}|${tool})`) ?? match[2];
  const prefix = path.slice(0, match.index);
  return { name: tool, ...(version !== undefined && { version }), installed: { tool, prefix, by: "program" } };
}

/** Folders of version managers and of unpacked archives state the version. */
const versionInPath = (path: string, name: string): string | undefined =>
  [MANAGED, new RegExp(`(?:^|[-/])${name}(?:js)?[-_@]v?(\\d+(?:\\.\\d+)+)[^/]*/`)]
    .map((pattern) => pattern.exec(path)?.[1])
    .find((version) => version !== undefined);
