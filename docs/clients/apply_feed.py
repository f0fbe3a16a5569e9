"""Brings a vector store up to date with a feed that Lectern published. Python 3.9 or later, standard library only.

    from apply_feed import apply_feed

    def upsert(documents):        # [{"document": {...}, "chunks": [{"chunk": {...}, "embed": True}, ...], "removed_chunks": [...]}, ...]
        ...                       # "embed" is False if the text of the chunk did not change, so that its embedding is still valid

    def delete(documents):        # [{"id": ..., "chunk_ids": [...]}, ...]
        ...

    apply_feed("https://help.example.com/", "cursor.db", upsert, delete)

Or as a command that prints one JSON object per line, {"op": "upsert", ...} or {"op": "delete", ...}:

    python3 apply_feed.py https://help.example.com/ cursor.db [--allow-mass-delete]

It does the same as `applyFeed` of the library, and its errors have the same codes.
"""

import contextlib
import datetime
import hashlib
import http.client
import inspect
import json
import os
import re
import sqlite3
import stat
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
import zlib

MANIFEST = "feed/manifest.json"
TIMEOUT_SECONDS = 60
ATTEMPTS = 4
FILE_PATH = re.compile(
    r"feed/(?:(?:synonyms|changes/\d+|[\w-]+/(?:documents|chunks))\.jsonl|[\w-]+/source\.(?:json|txt))"
    r"|(?:[\w-]+/)?(?:llms(?:-full)?\.txt|llms/[^/\\]+\.txt)",
    re.ASCII,
)
MAX_MANIFEST_BYTES = 1 << 22
MAX_FILE_BYTES = 1 << 28
# Levels of lists and objects in a record; a feed has six.
MAX_LEVELS = 32


