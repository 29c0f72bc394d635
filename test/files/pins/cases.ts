/** Files of pipelines, environments, infrastructure and manifests: path, kind, text, and the expected pins. */
import type { PinKindName } from "../../../src/files/pins/kinds.ts";

export type PinCase = readonly [path: string, kind: PinKindName, text: string, expected: readonly string[]];

export const PIPELINES: readonly PinCase[] = [
  [
    ".gitlab-ci.yml",
    "gitlab-ci",
    `variables:\n  NODE: "16"\ndefault:\n  image: node:\${NODE}-buster\nservices:\n  - postgres:11\n  - name: redis:5\n    alias: cache\ntest:\n  image:\n    name: ruby:2.7\n  services: ["mysql:5.7"]\n  script: ["image: nginx:1.0"]\nbuild:\n  image: $CI_REGISTRY_IMAGE/app:1\n`,
    [
      "4:10 node 16-buster pkg:docker/library/node@16-buster «node:${NODE}-buster»",
      "4:10 debian buster «node:${NODE}-buster»",
      "6:5 postgres 11 pkg:docker/library/postgres@11 «postgres:11»",
      "7:11 redis 5 pkg:docker/library/redis@5 «redis:5»",
      "11:11 ruby 2.7 pkg:docker/library/ruby@2.7 «ruby:2.7»",
      `12:14 mysql 5.7 pkg:docker/library/mysql@5.7 «"mysql:5.7"»`,
      "15:10 $CI_REGISTRY_IMAGE/app:1 (none) «$CI_REGISTRY_IMAGE/app:1»",
    ],
  ],
  [
    ".circleci/config.yml",
    "circleci",
    `executors:\n  main:\n    docker:\n      - image: cimg/node:16.20\njobs:\n  a:\n    docker:\n      - image: postgres:<< parameters.tag >>\n  b:\n    machine:\n      image: ubuntu-2004:2023.10.1\n`,
    [
      "4:16 node 16.20 pkg:docker/cimg/node@16.20 «cimg/node:16.20»",
      "8:16 postgres << parameters.tag >> pkg:docker/library/postgres@%3C%3C%20parameters.tag%20%3E%3E «postgres:<< parameters.tag >>»",
      "11:14 ubuntu 20.04 «ubuntu-2004:2023.10.1»",
    ],
  ],
  [
    "azure-pipelines.yml",
    "azure-pipelines",
    `pool:\n  vmImage: ubuntu-20.04\nresources:\n  containers:\n    - container: db\n      image: postgres:12\nsteps:\n  - task: NodeTool@0\n    inputs:\n      versionSpec: "14.x"\n  - task: Bash@3\n    inputs:\n      version: 1\njobs:\n  - job: win\n    container: python:3.8\n    pool: { vmImage: windows-2019 }\n`,
    [
      "2:12 ubuntu 20.04 «ubuntu-20.04»",
      "6:14 postgres 12 pkg:docker/library/postgres@12 «postgres:12»",
      `10:20 node 14 pkg:generic/node@14 «"14.x"»`,
      "16:16 python 3.8 pkg:docker/library/python@3.8 «python:3.8»",
      "17:22 windows server 2019 «windows-2019»",
    ],
  ],
  [
    "Jenkinsfile",
    "jenkinsfile",
    `pipeline {\n  agent { docker { image 'maven:3.8-openjdk-11' } }\n  // image 'node:8'\n  stages { stage('x') { steps { script { docker.image("node:14").inside { } } } } }\n}\n`,
    [
      "2:27 maven 3.8-openjdk-11 pkg:docker/library/maven@3.8-openjdk-11 «maven:3.8-openjdk-11»",
      "4:56 node 14 pkg:docker/library/node@14 «node:14»",
    ],
  ],
  [
    ".travis.yml",
    "travis",
    `dist: xenial\nlanguage: python\npython:\n  - "3.6"\n  - pypy3\njdk: openjdk11\n`,
    [
      "1:7 ubuntu xenial «xenial»",
      `4:5 python 3.6 pkg:generic/python@3.6 «"3.6"»`,
      "5:5 pypy 3 «pypy3»",
      "6:6 java 11 «openjdk11»",
    ],
  ],
  [
    ".github/workflows/matrix.yml",
    "workflow",
    `env: { GO: "1.20" }\njobs:\n  a:\n    runs-on: \${{ matrix.os }}\n    container: \${{ matrix.image }}:\${{ matrix.tag }}\n    strategy:\n      matrix:\n        os: [ubuntu-20.04, macos-12, windows-2019, ubuntu-latest]\n        include: [{ image: node, tag: 16-buster }]\n    steps:\n      - uses: actions/setup-go@v5\n        with: { go-version: "\${{ env.GO }}" }\n      - uses: docker://alpine:3.12\n  b:\n    runs-on: [self-hosted, linux, our-machine]\n  c:\n    runs-on: \${{ inputs.runner }}\n`,
    [
      `1:12 go 1.20 pkg:generic/go@1.20 «"1.20"»`,
      "8:14 ubuntu 20.04 «ubuntu-20.04»",
      "8:14 ubuntu-20.04 ubuntu-20.04 pkg:generic/github-hosted-runner@ubuntu-20.04 «ubuntu-20.04»",
      "8:28 macos 12 «macos-12»",
      "8:28 macos-12 macos-12 pkg:generic/github-hosted-runner@macos-12 «macos-12»",
      "8:38 windows server 2019 «windows-2019»",
      "8:38 windows-2019 windows-2019 pkg:generic/github-hosted-runner@windows-2019 «windows-2019»",
      "8:52 ubuntu (none) «ubuntu-latest»",
      "9:39 node 16-buster pkg:docker/library/node@16-buster «16-buster»",
      "9:39 debian buster «16-buster»",
      "11:15 actions/setup-go v5 pkg:githubactions/actions/setup-go@v5 «actions/setup-go@v5»",
      "13:15 alpine 3.12 pkg:docker/library/alpine@3.12 «docker://alpine:3.12»",
      "15:35 our-machine (none) «our-machine»",
      "17:14 ${{ inputs.runner }} (none) «${{ inputs.runner }}»",
    ],
  ],
];

