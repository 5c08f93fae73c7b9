#!/usr/bin/env python3
"""What two instructions in turns cost that read up to three registers each: FFMA, IMAD and LOP3 (FP32, half of its pipe, ALU), by the banks of what
they read and write, and with the reuse cache.

    ./pipe_pairs.py SASSAFRAS FOLDER         writes template.cubin and bodies.bin as register_ports.py does
    ./register_ports template.cubin bodies.bin 136 0 1 2 4 > pipe_pairs.csv       (register_ports.cu; 0: one warp; 1, 2, 4: in each sub-core)

    LOP3 eeo>e             136 of one kind, which read two even registers and an odd one and write an even one
    FFMA eo>e LOP3 oe>o    two in turns
    same FFMA aba LOP3 bcc reuse    the registers of pipe_mix.cu: one register twice, kept in the cache or not
"""
import itertools
import struct
import sys

from register_ports import OPS, RZ, WORDS, Bodies, template, word

OPS.update({'FFMA.R': (0x7223, 0), 'IADD3': (0x7210, 0x07ffe000), 'SEL': (0x7207, 0x04000000)})
SHOWN = {'FFMA.R': 'FFMA'}


def kept(pair, slots):
    """With operands of these slots (bits: A, B, C) left in the reuse cache."""
    low, high = struct.unpack('<QQ', pair)
    return struct.pack('<QQ', low, high | slots << 58)


def main(sassafras, folder):
    bodies = Bodies(template(sassafras, folder), f'{folder}/bodies.bin')
    banks = {'e': bodies.even, 'o': bodies.odd}

    def one(op, kind, i):
        sources, to = kind.split('>')
        taken = {'e': 0, 'o': 0}
        registers = []
        for bank in sources:
            registers.append(banks[bank][1 + (3 * i + taken[bank]) % 7])
            taken[bank] += 1
        return word(op, banks[to][0], *(registers + [RZ] * (3 - len(registers))))

    def emit(name, group):
        bodies.emit(name, (group * WORDS)[:WORDS // len(group) * len(group)])

    kinds = ['e', 'o', 'ee', 'eo', 'oo', 'eee', 'eeo', 'eoo', 'ooo']
    for op in ('FFMA.R', 'IMAD', 'LOP3', 'IADD3'):
        for kind in kinds:
            for to in 'eo': emit(f'{SHOWN.get(op, op)} {kind}>{to}', [one(op, f'{kind}>{to}', i) for i in range(WORDS)][:WORDS])
    for first, second in (('FFMA.R', 'LOP3'), ('FFMA.R', 'IMAD'), ('IMAD', 'LOP3'), ('LOP3', 'IADD3')):
        for a, b in itertools.product(kinds, kinds):
            to = [('e', 'o')] + ([('e', 'e'), ('o', 'e')] if len(a) == 2 and len(b) == 2 else [])
            for x, y in to:
                pairs = [w for i in range(WORDS // 2) for w in (one(first, f'{a}>{x}', i), one(second, f'{b}>{y}', i))]
                emit(f'{SHOWN.get(first, first)} {a}>{x} {second} {b}>{y}', pairs)
    e, o = bodies.even, bodies.odd
    for first, second in (('FFMA.R', 'LOP3'), ('FFMA.R', 'IMAD'), ('FFMA.R', 'FFMA.R'), ('IMAD', 'LOP3')):
        for slots in (0, 1, 2, 4, 5, 6):
            for name, a, b in (('aba bcc', (o[0], 'e', o[0]), ('o', e[0], e[0])), ('abb bcc', ('e', o[0], o[0]), ('o', e[0], e[0])),
                               ('aba ab', (o[0], 'e', o[0]), ('o', e[0], RZ)), ('ab bcc', (o[0], 'e', RZ), ('o', e[0], e[0]))):
                group = []
                for i in range(WORDS // 2):
                    for op, want, to in ((first, a, 'e'), (second, b, 'o')):
                        registers = [banks[r][1 + i % 7] if isinstance(r, str) else r for r in want]
                        group.append(kept(word(op, banks[to][1 + i % 7], *registers), slots))
                emit(f'same {SHOWN.get(first, first)} {second} {name} reuse {slots}', group)


if __name__ == '__main__':
    main(sys.argv[1], sys.argv[2])
