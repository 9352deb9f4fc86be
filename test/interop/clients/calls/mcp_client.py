# Calls the tools of `cattle mcp` with the Python SDK, and validates each answer against the schema that the list of tools gives.
# Arguments: the command and its arguments. Prints the bytes of the list and the tools that answered.
import asyncio
import json
import os
import sys

import jsonschema
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

QUESTIONS = {
    "coverage": {},
    "prices_near_zip": {"zip": "85326", "class": "steers", "weight": 550, "history": 4},
    "county_prices": {"state": "AZ", "class": "bred cow"},
    "state_prices": {"state": "Texas"},
    "latest_sales": {"venue": "saguaro"},
    "sale_barns": {"state": "TX"},
    "licensed_dealers": {"state": "AZ"},
    "parcel_by_address": {"address": "116 W Bluestem Rd", "state": "TX"},
    "parcel_by_number": {"parcelId": "998-11-040"},
    "parcels_near": {"latitude": 33.33, "longitude": -112.93},
    "parcels_of_owner": {"owner": "Example Cattle Co", "state": "AZ"},
    "ask_sql": {"sql": "SELECT venue_id, lat FROM barns"},
}


async def main():
    command, *arguments = sys.argv[1:]
    server = StdioServerParameters(command=command, args=arguments, env=dict(os.environ))
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        tools = {tool.name: tool.model_dump(by_alias=True, exclude_none=True) for tool in (await session.list_tools()).tools}
        assert set(tools) == set(QUESTIONS), set(tools) ^ set(QUESTIONS)
        for name, question in QUESTIONS.items():
            answer = (await session.call_tool(name, question)).model_dump(by_alias=True)
            assert not answer.get("isError"), (name, answer)
            schema = tools[name]["outputSchema"]
            jsonschema.Draft202012Validator.check_schema(schema)
            jsonschema.validate(answer["structuredContent"], schema)
        print(f"{len(json.dumps(list(tools.values()), separators=(',', ':')))} bytes, {len(tools)} tools")


asyncio.run(main())
