"""Brings a vector store up to date with a feed that Lectern published. Python 3.9 or later, standard library only.

    from apply_feed import apply_feed

    def upsert(changes):          # [{"chunk": {...}, "embed": True}, ...]
        ...                       # "embed" is False when the embedding of before still holds

    def delete(ids):
        ...

    apply_feed("https://help.example.com/", "feed-cursor", upsert, delete)

Or as a command that prints one JSON object per line, {"op": "upsert", "chunk": ..., "embed": ...} or {"op": "delete", "id": ...}:

    python3 apply_feed.py https://help.example.com/ feed-cursor [--allow-mass-delete] [--site=URL] [PUBLIC_KEY ...]

It does the same as `applyFeed` of the library and keeps the same cursor.
"""

import base64
import binascii
import datetime
import hashlib
import http.client
import json
import os
import re
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
import zlib

MANIFEST = "feed/manifest.json"
SIGNATURE = "feed/manifest.json.minisig"
TIMEOUT_SECONDS = 60
ATTEMPTS = 4
MOST_BYTES = 128 << 20


class FeedError(Exception):
    """There is no feed to trust here. `code` is that of the library: FEED_INVALID, FEED_UNREACHABLE, FEED_BEHIND,
    MASS_DELETE, CURSOR_DAMAGED, FEED_ADDRESS_INVALID, OPTION_MISSING, OPTION_INVALID, PUBLIC_KEY_INVALID, SIGNATURE_MISSING,
    SIGNATURE_INVALID, SIGNATURE_FOREIGN or SIGNATURE_EXPIRED."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


def apply_feed(
    site,
    cursor,
    upsert_chunks,
    delete_chunks,
    batch_size=100,
    public_keys=None,
    now=time.time,
    touch_chunks=None,
    max_drop_percent=20,
    allow_mass_delete=False,
    expected_site=None,
):
    """Applies what changed in the feed since the last call with the same cursor.

    site: folder or address of the published site; https, or http from this machine
    cursor: folder in which to remember what was applied; one per feed and target
    upsert_chunks: stores chunks under their id; may get the same chunk again after a run that was killed
    delete_chunks: deletes chunks by id; may get an id again, or one that the target does not have
    public_keys: keys of which one must have signed the feed; None: signatures are not checked
    now: gives the time in seconds since 1970, for tests
    touch_chunks: gets [{"document_id", "chunks": ids, "translation_outdated", "updated_at" unless there is none}, ...], to set
        these fields of chunks that are stored; with it, files in which nothing else is new are not read
    max_drop_percent: largest loss of documents that is applied, in percent of the last run's, in total and per language
    allow_mass_delete: applies any loss; for one run, after you checked that the loss is intended
    expected_site: address of the published site that the feed must be signed for, with public_keys; None: the address that it is read
        from. Needed for a folder, and for a mirror at another address
    Returns {"status", "seq", "upserted", "touched", "deleted", "bytes"}. Status "busy" means that an upload is under way: try again
    later. Raises FeedError, OSError, and what the callbacks raise.
    """
    keys = None if public_keys is None else [_parse_public_key(key) for key in public_keys]
    if not isinstance(max_drop_percent, (int, float)) or not 0 <= max_drop_percent <= 100:
        raise FeedError("OPTION_INVALID", "max_drop_percent is %r, not a number from 0 to 100" % (max_drop_percent,))
    if keys is not None and expected_site is None and not _is_url(site):
        raise FeedError("OPTION_MISSING", "the folder " + site + " has no address to compare with the signed one: pass expected_site")
    expected = None if keys is None else _site_address(site if expected_site is None else expected_site)
    site = _parse_site(site)
    os.makedirs(cursor, exist_ok=True)
    before = _load(os.path.join(cursor, "manifest.json"), _is_applied_manifest)
    done = {"seq": before["seq"] if before else 0, "upserted": 0, "touched": 0, "deleted": 0, "bytes": 0}
    # A signature may expire although the manifest is as it was.
    answer, etag = _read(site, MANIFEST, before["etag"] if before and keys is None else None)
    if answer == "unchanged":
        return {"status": "unchanged", **done}
    if answer is None:
        raise FeedError("FEED_INVALID", MANIFEST + " is missing")
    if keys is not None:
        _verify_signature(answer, _read(site, SIGNATURE, None)[0], keys, expected, now())
    manifest = _parse_manifest(answer)
    done["seq"] = manifest["run"]["seq"]
    if before and before["rootHash"] == manifest["root_hash"]:
        return {"status": "unchanged", **done}
    if before:
        _refuse_older(before, manifest["run"])

    applied = _load_files(cursor)
    files = [entry for entry in manifest["files"] if entry.get("kind") == "chunks"]
    most = None if allow_mass_delete else max_drop_percent
    # What the manifest claims is compared before anything is changed, what the files contain before anything is deleted.
    read = {entry.get("language", "") for entry in files}
    _guard_loss(before, {item["language"]: item["documents"] for item in manifest["languages"] if item["language"] in read}, most)
    new = [entry for entry in files if applied.get(entry["path"], {}).get("sha256") != entry["sha256"]]
    changes, size = ([], 0) if touch_chunks is None else _read_changes(site, manifest, before, new)
    done["bytes"] += size
    bits_of = {item["language"]: item["part_bits"] for item in manifest["languages"]}
    changes_of = {}
    for change in changes:
        language = change["language"]
        changes_of.setdefault((language, _part_of(change["article_id"], bits_of.get(language, 0))), []).append(change)
    for entry in new:
        path, sha256 = entry["path"], entry["sha256"]
        known = applied.get(path)
        part_bits = bits_of.get(entry.get("language"), 0)
        # Files of other bits have the same names, and other articles.
        is_same_part = known is not None and known.get("partBits") == part_bits
        touched = _touched_in(known, changes_of.get((entry.get("language"), entry.get("part", "")), [])) if is_same_part else None
        if touched:
            for batch in _batches(touched, batch_size):
                touch_chunks(batch)
            chunks = dict(known["chunks"])
            for chunk in [chunk for document in touched for chunk in document["chunks"]]:
                # What the record is now is not known: it is sent again when the file is read again.
                chunks[chunk] = [chunks[chunk][0], ""]
                done["touched"] += 1
            applied[path] = {**known, "sha256": sha256, "chunks": chunks, "isAhead": True}
            _save(_file_of(cursor, path), applied[path])
            continue
        content, _ = _read(site, path, None)
        if content is None or hashlib.sha256(content).hexdigest() != sha256:
            return {"status": "busy", **done}
        done["bytes"] += len(content)
        changed, state = _compare(path, sha256, part_bits, content, known)
        for batch in _batches(changed, batch_size):
            upsert_chunks(batch)
            done["upserted"] += len(batch)
        applied[path] = state
        _save(_file_of(cursor, path), state)

    documents = {}
    for entry in files:
        language = entry.get("language", "")
        documents[language] = documents.get(language, 0) + applied[entry["path"]]["documents"]
    _guard_loss(before, documents, most)
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
            applied[path] = {**state, "stale": []}
            _save(_file_of(cursor, path), applied[path])
    _save(
        os.path.join(cursor, "manifest.json"),
        {
            "etag": etag,
            "feedId": manifest["run"]["feed_id"],
            "rootHash": manifest["root_hash"],
            "seq": manifest["run"]["seq"],
            "builtAt": manifest["run"].get("built_at"),
            "documents": documents,
            "generator": manifest["generator"],
        },
    )
    for path in paths:
        if applied[path].get("isAhead"):
            _save(_file_of(cursor, path), {**applied[path], "isAhead": False})
    return {"status": "applied", **done}


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


def _guard_loss(before, now, max_drop_percent):
    if not before or max_drop_percent is None:
        return
    counted = [("", sum(before["documents"].values()), sum(now.values()))]
    counted += [(" in " + language, count, now.get(language, 0)) for language, count in before["documents"].items()]
    for where, old, new in counted:
        if (old - new) * 100 > old * max_drop_percent:
            raise FeedError(
                "MASS_DELETE",
                "%d documents%s, down from %d in the last applied feed: a drop of more than %s%%; nothing was deleted; if the loss "
                "is intended, run once with allow_mass_delete" % (new, where, old, max_drop_percent),
            )


def _compare(path, sha256, part_bits, content, known):
    old = known["chunks"] if known else {}
    changed, chunks, documents = [], {}, set()
    for line in content.split(b"\n"):
        if not line:
            continue
        chunk = json.loads(line)
        documents.add(chunk["document_id"])
        hashes = [_hash(chunk["embed_text"].encode("utf-8", "surrogatepass")), _hash(line)]
        was = old.get(chunk["id"])
        if was is None or was[1] != hashes[1]:
            changed.append({"chunk": chunk, "embed": was is None or was[0] != hashes[0]})
        chunks[chunk["id"]] = hashes
    ids = (known["stale"] if known else []) + list(old)
    stale = [chunk for chunk in ids if chunk not in chunks]
    state = {"path": path, "sha256": sha256, "partBits": part_bits, "chunks": chunks, "stale": stale, "isAhead": True}
    state["documents"] = len(documents)
    return changed, state


def _read_changes(site, manifest, before, files):
    """Returns (lines, bytes): what changed since the last complete run, if the same version of the program made it, it is of the
    very feed that was applied (another one may have the same id and run: a deployment that was rolled back, or two jobs at once),
    and it is smaller than the files that it may replace."""
    run = manifest["run"]
    if not before or before["feedId"] != run["feed_id"] or before.get("generator") != manifest["generator"]:
        return [], 0
    listed, base = [], None
    for entry in manifest["files"]:
        number = re.fullmatch(r"feed/changes/(\d+)\.jsonl", entry["path"])
        if number and int(number[1]) > before["seq"]:
            listed.append(entry)
            if int(number[1]) == before["seq"] + 1:
                base = entry.get("base")
    if base != before["rootHash"]:
        return [], 0
    size = sum(entry["bytes"] for entry in listed)
    if size >= sum(entry["bytes"] for entry in files):
        return [], 0
    lines = []
    for entry in listed:
        content, _ = _read(site, entry["path"], None)
        if content is None or hashlib.sha256(content).hexdigest() != entry["sha256"]:
            return [], 0
        lines += [_parse_change(line, entry["path"]) for line in content.split(b"\n") if line]
    return sorted(lines, key=lambda line: line["seq"]), size


def _parse_change(line, path):
    try:
        change = json.loads(line)
        texts = [change[name] for name in ("op", "id", "article_id", "language")] + [change.get("updated_at", "")]
        if not all(isinstance(text, str) for text in texts) or type(change["seq"]) is not int:
            raise TypeError
        if type(change.get("translation_outdated", False)) is not bool:
            raise TypeError
        return change
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise FeedError("FEED_INVALID", path + " contains a line that is not a change") from error


def _touched_in(known, changes):
    """Returns the documents of a file that were touched, from the changes of its documents; None where anything else may be new."""
    if known.get("isAhead") is not False:
        return None
    touched = {}
    for change in changes:
        if change["op"] != "touch" or "translation_outdated" not in change:
            return None
        own = re.compile(re.escape(change["id"]) + r"-[0-9a-z]{8}(-[0-9]+)?")
        touched[change["id"]] = {
            "document_id": change["id"],
            "chunks": [chunk for chunk in known["chunks"] if own.fullmatch(chunk)],
            **({"updated_at": change["updated_at"]} if "updated_at" in change else {}),
            "translation_outdated": change["translation_outdated"],
        }
    return list(touched.values())


def _part_of(article, bits):
    number = int(hashlib.sha256(article.encode("utf-8")).hexdigest()[:8], 16) >> (32 - bits)
    return "" if bits == 0 else format(number, "0%dx" % ((bits + 3) // 4))


def _parse_manifest(content):
    try:
        manifest = json.loads(content)
        for entry in manifest["files"]:
            if any(part in ("", "..") for part in entry["path"].split("/")):
                raise FeedError("FEED_INVALID", MANIFEST + " names a file outside the site")
        manifest["run"]["seq"], manifest["run"]["feed_id"], manifest["root_hash"], manifest["generator"]
        if not manifest["languages"]:
            raise FeedError("FEED_INVALID", MANIFEST + " names no languages")
        [(item["language"], item["part_bits"], item["documents"] + 0) for item in manifest["languages"]]
        [entry["bytes"] for entry in manifest["files"]]
        return manifest
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise FeedError("FEED_INVALID", MANIFEST + " does not follow its schema") from error


def _parse_site(site):
    if not _is_url(site):
        return re.sub(r"[\\/]feed([\\/](manifest\.json)?)?$", "", site)
    url = urllib.parse.urlsplit(site)
    is_loopback = re.fullmatch(r"localhost|127(\.\d+){3}|::1", url.hostname or "") is not None
    if url.scheme != "https" and not is_loopback:
        raise FeedError("FEED_ADDRESS_INVALID", site + " is not an https URL")
    path = re.sub(r"/feed/manifest\.json$|/feed/?$|/$", "", url.path)
    return urllib.parse.urlunsplit((url.scheme, url.netloc, path, "", ""))


def _site_address(address):
    """The form of a site's address in which two are compared: without trailing slash, query and the path of the feed."""
    try:
        url = urllib.parse.urlsplit(address.strip())
        host, port = url.hostname or "", url.port
    except ValueError:
        url, host, port = None, "", None
    if not host or url.scheme not in ("http", "https"):
        raise FeedError("FEED_ADDRESS_INVALID", address + " is not the URL of a site")
    try:
        host = "[%s]" % host if ":" in host else host.encode("idna").decode("ascii")
    except UnicodeError:
        pass
    if port not in (None, {"http": 80, "https": 443}[url.scheme]):
        host += ":%d" % port
    path = urllib.parse.quote(url.path, safe="/%:@!$&'()*+,;=-._~")
    return url.scheme + "://" + host + re.sub(r"(/feed(/manifest\.json)?)?/*$", "", path)