class FeedError(Exception):
    """The feed was not applied. `code` is that of the library: FEED_INVALID, FEED_UNREACHABLE, FILE_OUTSIDE, FEED_BEHIND, MASS_DELETE,
    CURSOR_UNUSABLE, LOCKED or USAGE."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


def apply_feed(
    site,
    cursor,
    upsert,
    delete,
    batch_size=50,
    max_drop_percent=20,
    allow_mass_delete=False,
    allow_redirects=False,
):
    """Applies what changed in the feed since the last call with the same cursor.

    site: folder or URL of the published site; https, or http from this machine
    cursor: file in which to remember what was applied; one per feed and target
    upsert: stores documents and chunks by their ids, and removes "removed_chunks"; may get a document again after a run that was killed
    delete: removes documents and their chunks; may get one again, or one that the target does not have
    batch_size: documents per call
    max_drop_percent: largest loss of documents that is applied, in percent of the last run's, in total and per language
    allow_mass_delete: applies any loss; for one run, after you checked that the loss is intended
    allow_redirects: follows redirects to other servers
    Returns {"status", "seq", "upserted", "deleted", "bytes"}. The status "busy" means that an upload is in progress: try again later.
    Raises FeedError, OSError, and what the callbacks raise.
    """
    if not isinstance(max_drop_percent, (int, float)) or not 0 <= max_drop_percent <= 100:
        raise FeedError("USAGE", "max_drop_percent is %r, not a number from 0 to 100" % (max_drop_percent,))
    if not isinstance(batch_size, int) or batch_size < 1:
        raise FeedError("USAGE", "batch_size is %r, not a whole number from 1" % (batch_size,))
    reader = _Reader(_parse_site(os.fspath(site)), allow_redirects)
    state = _Cursor(os.fspath(cursor))
    try:
        before = state.run
        done = {"seq": before["seq"] if before else 0, "upserted": 0, "deleted": 0, "bytes": 0}
        answer = reader.read(MANIFEST, MAX_MANIFEST_BYTES)
        if answer is None:
            raise FeedError("FEED_INVALID", MANIFEST + " is missing")
        manifest = _parse_manifest(answer)
        run = manifest["run"]
        done["seq"] = run["seq"]
        if before:
            _refuse_older(before, run)
            if not before.get("applying") and [before[name] for name in ("feedId", "seq", "state")] == [run["feed_id"], run["seq"], run["state"]]:
                return {"status": "unchanged", **done}
        most = None if allow_mass_delete else max_drop_percent
        earlier = state.languages() if before else None
        expected_counts = {item["language"]: item["documents"] for item in manifest["languages"]}
        _guard_loss(earlier, expected_counts, most)
        applied = _Applied(run["state"], state, upsert, delete, batch_size, done)
        changes = _read_changes(reader, manifest, before, state, expected_counts, done)
        if changes is not None:
            _guard_replaced(earlier, lambda document: changes.get(document, "left") is not None, most)
            applied.upsert([change for change in changes.values() if change is not None])
            applied.delete([document for document, change in changes.items() if change is None])
        else:
            # The ids in the files are compared with the last run before the target gets anything.
            if before:
                found = _read_languages(reader, manifest, expected_counts, done)
                if found is None:
                    return {"status": "busy", **done}
                _guard_loss(earlier, _count(found), most)
                _guard_replaced(earlier, lambda document: document in found, most)
            found = set()
            for language in expected_counts:
                pairs = _read_pairs(reader, *_record_files(manifest, language), done)
                if pairs is None:
                    return {"status": "busy", **done}
                found.update(pair["document"]["id"] for pair in pairs)
                applied.upsert(pairs)
            applied.delete([document for document in state.languages() if document not in found])
        state.finish({"feedId": run["feed_id"], "seq": run["seq"], "state": run["state"], "builtAt": run.get("built_at")})
        return {"status": "applied", **done}
    finally:
        state.close()


def _record_files(manifest, language):
    """The file of documents of a language, and the file of their chunks."""
    found = []
    for kind in ("documents", "chunks"):
        listed = [entry for entry in manifest["files"] if entry["kind"] == kind and entry.get("language") == language]
        if not listed:
            raise FeedError("FEED_INVALID", MANIFEST + " lists no " + kind + " in " + language)
        found.append(listed[0])
    return found


def _read_languages(reader, manifest, languages, done):
    """The languages of all documents, by id; None if an upload is in progress."""
    found = {}
    for language in languages:
        documents, _ = _record_files(manifest, language)
        content = _read_listed(reader, documents, done)
        if content is None:
            return None
        found.update({document["id"]: language for document in _parse_lines(content, documents["path"], _DOCUMENT)})
    return found


def _read_pairs(reader, documents, chunks, done):
    """The documents of a file, with their chunks; None if an upload is in progress."""
    contents = [_read_listed(reader, documents, done), _read_listed(reader, chunks, done)]
    if None in contents:
        return None
    pairs = [{"document": document, "chunks": []} for document in _parse_lines(contents[0], documents["path"], _DOCUMENT)]
    at = 0
    for chunk in _parse_lines(contents[1], chunks["path"], _CHUNK):
        # Both files have the same order.
        while at < len(pairs) and pairs[at]["document"]["id"] != chunk["document_id"]:
            at += 1
        if at == len(pairs):
            raise FeedError("FEED_INVALID", chunks["path"] + " has chunks of an unknown document")
        pairs[at]["chunks"].append(chunk)
    return pairs


def _read_changes(reader, manifest, before, state, expected_counts, done):
    """The last change since a run of each document: a document with its chunks, or None if it is gone. None if the changes do not lead
    from what was applied to the published feed: another feed may have had the same id and run after a rollback."""
    run = manifest["run"]
    if not before or before["feedId"] != run["feed_id"] or before["seq"] == run["seq"]:
        return None
    published = manifest.get("changes")
    if published is None or before["seq"] < published["first"] - 1 or published["last"] != run["seq"]:
        return None
    listed = {entry["path"]: entry for entry in manifest["files"]}
    files = [listed.get("feed/changes/%d.jsonl" % seq) for seq in range(before["seq"] + 1, run["seq"] + 1)]
    if None in files or files[0].get("base") != before["state"]:
        return None
    # What a run that was killed applied must be among the changes.
    if before.get("applying", run["state"]) not in [entry.get("base") for entry in files[1:]] + [run["state"]]:
        return None
    records = sum(entry["bytes"] for entry in manifest["files"] if entry["kind"] in ("documents", "chunks"))
    if sum(entry["bytes"] for entry in files) > records:
        return None
    latest = {}
    for entry in files:
        content = _read_listed(reader, entry, done)
        if content is None:
            return None
        for change in _parse_lines(content, entry["path"], _is_change):
            if change["op"] == "delete":
                latest[change["id"]] = None
            elif change["document"]["language"] in expected_counts:
                latest[change["document"]["id"]] = change
    counts = _count(state.languages())
    for document, change in latest.items():
        known = state.find(document)
        if known:
            counts[known["language"]] -= 1
        if change:
            language = change["document"]["language"]
            counts[language] = counts.get(language, 0) + 1
    if any(counts.get(language, 0) != expected_counts.get(language, 0) for language in {**counts, **expected_counts}):
        return None
    return latest


def _read_listed(reader, entry, done):
    """The content of a file; None if it is missing or another than the manifest says."""
    if entry["bytes"] > MAX_FILE_BYTES:
        raise FeedError("FEED_INVALID", entry["path"] + " is larger than " + str(MAX_FILE_BYTES) + " bytes")
    content = reader.read(entry["path"], entry["bytes"], may_be_longer=True)
    if content is None or hashlib.sha256(content).hexdigest() != entry["sha256"]:
        return None
    done["bytes"] += len(content)
    return content


class _Applied:
    """Passes differences to the target. The cursor notes before each call what the target may have after it."""

    def __init__(self, run, state, upsert, delete, batch_size, done):
        self._run, self._state, self._upsert, self._delete, self._size, self._done = run, state, upsert, delete, batch_size, done

    def upsert(self, pairs):
        changed = []
        for pair in pairs:
            document, chunks = pair["document"], pair["chunks"]
            now = {
                "id": document["id"],
                "language": document["language"],
                "hash": _hash([document, chunks]),
                "chunks": {chunk["id"]: chunk["hash"] for chunk in chunks},
            }
            before = self._state.find(document["id"]) or {"hash": "", "chunks": {}}
            if before["hash"] != now["hash"]:
                changed.append((pair, now, before))
        for batch in _batches(changed, self._size):
            self._state.note_applying(self._run)
            self._state.save({**now, "hash": "", "chunks": dict.fromkeys({**old["chunks"], **now["chunks"]}, "")} for _, now, old in batch)
            _finish("upsert", self._upsert([_compare(*item) for item in batch]))
            self._state.save(now for _, now, _ in batch)
            self._done["upserted"] += len(batch)

    def delete(self, ids):
        known = [document for document in map(self._state.find, ids) if document]
        for batch in _batches(known, self._size):
            self._state.note_applying(self._run)
            self._state.save({**document, "hash": "", "chunks": dict.fromkeys(document["chunks"], "")} for document in batch)
            _finish("delete", self._delete([{"id": document["id"], "chunk_ids": list(document["chunks"])} for document in batch]))
            self._state.remove(document["id"] for document in batch)
            self._done["deleted"] += len(batch)


def _finish(name, result):
    """Refuses a callback that has done nothing yet: the target would be taken for up to date."""
    if inspect.isawaitable(result) or inspect.isgenerator(result):
        raise FeedError("USAGE", name + " returns before it has stored anything: pass a function that is neither async nor a generator, or asyncio.run it")


def _compare(pair, now, before):
    return {
        "document": pair["document"],
        "chunks": [{"chunk": chunk, "embed": before["chunks"].get(chunk["id"]) != chunk["hash"]} for chunk in pair["chunks"]],
        "removed_chunks": [chunk for chunk in before["chunks"] if chunk not in now["chunks"]],
    }


class _Cursor:
    """What the target has, in an SQLite file: each step is a transaction."""

    def __init__(self, path):
        self._path = path
        os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
        with self._named():
            self._database = sqlite3.connect(path, timeout=0, isolation_level=None)
            # Two runs at once would write older texts over newer ones: the file is locked until the end.
            self._database.execute("PRAGMA locking_mode = EXCLUSIVE")
            self._database.execute("BEGIN EXCLUSIVE")
            self._database.execute("CREATE TABLE IF NOT EXISTS document (id TEXT PRIMARY KEY, language TEXT NOT NULL, state TEXT NOT NULL)")
            self._database.execute("CREATE TABLE IF NOT EXISTS run (state TEXT NOT NULL)")
            self._database.execute("COMMIT")
        self.run = self._find_state("SELECT state FROM run")

    def find(self, document):
        return self._find_state("SELECT state FROM document WHERE id = ?", document)

    def languages(self):
        with self._named():
            return dict(self._database.execute("SELECT id, language FROM document"))

    def save(self, documents):
        rows = [(document["id"], document["language"], json.dumps(document)) for document in documents]
        self._commit("INSERT OR REPLACE INTO document VALUES (?, ?, ?)", rows)

    def remove(self, ids):
        self._commit("DELETE FROM document WHERE id = ?", [(document,) for document in ids])

    def note_applying(self, state):
        """Notes that the target may have a part of a run: the publisher may go back to the run before."""
        if self.run and self.run.get("applying") != state:
            self.run = {**self.run, "applying": state}
            self.finish(self.run)

    def finish(self, run):
        self._commit("INSERT OR REPLACE INTO run (rowid, state) VALUES (1, ?)", [(json.dumps(run),)])

    def close(self):
        self._database.close()

    def _find_state(self, query, *values):
        with self._named():
            row = self._database.execute(query, values).fetchone()
            return json.loads(row[0]) if row else None

    def _commit(self, statement, rows):
        with self._named():
            self._database.execute("BEGIN")
            self._database.executemany(statement, rows)
            self._database.execute("COMMIT")

    @contextlib.contextmanager
    def _named(self):
        """Names the cursor in the errors of its file. Those of a target that is an SQLite file, too, stay as they are."""
        try:
            yield
        except sqlite3.OperationalError as error:
            if "locked" in str(error):
                raise FeedError("LOCKED", "another run uses the cursor " + self._path) from error
            # The tables of another program have other columns.
            if "column" in str(error):
                raise self._foreign() from error
            message = "the cursor %s cannot be written (%s): check that its folder is writable and the disk is not full"
            raise FeedError("CURSOR_UNUSABLE", message % (self._path, error)) from error
        except (sqlite3.DatabaseError, ValueError) as error:
            raise self._foreign() from error

    def _foreign(self):
        return FeedError("CURSOR_UNUSABLE", self._path + " is not a feed cursor: delete the cursor, empty the target, then run again")


# The shapes of what is published, as in the JSON Schemas of the feed: the same records are refused in every language. A shape takes a value and
# says whether it has the shape.


def _text(value):
    return isinstance(value, str)


def _number(least=0, most=(1 << 53) - 1):
    # Larger integers are not the same in every program.
    return lambda value: type(value) is int and least <= value <= most


def _range(value):
    return isinstance(value, list) and len(value) == 2 and all(map(_number(), value))


def _match(pattern):
    compiled = re.compile(pattern, re.ASCII)
    return lambda value: isinstance(value, str) and compiled.fullmatch(value) is not None


def _one_of(*values):
    return lambda value: isinstance(value, str) and value in values


def _list(shape, least=0):
    return lambda value: isinstance(value, list) and len(value) >= least and all(map(shape, value))


def _mapping(shape):
    return lambda value: isinstance(value, dict) and all(map(shape, value.values()))


def _record(fields, only=False):
    """An object with these fields; a name that ends with "?" may be absent. Other fields are allowed, unless `only` these are."""
    shapes = [(name.rstrip("?"), name.endswith("?"), shape) for name, shape in fields.items()]
    known = {name for name, _, _ in shapes}

    def check(value):
        if not isinstance(value, dict) or (only and not known.issuperset(value)):
            return False
        return all(shape(value[name]) if name in value else may_be_absent for name, may_be_absent, shape in shapes)

    return check


_ID = _match(r"[a-z][a-z0-9-]{0,62}")
_SHA256 = _match(r"[0-9a-f]{64}")
_SHORT_HASH = _match(r"[0-9a-f]{16}")
_LANGUAGE = _match(r"[A-Za-z0-9-]+")
# Another scheme could run code where the URL is shown.
_SITE_URL = _match(r"(?:https?://|/)[\s\S]*")
_DELETE_REASON = _one_of("deleted", "unpublished", "restricted", "translation-withdrawn", "language-removed")

_MANIFEST = _record(
    {
        "schema": _one_of("lectern/manifest/3"),
        "generator": _text,
        "site": _record({"title": _text, "url": _text, "default_language": _text}),
        "run": _record(
            {
                "feed_id": _match(r"[0-9a-f]{32}"),
                "seq": _number(1),
                "built_at?": _text,
                "state": _SHA256,
                "recent?": _list(_record({"day": _text, "languages": _mapping(_number())})),
            }
        ),
        "changes?": _record({"first": _number(1), "last": _number(1)}),
        "languages": _list(_record({"language": _LANGUAGE, "name": _text, "title": _text, "documents": _number(), "chunks": _number(), "tokens": _number()}), 1),
        "files": _list(
            _record(
                {
                    "path": lambda value: isinstance(value, str) and FILE_PATH.fullmatch(value) is not None and "\0" not in value,
                    "sha256": _SHA256,
                    "bytes": _number(),
                    "kind": _one_of("documents", "chunks", "source", "changes", "synonyms", "llms"),
                    "language?": _text,
                    "base?": _SHA256,
                }
            )
        ),
    }
)

_DOCUMENT = _record(
    {
        "id": _ID,
        "article_id": _text,
        "language": _LANGUAGE,
        "title": _text,
        "url": _SITE_URL,
        "category?": _record({"id": _text, "path": _list(_text)}, only=True),
        "tags": _list(_text),
        "description?": _text,
        "updated_at?": _text,
        "body_hash?": _SHORT_HASH,
        "translation?": _record({"source_language": _text, "source_body_hash?": _SHORT_HASH}),
        "headings": _list(_record({"level": _number(2, 6), "id": _text, "text": _text, "start": _number()})),
        "markdown": _text,
        "tokens": _number(),
        "hash": _SHORT_HASH,
        "flags?": _list(_record({"rule": _text, "severity": _one_of("high", "medium"), "excerpt": _text})),
    }
)

_CHUNK = _record(
    {
        "id": _ID,
        "document_id": _ID,
        "language": _LANGUAGE,
        "title": _text,
        "url": _SITE_URL,
        "heading_path?": _list(_text, 1),
        "start": _number(),
        "end": _number(),
        "repeats?": _list(_range, 1),
        "tokens": _number(),
        "hash": _SHORT_HASH,
        "text": _text,
        "flags?": _list(_text, 1),
    }
)

_UPSERT = _record({"op": _one_of("upsert"), "document": _DOCUMENT, "chunks": _list(_CHUNK)})
_DELETE = _record({"op": _one_of("delete"), "id": _ID, "reason": _DELETE_REASON})


def _is_change(value):
    if _DELETE(value):
        return True
    return _UPSERT(value) and all(chunk["document_id"] == value["document"]["id"] for chunk in value["chunks"])


def _parse_json(content, shape):
    """The value of a JSON text in UTF-8; raises ValueError if it has another shape, or is nested deeper than anything that is published."""
    try:
        value = json.loads(content.decode("utf-8"), parse_float=_parse_float, parse_constant=_refuse_constant)
        if _is_shallow(value, MAX_LEVELS) and shape(value):
            return value
    except RecursionError:
        pass
    raise ValueError


def _parse_float(text):
    """1.0 and 1e3 are integers in JSON, which has one type of number."""
    number = float(text)
    return int(number) if number.is_integer() else number


def _refuse_constant(name):
    raise ValueError(name + " is not JSON")


def _is_shallow(value, levels):
    if not isinstance(value, (dict, list)):
        return True
    return levels > 0 and all(_is_shallow(item, levels - 1) for item in (value.values() if isinstance(value, dict) else value))


def _parse_manifest(content):
    try:
        return _parse_json(content, _MANIFEST)
    except ValueError as error:
        raise FeedError("FEED_INVALID", MANIFEST + " does not match its schema") from error


def _parse_lines(content, path, shape):
    for line in content.split(b"\n"):
        if not line:
            continue
        try:
            yield _parse_json(line, shape)
        except ValueError as error:
            raise FeedError("FEED_INVALID", path + " contains a line that is not a record") from error


def _hash(value):
    return hashlib.sha256(json.dumps(value).encode("utf-8")).hexdigest()


def _refuse_older(before, run):
    """Refuses an earlier run of the applied feed, and a feed with another id that was not built later: an old copy from before the feed
    was started anew."""
    if before["feedId"] == run["feed_id"]:
        if run["seq"] >= before["seq"]:
            return
        message = "the feed is at run %d, older than the applied run %d" % (run["seq"], before["seq"])
    else:
        if before["builtAt"] is None or _seconds(run.get("built_at")) > _seconds(before["builtAt"]):
            return
        message = "the feed is another one (feed_id %s), built %s, not after the applied one of %s" % (
            run["feed_id"],
            run.get("built_at", "at an unknown time"),
            before["builtAt"],
        )
    raise FeedError(
        "FEED_BEHIND",
        message + "; a mirror is behind, or the site was rolled back: run again later; if it stays, delete the cursor and empty the target",
    )


def _seconds(text):
    """Time in seconds since 1970; long ago for what is no time."""
    try:
        return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()
    except (AttributeError, ValueError):
        return float("-inf")


def _count(languages):
    """Number of documents by language, of languages by id."""
    counts = {}
    for language in languages.values():
        counts[language] = counts.get(language, 0) + 1
    return counts


def _guard_replaced(earlier, is_left, max_drop_percent):
    """Refuses a feed that has other documents only, however many: it is probably that of another site."""
    if earlier is None or max_drop_percent is None or max_drop_percent == 100 or len(earlier) < 2:
        return
    if not any(map(is_left, earlier)):
        raise FeedError(
            "MASS_DELETE",
            "none of the %d documents in the last applied feed is left; nothing was deleted; if this is intended, run once with "
            "allow_mass_delete" % len(earlier),
        )


def _guard_loss(earlier, now, max_drop_percent):
    if earlier is None or max_drop_percent is None:
        return
    before = _count(earlier)
    # One article, which is one document in each language, may always go if others remain: in a small help centre, it is more than any percentage.
    counted = [("", sum(before.values()), sum(now.values()), len(before))]
    counted += [(" in " + language, count, now.get(language, 0), 1) for language, count in before.items()]
    for where, old, new, few in counted:
        is_small = old - new <= few and new > 0 and max_drop_percent > 0
        if (old - new) * 100 > old * max_drop_percent and not is_small:
            raise FeedError(
                "MASS_DELETE",
                "%d documents%s, down from %d in the last applied feed: a drop of more than %s%%; nothing was deleted; if the loss "
                "is intended, run once with allow_mass_delete" % (new, where, old, max_drop_percent),
            )


def _parse_site(site):
    if not _is_url(site):
        return re.sub(r"[\\/]feed([\\/](manifest\.json)?)?$", "", site)
    url = urllib.parse.urlsplit(site)
    if "@" in url.netloc:
        raise FeedError("USAGE", "the URL of the site has a user name or password; a feed is read without one")
    is_loopback = re.fullmatch(r"localhost|127(\.\d+){3}|::1", url.hostname or "") is not None
    if url.scheme != "https" and not is_loopback:
        raise FeedError("USAGE", site + " is not an https URL")
    path = re.sub(r"/feed/manifest\.json$|/feed/?$|/$", "", url.path)
    # What is encoded already stays.
    path = urllib.parse.quote(path, safe="/%!$&'()*+,;=:@")
    return urllib.parse.urlunsplit((url.scheme, url.netloc, path, "", ""))


def _is_url(site):
    return re.match(r"https?://", site, re.IGNORECASE) is not None


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Follows no redirect to another protocol and, unless allowed, none to another server."""

    def __init__(self, any_server):
        self._any_server = any_server

    def redirect_request(self, request, response, code, message, headers, address):
        old, new = urllib.parse.urlsplit(request.full_url), urllib.parse.urlsplit(address)
        if new.scheme != old.scheme or (not self._any_server and new.netloc != old.netloc):
            raise FeedError("FEED_UNREACHABLE", "%s redirects to another server, %s" % (request.full_url, address))
        return super().redirect_request(request, response, code, message, headers, address)


