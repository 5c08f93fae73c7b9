#!/usr/bin/env python3
"""Prints what the rows of partitions.cu say: near and far granules of 4 KiB, seen from four SMs.

    zstd -dc partitions.csv.zst | ./summarise_partitions.py > partitions.txt

A granule is near if the median of its cold loads is below 690 cycles (two clock reads included). Percentiles 1, 5, 25, 50, 75, 95, 99.
"""
import collections
import csv
import sys

LINES = 32  # of a granule


def percentiles(values):
    values = sorted(values)
    return [values[int(share * len(values))] for share in (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)]


def main():
    loads, granules = collections.defaultdict(list), collections.defaultdict(list)
    for row in csv.DictReader(sys.stdin):
        if row["order"] != "random4G":
            loads[row["sm"]].append((int(row["line"]) // LINES, int(row["cold"]), int(row["hit"])))
            granules[row["sm"], int(row["line"]) // LINES].append(int(row["cold"]))
    near = {which: sorted(cold)[len(cold) // 2] < 690 for which, cold in granules.items()}
    for sm in loads:
        print(f"SM {sm}, first 64 granules:", "".join("N" if near[sm, granule] else "F" for granule in range(64)))
        for wanted in (True, False):
            rows = [row for row in loads[sm] if near[sm, row[0]] == wanted]
            cold = percentiles([row[1] for row in rows])
            late = sum(row[1] > cold[3] + 60 for row in rows) / len(rows)
            print(f"  {'near' if wanted else 'far '} cold {cold}, later than the median by more than 60: {late:.3f}; again {percentiles([row[2] for row in rows])}")


main()