def _is_url(site):
    return re.match(r"https?://", site, re.IGNORECASE) is not None


class _SameProtocol(urllib.request.HTTPRedirectHandler):
    """Follows no redirect from https to http."""

    def redirect_request(self, request, response, code, message, headers, address):
        if urllib.parse.urlsplit(address).scheme != request.type:
            raise urllib.error.HTTPError(address, code, "redirect to another protocol", headers, response)
        return super().redirect_request(request, response, code, message, headers, address)


_http = urllib.request.build_opener(_SameProtocol)


def _read(site, path, etag):
    """Returns (bytes, etag), ("unchanged", etag) or (None, None)."""
    if not _is_url(site):
        try:
            with open(os.path.join(site, *path.split("/")), "rb") as file:
                return file.read(), None
        except (FileNotFoundError, NotADirectoryError):
            return None, None
    url = site + "/" + "/".join(urllib.parse.quote(part, safe="") for part in path.split("/"))
    headers = {"User-Agent": "lectern-apply-feed", "Accept-Encoding": "gzip"}
    if etag:
        headers["If-None-Match"] = etag
    for attempt in range(1, ATTEMPTS + 1):
        try:
            request = urllib.request.Request(url, headers=headers)
            with _http.open(request, timeout=TIMEOUT_SECONDS) as response:
                return _body_of(response, path), response.headers.get("ETag")
        except urllib.error.HTTPError as error:
            # Only if it was asked for: a 304 has no content.
            if error.code == 304 and etag:
                return "unchanged", etag
            if error.code in (404, 410):
                return None, None
            if attempt == ATTEMPTS or (error.code < 500 and error.code != 429):
                raise FeedError("FEED_UNREACHABLE", url + " cannot be read: " + str(error)) from error
        except (urllib.error.URLError, http.client.HTTPException, TimeoutError, ConnectionError) as error:
            if attempt == ATTEMPTS:
                raise FeedError("FEED_UNREACHABLE", url + " cannot be read: " + str(error)) from error
        time.sleep(2 ** (attempt - 1))
    raise AssertionError("not reached")