class _Reader:
    """Reads files of a published site in a folder or at a URL."""

    def __init__(self, site, any_server):
        self._site = site
        self._http = urllib.request.build_opener(_Redirects(any_server))

    def read(self, path, most, may_be_longer=False):
        """The content of a file; None if there is none. A longer file is an error, or is cut after one byte more."""
        content = self._read(path, most)
        if content is not None and len(content) > most and not may_be_longer:
            raise FeedError("FEED_INVALID", path + " is larger than " + str(most) + " bytes")
        return content

    def _read(self, path, most):
        if not _is_url(self._site):
            return _read_inside(self._site, path, most)
        url = self._site + "/" + "/".join(urllib.parse.quote(part, safe="") for part in path.split("/"))
        # Without If-None-Match: an ETag of time and size, as that of nginx, is the same for other content if all files have one time.
        headers = {"User-Agent": "lectern-apply-feed", "Accept-Encoding": "gzip"}
        for attempt in range(1, ATTEMPTS + 1):
            try:
                request = urllib.request.Request(url, headers=headers)
                with self._http.open(request, timeout=TIMEOUT_SECONDS) as response:
                    return _body_of(response, path, most)
            except urllib.error.HTTPError as error:
                if error.code in (404, 410):
                    return None
                if attempt == ATTEMPTS or (error.code < 500 and error.code != 429):
                    raise FeedError("FEED_UNREACHABLE", url + " cannot be read: " + str(error)) from error
            except (OSError, http.client.HTTPException) as error:
                if attempt == ATTEMPTS:
                    raise FeedError("FEED_UNREACHABLE", url + " cannot be read: " + str(error)) from error
            time.sleep(2 ** (attempt - 1))
        raise AssertionError("not reached")


