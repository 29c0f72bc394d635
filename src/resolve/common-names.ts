/**
 * Names that people use for more than one product. Used for suggestions and searches only; no component resolves by
 * them. Spelling: lower case, without white space and hyphens.
 */
const OPENJDK_BUILDS = [
  "eclipse-temurin",
  "amazon-corretto",
  "microsoft-build-of-openjdk",
  "redhat-build-of-openjdk",
  "azul-zulu",
  "bellsoft-liberica",
  "openjdk-builds-from-oracle",
] as const;
const JAVA = ["oracle-jdk", ...OPENJDK_BUILDS] as const;
const DOTNET = ["dotnet", "dotnetfx"] as const;

export const COMMON_NAMES: Readonly<Record<string, readonly string[]>> = {
  java: JAVA,
  javase: JAVA,
  jdk: JAVA,
  jre: JAVA,
  jvm: JAVA,
  openjdk: OPENJDK_BUILDS,
  ".net": DOTNET,
  net: DOTNET,
  netcore: DOTNET,
  ".netcore": DOTNET,
  dotnetcore: DOTNET,
  ".netframework": ["dotnetfx"],
  "c#": DOTNET,
  win: ["windows"],
};
