"""Rules of the server that an OpenAPI document has no words for, so that schemathesis holds requests against them as well."""

import schemathesis
from schemathesis.generation import GenerationMode

# Reasons of a 400 that rest on two parameters together, on names that are looked up, or on a form of State and County that one endpoint refuses.
BETWEEN_PARAMETERS = (
    "is required with the other coordinate",
    "owner, nameContains or lastName is required",
    "cannot be given together with ",
    "goes with lastName only",
    "offset and limit together are more than ",
    "state and ZIP contradict each other",
    "contradicts ",
    "is required for this address",
    "is not a county",
    "needs a place to measure from",
    "is a second place beside ",
    "is less than minAcres",
    "is not the code of ",
    "is neither a county name nor ",
    "is too common",
    "holds no word",
)
SLUGS = ("state-required", "ambiguous-parcel")


# What the server drops around a value: white space as ECMAScript's trim() knows it.
BLANKS = " \t\n\v\f\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"


@schemathesis.hook
def filter_case(context, case):
    """Leaves out empty values, which the server takes for absent, and values with blanks around them: the schemas are those of trimmed values."""
    values = [str(value) for value in (case.query or {}).values()]
    return all(value != "" and value == value.strip(BLANKS) for value in values)


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
