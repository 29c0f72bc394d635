import { describe, expect, test } from "vitest";
import { packagesOf, problemOf } from "./shown.ts";
import type { Files } from "./shown.ts";

const PARENT = `<project>
  <groupId>org.example</groupId><artifactId>parent</artifactId><version>1.0</version>
  <properties><spring.version>5.3.39</spring.version></properties>
  <dependencyManagement><dependencies>
    <dependency><groupId>log4j</groupId><artifactId>log4j</artifactId><version>1.2.17</version></dependency>
  </dependencies></dependencyManagement>
</project>`;

const CASES: readonly [title: string, path: string, text: string, related: Files, expected: readonly string[]][] = [
  [
    "a Maven project with a parent in the tree",
    "service/pom.xml",
    `<project>
  <modelVersion>4.0.0</modelVersion>
  <parent><groupId>org.example</groupId><artifactId>parent</artifactId><version>1.0</version></parent>
  <artifactId>service</artifactId>
  <dependencyManagement><dependencies>
    <dependency>
      <groupId>org.springframework.boot</groupId><artifactId>spring-boot-dependencies</artifactId>
      <version>2.7.18</version><type>pom</type><scope>import</scope>
    </dependency>
  </dependencies></dependencyManagement>
  <dependencies>
    <dependency>
      <groupId>org.springframework</groupId>
      <artifactId>spring-core</artifactId>
      <version>\${spring.version}</version>
    </dependency>
    <dependency><groupId>log4j</groupId>
      <artifactId>log4j</artifactId></dependency>
    <dependency><groupId>org.managed</groupId><artifactId>elsewhere</artifactId></dependency>
    <dependency><groupId>\${project.groupId}</groupId><artifactId>own</artifactId><version>\${project.version}</version></dependency>
    <dependency><groupId>org.example</groupId><artifactId>unknown</artifactId><version>\${revision}</version></dependency>
    <dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.12</version><scope>test</scope></dependency>
  </dependencies>
</project>`,
    { "../pom.xml": PARENT },
    [
      "15 org.springframework:spring-core 5.3.39 pkg:maven/org.springframework/spring-core direct",
      "18 log4j:log4j 1.2.17 pkg:maven/log4j/log4j direct",
      "19 org.managed:elsewhere (none) pkg:maven/org.managed/elsewhere direct",
      "20 org.example:own 1.0 pkg:maven/org.example/own direct",
      "21 org.example:unknown (none) pkg:maven/org.example/unknown direct",
      "22 junit:junit 4.12 pkg:maven/junit/junit direct development",
      "8 org.springframework.boot:spring-boot-dependencies 2.7.18 pkg:maven/org.springframework.boot/spring-boot-dependencies direct",
    ],
  ],
  [
    "a Maven property that refers to itself, which has no value",
    "pom.xml",
    `<project><properties><a>\${b}</a><b>\${a}</b></properties><dependencies>
<dependency><groupId>g</groupId><artifactId>x</artifactId><version>\${a}</version></dependency></dependencies></project>`,
    {},
    ["2 g:x (none) pkg:maven/g/x direct"],
  ],
  [
    "starters under a parent of Spring Boot, which manages its own group",
    "pom.xml",
    `<project><parent><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-parent</artifactId><version>2.5.0</version></parent><dependencies>
<dependency><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-web</artifactId></dependency>
<dependency><groupId>org.springframework.boot</groupId><artifactId>spring-boot-own</artifactId><version>1.0</version></dependency>
<dependency><groupId>org.springframework</groupId><artifactId>spring-core</artifactId></dependency></dependencies></project>`,
    {},
    [
      "2 org.springframework.boot:spring-boot-starter-web 2.5.0 pkg:maven/org.springframework.boot/spring-boot-starter-web direct",
      "3 org.springframework.boot:spring-boot-own 1.0 pkg:maven/org.springframework.boot/spring-boot-own direct",
      "4 org.springframework:spring-core (none) pkg:maven/org.springframework/spring-core direct",
    ],
  ],
  [
    "starters under the bill of materials of Spring Boot in a parent",
    "service/pom.xml",
    `<project><parent><groupId>org.example</groupId><artifactId>parent</artifactId><version>1.0</version></parent><dependencies>
<dependency><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-web</artifactId></dependency></dependencies></project>`,
    {
      "../pom.xml": `<project><artifactId>parent</artifactId><properties><boot>2.5.0</boot></properties><dependencyManagement><dependencies><dependency><groupId>org.springframework.boot</groupId><artifactId>spring-boot-dependencies</artifactId><version>\${boot}</version><type>pom</type><scope>import</scope></dependency></dependencies></dependencyManagement></project>`,
    },
    [
      "2 org.springframework.boot:spring-boot-starter-web 2.5.0 pkg:maven/org.springframework.boot/spring-boot-starter-web direct",
    ],
  ],
  [
    "starters without a parent of Spring Boot",
    "pom.xml",
    `<project><parent><groupId>org.example</groupId><artifactId>parent</artifactId><version>1.0</version></parent><dependencies>
<dependency><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-web</artifactId></dependency></dependencies></project>`,
    {},
    [
      "2 org.springframework.boot:spring-boot-starter-web (none) pkg:maven/org.springframework.boot/spring-boot-starter-web direct",
    ],
  ],
  [
    "a Gradle lockfile",
    "gradle.lockfile",
    `# This is a Gradle generated file for dependency locking.
com.google.guava:guava:19.0=compileClasspath,runtimeClasspath
junit:junit:4.12=testCompileClasspath,testRuntimeClasspath
empty=annotationProcessor
`,
    {},
    [
      "2 com.google.guava:guava 19.0 pkg:maven/com.google.guava/guava",
      "3 junit:junit 4.12 pkg:maven/junit/junit development",
    ],
  ],
  [
    "a Gradle version catalogue",
    "gradle/libs.versions.toml",
    `[versions]
spring = "5.3.39"
jackson = { strictly = "[2.13, 2.14[", prefer = "2.13.5" }

[libraries]
spring-core = { module = "org.springframework:spring-core", version.ref = "spring" }
guava = "com.google.guava:guava:19.0"
jackson = { group = "com.fasterxml.jackson.core", name = "jackson-core", version.ref = "jackson" }
managed = { module = "org.example:managed" }

[plugins]
boot = { id = "org.springframework.boot", version = "2.7.18" }
`,
    {},
    [
      "6 org.springframework:spring-core 5.3.39 pkg:maven/org.springframework/spring-core direct",
      "7 com.google.guava:guava 19.0 pkg:maven/com.google.guava/guava direct",
      "8 com.fasterxml.jackson.core:jackson-core [2.13, 2.14[ pkg:maven/com.fasterxml.jackson.core/jackson-core direct",
      "9 org.example:managed (none) pkg:maven/org.example/managed direct",
      "12 org.springframework.boot 2.7.18 pkg:maven/org.springframework.boot/spring-boot direct",
    ],
  ],
  [
    "packages.lock.json of NuGet",
    "packages.lock.json",
    `{
  "version": 1,
  "dependencies": {
    "net6.0": {
      "Newtonsoft.Json": { "type": "Direct", "requested": "[9.0.1, )",
        "resolved": "9.0.1", "dependencies": { "System.Runtime": "4.1.0" } },
      "System.Runtime": {
        "type": "Transitive", "resolved": "4.1.0" },
      "lib": { "type": "Project" }
    }
  }
}`,
    {},
    [
      "6 Newtonsoft.Json 9.0.1 pkg:nuget/Newtonsoft.Json direct > system.runtime@4.1.0",
      "8 System.Runtime 4.1.0 pkg:nuget/System.Runtime transitive",
    ],
  ],
  [
    "deps.json of a self-contained .NET build",
    "app.deps.json",
    `{
  "runtimeTarget": { "name": ".NETCoreApp,Version=v6.0/linux-x64" },
  "targets": {
    ".NETCoreApp,Version=v6.0/linux-x64": {
      "App/1.0.0": { "dependencies": { "Serilog": "2.10.0", "runtimepack.Microsoft.NETCore.App.Runtime.linux-x64": "6.0.5" } }
    }
  },
  "libraries": {
    "App/1.0.0": { "type": "project" },
    "Serilog/2.10.0": { "type": "package" },
    "runtimepack.Microsoft.NETCore.App.Runtime.linux-x64/6.0.5": { "type": "runtimepack" }
  }
}`,
    {},
    [
      "2 dotnet 6.0 (no purl) transitive",
      "10 Serilog 2.10.0 pkg:nuget/Serilog direct",
      "11 dotnet 6.0.5 (no purl) direct",
    ],
  ],
  [
    "a .NET project with versions of its own, central versions and properties",
    "src/App.csproj",
    `<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><EfVersion>3.1.32</EfVersion></PropertyGroup>
  <PropertyGroup Condition="'$(X)' == '1'"><Sometimes>1.0</Sometimes></PropertyGroup>
  <ItemGroup>
    <PackageReference Include="Microsoft.EntityFrameworkCore" Version="$(EfVersion)" />
    <PackageReference Include="Serilog" />
    <PackageReference Include="Analyzer" Version="[1.2.3]"><PrivateAssets>all</PrivateAssets></PackageReference>
    <PackageReference Include="Unsure" Version="$(Sometimes)" />
    <PackageReference Include="Old">
      <Version>2.0.0</Version>
    </PackageReference>
  </ItemGroup>
</Project>`,
    {
      "../Directory.Packages.props":
        '<Project><ItemGroup><PackageVersion Include="serilog" Version="2.10.0" /></ItemGroup></Project>',
    },
    [
      "5 Microsoft.EntityFrameworkCore 3.1.32 pkg:nuget/Microsoft.EntityFrameworkCore direct",
      "6 Serilog 2.10.0 pkg:nuget/Serilog direct",
      "7 Analyzer 1.2.3 pkg:nuget/Analyzer direct development",
      "8 Unsure (none) pkg:nuget/Unsure direct",
      "10 Old 2.0.0 pkg:nuget/Old direct",
    ],
  ],
  [
    "a .NET project with a lockfile in the same folder, which is read instead",
    "App.csproj",
    '<Project><ItemGroup><PackageReference Include="Serilog" Version="2.10.0" /></ItemGroup></Project>',
    { "packages.lock.json": "{}" },
    [],
  ],
  [
    "global packages of central version management",
    "Directory.Packages.props",
    '<Project><ItemGroup><PackageVersion Include="Serilog" Version="2.10.0" />\n<GlobalPackageReference Include="Tool" Version="1.0.0" /></ItemGroup></Project>',
    {},
    ["2 Tool 1.0.0 pkg:nuget/Tool direct"],
  ],
];

