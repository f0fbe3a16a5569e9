"""Applies a feed to a store in a JSON file, as often as a test asks; a run can be made to die after a number of calls of the target.

Argument: folder of the client. Each line of standard input is a JSON array of strings: site, cursor, store, calls left, "guard" or "". Each run is a process of its own, forked after the imports, which take longer than most runs.
Its answer is a line of standard output: the result, or null if the run was killed.
"""

import json
import os
import sys
import time

sys.path.insert(0, sys.argv[1])
from apply_feed import FeedError, apply_feed  # noqa: E402

# The client waits for seconds before it repeats a request.
time.sleep = lambda seconds: None


def run(site, cursor, store_path, calls_left, guard):
    calls_left = int(calls_left)
    # Sequences of feeds shrink as they like; a test of the guard says "guard".
    options = {"batch_size": 3, "allow_mass_delete": guard != "guard"}
    store = {}
    if os.path.exists(store_path):
        with open(store_path, encoding="utf-8") as file:
            store = json.load(file)

    def save():
        nonlocal calls_left
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
    return result


for line in sys.stdin:
    answer, write_answer = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.write(write_answer, json.dumps(run(*json.loads(line))).encode())
            code = 0
        except BaseException:
            sys.excepthook(*sys.exc_info())
        finally:
            os._exit(code)
    os.close(write_answer)
    with os.fdopen(answer) as file:
        result = file.read()
    status = os.waitpid(child, 0)[1]
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == 9:
        result = "null"
    elif status != 0:
        result = "a run failed: see above"
    print(result, flush=True)
