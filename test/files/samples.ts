/**
 * A text for every kind of file that has all parts that its reader looks at. Tests repeat the parts to see how the cost of
 * the reader grows. A kind without a sample does not compile.
 */
// cspell:ignore ADOPTIUM cimg lasspath
import type { LockfileKindName } from "../../src/files/lockfiles/kinds.ts";
import type { PinKindName } from "../../src/files/pins/kinds.ts";

export const PIN_SAMPLES: Readonly<Record<PinKindName, string>> = {
  nvmrc: "# ours\nlts/hydrogen # until spring\n",
  "node-version": "20.x\n",
  "python-version": "3.11.4\npypy3.9-7.3.12\n3.13-dev\n",
  "ruby-version": "jruby-9.4.0.0\n",
  "go-version": "1.22.3\n",
  "java-version": "temurin-17.0.8+7\n",
  "php-version": "8.1\n",
  "terraform-version": "latest:^1.5\n",
  bazelversion: "6.4.0\n",
  "tool-versions": "# asdf\nnodejs 18.17.0 20.5.1\njava corretto-17.0.8\nunheard 1.0 # of\nruby path:/opt/ruby\n",
  sdkmanrc: "# SDKMAN\njava=17.0.8-tem\ngradle=7.6\n",
  "runtime.txt": "python-3.9.18\n",
  "mise.toml":
    '[env]\nX = "20"\n\n[tools]\nnode = "20"\npython = ["3.11", "3.12"]\nterraform = { version = "1.5.7" }\n"npm:prettier" = "3.1.0"\n',
  "rust-toolchain": '[toolchain]\nchannel = "1.70.0"\n',
  "package.json":
    '{\n\t"engines": {\n\t\t"node": ">=18 <21",\n\t\t"npm": "9"\n\t},\n\t"volta": { "node": "18.17.0" },\n\t"packageManager": "pnpm@8.6.0+sha256.abc",\n\t"devEngines": { "runtime": { "name": "node", "version": "18" } },\n\t"dependencies": { "node": "1" }\n}\n',
  "composer.json":
    '{\n  "require": { "php": "^8.1", "ext-json": "*" },\n  "config": { "platform": { "php": "8.1.27" } }\n}\n',
  "global.json": '{\n  // pinned\n  "sdk": { "version": "6.0.400", "rollForward": "latestFeature" }\n}\n',
  "go.mod": "module example.org/app\n\ngo 1.21\n\ntoolchain go1.21.6\n",
  Gemfile: 'source "https://rubygems.org"\nruby "3.0.6"\ngem "ruby", "1"\n',
  "pom.xml":
    "<project>\n  <parent>\n    <groupId>org.springframework.boot</groupId>\n    <artifactId>starter</artifactId>\n    <version>2.7.18</version>\n  </parent>\n  <properties>\n    <java.version>11</java.version>\n    <maven.compiler.release>${java.version}</maven.compiler.release>\n  </properties>\n  <build><plugins>\n<plugin><artifactId>maven-compiler-plugin</artifactId><configuration><release>8</release></configuration></plugin>\n<plugin><jdk><version>11</version><vendor>zulu</vendor></jdk></plugin>\n  </plugins></build>\n</project>\n",
  gradle:
    'plugins {\n  id("org.springframework.boot") version "2.7.1"\n}\n// jvmToolchain(8)\n/* old */\njava { toolchain {\n  languageVersion.set(JavaLanguageVersion.of(17))\n  vendor.set(JvmVendorSpec.ADOPTIUM)\n} }\nsourceCompatibility = JavaVersion.VERSION_11\nimplementation("a:b:1.0")\napi platform("a:b:${kotlin}")\nclasspath group: "a", name: "b", version: "1.0"\n',
  "gradle-wrapper": "distributionUrl=https\\://services.gradle.org/distributions/gradle-7.6.1-bin.zip\n",
  "maven-wrapper": "distributionUrl=https://repo.example.org/apache-maven/3.8.6/apache-maven-3.8.6-bin.zip\n",
  Dockerfile:
    '# escape=`\nARG NODE=18 FLAVOUR="alpine"\nARG BOTH=$NODE$NODE\nFROM --platform=$BUILDPLATFORM node:${NODE}-${FLAVOUR} AS build\nRUN <<EOF\nFROM nothing:1\nEOF\nFROM build AS test\nFROM `\n  ghcr.io/org/app:1.2\nCOPY --from=nginx:1.22 /etc /etc\nCOPY --from=build /a /b\nFROM redis:${UNKNOWN:-7}\n',
  earthfile:
    "VERSION 0.8\nARG NODE=18\nbuild:\n  ARG FLAVOUR=alpine\n  FROM node:$NODE-$FLAVOUR\n  FROM +deps\n  COPY --from=nginx:1.22 /a /b\n",
  compose:
    'services:\n  db:\n    image: postgres:12\n  cache:\n    image: "redis:${TAG:-6.2}-alpine"\n  web:\n    build: .\n    image: own:$TAG\ninclude:\n  - other.yaml\n',
  workflow:
    'env:\n  TF: 1.3\njobs:\n  test:\n    runs-on: ${{ matrix.os }}\n    strategy:\n      matrix:\n        os: [ubuntu-20.04]\n        node: [16, "18.x"]\n        include:\n          - node: lts/*\n    container: node:${{ matrix.node }}\n    services:\n      db:\n        image: mysql:5.7\n    steps:\n      - uses: actions/checkout@v4\n      - uses: actions/setup-node@v4\n        with:\n          node-version: ${{ matrix.node }}\n      - uses: actions/setup-java@v4\n        with: { distribution: zulu, java-version: "11" }\n      - uses: actions/setup-dotnet@v4\n        with:\n          dotnet-version: |\n            6.0.x\n            8.0.x\n      - uses: hashicorp/setup-terraform@v3\n        with:\n          terraform_version: ${{ env.TF }}\n',
  "gitlab-ci":
    'variables:\n  NODE: "16"\n  OTHER:\n    value: "17"\ndefault:\n  image: node:${NODE}-buster\nservices:\n  - postgres:11\n  - name: redis:5\n    alias: cache\ntest:\n  image:\n    name: ruby:2.7\n  services: ["mysql:5.7"]\ninclude:\n  - local: other.yml\n',
  circleci:
    "executors:\n  main:\n    docker:\n      - image: cimg/node:16.20\njobs:\n  a:\n    docker:\n      - image: postgres:<< parameters.tag >>\n  b:\n    machine:\n      image: ubuntu-2004:2023.10.1\n",
  "azure-pipelines":
    'pool:\n  vmImage: ubuntu-20.04\nresources:\n  containers:\n    - container: db\n      image: postgres:12\nsteps:\n  - task: NodeTool@0\n    inputs:\n      versionSpec: "14.x"\n  - task: Bash@3\n    inputs:\n      version: 1\njobs:\n  - job: win\n    container: python:3.8\n    pool: { vmImage: windows-2019 }\n',
  jenkinsfile:
    "pipeline {\n  agent { docker { image 'maven:3.8-openjdk-11' } }\n  // image 'node:8'\n  /* old */\n  stages { stage('x') { steps { script { docker.image(\"node:14\").inside { } } } } }\n}\n",
  travis: 'dist: xenial\nlanguage: python\npython:\n  - "3.6"\n  - pypy3\njdk: openjdk11\n',
  devcontainer:
    '{\n  // ours\n  "image": "mcr.microsoft.com/devcontainers/python:3.8-buster",\n  "features": { "ghcr.io/devcontainers/features/node:1": { "version": "16", "additionalVersions": "18,20" } },\n}\n',
  readthedocs: 'version: 2\nbuild:\n  os: ubuntu-20.04\n  tools:\n    python: "3.7"\npython:\n  version: 3.6\n',
  pipeline: "steps:\n  - image: node:16\n  - image:\n      name: node:18\nos_image: ubuntu2204\n",
  buildspec: "phases:\n  install:\n    runtime-versions:\n      java: corretto8\n",
  cloudbuild: "steps:\n  - name: node:16\n",
  "pre-commit":
    "default_language_version:\n  python: python3.8\nrepos:\n  - repo: x\n    hooks:\n      - id: black\n        language: python\n        language_version: '3.8'\n",
  kustomization: "images:\n- name: redis\n  newName: other\n  newTag: '6.0'\n  digest: sha256:0\n",
  quadlet: "[Container]\nImage=redis:6.0\n",
  netlify: '[build.environment]\nNODE_VERSION = "16"\n[context.a.environment]\nGO_VERSION = "1.20"\n',
  "system.properties": "java.runtime.version=11\n",
  fvmrc: '{"flutter": "3.7.0"}\n',
  sbt: 'scalaVersion := "2.12.10"\nsbt.version=1.9.0\n',
  "pyproject.toml":
    '[project]\nrequires-python = ">=3.8"\ndependencies = ["a", "b>1"]\n[tool.poetry.dependencies]\npython = "3.9.*"\n',
  Pipfile: '[requires]\npython_version = "3.8"\n[packages]\na = "*"\n',
  "Cargo.toml": '[package]\nrust-version = "1.60"\n[workspace.package]\nrust-version = { workspace = true }\n',
  gemspec: 's.required_ruby_version = Gem::Requirement.new(">= 2.7")\n',
  "target-framework":
    '<Project Sdk="Microsoft.NET.Sdk">\n<!-- old -->\n<PropertyGroup><OutputType>Library</OutputType></PropertyGroup>\n<TargetFrameworks>net6.0;netcoreapp3.1; net48</TargetFrameworks>\n<TargetFrameworkVersion>v4.5.2</TargetFrameworkVersion>\n<PackageReference Include="A" Version="1.0" />\n</Project>\n',
  terraform:
    'terraform {\n  required_version = "~> 1.3.0"\n}\nlocals {\n  engine = var.version\n}\nvariable "version" {\n  default = "11"\n}\nresource "aws_db_instance" "a" {\n  engine         = "postgres"\n  engine_version = local.engine # old\n  user_data = <<EOF\nengine_version = 1\nEOF\n}\nresource "aws_lambda_function" "f" {\n  runtime = "nodejs16.x"\n}\nmodule "eks" {\n  cluster_version = "1.24"\n  tags = { a = [1, 2], b = merge("x", { c = 1 }) }\n}\n/* old */\n',
  serverless:
    "provider:\n  name: aws\n  runtime: nodejs14.x\nfunctions:\n  a:\n    runtime: python3.8\n  b:\n    runtime: ${self:custom.runtime}\n",
  cloudformation:
    'Globals:\n  Function:\n    Runtime: python3.7\nResources:\n  Db:\n    Type: AWS::RDS::DBInstance\n    Properties:\n      Engine: mysql\n      EngineVersion: "5.7"\n      Name: !Ref Name\n',
  "helm-values":
    'image:\n  registry: docker.io\n  repository: bitnami/postgresql\n  tag: 11.22.0-debian-11-r5\nsidecar:\n  image: nginx:1.20\nown:\n  image: { repository: example/app, tag: "" }\n',
  "helm-chart":
    'apiVersion: v2\nname: app\nkubeVersion: ">=1.24.0-0"\ndependencies:\n  - name: redis\n    version: 17.0.0\n',
  configuration:
    '{% if a %}\ndb:\n  image: { repository: postgres, tag: "9.6" }\n  base_image: node:14\n  node_version: 14\n  runtime: python37\n{% endif %}\n',
  kubernetes:
    "apiVersion: apps/v1\nkind: Deployment\nspec:\n  template:\n    spec:\n      initContainers:\n        - name: wait\n          image: busybox:1.36\n      containers:\n        - image: registry.k8s.io/controller:v1.8.0\n---\napiVersion: v1\nkind: ConfigMap\ndata:\n  image: nothing:1\n",
};