def _body_of(response, path):
    """Reads an answer, unpacked, up to MOST_BYTES: a small one may unpack to more than there is memory."""
    if response.headers.get("Content-Encoding", "").lower() not in ("gzip", "x-gzip"):
        content = response.read(MOST_BYTES + 1)
        # A limited read() gives what there is where the connection breaks; `length` is what is missing.
        if len(content) <= MOST_BYTES and response.length:
            raise ConnectionError(path + " ends in the middle")
    else:
        unpacker, parts, size = zlib.decompressobj(wbits=31), [], 0
        try:
            while size <= MOST_BYTES:
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
    if len(content) > MOST_BYTES:
        raise FeedError("FEED_INVALID", path + " is larger than " + str(MOST_BYTES) + " bytes")
    return content


def _parse_public_key(text):
    """Returns (id, key)."""
    key = _base64(text.strip())
    if len(key) != 42 or key[:2] != b"Ed":
        raise FeedError("PUBLIC_KEY_INVALID", repr(text[:80]) + " is not a public key")
    return key[2:10], key[10:]


def _verify_signature(manifest, content, keys, expected, now):
    """Checks a signature in the format of minisign, made by one of the keys for this site and valid for a while (docs/signing.md)."""
    if content is None:
        raise FeedError("SIGNATURE_MISSING", SIGNATURE + " is missing")
    lines = content.decode("utf-8", "replace").split("\n") + ["", "", "", ""]
    signed = _base64(lines[1])
    algorithm, key_id, signature = signed[:2], signed[2:10], signed[10:]
    if algorithm != b"ED" or len(signature) != 64:
        raise FeedError("SIGNATURE_INVALID", SIGNATURE + " is not a signature")
    key = next((key for known_id, key in keys if known_id == key_id), None)
    if key is None:
        raise FeedError("SIGNATURE_INVALID", SIGNATURE + " was made with a key that is not accepted")
    prefix = "trusted comment: "
    comment = lines[2][len(prefix) :] if lines[2].startswith(prefix) else ""
    is_signed = _verify_ed25519(key, hashlib.blake2b(manifest).digest(), signature)
    if not is_signed or not _verify_ed25519(key, signature + comment.encode("utf-8"), _base64(lines[3])):
        raise FeedError("SIGNATURE_INVALID", MANIFEST + " does not match its signature")
    facts = re.fullmatch(r"site:(\S*) feed_id:\S+ seq:[0-9]+ valid_until:(\S+)", comment)
    if facts is None:
        raise FeedError("SIGNATURE_INVALID", SIGNATURE + " names no site, no feed and no expiry time")
    if facts[1] != expected:
        raise FeedError(
            "SIGNATURE_FOREIGN",
            "the feed is signed for %s, not for %s; if you read a copy of that site, pass its address (expected_site, --site=URL), else do "
            "not use this feed" % (facts[1] or "no site", expected),
        )
    if now > _seconds(facts[2]):
        raise FeedError("SIGNATURE_EXPIRED", "the signature of the feed was valid until " + facts[2])


