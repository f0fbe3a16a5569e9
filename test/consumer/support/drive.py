"""Applies a feed to a store in a JSON file, as a test asks; a run can be made to die after a number of calls of the target.

Arguments: folder of the client, site, cursor, store, calls left, "guard" or ""; and time in milliseconds, public keys as JSON, expected site.
"""

import json
import os
import sys

sys.path.insert(0, sys.argv[1])
from apply_feed import FeedError, apply_feed  # noqa: E402

site, cursor, store_path, calls_left = sys.argv[2], sys.argv[3], sys.argv[4], int(sys.argv[5])
# Sequences of feeds shrink as they like; a test of the guard says "guard".
options = {"batch_size": 3, "allow_mass_delete": sys.argv[6] != "guard"}
if len(sys.argv) > 7:
    options["now"] = lambda: int(sys.argv[7]) / 1000
if len(sys.argv) > 8:
    options["public_keys"] = json.loads(sys.argv[8])
if len(sys.argv) > 9:
    options["expected_site"] = sys.argv[9]
store = {}
if os.path.exists(store_path):
    with open(store_path, encoding="utf-8") as file:
        store = json.load(file)


def save():
    global calls_left
    with open(store_path, "w", encoding="utf-8") as file:
        json.dump(store, file)
    if calls_left == 0:
        os.kill(os.getpid(), 9)
    calls_left -= 1


def upsert(documents):
    for changed in documents:
        document = changed["document"]
        store[document["id"]] = {"document": document}
        for change in changed["chunks"]:
            chunk = change["chunk"]
            embedded = chunk["text"] if change["embed"] else store[chunk["id"]]["embedded"]
            store[chunk["id"]] = {"chunk": chunk, "embedded": embedded}
        for chunk in changed["removed_chunks"]:
            store.pop(chunk, None)
    save()


def delete(documents):
    for document in documents:
        for record in [document["id"], *document["chunk_ids"]]:
            store.pop(record, None)
    save()


try:
    result = apply_feed(site, cursor, upsert, delete, **options)
except FeedError as error:
    result = {"status": error.code, "message": str(error)}
print(json.dumps(result))