export const LOCKFILE_SAMPLES: Readonly<Record<LockfileKindName, string>> = {
  "package-lock.json":
    '{\n  "lockfileVersion": 3,\n  "packages": {\n    "": { "dependencies": { "a": "^1" }, "devDependencies": { "b": "^1" } },\n    "node_modules/a": { "version": "1.0.0", "dependencies": { "b": "^1" } },\n    "node_modules/b": { "version": "1.1.0", "dev": true },\n    "node_modules/a/node_modules/b": { "version": "1.0.0" }\n  }\n}\n',
  "yarn.lock":
    '# yarn lockfile v1\n\n\na@^1.0.0, a@^1.1.0:\n  version "1.0.1"\n  dependencies:\n    b "^2"\n\nb@^2:\n  version "2.0.0"\n',
  "pnpm-lock.yaml":
    "lockfileVersion: '9.0'\n\nimporters:\n\n  .:\n    dependencies:\n      a:\n        specifier: ^1.0.0\n        version: 1.0.0(b@2.0.0)\n\npackages:\n\n  a@1.0.0:\n    resolution: {integrity: x}\n\n  b@2.0.0:\n    resolution: {integrity: x}\n\nsnapshots:\n\n  a@1.0.0(b@2.0.0):\n    dependencies:\n      b: 2.0.0\n\n  b@2.0.0: {}\n",
  "bun.lock":
    '{\n  "lockfileVersion": 1,\n  "workspaces": {\n    "": { "dependencies": { "a": "^1" } }\n  },\n  "packages": {\n    "a": ["a@1.0.0", "", { "dependencies": { "b": "^1" } }, "x"],\n    "b": ["b@1.0.0", "", {}, "x"],\n    "a/b": ["b@1.0.0", "", {}, "x"],\n  }\n}\n',
  "bun.lockb": "#!/usr/bin/env bun\nbun-lockfile-format-v0\n",
  "requirements.txt":
    "--index-url https://example.org/simple\n-r base.txt\nflask[async]==2.0.0 ; python_version < '3.12' \\\n    --hash=sha256:aaaa \\\n    --hash=sha256:bbbb\n    # via -r requirements.in\njinja2>=3.0  # via flask, django\nwerkzeug==2.0\n    # via\n    #   flask\n-e git+https://example.org/x#egg=own\nname @ https://example.org/a.zip\n./wheels/a_b-1.0-py3-none-any.whl\n",
  "poetry.lock":
    '[[package]]\nname = "a"\nversion = "1.0"\ncategory = "main"\n\n[package.dependencies]\nb = ">=2"\n\n[[package]]\nname = "b"\nversion = "2.0"\ngroups = ["dev"]\n\n[metadata]\nlock-version = "2.0"\n',
  "Pipfile.lock":
    '{\n  "_meta": { "pipfile-spec": 6 },\n  "default": {\n    "a": { "version": "==1.0" }\n  },\n  "develop": {\n    "b": { "version": "==2.0" }\n  }\n}\n',
  "uv.lock":
    'version = 1\n\n[[package]]\nname = "own"\nversion = "1.0"\nsource = { virtual = "." }\ndependencies = [\n  { name = "b" },\n]\n[package.dev-dependencies]\ndev = [{ name = "a" }]\n\n[[package]]\nname = "a"\nversion = "1.0"\ndependencies = [{ name = "b" }]\n\n[[package]]\nname = "b"\nversion = "2.0"\n',
  "pdm.lock":
    '[metadata]\nlock_version = "4.5.0"\n\n[[package]]\nname = "a"\nversion = "1.0"\ngroups = ["default"]\ndependencies = [\n  "b>=1",\n]\n\n[[package]]\nname = "b"\nversion = "2.0"\n',
  "pylock.toml":
    'lock-version = "1.0"\n\n[[packages]]\nname = "a"\nversion = "1.0"\ndependencies = [{ name = "b" }]\n\n[[packages]]\nname = "b"\nversion = "2.0"\n',
  "go.mod":
    'module example.org/app\n\ngo 1.21\n\nrequire github.com/a/one v1.7.0\nrequire (\n\tgolang.org/x/net v0.1.0 // indirect\n\t"github.com/old/one" v1.0.0\n\tgithub.com/local/one v1.0.0\n)\nreplace (\n\tgithub.com/old/one => github.com/new/one v1.5.0\n\tgithub.com/local/one => ../one\n)\n',
  "go.sum": `golang.org/x/net v0.1.0 h1:${"a".repeat(43)}=\ngolang.org/x/net v0.11.0/go.mod h1:${"a".repeat(43)}=\n`,
  "Cargo.lock":
    'version = 4\n\n[[package]]\nname = "a"\nversion = "1.0.0"\nsource = "registry+x"\ndependencies = [\n "b",\n]\n\n[[package]]\nname = "b"\nversion = "2.0.0"\nsource = "registry+x"\n',
  "Gemfile.lock":
    "GEM\n  remote: https://rubygems.org/\n  specs:\n    rack (2.0.1)\n    rails (6.1.7)\n      rack (>= 2)\n\nPLATFORMS\n  ruby\n\nDEPENDENCIES\n  rails (~> 6.1)\n\nRUBY VERSION\n   ruby 3.0.0p0\n\nBUNDLED WITH\n   2.3.0\n",
  "composer.lock":
    '{\n  "packages": [\n    { "name": "a/b", "version": "1.0", "require": { "c/d": "*" } },\n    { "name": "c/d", "version": "2.0" }\n  ],\n  "packages-dev": [\n    { "name": "e/f", "version": "v1.0" }\n  ]\n}\n',
  "packages.lock.json":
    '{\n  "version": 1,\n  "dependencies": {\n    "net6.0": {\n      "A": { "type": "Direct", "resolved": "1.0", "dependencies": { "B": "1.0" } },\n      "B": { "type": "Transitive", "resolved": "1.0" }\n    }\n  }\n}\n',
  "packages.config":
    '<packages>\n  <package id="A" version="12.0.3" developmentDependency="true" />\n  <package id="B" version="1.0" />\n</packages>\n',
  "deps.json":
    '{\n  "runtimeTarget": { "name": ".NETCoreApp,Version=v6.0" },\n  "targets": {\n    ".NETCoreApp,Version=v6.0": {\n      "Own/1.0.0": { "dependencies": { "A": "1.0.0" } },\n      "A/1.0.0": {}\n    }\n  },\n  "libraries": {\n    "Own/1.0.0": { "type": "project" },\n    "A/1.0.0": { "type": "package" }\n  }\n}\n',
  "Directory.Packages.props":
    '<Project>\n  <PropertyGroup>\n    <V>1.0</V>\n    <W>$(V)$(V)</W>\n  </PropertyGroup>\n  <ItemGroup>\n    <GlobalPackageReference Include="A" Version="$(W)" />\n  </ItemGroup>\n</Project>\n',
  "msbuild-project":
    '<Project>\n  <PropertyGroup>\n    <V>1.0</V>\n    <W Condition="x">$(V)</W>\n  </PropertyGroup>\n  <ItemGroup>\n    <PackageReference Include="A" Version="[$(V)]" />\n    <PackageReference Include="B" />\n    <PackageVersion Include="B" Version="$(V)" />\n  </ItemGroup>\n</Project>\n',
  "gradle.lockfile":
    "# locked\norg.a:b:1.0=runtimeClasspath,testRuntimeClasspath\norg.c:d:2.0=testRuntimeClasspath\nempty=\n",
  "libs.versions.toml":
    '[versions]\nboot = "2.7.1"\nrich = { strictly = "1.0" }\n\n[libraries]\na = "org.a:b:1.0"\nc = { module = "org.c:d", version.ref = "boot" }\ne = { group = "e", name = "f", version = { require = "1.0" } }\n\n[plugins]\nspring = { id = "org.springframework.boot", version.ref = "boot" }\nk = "org.jetbrains.kotlin.jvm:1.9.0"\n',
  "pom.xml":
    "<project>\n  <groupId>own</groupId>\n  <properties>\n    <v>1.0</v>\n    <w>${v}${v}</w>\n  </properties>\n  <dependencyManagement><dependencies>\n    <dependency><groupId>g</groupId><artifactId>a</artifactId><version>${v}</version></dependency>\n  </dependencies></dependencyManagement>\n  <dependencies>\n    <dependency><groupId>g</groupId><artifactId>a</artifactId></dependency>\n    <dependency><groupId>g</groupId><artifactId>b</artifactId><version>${w}</version><scope>test</scope></dependency>\n  </dependencies>\n</project>\n",
  "mix.lock": '%{\n  "castore": {:hex, :castore, "1.0.5", "aa", [:mix], [{:jason, "~> 1.0", []}], "hexpm", "bb"},\n}\n',
  "pubspec.lock":
    'packages:\n  args:\n    dependency: transitive\n    source: hosted\n    version: "2.4.2"\n  http:\n    dependency: "direct main"\n    version: "1.0.0"\nsdks:\n  dart: ">=3.0.0 <4.0.0"\n',
  "Package.resolved":
    '{\n  "pins": [\n    { "identity": "a", "location": "https://example.org/a", "state": { "version": "1.0.0" } }\n  ],\n  "version": 2\n}\n',
  "conan.lock": '{\n  "version": "0.5",\n  "requires": [\n    "zlib/1.2.13#a%1"\n  ],\n  "build_requires": []\n}\n',
};