def _base64(text):
    try:
        return base64.b64decode(text.encode("utf-8", "replace") + b"==")
    except binascii.Error:
        return b""


# Ed25519 as in RFC 8032, section 5.1; points are (X, Y, Z, T) with x = X/Z, y = Y/Z and x * y = T/Z.
_P = 2**255 - 19
_ORDER = 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, _P - 2, _P) % _P


def _verify_ed25519(key, message, signature):
    if len(signature) != 64:
        return False
    point, s = _decode_point(key), int.from_bytes(signature[32:], "little")
    if point is None or s >= _ORDER:
        return False
    h = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % _ORDER
    x, y, z, t = point
    found = _add(_multiply(s, _BASE), _multiply(h, (-x % _P, y, z, -t % _P)))
    return _encode_point(found) == signature[:32]


def _add(one, other):
    a = (one[1] - one[0]) * (other[1] - other[0])
    b = (one[1] + one[0]) * (other[1] + other[0])
    c = 2 * one[3] * other[3] * _D
    d = 2 * one[2] * other[2]
    e, f, g, h = (b - a) % _P, (d - c) % _P, (d + c) % _P, (b + a) % _P
    return e * f % _P, g * h % _P, f * g % _P, e * h % _P


def _multiply(factor, point):
    product = (0, 1, 1, 0)
    while factor > 0:
        if factor & 1:
            product = _add(product, point)
        point = _add(point, point)
        factor >>= 1
    return product


