"""What a command wrote must not depend on threads, but for what it says of this machine's time."""
import json

COUNTS = (2, 3, 7, 16)


def without_times(value):
    if isinstance(value, dict):
        return {key: without_times(part) for key, part in value.items() if key not in ("wall_seconds", "warp_instructions_per_second")}
    return [without_times(part) for part in value] if isinstance(value, list) else value


def report(path):
    with open(path, encoding="utf-8") as text:
        return without_times(json.load(text))