export const ENVIRONMENTS: readonly PinCase[] = [
  [
    ".devcontainer/devcontainer.json",
    "devcontainer",
    `{\n  // ours\n  "image": "mcr.microsoft.com/devcontainers/python:3.8-buster",\n  "features": { "ghcr.io/devcontainers/features/node:1": { "version": "16" }, "ghcr.io/other/tool:1": { "version": "1" } },\n}\n`,
    [
      `3:12 python 3.8-buster pkg:docker/devcontainers/python@3.8-buster?repository_url=mcr.microsoft.com «"mcr.microsoft.com/devcontainers/python:3.8-buster"»`,
      `3:12 debian buster «"mcr.microsoft.com/devcontainers/python:3.8-buster"»`,
      "4:72 node 16 pkg:generic/node@16 «16»",
    ],
  ],
  [
    "buildspec.yml",
    "buildspec",
    "phases:\n  install:\n    runtime-versions:\n      java: corretto8\n",
    ["4:13 amazon-corretto 8 «corretto8»"],
  ],
  [".bazelversion", "bazelversion", "6.4.0\n", ["1:1 bazel 6.4.0 «6.4.0»"]],
  [
    ".readthedocs.yaml",
    "readthedocs",
    `version: 2\nbuild:\n  os: ubuntu-20.04\n  tools:\n    python: "3.7"\n`,
    ["3:7 ubuntu 20.04 «ubuntu-20.04»", `5:13 python 3.7 pkg:generic/python@3.7 «"3.7"»`],
  ],
];

