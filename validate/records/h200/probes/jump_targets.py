#!/usr/bin/env python3
"""What a jump costs by where it leaves a line of code and where it arrives, in code that a sub-core's cache has; and branches that nobody takes.

    ./jump_targets.py SASSAFRAS FOLDER       writes template.cubin and bodies.bin as register_ports.py does
    ./register_ports template.cubin bodies.bin 136 0 1 2 3 4 6 8 > jump_targets.csv        (register_ports.cu; 0: one warp, else so many in each sub-core)

A body is named by what it is of; words count from the start of a line of 128 bytes (eight instructions). All else is NOPs that stall a cycle.
    nops 136                  no jump
    jump 3 17                 the word at 3 of a line jumps to the 17th word behind it
    chain 2 5                 two NOPs and a jump to the fifth word behind it, until the body ends
    untaken 4                 every fourth word is a branch of nobody
"""
import re
import struct
import subprocess
import sys

from register_ports import WORDS, template, word

LINE = 8


def branch(distance, taken=True, stall=5):
    """To the word `distance` words behind the branch."""
    offset = (distance - 1) * 16 // 4
    control = stall | 1 << 4 | 7 << 5 | 7 << 8
    return struct.pack('<QQ', (0x7947 if taken else 0xf947) | (offset & 0xff) << 16 | offset >> 8 << 34, 0x03800000 | control << 41)


def first_line(sassafras, folder):
    """The first word of the body that begins a line of code. The compiler puts two of the loop's own between the first words."""
    text = subprocess.run([sassafras, 'disasm', f'{folder}/template.cubin'], capture_output=True, text=True, check=True).stdout
    addresses = [int(m[1], 16) // 16 for m in re.finditer(r'/\*([0-9a-f]{4})\*/\s+FFMA R\d+, R\d+, [0-9.]+, R\d+', text)]
    assert len(addresses) == WORDS and addresses[-1] - addresses[2] == WORDS - 3
    return 2 + (-addresses[2]) % LINE


def main(sassafras, folder):
    template(sassafras, folder)
    begin = first_line(sassafras, folder)
    nop = word('NOP')
    with open(f'{folder}/bodies.bin', 'wb') as file:
        def emit(name, words):
            words = words + [nop] * (WORDS - len(words))
            assert len(words) == WORDS, name
            file.write(name.encode().ljust(64, b'\0') + b''.join(words))
        emit(f'nops {WORDS}', [])
        for leaves in range(LINE):
            for distance in list(range(1, 34)) + [48, 64, 96]:
                emit(f'jump {leaves} {distance}', [nop] * (begin + LINE + leaves) + [branch(distance)])
        for run in (0, 1, 2, 3, 5, 7, 8, 11, 15):
            for distance in list(range(1, 13)) + [16, 17, 24]:
                words = [nop] * begin
                while len(words) + run + distance < WORDS: words += [nop] * run + [branch(distance)] + [nop] * (distance - 1)
                emit(f'chain {run} {distance}', words)
        for every in (2, 4, 8): emit(f'untaken {every}', ([nop] * (every - 1) + [branch(2, taken=False, stall=1)]) * (128 // every))
        for every in (2, 4, 8): emit(f'untaken stalls 5 {every}', ([nop] * (every - 1) + [branch(2, taken=False)]) * (128 // every))


if __name__ == '__main__':
    main(sys.argv[1], sys.argv[2])