describe("JVM and .NET lockfiles and build files", () => {
  test.each(CASES)("reads %s", async (_, path, text, related, expected) => {
    expect(await packagesOf(path, text, related)).toEqual(expected);
  });

  test.each([
    [
      "pom.xml",
      "<project>\n<dependencies>",
      "lockfile-broken, line 2: the file is not well-formed XML: Missing end tag for element dependencies (line 2, column 15)",
    ],
    [
      "gradle.lockfile",
      "a:b:1.0=runtimeClasspath\n",
      'lockfile-broken, line 2: the file ends without its last line, "empty="',
    ],
    ["gradle.lockfile", "a:b\nempty=\n", "lockfile-broken, line 1: not a line of a Gradle lockfile"],
    [
      "libs.versions.toml",
      "[libraries]\na = {",
      "lockfile-broken, line 2: the file is not TOML: Invalid TOML document: unfinished table",
    ],
    [
      "packages.lock.json",
      '{\n"version": 9 }',
      "unsupported-version, line 2: version 9 of packages.lock.json is not supported",
    ],
    [
      "app.deps.json",
      '{ "libraries": {} }',
      "lockfile-broken, (no line): the file has no runtimeTarget or no libraries",
    ],
    [
      "App.csproj",
      "<Project><ItemGroup></Project>",
      "lockfile-broken, line 1: the file is not well-formed XML: Missing end tag for element ItemGroup (line 1, column 21)",
    ],
    [
      "Directory.Packages.props",
      "",
      "lockfile-broken, line 1: the file is not well-formed XML: Root element is missing or invalid (line 1, column 1)",
    ],
  ])("reports the error in %s: %j", async (path, text, expected) => {
    expect(await problemOf(path, text)).toBe(expected);
  });
});
