"""Makes the calls that stdin has as JSON over /mcp with the official Python SDK, and prints the text of each answer as JSON.

Arguments: the address of /mcp and a key. The SDK's absence is an ImportError, exit code 3.
"""
import asyncio
import json
import sys

try:
    import httpx2
    from mcp import Client
    from mcp.client.streamable_http import streamable_http_client
except ImportError as error:
    print(error, file=sys.stderr)
    sys.exit(3)

url, key = sys.argv[1:3]


async def main():
    headers = {"Authorization": f"Bearer {key}"}
    async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
        async with Client(streamable_http_client(url, http_client=http)) as client:
            answers = [await client.call_tool(call["name"], call["arguments"]) for call in json.load(sys.stdin)]
    print(json.dumps(["\n".join(part.text for part in answer.content) for answer in answers]))


asyncio.run(main())
