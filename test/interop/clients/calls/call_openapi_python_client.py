"""Asks every example question with the client of openapi-python-client, whose package is the fourth argument, and prints one field of each answer."""

import importlib
import sys

from questions import argument, arguments, field, questions, snake

document, address, key = arguments()
package = sys.argv[4]
Client = importlib.import_module(package).AuthenticatedClient
client = Client(base_url=address, token=key, prefix="", auth_header_name="X-API-Key")
for operation, tag, asked in questions(document):
    module = importlib.import_module(f"{package}.api.{tag}.{snake(operation)}")
    values = {}
    for name, value in asked.items():
        taken = argument(module.sync_detailed, name)
        # A parameter with few values is an enumeration there, which stands first in the union of its types.
        kinds = getattr(module.sync_detailed.__annotations__[taken], "__args__", ())
        enumeration = next((kind for kind in kinds if hasattr(kind, "__members__")), str)
        values[taken] = enumeration(value)
    reply = module.sync_detailed(client=client, **values)
    if reply.status_code != 200:
        raise SystemExit(f"{operation}: {reply.status_code}")
    print(operation, field(operation, reply.parsed.to_dict()))
