/**
 * A GitHub Actions workflow: builds every hour, carries snapshot and last output over, publishes to GitHub Pages.
 * Actions are named by commit, which a moved tag cannot change.
 * @param build the lines of a shell that build
 */
export function githubWorkflow(build: readonly string[]): string {
  return `name: Publish help site

on:
  schedule:
    - cron: "17 * * * *"
  workflow_dispatch:
  push:
    branches: [main]

permissions:
  contents: read
  pages: write
  id-token: write

# Runs wait for each other: the last output is the base of the next one.
concurrency:
  group: help-site
  cancel-in-progress: false

jobs:
  publish:
    runs-on: ubuntu-latest
    timeout-minutes: 30
    environment:
      name: github-pages
      url: \${{ steps.pages.outputs.page_url }}
    steps:
      - uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1
        with:
          persist-credentials: false
      - uses: actions/setup-node@820762786026740c76f36085b0efc47a31fe5020 # v7.0.0
        with:
          node-version: 22
          cache: npm
      - name: Install Lectern as package-lock.json says
        run: npm ci --ignore-scripts
      - name: Restore snapshot and last output
        uses: actions/cache@55cc8345863c7cc4c66a329aec7e433d2d1c52a9 # v6.1.0
        with:
          path: |
            .lectern
            dist
          key: lectern-\${{ github.run_id }}-\${{ github.run_attempt }}
          restore-keys: lectern-
      - name: Build
        run: |
${build.map((line) => `          ${line}\n`).join('')}        env:
          LECTERN_API_KEY: \${{ secrets.LECTERN_API_KEY }}
      - name: Keep the report
        if: always()
        uses: actions/upload-artifact@043fb46d1a93c77aae656e7c1c64a875d1fc6a0a # v7.0.1
        with:
          name: lectern-report
          path: lectern-report.json
          if-no-files-found: ignore
      - uses: actions/upload-pages-artifact@fc324d3547104276b827a68afc52ff2a11cc49c9 # v5.0.0
        with:
          path: dist
          include-hidden-files: true
      - id: pages
        uses: actions/deploy-pages@368f82528645a54fb793d4d04e342629a3f51346 # v5.0.1
`;
}

/**
 * A GitLab pipeline: builds on a schedule, carries snapshot and last output over, publishes to GitLab Pages.
 * @param build the lines of a shell that build
 */
export function gitlabPipeline(build: readonly string[]): string {
  return `# Add a schedule under Build > Pipeline schedules, and LECTERN_API_KEY (masked) under Settings > CI/CD > Variables.
pages:
  image: node:22-slim
  stage: deploy
  timeout: 30 minutes
  # Runs wait for each other: the last output is the base of the next one.
  resource_group: help-site
  rules:
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
  cache:
    key: lectern
    when: on_success
    paths:
      - .lectern/
      - dist/
  script:
    - npm ci --ignore-scripts
    - |
${build.map((line) => `      ${line}\n`).join('')}    - rm -rf public && cp -R dist public
    # The tree the next build could grow in: a second copy of every page in the cache.
    - rm -rf .lectern/spare-output
  artifacts:
    when: always
    paths:
      - public
      - lectern-report.json
    reports:
      codequality: gl-code-quality-report.json
`;
}

/** A shell script for cron: builds, then uploads with rsync. Prints nothing when all is well, so cron mails failures. */
export const cronScript = `#!/bin/sh
# Builds the help site and uploads it. In crontab -e:
#   17 * * * * /path/to/publish-help.sh
# Run "npm install" in this folder first. The key is read from lectern.env beside this script (chmod 600), one line: LECTERN_API_KEY=...
set -eu
cd "$(dirname "$0")"

set -a
# shellcheck source=/dev/null
. ./lectern.env
set +a

npx --no lectern build --quiet --report lectern-report.json

# Where the site is uploaded to, e.g. deploy@www.example.com:/var/www/help/
if [ -n "\${UPLOAD_TO:-}" ]; then
  rsync --archive --delete-after dist/ "$UPLOAD_TO"
fi
`;