export const INFRASTRUCTURE: readonly PinCase[] = [
  [
    "main.tf",
    "terraform",
    `terraform {\n  required_version = "~> 1.3.0"\n}\nresource "aws_db_instance" "a" {\n  engine         = "postgres"\n  engine_version = "11.22" # old\n}\nresource "aws_lambda_function" "f" {\n  runtime = "nodejs16.x"\n}\nmodule "eks" {\n  cluster_version = "1.24"\n}\nresource "aws_eks_cluster" "c" {\n  version = "1.25"\n}\nresource "aws_rds_cluster" "d" {\n  engine_version = var.version\n}\nresource "azurerm_kubernetes_cluster" "k" {\n  kubernetes_version = "1.27"\n  # kubernetes_version = "1.20"\n}\nprovider "aws" {\n  version = "3.0"\n}\n`,
    [
      "2:23 terraform ~> 1.3.0 pkg:generic/terraform@~%3E%201.3.0 «~> 1.3.0»",
      "6:21 amazon-rds-postgresql 11.22 «11.22»",
      "9:14 aws-lambda nodejs16.x «nodejs16.x»",
      "12:22 amazon-eks 1.24 «1.24»",
      "15:14 amazon-eks 1.25 «1.25»",
      "18:20 aws_rds_cluster ${var.version} «var.version»",
      "21:25 azure-kubernetes-service 1.27 «1.27»",
    ],
  ],
  [
    "serverless.yml",
    "serverless",
    `provider:\n  name: aws\n  runtime: nodejs14.x\nfunctions:\n  a:\n    runtime: python3.8\n  b:\n    runtime: \${self:custom.runtime}\n`,
    ["3:12 aws-lambda nodejs14.x «nodejs14.x»", "6:14 aws-lambda python3.8 «python3.8»"],
  ],
  [
    "template.yaml",
    "cloudformation",
    `Globals:\n  Function:\n    Runtime: python3.7\nResources:\n  Db:\n    Type: AWS::RDS::DBInstance\n    Properties:\n      Engine: mysql\n      EngineVersion: "5.7"\n      Name: !Ref Name\n`,
    ["3:14 aws-lambda python3.7 «python3.7»", `9:22 amazon-rds-mysql 5.7 «"5.7"»`],
  ],
  [
    "chart/values.yaml",
    "helm-values",
    `image:\n  registry: docker.io\n  repository: bitnami/postgresql\n  tag: 11.22.0-debian-11-r5\nsidecar:\n  image: nginx:1.20\nown:\n  image: { repository: example/app, tag: "" }\nother: { repository: git }\n`,
    [
      "4:8 postgresql 11.22.0-debian-11-r5 pkg:docker/bitnami/postgresql@11.22.0-debian-11-r5 «11.22.0-debian-11-r5»",
      "4:8 debian 11 «11.22.0-debian-11-r5»",
      "6:10 nginx 1.20 pkg:docker/library/nginx@1.20 «nginx:1.20»",
      "8:24 app (none) pkg:docker/example/app «example/app»",
    ],
  ],
  [
    "chart/Chart.yaml",
    "helm-chart",
    `apiVersion: v2\nname: app\nkubeVersion: ">=1.24.0-0"\n`,
    [`3:15 kubernetes >=1.24.0-0 «>=1.24.0-0»`],
  ],
];

export const MANIFESTS: readonly PinCase[] = [
  [
    "pyproject.toml",
    "pyproject.toml",
    `[project]\nname = "app"\nrequires-python = ">=3.8"\n`,
    [`3:20 python >=3.8 pkg:generic/python@%3E%3D3.8 «>=3.8»`],
  ],
  [
    "pyproject.toml",
    "pyproject.toml",
    `[tool.other]\npython = "2.7"\n[tool.poetry.dependencies]\npython = "3.9.*"\n`,
    [`4:11 python 3.9 pkg:generic/python@3.9 «3.9.*»`],
  ],
  ["Pipfile", "Pipfile", `[requires]\npython_version = "3.8"\n`, [`2:19 python 3.8 pkg:generic/python@3.8 «3.8»`]],
  ["Cargo.toml", "Cargo.toml", `[package]\nrust-version = "1.60"\n`, ["2:17 rust 1.60 pkg:generic/rust@1.60 «1.60»"]],
  [
    "app.gemspec",
    "gemspec",
    `s.required_ruby_version = Gem::Requirement.new(">= 2.7")\n`,
    ["1:49 ruby >= 2.7 pkg:generic/ruby@%3E%3D%202.7 «>= 2.7»"],
  ],
  [
    "src/App.csproj",
    "target-framework",
    `<Project>\n<TargetFrameworks>net6.0;netcoreapp3.1; net48;netstandard2.0</TargetFrameworks>\n<TargetFrameworkVersion>v4.5.2</TargetFrameworkVersion>\n<TargetFramework>$(X)</TargetFramework>\n</Project>\n`,
    [
      "2:19 dotnet 6.0 «net6.0»",
      "2:26 dotnet 3.1 «netcoreapp3.1»",
      "2:41 dotnetfx 4.8 «net48»",
      "2:47 netstandard 2.0 «netstandard2.0»",
      "3:25 dotnetfx 4.5.2 «v4.5.2»",
      "4:18 $(X) (none) «$(X)»",
    ],
  ],
];
