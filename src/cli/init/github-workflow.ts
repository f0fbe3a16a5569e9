/** A GitHub Actions workflow: builds every hour, carries snapshot and last output over, publishes to GitHub Pages. */
export function githubWorkflow(packageName: string): string {
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
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 22
      - name: Restore snapshot and last output
        uses: actions/cache@v4
        with:
          path: |
            .lectern
            dist
          key: lectern-\${{ github.run_id }}-\${{ github.run_attempt }}
          restore-keys: lectern-
      - name: Build
        run: npx --yes ${packageName} build --report lectern-report.json
        env:
          LECTERN_API_KEY: \${{ secrets.LECTERN_API_KEY }}
      - name: Keep the report
        if: always()
        uses: actions/upload-artifact@v4
        with:
          name: lectern-report
          path: lectern-report.json
          if-no-files-found: ignore
      - uses: actions/upload-pages-artifact@v3
        with:
          path: dist
      - id: pages
        uses: actions/deploy-pages@v4
`;
}
