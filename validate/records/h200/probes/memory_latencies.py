#!/usr/bin/env python3
"""Loops of single accesses whose barriers are chosen word by word: how long after its issue an access has read its registers, how long
after it has its result, and what either takes longer right behind another access. Run like the bodies of register_ports.py:

    ./memory_latencies.py SASSAFRAS FOLDER     writes template.cubin and bodies.bin (nvcc and `sassafras disasm` are needed)
    ./register_ports template.cubin bodies.bin 136 0 1 > memory_latencies.csv      (0: one warp alone; 1: one in each sub-core)

Each body has a prologue of 8 words that makes addresses (lanes side by side), then:
    empty                    NOPs
    release STL.64 4         four times: the access, which stalls two cycles, a NOP that waits until it has read its registers, 30 NOPs
    result LDL 2             twice: the access, a NOP that waits for its result, 62 NOPs
    behind STG*2 LDL 2       twice: two stores, an access right behind them, a NOP that waits for its result, NOPs
    free STG*2 STL 2         the same, but the NOP waits until the access has read its registers
    chain STL/odd 8          eight times: a store of an odd register (`turns`: of even and odd ones), a NOP that waits until it is read
    pairs STL/odd 8          the same, but a load waits so, and nobody for it
    same STL+8 LDL 2         twice: a store, 8 NOPs, a load of the same words, a NOP that waits for its result, NOPs
"""
import sys

from register_ports import OPS, RZ, WORDS, template, word

PROLOGUE, UR = 8, 20
WIDTHS = {'': 4, '.64': 8, '.128': 16}
OPS.update({'S2R': (0x7919, 0x2100), 'LDC.64': (0x7b82, 0xa00), 'ULDC.64': (0x7ab9, 0xa00), 'IMAD.WIDE.U32': (0x7825, 0x078e0000), 'IMAD.imm': (0x7824, 0x078e0200),
            'ATOMS.ADD': (0x738c, 0), 'REDG': (0x798e, 0x0c10e180), 'ATOMG': (0x79a8, 0x081ee1c0), 'LDSM.4': (0x783b, 0x200)})
for suffix, bits in (('', 0x800), ('.64', 0xa00), ('.128', 0xc00)):
    OPS['LDL' + suffix] = (0x7983, 0x100000 | bits)
    OPS['STL' + suffix] = (0x7387, 0x100000 | bits)
    OPS['LDG' + suffix] = (0x7981, 0x0c1e1100 | bits)
    OPS['STG' + suffix] = (0x7986, 0x0c101100 | bits)


def with_offset(pair, offset):
    return pair[:4] + bytes([pair[4]]) + offset.to_bytes(3, 'little') + pair[8:]


class Bodies:
    def __init__(self, registers, path):
        quads = [r for r in registers if r % 4 == 0 and all(r + i in registers for i in range(4))]
        self.data, self.other, self.address = quads[-3:]
        self.file = open(path, 'wb')

    def emit(self, name, width, words):
        a = self.address
        body = [word('S2R', a + 3, write_barrier=0, stall=2), with_offset(word('LDC.64', a, RZ, write_barrier=1, stall=2), 0x210 >> 2),
                with_offset(word('ULDC.64', UR), 0x208 >> 2), word('NOP', wait=3, stall=15),
                word('IMAD.WIDE.U32', a, a + 3, width, a, stall=15), word('IMAD.imm', a + 2, a + 3, width, RZ, stall=15), word('NOP', stall=15), word('NOP')]
        assert len(body) == PROLOGUE and len(words) <= WORDS - PROLOGUE, name
        self.file.write(name.encode().ljust(64, b'\0') + b''.join(body + words + [word('NOP')] * (WORDS - PROLOGUE - len(words))))

    def access(self, op, data, offset=0, **barriers):
        kind = op.split('.')[0]
        if kind in ('LDS', 'LDSM', 'STS', 'ATOMS'): offset += 1024  # what comes before belongs to the system
        if kind == 'LDL': return with_offset(word(op, data, 1, **barriers), offset)
        if kind == 'STL': return with_offset(word(op, 0, 1, data, **barriers), offset)
        if kind == 'LDG': return with_offset(word(op, data, self.address, UR, **barriers), offset)
        if kind in ('STG', 'REDG'): return with_offset(word(op, 0, self.address, data, UR, **barriers), offset)
        if kind == 'ATOMG': return with_offset(word(op, data, self.address, data, UR, **barriers), offset)
        if kind in ('LDS', 'LDSM'): return with_offset(word(op, data, self.address + 2, **barriers), offset)
        if kind == 'STS': return with_offset(word(op, 0, self.address + 2, data, **barriers), offset)
        if kind == 'ATOMS': return with_offset(word(op, data, self.address + 2, data, **barriers), offset)
        raise ValueError(op)


