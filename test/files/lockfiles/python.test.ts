import { describe, expect, test } from "vitest";
import { packagesOf, problemOf } from "./shown.ts";
import type { Files } from "./shown.ts";

const PYPROJECT = `[project]
dependencies = ["Flask>=2", "requests[socks]; python_version > '3'"]
[dependency-groups]
dev = ["pytest"]
[tool.poetry.group.docs.dependencies]
sphinx = "*"
`;

const CASES: readonly [title: string, path: string, text: string, related: Files, expected: readonly string[]][] = [
  [
    "requirements with hashes, markers and the comments of pip-compile",
    "requirements.txt",
    `# compiled
-i https://index.example.org/simple
-r base.txt
click==8.1.3 \\
    --hash=sha256:aaaa \\
    --hash=sha256:bbbb
    # via flask
Flask[async]==2.2.2 ; python_version >= "3.8"  # via -r requirements.in
jinja2==3.1.2
    # via
    #   -r requirements.in
    #   flask
urllib3>=1.21.1,<1.27
requests
-e git+https://example.org/tool.git@main#egg=Tool_Kit
wheel @ https://files.example.org/wheel-0.38.0.whl
./wheels/six-1.16.0-py2.py3-none-any.whl
zope.interface===5.4.0
numpy==1.24.*
`,
    {},
    [
      "4 click 8.1.3 pkg:pypi/click transitive",
      "8 Flask 2.2.2 pkg:pypi/flask direct > click, jinja2",
      "9 jinja2 3.1.2 pkg:pypi/jinja2 direct",
      "13 urllib3 >=1.21.1,<1.27 pkg:pypi/urllib3 transitive",
      "14 requests (none) pkg:pypi/requests transitive",
      "15 Tool_Kit (none) pkg:pypi/tool-kit transitive",
      "16 wheel (none) pkg:pypi/wheel transitive",
      "17 six 1.16.0 pkg:pypi/six transitive",
      "18 zope.interface 5.4.0 pkg:pypi/zope-interface transitive",
      "19 numpy 1.24 pkg:pypi/numpy transitive",
    ],
  ],
  [
    "requirements without comments, which do not tell what is direct",
    "requirements/prod.txt",
    "Django==3.2.25\r\n",
    {},
    ["1 Django 3.2.25 pkg:pypi/django"],
  ],
  [
    "Poetry, version 2.1, with groups",
    "poetry.lock",
    `[[package]]
name = "click"
version = "8.1.3"
groups = ["main"]

[[package]]
name = "Flask"
version = "2.2.2"
groups = ["main"]

[package.dependencies]
click = ">=8.0"

[[package]]
name = "sphinx"
version = "5.0.0"
groups = ["docs"]

[metadata]
lock-version = "2.1"
python-versions = "^3.9"
content-hash = "aaaa"
`,
    { "pyproject.toml": PYPROJECT },
    [
      "3 click 8.1.3 pkg:pypi/click transitive",
      "8 Flask 2.2.2 pkg:pypi/flask direct > click@8.1.3",
      "16 sphinx 5.0.0 pkg:pypi/sphinx direct development",
    ],
  ],
  [
    "Poetry, version 1.1, with categories",
    "poetry.lock",
    `[[package]]
name = "pytest"
version = "7.0.0"
category = "dev"
optional = false

[metadata]
lock-version = "1.1"
content-hash = "aaaa"
`,
    {},
    ["3 pytest 7.0.0 pkg:pypi/pytest development"],
  ],
  [
    "Pipenv",
    "Pipfile.lock",
    `{
  "_meta": { "pipfile-spec": 6, "hash": { "sha256": "aaaa" } },
  "default": {
    "django": { "index": "pypi", "version": "==3.2.25" },
    "fork": { "git": "https://example.org/fork.git", "ref": "0123456" }
  },
  "develop": {
    "pytest": {
      "version": "==7.0.0"
    }
  }
}`,
    { Pipfile: '[packages]\nDjango = "*"\n[dev-packages]\npytest = "*"\n' },
    [
      "4 django 3.2.25 pkg:pypi/django direct",
      "5 fork (none) pkg:pypi/fork transitive",
      "9 pytest 7.0.0 pkg:pypi/pytest direct development",
    ],
  ],
  [
    "uv, whose project is an entry of its own",
    "uv.lock",
    `version = 1
revision = 2
requires-python = ">=3.9"

[[package]]
name = "app"
version = "0.1.0"
source = { virtual = "." }
dependencies = [
    { name = "flask" },
]

[package.dev-dependencies]
dev = [
    { name = "pytest" },
]

[[package]]
name = "click"
version = "8.1.3"
source = { registry = "https://index.example.org/simple" }

[[package]]
name = "flask"
version = "2.2.2"
source = { registry = "https://index.example.org/simple" }
dependencies = [
    { name = "click" },
]

[[package]]
name = "pytest"
version = "7.0.0"
source = { registry = "https://index.example.org/simple" }
`,
    {},
    [
      "20 click 8.1.3 pkg:pypi/click transitive",
      "25 flask 2.2.2 pkg:pypi/flask direct > click@8.1.3",
      "33 pytest 7.0.0 pkg:pypi/pytest direct development",
    ],
  ],
  [
    "PDM",
    "pdm.lock",
    `[metadata]
groups = ["default", "dev"]
lock_version = "4.5.0"
content_hash = "sha256:aaaa"

[[package]]
name = "flask"
version = "2.2.2"
groups = ["default"]
dependencies = [
    "click>=8.0",
]

[[package]]
name = "click"
version = "8.1.3"
groups = ["default"]

[[package]]
name = "pytest"
version = "7.0.0"
groups = ["dev"]
`,
    { "pyproject.toml": PYPROJECT },
    [
      "8 flask 2.2.2 pkg:pypi/flask direct > click@8.1.3",
      "16 click 8.1.3 pkg:pypi/click transitive",
      "21 pytest 7.0.0 pkg:pypi/pytest direct development",
    ],
  ],
  [
    "pylock.toml of PEP 751",
    "pylock.toml",
    `lock-version = "1.0"
created-by = "pip"

[[packages]]
name = "django"
version = "3.2.25"
dependencies = [{ name = "sqlparse" }]

[[packages]]
name = "sqlparse"
version = "0.4.4"
`,
    {},
    ["6 django 3.2.25 pkg:pypi/django > sqlparse@0.4.4", "11 sqlparse 0.4.4 pkg:pypi/sqlparse"],
  ],
];

