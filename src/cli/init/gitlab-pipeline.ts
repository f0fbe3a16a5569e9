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
