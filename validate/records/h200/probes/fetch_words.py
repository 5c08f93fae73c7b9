#!/usr/bin/env python3
"""When code comes that a sub-core has not got but its SM has: a loop of 24 KiB, so that nothing of a trip's beginning is left at its end, in which a jump goes to code that
nothing has run up to, and clocks are read there. One warp.

    ./fetch_words.py SASSAFRAS FOLDER     writes template.cubin and bodies.bin (nvcc and `sassafras disasm` are needed)
    ./word_values template.cubin bodies.bin 1536 40 0 > fetch_words.csv

A row's numbers from the fifth on are clocks, less that before the jump (the fourth). A line is taken to be eight words, 128 bytes:
    land 5         behind a jump to the sixth word of a line 39 clocks, word by word: where they stop, a line ends. (0 to 31, over four lines)
    ahead 3 60     behind the jump; there 60 cycles later (`long`: two results of S2R later); behind a jump to the third line behind that; behind a jump to the next word, which is there
    behind 3 0     the same, but to the third line before it, which nobody asks for ahead
"""
import sys

from word_bodies import Bodies, jump, word

WORDS, LINE = 1536, 8


def main(sassafras, folder):
    bodies = Bodies(sassafras, folder, WORDS)
    # The compiler has put two instructions behind the first two words; words from the third on are so far from the beginning of a line.
    phase = (bodies.offset // 16 + 2) % LINE
    clock = [word('CS2R', r) for r in bodies.out]
    nop = word('NOP')

    def place(line):
        """The word that begins a line, somewhere behind the middle."""
        return 800 + (-(800 + phase)) % LINE + line * LINE
    source = place(-40) + 2

    def body(name, at, *parts):
        """A jump that nothing runs up to, to `at`; then parts: where they begin, and their words."""
        words = [nop] * WORDS
        words[source:source + 2] = [clock[0], jump(at - (source + 2))]
        for begin, part in parts: words[begin:begin + len(part)] = part
        bodies.emit(name, words)
    for o in range(4 * LINE): body(f'land {o}', place(0) + o, (place(0) + o, clock[1:40]))
    result = [word('S2R', bodies.out[30], write_barrier=0, stall=2), word('NOP', wait=1, stall=15)]
    for way, dwell in [('ahead', d) for d in (0, 15, 30, 45, 60, 75, 'long')] + [('behind', 0), ('behind', 75)]:
        for lines in range(1, 17):
            at, to = place(0), place(lines if way == 'ahead' else -lines)
            here = [clock[1]] + (result * 2 if dwell == 'long' else [word('NOP', stall=15)] * (dwell // 15)) + [clock[2]]
            here.append(jump(to - (at + len(here) + 1)))
            assert len(here) <= LINE
            there = [clock[3], jump(0), clock[4], jump(place(60) - (to + 4))]
            body(f'{way} {lines} {dwell}', at, (at, here), (to, there))


if __name__ == '__main__':
    main(sys.argv[1], sys.argv[2])
