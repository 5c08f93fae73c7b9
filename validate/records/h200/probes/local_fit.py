#!/usr/bin/env python3
"""Where the warp slots of an SM keep their local memory, from local_map's file: prints the two best strides and offsets (numpy).

    ./local_map local.bin && ./local_fit.py local.bin CONFIGURATION SM STRIDE...      (configurations: in the order in which local_map prints them)

Hits of an SM take as long as its way to the slice (slice_map.cu), and the lines side by side that the file begins with tell how long to each of 94. For every
stride and offset the words' times are compared with those of the slices that they would lie in, whatever the address above 2 MiB is.
"""
import sys

import numpy

SLICE_HASH = [0, 8, 0, 20, 33, 8, 21, 34, 4, 31, 50, 62, 23, 13, 53, 27, 21, 28, 38, 29, 22, 52, 17, 27, 19, 54, 43]
PARTITION_BITS = {12, 13, 15, 17, 19, 21, 22, 24, 26, 27, 28, 29, 31}
SMS, LINES, SLOTS, WORDS, SHOWN = 132, 8192, 64, 64, 8


def hashes(addresses):
    slices, partitions = numpy.zeros(len(addresses), int), numpy.zeros(len(addresses), int)
    for bit, flipped in enumerate(SLICE_HASH, 7):
        on = addresses >> bit & 1
        slices ^= on * flipped
        if bit in PARTITION_BITS:
            partitions ^= on
    return slices, partitions, (addresses >> 17) * 64


def main():
    raw = numpy.fromfile(sys.argv[1], dtype=numpy.uint8)
    configuration, sm, strides = int(sys.argv[2]), int(sys.argv[3]), [int(stride) for stride in sys.argv[4:]]
    lines = raw[:SMS * LINES].reshape(SMS, LINES).astype(float)
    slices, partitions, quotient = hashes(numpy.arange(LINES) * 128)

    def by_slice(parity):
        key = (quotient + (slices ^ parity)) % 47 + 47 * partitions
        return key, numpy.bincount(key, lines[sm], 94) / numpy.bincount(key, minlength=94)

    def scatter(parity):
        key, mean = by_slice(parity)
        return ((lines[sm] - mean[key]) ** 2).mean()

    takes = by_slice(min(range(64), key=scatter))[1]
    at = SMS * LINES + configuration * SMS * SLOTS * (WORDS + 4)
    words = raw[at:at + SMS * SLOTS * WORDS].reshape(SMS, SLOTS, WORDS).astype(float)[sm]
    at += SMS * SLOTS * WORDS
    slots = raw[at:at + SMS * SLOTS * 4].view(numpy.uint32).reshape(SMS, SLOTS)[sm]
    chosen = numpy.arange(0, SHOWN * WORDS, 16)
    took = numpy.array([words[warp] for warp in numpy.argsort(slots[:SHOWN])]).ravel()[chosen]
    found = []
    for stride in strides:
        for offset in range(0, 1 << 21, 8192):
            addresses = (offset + numpy.arange(SHOWN)[:, None] * stride + numpy.arange(WORDS) * 128).ravel()[chosen]
            word_slices, word_partitions, word_quotient = hashes(addresses)
            for other in (0, 1):
                for parity in range(64):
                    slice_of = (word_quotient + (word_slices ^ parity) + numpy.arange(47)[:, None]) % 47
                    would = takes[slice_of + 47 * (word_partitions ^ other)]
                    difference = (would - would.mean(1, keepdims=True) - took + took.mean()) ** 2
                    found.append((difference.mean(1).min(), stride, offset))
    for difference, stride, offset in sorted(found)[:2]:
        print(f"stride {stride}, offset {offset}: {difference:.1f}")


main()