def width_of(op):
    if op == 'LDSM.4': return 16
    return WIDTHS.get(op[op.index('.'):] if '.' in op else '', 4)


def main(sassafras, folder):
    bodies = Bodies(template(sassafras, folder, local=True), f'{folder}/bodies.bin')
    nop, wait = word('NOP'), {0: word('NOP', wait=1), 1: word('NOP', wait=2)}
    bodies.emit('empty', 4, [])
    loads = [k + s for k in ('LDL', 'LDG', 'LDS') for s in WIDTHS] + ['LDSM.4', 'ATOMS.ADD', 'ATOMG']
    stores = [k + s for k in ('STL', 'STG', 'STS') for s in WIDTHS] + ['REDG']
    for op in loads + stores:
        result = {'write_barrier': 0} if op in loads else {}
        bodies.emit(f'release {op} 4', width_of(op), ([bodies.access(op, bodies.data, read_barrier=1, stall=2, **result), wait[1]] + [nop] * 30) * 4)
    for op in loads: bodies.emit(f'result {op} 2', width_of(op), ([bodies.access(op, bodies.data, write_barrier=0, stall=2), wait[0]] + [nop] * 62) * 2)
    for before in stores + loads:
        if width_of(before) != 4 and before[2] == 'S' and before != 'LDSM.4': continue
        for times in (1, 2):
            for op in ('LDL', 'LDG', 'LDS', 'STL', 'STG', 'STS'):
                first = [bodies.access(before, bodies.other, offset=0, write_barrier=5 if before in loads else 7)] * times
                load = op.startswith('LD')
                last = bodies.access(op, bodies.data, offset=64 if op[2] == 'L' else 16384 * (op[2] == 'G'), write_barrier=0 if load else 7, read_barrier=7 if load else 1, stall=2)
                bodies.emit(f'{"behind" if load else "free"} {before}*{times} {op} 2', width_of(before), (first + [last, wait[0 if load else 1]] + [nop] * (62 - times)) * 2)
    for space in 'LGS':
        for gap in (0, 1, 8, 24):
            store, load = bodies.access('ST' + space, bodies.other), bodies.access('LD' + space, bodies.data, write_barrier=0, stall=2)
            bodies.emit(f'same ST{space}+{gap} LD{space} 2', 4, ([store] + [nop] * gap + [load, wait[0]] + [nop] * (61 - gap)) * 2)
    for op in ('STL', 'STS', 'STG'):
        for name, registers in (('even', (0, 2)), ('odd', (1, 3)), ('turns', (0, 1))):
            words = []
            for i in range(8): words += [bodies.access(op, bodies.data + registers[i % 2], read_barrier=1, stall=4), word('NOP', wait=2, stall=4)]
            bodies.emit(f'chain {op}/{name} 8', 4, words)
            words = []
            for i in range(8):
                words += [bodies.access(op, bodies.data + registers[i % 2], read_barrier=1, stall=4),
                          bodies.access('LD' + op[2], bodies.other + registers[i % 2], write_barrier=5, wait=2, stall=4)]
            bodies.emit(f'pairs {op}/{name} 8', 4, words)


if __name__ == '__main__':
    main(sys.argv[1], sys.argv[2])
