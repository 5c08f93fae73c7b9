#!/usr/bin/env python3
"""What VIADD, UIADD3 and LOP3 with a uniform register cost alone, in turns with others and in groups of three whose stall counts and yield hints are
chosen: which pipe each takes, and what a yield hint does to a stall of one cycle.

    ./uniform_pairs.py SASSAFRAS FOLDER      writes template.cubin and bodies.bin as register_ports.py does
    ./register_ports template.cubin bodies.bin 136 0 1 2 4 6 8 > uniform_pairs.csv        (register_ports.cu; 0: one warp; else in each sub-core)

    VIADD                                    130 of them, then NOPs
    VIADD IMAD                               65 of each, in turns
    LOPU/1 UIADD3/4 VIADD/5 -YY              44 times: with these stall counts, the last two with the yield hint. LOPU: LOP3 with a uniform register
"""
import struct
import sys

from register_ports import WORDS, Bodies, template

LOWEST = {  # 64 bits, registers left out; the upper half's low 32 bits
    'VIADD': (0x9e3779b900007836, 0), 'UIADD3': (0x0000000400007890, 0x0fffe03f), 'LOPU': (0x0000002600007c12, 0x0f8e6000),
    'LOP3': (0x7212, 0x078e6000), 'FFMA': (0x7223, 0), 'IMAD': (0x7224, 0x078e0200), 'IADD3': (0x7210, 0x07ffe0ff), 'NOP': (0x7918, 0)}
THREE = ('LOP3', 'FFMA', 'IMAD', 'IADD3')  # read a third register, or none but a second


def main(sassafras, folder):
    bodies = Bodies(template(sassafras, folder), f'{folder}/bodies.bin')
    even, odd = bodies.even, bodies.odd

    def word(op, i, stall, yields):
        low, high = LOWEST[op]
        if op == 'UIADD3':
            low |= (30 + 2 * (i % 4)) << 16 | 31 << 24
        elif op != 'NOP':
            low |= even[i % 8] << 16 | odd[i % 8 if op == 'VIADD' else (i + 1) % 8] << 24
        if op in THREE: low |= (odd if op == 'LOP3' else even)[(i + 3) % 8] << 32
        if op in ('LOP3', 'LOPU'): high |= even[(i + 2) % 8]
        if op in ('FFMA', 'IMAD'): high |= even[(i + 3) % 8]
        return struct.pack('<QQ', low, high | (stall | (0 if yields else 1) << 4 | 7 << 5 | 7 << 8) << 41)

    def emit(name, group, times):
        bodies.emit(name, [word(op, r * len(group) + k, stall, yields)
                           for r in range(times) for k, (op, stall, yields) in enumerate(group)][:WORDS])

    for op in ('VIADD', 'UIADD3', 'LOPU', 'LOP3', 'FFMA', 'IMAD'): emit(op, [(op, 1, False)], 130)
    for first, second in (('VIADD', 'FFMA'), ('VIADD', 'IMAD'), ('VIADD', 'LOP3'), ('VIADD', 'IADD3'), ('UIADD3', 'FFMA'), ('UIADD3', 'IMAD'),
                          ('UIADD3', 'LOP3'), ('UIADD3', 'VIADD'), ('UIADD3', 'NOP'), ('LOPU', 'UIADD3'), ('LOPU', 'FFMA'), ('LOPU', 'VIADD')):
        emit(f'{first} {second}', [(first, 1, False), (second, 1, False)], 65)
    for third in ('VIADD', 'FFMA', 'IMAD'):
        for second in ('UIADD3', 'NOP', 'FFMA'):
            for first in ('LOPU', 'LOP3'):
                for hints in ('-YY', '---', 'YYY'):
                    group = [(op, stall, hint == 'Y') for op, stall, hint in zip((first, second, third), (1, 4, 5), hints)]
                    emit(f'{first}/1 {second}/4 {third}/5 {hints}', group, 44)


if __name__ == '__main__':
    main(sys.argv[1], sys.argv[2])
