"""A client of the property API that our four lookups are shaped after, pointed here as docs/moving.md tells; arguments are address and key.

It sends what that API takes (bare key in Authorization, its paths, its parameters), reads the flat record by its names, pages by limit,
offset and count, and knows an error by `error`. What docs/moving.md calls different is marked with "moved".
"""

import json
import sys
import urllib.error
import urllib.parse
import urllib.request

ADDRESS, KEY = sys.argv[1], sys.argv[2]


class Refused(Exception):
    def __init__(self, status, text):
        super().__init__(f"{status}: {text}")
        self.status = status


class PropertyClient:
    def __init__(self, key):
        self.key = key

    def get(self, lookup, **asked):
        url = f"{ADDRESS}/public/land-agent/property/{lookup}/?{urllib.parse.urlencode(asked)}"
        try:
            with urllib.request.urlopen(urllib.request.Request(url, headers={"Authorization": self.key})) as reply:
                return json.load(reply)
        except urllib.error.HTTPError as failure:
            raise Refused(failure.code, json.load(failure)["error"]) from None

    def pages(self, lookup, **asked):
        """All properties of a search: that API has no total, and a page that is not full is the last one."""
        offset, limit = 0, asked["limit"]
        while True:
            answer = self.get(lookup, offset=offset, **asked)
            metadata = answer["metadata"]
            assert (metadata["limit"], metadata["offset"], metadata["count"]) == (limit, offset, len(answer["properties"])), metadata
            yield from answer["properties"]
            if metadata["count"] < limit:
                return
            offset += limit


def refusal(call):
    try:
        call()
    except Refused as refused:
        return refused.status
    raise AssertionError("no error came")


FIELDS = ("_id", "parcelId", "address", "addressFull", "county", "state", "fipsState", "fipsCounty", "latitude", "longitude", "location", "acres", "ownerName")
client = PropertyClient(KEY)
home = client.get("address-lookup", address="116 W Bluestem Rd", state="TX", county="Erath")["property"]
missing = [name for name in FIELDS if name not in home]
assert not missing and None not in home.values(), f"missing {missing}"
assert home["location"]["coordinates"] == [home["longitude"], home["latitude"]] and home["county"] == home["county"].upper()
again = client.get("parcel-id-lookup", parcelId=home["parcelId"], state="TX", county="Erath")["property"]
assert again["_id"] == home["_id"], again["_id"]

# moved: land without an address is in, unless it is left out by name.
near = list(client.pages("location-search", latitude=33.33, longitude=-112.93, radius=1, limit=3, includeUnassignedAddress="false"))
center = client.get("location-search", latitude=33.33, longitude=-112.93, radius=1, limit=1)["metadata"]
assert center["searchCenter"] == {"longitude": -112.93, "latitude": 33.33} and center["radiusMiles"] == 1, center
assert near and len({each["_id"] for each in near}) == len(near) and all("address" in each for each in near)
owners = list(client.pages("owner-search", nameContains="ranch", state="AZ", limit=5))
assert owners and all("RANCH" in each["ownerName"].upper() for each in owners)

# moved: a wrong key is 403, and a search without a hit is an empty page.
assert refusal(lambda: PropertyClient("wrong").get("address-lookup", address="1 A St", state="TX")) == 403
assert refusal(lambda: client.get("parcel-id-lookup", parcelId="0000", state="TX", county="Erath")) == 404
assert refusal(lambda: client.get("location-search", latitude=33.33, longitude=-112.93, radius=9)) == 400
assert list(client.pages("owner-search", nameContains="zzzzqq", state="AZ", limit=5)) == []
print(f"4 lookups, {len(FIELDS)} fields, {len(near)} properties near and {len(owners)} of owners by pages, 3 errors by `error`")
