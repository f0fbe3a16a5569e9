#!/bin/sh
# Builds the help site and uploads it. In crontab -e:
#   17 * * * * UPLOAD_TO=deploy@www.example.com:/var/www/help/ /path/to/publish-help.sh
# If cron does not find Node, begin that command with PATH=FOLDER:/usr/bin:/bin, with the folder that dirname "$(command -v node)" prints.
# Run "<%= it.manager.name %> install" in this folder first.<% if (it.hasKey) { %> The key is read from lectern.env beside this script (chmod 600), one line: LECTERN_API_KEY=...<% } %>

set -eu
cd "$(dirname "$0")"
<% if (it.hasKey) { %>

set -a
# shellcheck source=/dev/null
. ./lectern.env
set +a
<% } %>

<% if (it.since !== null) { %>
# Without the last output, the run continues the published feed.
if [ ! -f <%= it.outWord %>/feed/manifest.json ]; then set -- "$@" --since <%= it.since %>; fi
<% } %>
# Run by hand with --allow-mass-delete to publish although many articles are gone.
<%= it.manager.run %> lectern build --quiet --report lectern-report.html "$@"


# Without UPLOAD_TO, the site is built and not uploaded.
if [ -n "${UPLOAD_TO:-}" ]; then
  rsync --archive --delete-after <%= it.outWord %>/ "$UPLOAD_TO"
fi
