"""Reads the example questions of the OpenAPI document: what every generated client asks."""

import inspect
import json
import re
import sys
from pathlib import Path


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


def field(operation, answer):
    """Gives the field of an answer that is compared: fields.json has a JSON pointer for each operation."""
    with open(Path(__file__).with_name("fields.json"), encoding="utf-8") as file:
        pointer = json.load(file)[operation]
    value = answer
    for step in pointer.split("/")[1:]:
        value = value[int(step) if isinstance(value, list) else step]
    return value
