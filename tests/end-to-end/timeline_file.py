"""Reads a timeline as its own schema says it is, for the end-to-end tests."""
import json
import os

SCHEMA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "configs", "timeline.schema.json")


def why_no_schema():
    try:
        import jsonschema  # pylint: disable=import-outside-toplevel,unused-import
    except ImportError:
        return "this Python has no jsonschema (Debian: python3-jsonschema)"
    return None


def load(path):
    """The file, once it has passed its schema."""
    import jsonschema  # pylint: disable=import-outside-toplevel
    with open(path, encoding="utf-8") as file:
        timeline = json.load(file)
    with open(SCHEMA, encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft7Validator.check_schema(schema)
    jsonschema.Draft7Validator(schema).validate(timeline)
    counted = [event for event in timeline["traceEvents"] if event["ph"] != "M"]
    assert len(counted) == timeline["otherData"]["events"], "the metadata counts other events"
    return timeline


def of_category(timeline, *categories):
    return [event for event in timeline["traceEvents"] if event.get("cat") in categories]


def nanoseconds(event):
    """Begin and end of a span; whole numbers."""
    return round(1000 * event["ts"]), round(1000 * event["ts"]) + round(1000 * event["dur"])


def by_track(events):
    tracks = {}
    for event in events:
        tracks.setdefault((event["pid"], event["tid"]), []).append(event)
    return tracks


def overlaps(events):
    """Neighbours in one track of which the second begins before the first ends."""
    found = []
    for track in by_track(events).values():
        spans = sorted(nanoseconds(event) for event in track)
        found += [(a, b) for a, b in zip(spans, spans[1:]) if b[0] < a[1]]
    return found


def names_of_tracks(timeline):
    return {(event["pid"], event["tid"]): event["args"]["name"] for event in timeline["traceEvents"] if event["name"] == "thread_name"}


def check_sums(test, rows, metrics):
    """Intervals of a launch add up to its metrics."""
    sums = {name: sum(int(row[name]) for row in rows) for name in rows[0] if name.endswith(".sum")}
    test.assertEqual(sums["smsp__inst_executed.sum"], metrics["smsp__inst_executed.sum"])
    test.assertEqual(sums["sm__cycles_active.sum"], round(132 * metrics["sm__cycles_active.avg"]))
    occupancy = 100 * sums["sm__warps_active.sum"] / (64 * sums["sm__cycles_active.sum"])
    test.assertAlmostEqual(occupancy, metrics["sm__warps_active.avg.pct_of_peak_sustained_active"], places=9)
