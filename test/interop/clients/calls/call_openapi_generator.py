"""Calls all ten endpoints with the Python client of openapi-generator."""

from questions import argument, arguments, questions, shown, snake

import openapi_client

document, address, key = arguments()
configuration = openapi_client.Configuration(host=address, api_key={"apiKey": key})
with openapi_client.ApiClient(configuration) as client:
    apis = {"market": openapi_client.MarketApi(client), "parcel": openapi_client.ParcelApi(client)}
    for operation, tag, asked in questions(document):
        call = getattr(apis[tag], snake(operation))
        answer = call(**{argument(call, name): value for name, value in asked.items()})
        print(operation, shown(answer.to_dict()))
