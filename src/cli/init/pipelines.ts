/** The CI services for which `eolgate init` writes a file of examples/ci. test/pipelines runs what the files contain. */

export interface PipelineRow {
  /** The file of examples/ci. */
  readonly example: string;
  /** A project that has one of these paths uses the service. */
  readonly marks: readonly string[];
  /** The address of a remote repository of such a project. */
  readonly remote?: RegExp;
  /** The file that is written, and the one instead of it where it exists. */
  readonly path: string;
  readonly otherPath?: string;
  /** What has to be true before the file works. */
  readonly needs?: string;
  /** What to do with the other file, or with the text where there is none. */
  readonly otherStep?: string;
}

/** The services by the names that `--ci` takes. */
export const PIPELINES = {
  github: {
    example: "github-path.yml",
    marks: [".github"],
    remote: /\bgithub\.com\b/,
    path: ".github/workflows/eolgate.yml",
    needs: "the Action exists once the release that it names is published",
  },
  gitlab: {
    example: "gitlab.yml",
    marks: [".gitlab-ci.yml", ".gitlab"],
    remote: /\bgitlab\b/,
    path: ".gitlab-ci.yml",
    otherPath: ".gitlab/eolgate.yml",
    otherStep: "add to .gitlab-ci.yml: include: [{ local: .gitlab/eolgate.yml }]",
  },
  jenkins: {
    example: "Jenkinsfile",
    marks: ["Jenkinsfile"],
    path: "Jenkinsfile",
    otherPath: "Jenkinsfile.eolgate",
    otherStep: "create a job with the script path Jenkinsfile.eolgate, or copy its stage",
  },
  azure: {
    example: "azure-pipelines.yml",
    marks: ["azure-pipelines.yml"],
    remote: /\b(?:dev\.azure|visualstudio)\.com\b/,
    path: "azure-pipelines.yml",
    otherPath: "azure-pipelines.eolgate.yml",
    otherStep: "create a pipeline from azure-pipelines.eolgate.yml, or copy its steps",
  },
  "pre-commit": {
    example: "pre-commit-config.yaml",
    marks: [".pre-commit-config.yaml"],
    path: ".pre-commit-config.yaml",
    otherStep:
      "add the hooks eolgate and eolgate-pins of https://github.com/eolgate/eolgate to .pre-commit-config.yaml",
  },
} as const satisfies Record<string, PipelineRow>;
