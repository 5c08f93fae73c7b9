"""Records of a study as the program writes them, for tests that want others."""
import json
import struct

MASK = (1 << 64) - 1
PRIMES = (11400714785074694791, 14029467366897019727, 1609587929392839161, 9650029242287828579, 2870177450012600261)


def xxhash64(data):
    """XXH64 with seed 0, by its specification."""
    p1, p2, p3, p4, p5 = PRIMES
    rotate = lambda x, n: ((x << n) | (x >> (64 - n))) & MASK
    mix = lambda lane, word: rotate((lane + word * p2) & MASK, 31) * p1 & MASK
    at = 0
    if len(data) >= 32:
        lanes = [(p1 + p2) & MASK, p2, 0, -p1 & MASK]
        while at + 32 <= len(data):
            for i, word in enumerate(struct.unpack_from("<4Q", data, at)):
                lanes[i] = mix(lanes[i], word)
            at += 32
        result = sum(rotate(lane, n) for lane, n in zip(lanes, (1, 7, 12, 18))) & MASK
        for lane in lanes:
            result = ((result ^ mix(0, lane)) * p1 + p4) & MASK
    else:
        result = p5
    result = (result + len(data)) & MASK
    while at + 8 <= len(data):
        result = (rotate(result ^ mix(0, struct.unpack_from("<Q", data, at)[0]), 27) * p1 + p4) & MASK
        at += 8
    if at + 4 <= len(data):
        result = (rotate(result ^ struct.unpack_from("<I", data, at)[0] * p1 & MASK, 23) * p2 + p3) & MASK
        at += 4
    for byte in data[at:]:
        result = rotate(result ^ byte * p5 & MASK, 11) * p1 & MASK
    result = (result ^ result >> 33) * p2 & MASK
    result = (result ^ result >> 29) * p3 & MASK
    return result ^ result >> 32


def write_record(path, record):
    """With the checksum that it should have."""
    record = {name: value for name, value in record.items() if name != "checksum"}
    text = json.dumps(record, separators=(",", ":"), ensure_ascii=False)[:-1].encode()
    with open(path, "wb") as file:
        file.write(text + b',"checksum":"%016x"}\n' % xxhash64(text))
