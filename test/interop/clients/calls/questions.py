"""Reads the example questions of the OpenAPI document: what every generated client asks."""

import inspect
import json
import re
import sys


def arguments():
    """Gives the document's path, the server's address, and the key, which clients are called with."""
    return sys.argv[1], sys.argv[2], sys.argv[3]


def snake(name):
    """Gives a name as Python clients write it: `parcelId` is `parcel_id`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def argument(function, name):
    """Gives the argument of a client's function for a parameter: generators put a mark beside the words that Python has itself."""
    known = inspect.signature(function).parameters
    word = snake(name)
    return next(each for each in (word, f"{word}_", f"var_{word}") if each in known)


def questions(document_path):
    """Gives for every operation its id, its tag, and its example question."""
    with open(document_path, encoding="utf-8") as file:
        document = json.load(file)
    for path in document["paths"].values():
        get = path["get"]
        asked = {each["name"]: each["example"] for each in get["parameters"] if "example" in each}
        yield get["operationId"], get["tags"][0], asked


def shown(answer):
    """Gives a short text of what came in an answer, and throws where there is neither a record nor a parcel list."""
    got = answer.get("records", answer.get("properties", answer.get("property")))
    if got is None:
        raise SystemExit(f"an answer without records: {list(answer)}")
    return "a parcel" if isinstance(got, dict) else f"{len(got)} of them"
