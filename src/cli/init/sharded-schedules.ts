import {
  actions,
  githubDeploy,
  githubKey,
  githubPages,
  githubReport,
  githubSetUp,
  githubStart,
  gitlabArtifacts,
  gitlabImage,
} from './schedules.ts';

/** Settings of a scheduled build in shards. */
interface ShardedSchedule {
  readonly shards: number;
  /** Shell lines that set `$@` to `--since …` if the last output is lost; none if the site URL is unknown. */
  readonly since: readonly string[];
  /** Whether the source needs a key. */
  readonly hasKey: boolean;
  /** The branch that is published. */
  readonly branch: string;
}

/** A GitHub Actions workflow that builds in shards: one job reads the knowledge base, a matrix renders, one job merges and publishes. */
export function shardedGithubWorkflow({ shards, since, hasKey, branch }: ShardedSchedule): string {
  const numbers = Array.from({ length: shards }, (_, at) => at + 1).join(', ');
  const run = (command: string) =>
    [...since, command]
      .map((line) => `          ${line}\n`)
      .join('')
      .trimEnd();
  return `${githubStart(branch, false)}
jobs:
  fetch:
    runs-on: ubuntu-latest
    timeout-minutes: 30
    steps:
${githubSetUp}      - name: Restore snapshot and last output
        uses: ${actions.cacheRestore}
        with:
          path: |
            .lectern
            dist
          key: lectern-
      - name: Read the knowledge base
        run: npx --no lectern fetch
${hasKey ? githubKey : ''}      - name: Hand snapshot and last output to the shards
        uses: ${actions.uploadArtifact}
        with:
          name: lectern-snapshot
          path: |
            .lectern
            dist
          include-hidden-files: true
          retention-days: 1

  shard:
    needs: fetch
    runs-on: ubuntu-latest
    timeout-minutes: 60
    strategy:
      matrix:
        number: [${numbers}]
    steps:
${githubSetUp}${download('lectern-snapshot', '.')}      - name: Render the shard
        run: |
${run(`npx --no lectern build --offline --shard \${{ matrix.number }}/${shards} --previous dist --out shard "$@"`)}
      - name: Hand the shard to the merge
        uses: ${actions.uploadArtifact}
        with:
          name: lectern-shard-\${{ matrix.number }}
          path: shard
          include-hidden-files: true
          retention-days: 1

  publish:
    needs: shard
    runs-on: ubuntu-latest
    timeout-minutes: 60
${githubPages}    steps:
${githubSetUp}${download('lectern-snapshot', '.')}      - name: Get the shards
        uses: ${actions.downloadArtifact}
        with:
          pattern: lectern-shard-*
          path: shards
      - name: Merge
        run: |
${run('npx --no lectern merge shards/*/ --report lectern-report.json "$@"')}
${githubReport}      - name: Keep snapshot and output for the next run
        uses: ${actions.cacheSave}
        with:
          path: |
            .lectern
            dist
          key: lectern-\${{ github.run_id }}-\${{ github.run_attempt }}
${githubDeploy}`;
}

function download(name: string, path: string): string {
  return `      - name: Get snapshot and last output
        uses: ${actions.downloadArtifact}
        with:
          name: ${name}
          path: ${path}
`;
}

/** The same as a GitLab pipeline: `parallel` numbers the shards. */
export function shardedGitlabPipeline({ shards, since, hasKey }: ShardedSchedule): string {
  const key = hasKey ? ', and LECTERN_API_KEY (masked) under Settings > CI/CD > Variables' : '';
  const lines = (command: string) => [...since, command].map((line) => `      ${line}\n`).join('');
  return `# Add a schedule under Build > Pipeline schedules${key}.
stages: [fetch, shard, deploy]

default:
  image: ${gitlabImage}
  before_script:
    - npm ci --ignore-scripts

workflow:
  rules:
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH

.last-output: &last-output
  key: lectern
  paths:
    - .lectern/
    - dist/

fetch:
  stage: fetch
  timeout: 30 minutes
  # Runs wait for each other: the last output is the base of the next one.
  resource_group: help-site
  cache:
    <<: *last-output
    policy: pull
  script:
    - npx --no lectern fetch
  artifacts:
    expire_in: 1 day
    paths:
      - .lectern/
      - dist/

shard:
  stage: shard
  timeout: 1 hour
  parallel: ${shards}
  script:
    - |
${lines('npx --no lectern build --offline --shard "$CI_NODE_INDEX/$CI_NODE_TOTAL" --previous dist --out "shards/$CI_NODE_INDEX" "$@"')}  artifacts:
    expire_in: 1 day
    paths:
      - shards/

pages:
  stage: deploy
  timeout: 1 hour
  resource_group: help-site
  cache:
    <<: *last-output
    policy: push
  script:
    - |
${lines('npx --no lectern merge shards/*/ --gitlab-report gl-code-quality-report.json --report lectern-report.json "$@"')}    - rm -rf public && cp -R dist public
${gitlabArtifacts}`;
}
