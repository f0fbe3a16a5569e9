"""Brings a vector store up to date with a feed that Lectern published. Python 3.9 or later, standard library only.

    from apply_feed import apply_feed

    def upsert(changes):          # [{"chunk": {...}, "embed": True}, ...]
        ...                       # "embed" is False when the embedding of before still holds

    def delete(ids):
        ...

    apply_feed("https://help.example.com/", "feed-cursor", upsert, delete)

Or as a command that prints one JSON object per line, {"op": "upsert", "chunk": ..., "embed": ...} or {"op": "delete", "id": ...}:

    python3 apply_feed.py https://help.example.com/ feed-cursor

It does the same as `applyFeed` of the library and keeps the same cursor.
"""

import hashlib
import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

MANIFEST = "feed/manifest.json"
TIMEOUT_SECONDS = 60
ATTEMPTS = 4


class FeedInvalid(Exception):
    """The address is not that of a published feed, or the feed does not follow its schema."""


def apply_feed(site, cursor, upsert_chunks, delete_chunks, batch_size=100):
    """Applies what changed in the feed since the last call with the same cursor.

    site: folder or address of the published site
    cursor: folder in which to remember what was applied; one per feed and target
    upsert_chunks: stores chunks under their id; may get the same chunk again after a run that was killed
    delete_chunks: deletes chunks by id; may get an id again, or one that the target does not have
    Returns {"status", "seq", "upserted", "deleted", "bytes"}. Status "busy" means that an upload is under way: try again
    later. Raises FeedInvalid, OSError, and what the callbacks raise.
    """
    os.makedirs(cursor, exist_ok=True)
    before = _load(os.path.join(cursor, "manifest.json"))
    done = {"seq": before["seq"] if before else 0, "upserted": 0, "deleted": 0, "bytes": 0}
    answer, etag = _read(site, MANIFEST, before["etag"] if before else None)
    if answer == "unchanged":
        return {"status": "unchanged", **done}
    if answer is None:
        raise FeedInvalid(MANIFEST + " is missing")
    manifest = _parse_manifest(answer)
    done["seq"] = manifest["run"]["seq"]
    if before and before["rootHash"] == manifest["root_hash"]:
        return {"status": "unchanged", **done}
    if before and before["feedId"] == manifest["run"]["feed_id"] and manifest["run"]["seq"] < before["seq"]:
        return {"status": "older", **done}

    applied = _load_files(cursor)
    files = [entry for entry in manifest["files"] if entry.get("kind") == "chunks"]
    for entry in files:
        path, sha256 = entry["path"], entry["sha256"]
        known = applied.get(path)
        if known and known["sha256"] == sha256:
            continue
        content, _ = _read(site, path, None)
        if content is None or hashlib.sha256(content).hexdigest() != sha256:
            return {"status": "busy", **done}
        done["bytes"] += len(content)
        changed, state = _compare(path, sha256, content, known)
        for batch in _batches(changed, batch_size):
            upsert_chunks(batch)
            done["upserted"] += len(batch)
        applied[path] = state
        _save(_file_of(cursor, path), state)

    # A chunk may have moved to another file: nothing is deleted before all files are read.
    paths = {entry["path"] for entry in files}
    live = {chunk for path in paths for chunk in applied[path]["chunks"]}
    stale = []
    for path, state in applied.items():
        stale += state["stale"]
        if path not in paths:
            stale += state["chunks"]
    for batch in _batches([chunk for chunk in dict.fromkeys(stale) if chunk not in live], batch_size):
        delete_chunks(batch)
        done["deleted"] += len(batch)
    for path, state in applied.items():
        if path not in paths:
            os.remove(_file_of(cursor, path))
        elif state["stale"]:
            _save(_file_of(cursor, path), {**state, "stale": []})
    _save(
        os.path.join(cursor, "manifest.json"),
        {"etag": etag, "feedId": manifest["run"]["feed_id"], "rootHash": manifest["root_hash"], "seq": manifest["run"]["seq"]},
    )
    return {"status": "applied", **done}


