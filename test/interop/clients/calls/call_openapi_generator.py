"""Asks every example question with the Python client of openapi-generator, and prints one field of each answer."""

from questions import argument, arguments, field, questions, snake

import openapi_client

document, address, key = arguments()
configuration = openapi_client.Configuration(host=address, api_key={"apiKey": key})
with openapi_client.ApiClient(configuration) as client:
    apis = {
        "market": openapi_client.MarketApi(client),
        "parcel": openapi_client.ParcelApi(client),
        "coverage": openapi_client.CoverageApi(client),
    }
    for operation, tag, asked in questions(document):
        call = getattr(apis[tag], snake(operation))
        answer = call(**{argument(call, name): value for name, value in asked.items()})
        print(operation, field(operation, answer.to_dict()))
