#!/usr/bin/env python3
"""Sorts the lines of slice_map's file by the slice of L2 that they lie in, and prints the class of each.

    ./slice_map map.bin && ./slice_classes.py map.bin > slice_map.csv        (numpy, scikit-learn)

Lines whose hits take as long as one another from all 24 SMs are of one class. Lines 0, 1, 4 and 5 and lines 2, 3, 6 and 7 of each eight are: their
means are compared, so a row has the eight classes of a granule of 4 KiB. Two slices that lie as far from every SM are one class: 71 classes, of
which 48 have a 94th of the lines and 23 have two. First the rows of a mebibyte, then of the first granule of each page of 2 MiB.
"""
import sys

import numpy
from sklearn.cluster import AgglomerativeClustering

SMS, LINES, SECTORS, PAGES = 24, 1 << 19, 1 << 12, 8192
CLASS_DISTANCE = 5.5  # cycles, over 24 SMs; means of four lines scatter by 2.6


def groups(latencies):
    return latencies.T.astype(float).reshape(-1, 2, 2, 2, SMS).mean(axis=(1, 3)).reshape(-1, SMS)


def nearest(points, centres):
    return numpy.concatenate([((points[i:i + 8192, None] - centres[None]) ** 2).sum(2).argmin(1) for i in range(0, len(points), 8192)])


def main():
    raw = numpy.fromfile(sys.argv[1], dtype=numpy.uint8)
    side_by_side = groups(raw[:SMS * LINES].reshape(SMS, LINES))
    first = SMS * (LINES + SECTORS)
    pages = groups(raw[first:first + SMS * PAGES * 32].reshape(SMS, PAGES * 32))
    sample = side_by_side[numpy.random.default_rng(1).choice(len(side_by_side), 8000, replace=False)]
    found = AgglomerativeClustering(n_clusters=None, distance_threshold=CLASS_DISTANCE, linkage="average").fit(sample).labels_
    centres = numpy.array([sample[found == k].mean(0) for k in range(found.max() + 1)])
    for _ in range(3):
        classes = nearest(side_by_side, centres)
        centres = numpy.array([side_by_side[classes == k].mean(0) for k in range(len(centres))])
    counts = sorted(numpy.bincount(classes))
    print(f"# {len(centres)} classes of {counts[0]} to {counts[-1]} of {len(classes)} groups of four lines")
    print("offset,c0,c1,c2,c3,c4,c5,c6,c7")
    for granule, row in enumerate(classes.reshape(-1, 8)[:256]):
        print(granule * 4096, *row, sep=",")
    for page, row in enumerate(nearest(pages, centres).reshape(-1, 8)[1:1024], 1):
        print(page << 21, *row, sep=",")


main()
