/** Gradle plugins whose version is the version of the framework, by plugin id. */
export const FRAMEWORK_PLUGINS: Readonly<Record<string, string>> = {
  "org.springframework.boot": "pkg:maven/org.springframework.boot/spring-boot",
  "org.jetbrains.kotlin.jvm": "pkg:maven/org.jetbrains.kotlin/kotlin-gradle-plugin",
  "io.quarkus": "pkg:maven/io.quarkus.platform/quarkus-bom",
};
