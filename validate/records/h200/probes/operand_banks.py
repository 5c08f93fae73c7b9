#!/usr/bin/env python3
"""How far reads of registers may fall behind before instructions wait (sm.read_window_cycles): FFMAs of which two
registers share a bank, among instructions that read none.

    ./operand_banks.py SASSAFRAS FOLDER      writes template.cubin and bodies.bin as register_ports.py does
    ./register_ports template.cubin bodies.bin 136 0 1 2 > operand_banks.csv       (register_ports.cu; 0: one warp, 1 and 2 in each sub-core)

    eee 4 + 6 nop x13         four FFMAs, six NOPs, thirteen times. The first and the third letter say of which banks an FFMA's two registers are, even or
                              odd; in place of the second it has an immediate (pipe_pairs.py has three registers). eo: an FMUL's two
    eee 2 + eo 3 + 4 nop x15  and FMULs of one even and one odd register between
"""
import sys

from register_ports import Bodies, WORDS, template, word


def main(sassafras, folder):
    bodies = Bodies(template(sassafras, folder), f'{folder}/bodies.bin')
    even, odd, nop = bodies.even, bodies.odd, word('NOP')

    def product(kind, i):
        """Distinct registers, the destination of its own."""
        sources, taken = [], {'e': 0, 'o': 0}
        for bank in kind:
            sources.append((even if bank == 'e' else odd)[1 + (3 * i + taken[bank]) % 7])
            taken[bank] += 1
        d = (odd if kind.count('e') > kind.count('o') else even)[0]
        return word('FMUL', d, *sources) if len(sources) == 2 else word('FFMA', d, *sources)

    def emit(parts, nops):
        group = [product(kind, i) for kind, count in parts for i in range(count)] + [nop] * nops
        times = WORDS // len(group)
        name = ' + '.join([f'{kind} {count}' for kind, count in parts] + ([f'{nops} nop'] if nops else []))
        bodies.emit(f'{name} x{times}', group * times)

    for kind in ('eee', 'ooo', 'eeo', 'eoe', 'oee', 'ooe', 'eo', 'ee'):
        for count in (1, 2, 3, 4, 6, 8):
            for nops in (0, 1, 2, 3, 4, 6, 8, 12, 16): emit([(kind, count)], nops)
    for first in ('eee', 'eeo', 'ooe'):
        for count in (1, 2, 3):
            for others in (1, 2, 3, 4, 6):
                for nops in (0, 1, 2, 4, 8):
                    emit([(first, count), ('eo', others)], nops)
                    emit([(first, count), ('oo' if first != 'ooe' else 'ee', others)], nops)


if __name__ == '__main__':
    main(sys.argv[1], sys.argv[2])