def _read_inside(folder, path, most):
    """Reads up to one byte more than `most` of a regular file in a folder; None if there is none. Does not follow a link out of the folder,
    and does not wait for a pipe."""
    try:
        root = os.path.realpath(folder)
        real = os.path.realpath(os.path.join(root, *path.split("/")))
        if os.path.commonpath([root, real]) != root:
            raise FeedError("FILE_OUTSIDE", path + " is a link that leads out of the folder")
        # Windows has neither flag, and opens text files unless told otherwise.
        flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        with open(os.open(real, flags), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise FeedError("FEED_INVALID", path + " is not a regular file")
            return file.read(most + 1)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except IsADirectoryError as error:
        raise FeedError("FEED_INVALID", path + " is not a regular file") from error


def _body_of(response, path, most):
    """Reads an answer, unpacked, up to one byte more than `most`: a small one may unpack to more than there is memory."""
    if response.headers.get("Content-Encoding", "").lower() not in ("gzip", "x-gzip"):
        content = response.read(most + 1)
        # A limited read() gives what there is where the connection breaks; `length` is what is missing.
        if len(content) <= most and response.length:
            raise ConnectionError(path + " ends in the middle")
    else:
        unpacker, parts, size = zlib.decompressobj(wbits=31), [], 0
        try:
            while size <= most:
                packed = unpacker.unconsumed_tail or unpacker.unused_data or response.read(1 << 16)
                if unpacker.eof:
                    if not packed:
                        break
                    # An answer may be of several members.
                    unpacker = zlib.decompressobj(wbits=31)
                part = unpacker.decompress(packed, 1 << 20)
                if not packed and not part:
                    # As a connection that broke: the request is repeated.
                    raise ConnectionError(path + " ends in the middle")
                parts.append(part)
                size += len(part)
        except zlib.error as error:
            raise ConnectionError(path + " cannot be unpacked") from error
        content = b"".join(parts)
    return content[: most + 1]


def _batches(items, size):
    for start in range(0, len(items), size):
        yield items[start : start + size]


def _main():
    allow = "--allow-mass-delete"
    given = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    unknown = [name for name in sys.argv[1:] if name.startswith("--") and name != allow]
    if len(given) != 2 or unknown:
        sys.exit("usage: python3 apply_feed.py SITE CURSOR_FILE [--allow-mass-delete]")

    # JSON is UTF-8, and Windows has another encoding for pipes and files.
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")

    def show(record):
        # Some readers also end lines at line and paragraph separators.
        line = json.dumps(record, ensure_ascii=False).replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
        print(line, flush=True)

    try:
        result = apply_feed(
            given[0],
            given[1],
            lambda documents: [show({"op": "upsert", **document}) for document in documents],
            lambda documents: [show({"op": "delete", **document}) for document in documents],
            allow_mass_delete=allow in sys.argv,
        )
    except FeedError as error:
        sys.exit("error " + error.code + ": " + str(error))
    except BrokenPipeError:
        # Whoever read the output has ended. The next run prints what was not taken over.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    print(json.dumps(result), file=sys.stderr)
    sys.exit(0 if result["status"] != "busy" else 75)


if __name__ == "__main__":
    _main()
