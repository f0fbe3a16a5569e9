/** Actions pinned to commits, because tags can be moved. */
export const actions = {
  checkout: 'actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1',
  setupNode: 'actions/setup-node@820762786026740c76f36085b0efc47a31fe5020 # v7.0.0',
  cache: 'actions/cache@55cc8345863c7cc4c66a329aec7e433d2d1c52a9 # v6.1.0',
  cacheRestore: 'actions/cache/restore@55cc8345863c7cc4c66a329aec7e433d2d1c52a9 # v6.1.0',
  cacheSave: 'actions/cache/save@55cc8345863c7cc4c66a329aec7e433d2d1c52a9 # v6.1.0',
  uploadArtifact: 'actions/upload-artifact@043fb46d1a93c77aae656e7c1c64a875d1fc6a0a # v7.0.1',
  downloadArtifact: 'actions/download-artifact@d3f86a106a0bac45b974a628896c90dbdf5c8093 # v4.3.0',
  uploadPages: 'actions/upload-pages-artifact@fc324d3547104276b827a68afc52ff2a11cc49c9 # v5.0.0',
  deployPages: 'actions/deploy-pages@368f82528645a54fb793d4d04e342629a3f51346 # v5.0.1',
} as const;

/**
 * Start of a workflow: on pushes, and every hour if the articles are elsewhere. A folder changes only by pushes, and is checked in pull
 * requests.
 * @param isFolder whether the articles are in the repository
 */
export function githubStart(branch: string, isFolder: boolean): string {
  const schedule = `  schedule:
    - cron: "17 * * * *"
`;
  return `name: Publish help site

on:
${isFolder ? '' : schedule}  workflow_dispatch:
  push:
    branches: [${JSON.stringify(branch)}]
${isFolder ? '  pull_request:\n' : ''}
permissions:
  contents: read
  pages: write
  id-token: write

# Runs wait for each other: the last output is the base of the next one.
concurrency:
  group: help-site${isFolder ? `-\${{ github.event_name == 'pull_request' && github.ref || 'publish' }}` : ''}
  cancel-in-progress: false
`;
}

/** A job that builds a pull request and shows its problems, such as broken links, beside the changed lines. */
const githubCheck = () => `  check:
    if: github.event_name == 'pull_request'
    runs-on: ubuntu-latest
    timeout-minutes: 30
    permissions:
      contents: read
    steps:
${githubSetUp}      - name: Build, with problems as annotations
        run: npx --no lectern build

`;

/** Steps at the start of every job. */
export const githubSetUp = `      - uses: ${actions.checkout}
        with:
          persist-credentials: false
      - uses: ${actions.setupNode}
        with:
          node-version: 24
          cache: npm
      - name: Install Lectern as package-lock.json says
        run: npm ci --ignore-scripts
`;

/** Lines of the job that publishes. */
export const githubPages = `    environment:
      name: github-pages
      url: \${{ steps.pages.outputs.page_url }}
`;

export const githubReport = `      - name: Keep the report
        if: always()
        uses: ${actions.uploadArtifact}
        with:
          name: lectern-report
          path: lectern-report.json
          if-no-files-found: ignore
`;

/** Steps that publish the output. */
export const githubDeploy = `      - uses: ${actions.uploadPages}
        with:
          path: dist
          include-hidden-files: true
      - id: pages
        uses: ${actions.deployPages}
`;

/**
 * A GitHub Actions workflow: builds, caches snapshot and last output, publishes to GitHub Pages.
 * @param build shell lines that build
 * @param hasKey whether the source needs a key, because it is not a folder
 * @param branch that is published
 */
export function githubWorkflow(build: readonly string[], hasKey: boolean, branch: string): string {
  const isFolder = !hasKey;
  return `${githubStart(branch, isFolder)}
jobs:
${isFolder ? githubCheck() : ''}  publish:
${isFolder ? "    if: github.event_name != 'pull_request'\n" : ''}    runs-on: ubuntu-latest
    timeout-minutes: 30
${githubPages}    steps:
${githubSetUp}      - name: Restore snapshot and last output
        uses: ${actions.cache}
        with:
          path: |
            .lectern
            dist
          key: lectern-\${{ github.run_id }}-\${{ github.run_attempt }}
          restore-keys: lectern-
      - name: Build
        run: |
${build.map((line) => `          ${line}\n`).join('')}${hasKey ? githubKey : ''}${githubReport}${githubDeploy}`;
}

/** The API key for a step that reads the source. */
export const githubKey = `        env:
          LECTERN_API_KEY: \${{ secrets.LECTERN_API_KEY }}
`;

export const gitlabImage = 'node:24-slim';

/** Artifacts of the publishing job. */
export const gitlabArtifacts = `  artifacts:
    when: always
    paths:
      - public
      - lectern-report.json
    reports:
      codequality: gl-code-quality-report.json
`;

/** A job that builds a merge request and shows its problems in it. */
const gitlabCheck = `check:
  image: ${gitlabImage}
  timeout: 30 minutes
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
  script:
    - npm ci --ignore-scripts
    - npx --no lectern build --gitlab-report gl-code-quality-report.json
  artifacts:
    when: always
    reports:
      codequality: gl-code-quality-report.json

`;

/**
 * A GitLab pipeline: builds pushes and scheduled pipelines, caches snapshot and last output, publishes to GitLab Pages.
 * @param build shell lines that build
 * @param hasKey whether the source needs a key
 */
export function gitlabPipeline(build: readonly string[], hasKey: boolean): string {
  const note = `# Add a schedule under Build > Pipeline schedules, and LECTERN_API_KEY (masked) under Settings > CI/CD > Variables.
`;
  return `${hasKey ? note : gitlabCheck}pages:
  image: ${gitlabImage}
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
${gitlabArtifacts}`;
}

/**
 * A shell script for cron: builds, then uploads with rsync. Prints nothing on success, so that cron mails failures.
 * @param build shell lines that build
 * @param hasKey whether the source needs a key
 */
export function cronScript(build: readonly string[], hasKey: boolean): string {
  return `#!/bin/sh
# Builds the help site and uploads it. In crontab -e:
#   17 * * * * /path/to/publish-help.sh
# Run "npm install" in this folder first.${hasKey ? cronKeyNote : ''}
set -eu
cd "$(dirname "$0")"
${hasKey ? cronKey : ''}
${build.join('\n')}

# Where the site is uploaded to, e.g. deploy@www.example.com:/var/www/help/
if [ -n "\${UPLOAD_TO:-}" ]; then
  rsync --archive --delete-after dist/ "$UPLOAD_TO"
fi
`;
}

const cronKeyNote =
  ' The key is read from lectern.env beside this script (chmod 600), one line: LECTERN_API_KEY=...';

const cronKey = `
set -a
# shellcheck source=/dev/null
. ./lectern.env
set +a
`;