def _compare(path, sha256, content, known):
    old = known["chunks"] if known else {}
    changed, chunks = [], {}
    for line in content.split(b"\n"):
        if not line:
            continue
        chunk = json.loads(line)
        hashes = [_hash(chunk["embed_text"].encode("utf-8", "surrogatepass")), _hash(line)]
        was = old.get(chunk["id"])
        if was is None or was[1] != hashes[1]:
            changed.append({"chunk": chunk, "embed": was is None or was[0] != hashes[0]})
        chunks[chunk["id"]] = hashes
    ids = (known["stale"] if known else []) + list(old)
    stale = [chunk for chunk in ids if chunk not in chunks]
    return changed, {"path": path, "sha256": sha256, "chunks": chunks, "stale": stale}


def _parse_manifest(content):
    try:
        manifest = json.loads(content)
        for entry in manifest["files"]:
            if any(part in ("", "..") for part in entry["path"].split("/")):
                raise FeedInvalid(MANIFEST + " names a file outside the site")
        manifest["run"]["seq"], manifest["run"]["feed_id"], manifest["root_hash"]
        return manifest
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise FeedInvalid(MANIFEST + " does not follow its schema") from error


def _read(site, path, etag):
    """Returns (bytes, etag), ("unchanged", etag) or (None, None)."""
    if not site.startswith(("http://", "https://")):
        try:
            with open(os.path.join(site, *path.split("/")), "rb") as file:
                return file.read(), None
        except (FileNotFoundError, NotADirectoryError):
            return None, None
    url = site.rstrip("/") + "/" + "/".join(urllib.parse.quote(part, safe="") for part in path.split("/"))
    headers = {"User-Agent": "lectern-apply-feed"}
    if etag:
        headers["If-None-Match"] = etag
    for attempt in range(1, ATTEMPTS + 1):
        try:
            request = urllib.request.Request(url, headers=headers)
            with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as response:
                return response.read(), response.headers.get("ETag")
        except urllib.error.HTTPError as error:
            if error.code == 304:
                return "unchanged", etag
            if error.code in (404, 410):
                return None, None
            if attempt == ATTEMPTS or (error.code < 500 and error.code != 429):
                raise
        except (urllib.error.URLError, TimeoutError, ConnectionError):
            if attempt == ATTEMPTS:
                raise
        time.sleep(2 ** (attempt - 1))
    raise AssertionError("not reached")


def _load_files(cursor):
    states = {}
    for name in os.listdir(cursor):
        if name.startswith("file-") and name.endswith(".json"):
            state = _load(os.path.join(cursor, name))
            states[state["path"]] = state
    return states


def _load(path):
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except FileNotFoundError:
        return None


def _save(path, value):
    with open(path + ".new", "w", encoding="utf-8") as file:
        json.dump(value, file)
    os.replace(path + ".new", path)


def _file_of(cursor, path):
    return os.path.join(cursor, "file-" + _hash(path.encode("utf-8")) + ".json")


def _hash(content):
    return hashlib.sha256(content).hexdigest()[:32]


def _batches(items, size):
    for start in range(0, len(items), size):
        yield items[start : start + size]


def _main():
    if len(sys.argv) != 3:
        sys.exit("usage: python3 apply_feed.py SITE CURSOR_FOLDER")

    def show(record):
        print(json.dumps(record, ensure_ascii=False), flush=True)

    result = apply_feed(
        sys.argv[1],
        sys.argv[2],
        lambda changes: [show({"op": "upsert", **change}) for change in changes],
        lambda ids: [show({"op": "delete", "id": chunk}) for chunk in ids],
    )
    print(json.dumps(result), file=sys.stderr)
    sys.exit(0 if result["status"] != "busy" else 75)


if __name__ == "__main__":
    _main()
