/** The files with which a CI service runs the gate: one row for each service. test/pipelines runs what they contain. */
import { VERSION } from "../../platform/version.ts";

export interface PipelineRow {
  /** A project that has one of these paths uses the service. */
  readonly marks: readonly string[];
  /** The address of a remote repository of such a project. */
  readonly remote?: RegExp;
  /** The file that is written, and the one instead of it where it exists. */
  readonly path: string;
  readonly otherPath?: string;
  readonly text: string;
  /** What to do with the other file, or with the text where there is none. */
  readonly otherStep?: string;
}

const CLONE = "git clone --quiet --depth 1 https://github.com/eolgate/eolgate .eolgate";
const INSTALL = "(cd .eolgate && npm ci --silent)";
const CHECK = "node .eolgate/bin/eolgate.js check . --exclude /.eolgate";
const NOTE = "# After the first release, install the package instead of the checkout.";

const GITHUB = `name: end of life
on:
  push:
    branches: [main, master]
  pull_request:
  schedule:
    - cron: "17 5 * * 1"
permissions:
  contents: read
jobs:
  eolgate:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v5
      - uses: eolgate/eolgate@v${VERSION}
        with:
          path: .
`;

const GITLAB = `eolgate:
  stage: test
  image: node:24
  ${NOTE}
  before_script:
    - ${CLONE}
    - ${INSTALL}
  script:
    - ${CHECK}
      --report gitlab=gl-code-quality-report.json
      --report html=eolgate.html
  artifacts:
    when: always
    paths: [eolgate.html]
    reports:
      codequality: gl-code-quality-report.json
`;

const JENKINS = `pipeline {
  agent any
  stages {
    stage('End of life') {
      steps {
        script {
          def code = sh(returnStatus: true, script: '''
            ${NOTE}
            test -d .eolgate || ${CLONE}
            ${INSTALL}
            ${CHECK} --report junit=eolgate.junit.xml --report html=eolgate.html
          ''')
          if (code == 1) { error('end-of-life software found: see the test results') }
          if (code != 0) { error("no verdict (exit \${code}): see the log") }
        }
      }
      post {
        always {
          junit testResults: 'eolgate.junit.xml', allowEmptyResults: true
          archiveArtifacts artifacts: 'eolgate.html', allowEmptyArchive: true
        }
      }
    }
  }
}
`;

const AZURE = `trigger:
  branches:
    include: [main, master]
pool:
  vmImage: ubuntu-latest
steps:
  - task: UseNode@1
    inputs:
      version: "24.x"
  - script: |
      ${NOTE}
      ${CLONE}
      ${INSTALL}
      ${CHECK} --report junit=eolgate.junit.xml --report html=eolgate.html
    displayName: Check for end-of-life software
  - task: PublishTestResults@2
    condition: succeededOrFailed()
    inputs:
      testResultsFormat: JUnit
      testResultsFiles: eolgate.junit.xml
      testRunTitle: end of life
  - publish: eolgate.html
    condition: succeededOrFailed()
    artifact: eolgate
`;

const PRE_COMMIT = `repos:
  - repo: https://github.com/eolgate/eolgate
    rev: v${VERSION}
    hooks:
      - id: eolgate
      - id: eolgate-pins
`;

/** The services by the names that `--ci` takes. */
export const PIPELINES = {
  github: {
    marks: [".github"],
    remote: /\bgithub\.com\b/,
    path: ".github/workflows/eolgate.yml",
    text: GITHUB,
  },
  gitlab: {
    marks: [".gitlab-ci.yml", ".gitlab"],
    remote: /\bgitlab\b/,
    path: ".gitlab-ci.yml",
    otherPath: ".gitlab/eolgate.yml",
    otherStep: "add to .gitlab-ci.yml: include: [{ local: .gitlab/eolgate.yml }]",
    text: GITLAB,
  },
  jenkins: {
    marks: ["Jenkinsfile"],
    path: "Jenkinsfile",
    otherPath: "Jenkinsfile.eolgate",
    otherStep: "create a job with the script path Jenkinsfile.eolgate, or copy its stage",
    text: JENKINS,
  },
  azure: {
    marks: ["azure-pipelines.yml"],
    remote: /\b(?:dev\.azure|visualstudio)\.com\b/,
    path: "azure-pipelines.yml",
    otherPath: "azure-pipelines.eolgate.yml",
    otherStep: "create a pipeline from azure-pipelines.eolgate.yml, or copy its steps",
    text: AZURE,
  },
  "pre-commit": {
    marks: [".pre-commit-config.yaml"],
    path: ".pre-commit-config.yaml",
    otherStep:
      "add the hooks eolgate and eolgate-pins of https://github.com/eolgate/eolgate to .pre-commit-config.yaml",
    text: PRE_COMMIT,
  },
} as const satisfies Record<string, PipelineRow>;