def _encode_point(point):
    inverse = pow(point[2], _P - 2, _P)
    x, y = point[0] * inverse % _P, point[1] * inverse % _P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def _decode_point(content):
    number = int.from_bytes(content, "little")
    sign, y = number >> 255, number & (1 << 255) - 1
    square = (y * y - 1) * pow(_D * y * y + 1, _P - 2, _P) % _P
    x = pow(square, (_P + 3) // 8, _P)
    if (x * x - square) % _P != 0:
        x = x * pow(2, (_P - 1) // 4, _P) % _P
    if y >= _P or (x * x - square) % _P != 0 or (x == 0 and sign == 1):
        return None
    if x & 1 != sign:
        x = _P - x
    return x, y, 1, x * y % _P


_BASE = _decode_point((4 * pow(5, _P - 2, _P) % _P).to_bytes(32, "little"))


def _load_files(cursor):
    states = {}
    for name in os.listdir(cursor):
        if name.startswith("file-") and name.endswith(".json"):
            state = _load(os.path.join(cursor, name), _is_applied_file)
            states[state["path"]] = state
    return states


def _load(path, is_valid):
    try:
        with open(path, encoding="utf-8") as file:
            state = json.load(file)
        if is_valid(state):
            return state
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError, AttributeError):
        pass
    raise FeedError("CURSOR_DAMAGED", path + " is not a feed cursor: delete the cursor, empty the target, then run again")


def _is_applied_manifest(state):
    texts = [state["feedId"], state["rootHash"], state["etag"] or "", state["builtAt"] or "", state.get("generator", "")]
    numbers = [state["seq"], *state["documents"].values()]
    return all(isinstance(text, str) for text in texts) and all(type(number) is int for number in numbers)


def _is_applied_file(state):
    texts = [state["path"], state["sha256"], *state["stale"]]
    for hashes in state["chunks"].values():
        if len(hashes) != 2:
            return False
        texts += hashes
    numbers = [state["documents"], state.get("partBits", 0)]
    is_ahead = type(state.get("isAhead", False)) is bool
    return is_ahead and all(isinstance(text, str) for text in texts) and all(type(number) is int for number in numbers)


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
    allow, site = "--allow-mass-delete", "--site="
    given = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    unknown = [name for name in sys.argv[1:] if name.startswith("--") and name != allow and not name.startswith(site)]
    if len(given) < 2 or unknown:
        sys.exit("usage: python3 apply_feed.py SITE CURSOR_FOLDER [--allow-mass-delete] [--site=URL] [PUBLIC_KEY ...]")

    def show(record):
        print(json.dumps(record, ensure_ascii=False), flush=True)

    try:
        result = apply_feed(
            given[0],
            given[1],
            lambda changes: [show({"op": "upsert", **change}) for change in changes],
            lambda ids: [show({"op": "delete", "id": chunk}) for chunk in ids],
            public_keys=given[2:] or None,
            allow_mass_delete=allow in sys.argv,
            expected_site=next((name[len(site) :] for name in sys.argv if name.startswith(site)), None),
        )
    except FeedError as error:
        sys.exit("error " + error.code + ": " + str(error))
    print(json.dumps(result), file=sys.stderr)
    sys.exit(0 if result["status"] != "busy" else 75)


if __name__ == "__main__":
    _main()
