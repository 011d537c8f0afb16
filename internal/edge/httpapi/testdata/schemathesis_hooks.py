"""What Schemathesis does not know by itself: how lines of JSON are written."""
import json

import schemathesis


@schemathesis.serializer("application/x-ndjson")
def lines(ctx, value):
    each = value if isinstance(value, list) else [value]
    return "".join((one if isinstance(one, str) else json.dumps(one)) + "\n" for one in each).encode()
