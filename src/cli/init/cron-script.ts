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