describe("Python lockfiles", () => {
  test.each(CASES)("reads %s", async (_, path, text, related, expected) => {
    expect(await packagesOf(path, text, related)).toEqual(expected);
  });

  test.each([
    ["requirements.txt", "flask==2.2.2 \\\n", "lockfile-broken, line 2: the file ends in the middle of a requirement"],
    ["requirements.txt", "flask==2.2.2\n{% if x %}\n", 'lockfile-broken, line 2: not a requirement: "{% if x %}"'],
    [
      "poetry.lock",
      '[[package]]\nname = "flask"\nversion = "2.2.2"\n',
      "lockfile-broken, line 4: the file has no [metadata]",
    ],
    [
      "poetry.lock",
      '[metadata]\nlock-version = "9.0"\n',
      "unsupported-version, line 1: version 9.0 of poetry.lock is not supported",
    ],
    [
      "poetry.lock",
      '[[package]]\nname = "fla',
      "lockfile-broken, line 2: the file is not TOML: Invalid TOML document: unfinished string",
    ],
    [
      "Pipfile.lock",
      '{\n  "_meta": { "pipfile-spec": 7 } }',
      "unsupported-version, line 2: version 7 of Pipfile.lock is not supported",
    ],
    ["uv.lock", "version = 2\n", "unsupported-version, line 1: version 2 of uv.lock is not supported"],
    [
      "uv.lock",
      'version = 1\n[[package]]\nname = "flask"\nversion = "2"\nsource = { registry = "x" }\ndependencies = [{ name = "click" }]\n',
      "lockfile-broken, line 2: the file requires click but has no entry for it",
    ],
    [
      "pdm.lock",
      '[metadata]\nlock_version = "5.0"\n',
      "unsupported-version, line 1: version 5.0 of pdm.lock is not supported",
    ],
    [
      "pylock.toml",
      'lock-version = "2.0"\n',
      "unsupported-version, line 1: version 2.0 of pylock.toml is not supported",
    ],
    [
      "pylock.toml",
      'lock-version = "1.0"\n[[packages]]\nversion = "1"\n',
      "lockfile-broken, line 2: a package has no name",
    ],
  ])("reports the error in %s: %j", async (path, text, expected) => {
    expect(await problemOf(path, text)).toBe(expected);
  });
});
