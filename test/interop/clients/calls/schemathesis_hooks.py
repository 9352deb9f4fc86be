"""Rules of the server that an OpenAPI document has no words for, so that schemathesis holds requests against them as well."""

import schemathesis
from schemathesis.generation import GenerationMode

# Reasons of a 400 that rest on two parameters together, or on names that are looked up.
BETWEEN_PARAMETERS = (
    "is required with the other coordinate",
    "owner, nameContains or lastName is required",
    "cannot be given together with ",
    "is taken with lastName alone",
    "offset and limit together are more than ",
    "state and ZIP contradict each other",
    "contradicts ",
    "is required for this address",
    "is not a county",
    "holds only ",
    "holds no word",
)
SLUGS = ("state-required", "ambiguous-parcel")


@schemathesis.hook
def filter_case(context, case):
    """Leaves out requests with an empty value: the server takes it for an absent parameter, where a schema sees a wrong one."""
    return all(str(value).strip() != "" for value in (case.query or {}).values())


@schemathesis.check
def valid_values_are_accepted(ctx, response, case):
    """Stands for positive_data_acceptance: a 400 to values that the schemas take has to name one of the rules above."""
    if case.meta is None or case.meta.generation.mode != GenerationMode.POSITIVE or response.status_code != 400:
        return
    problem = response.json()
    if problem["type"].removeprefix("/problems/") in SLUGS:
        return
    reasons = [each["reason"] for each in problem.get("invalid_params", [])]
    assert reasons and all(reason.startswith(BETWEEN_PARAMETERS) for reason in reasons), f"400 for {reasons}"
