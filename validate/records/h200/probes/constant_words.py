#!/usr/bin/env python3
"""How many lines of constants a sub-core has for operands, and an SM for loads (LDC), and how long they are: a loop that reads so many constants so far apart, one each.

    ./constant_words.py SASSAFRAS FOLDER     writes template.cubin and bodies.bin (nvcc and `sassafras disasm` are needed)
    ./word_values template.cubin bodies.bin 600 1 0 1 > constant_words.csv

    operand 64 40 up     40 additions of a constant operand, 64 bytes from one to the next; back: from the last to the first; turns: first as up, then as back; mixed: in an order at random
    load 64 40 up        the same by LDC, each waits for the last
Cycles of a trip, less those of `operand 4 40` (of `load 4 40`) of as many: what is missed. All trips read the same: least recently used misses all of them once there are too many."""
import random
import sys

from word_bodies import RZ, Bodies, word


def main(sassafras, folder):
    bodies = Bodies(sassafras, folder, 600, constants=True)
    x, nop = bodies.out[2], word('NOP')

    def constant(op, place, **barriers):
        pair = word(op, x, x if op == 'FADD.c' else RZ, **barriers)
        return pair[:4] + (place >> 2 << 8 | 3 << 22).to_bytes(4, 'little') + pair[8:]
    counts = [1, 2, 4, 8, 12, 16, 20, 24, 28, 30, 31, 32, 33, 34, 36, 40, 44, 48, 52, 56, 60, 64, 72, 80, 96, 112, 128, 160, 192, 256]
    for what in ('operand', 'load'):
        for stride in (4, 32, 64, 128, 256):
            for order in ('up', 'turns', 'mixed'):
                for count in counts:
                    if count * stride > 65536 or order != 'up' and stride != 64: continue
                    places = [k * stride for k in range(count)]
                    if order == 'mixed': random.Random(count).shuffle(places)
                    if order == 'turns': places += places[::-1]
                    if what == 'operand': words = [constant('FADD.c', at, stall=4) for at in places]
                    elif 2 * len(places) > 590: continue
                    else: words = [w for at in places for w in (constant('LDC', at, write_barrier=0, stall=2), word('NOP', wait=1))]
                    bodies.emit(f'{what} {stride} {count} {order}', [nop] * 4 + words)


if __name__ == '__main__':
    main(sys.argv[1], sys.argv[2])
