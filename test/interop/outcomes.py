"""The line of one reader in the table of `make interop`."""


def passes(what, read):
    """Prints what a reader told, or that it was not run for want of a package (ImportError), or how it failed. False for a failure."""
    outcome, told = "ok", ""
    try:
        told = read()
    except ImportError as error:
        outcome, told = "not run", str(error)
    except Exception as error:  # A reader may fail in its own ways; each is a finding.
        outcome, told = "FAIL", f"{type(error).__name__}: {str(error)[-600:]}"
    print(f"{what:<40} {outcome}  {told}")
    return outcome != "FAIL"
