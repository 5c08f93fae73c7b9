#!/usr/bin/env python3
"""How many accesses a sub-core's memory unit takes before who issues them must wait: a clock, so many accesses behind one another, a clock. Behind that all that was loaded is waited for.

    ./lsu_bursts.py SASSAFRAS FOLDER     writes template.cubin and bodies.bin (nvcc and `sassafras disasm` are needed)
    ./word_values template.cubin bodies.bin 120 3 0 1 2 4 8 > lsu_bursts.csv

A body: the access, the bytes between its lanes (128: to shared memory all lanes in one bank, 32 wavefronts; from global memory 32 lines), and how many. The fifth number of a row is the
cycles from clock to clock in the first warp, two of them without an access; all warps begin behind a barrier."""
import sys

from word_bodies import RZ, UR, Bodies, jump, with_offset, word

WORDS = 120


def main(sassafras, folder):
    bodies = Bodies(sassafras, folder, WORDS)
    t0, t1 = bodies.out[:2]
    address, data = bodies.quads()[-2:]
    nop, bar = word('NOP'), word('BAR', stall=5)

    def begin(stride):
        return [word('S2R.LANE', address + 3, write_barrier=0, stall=2), with_offset(word('LDC.64', address, RZ, write_barrier=1, stall=2), 0x210 >> 2),
                with_offset(word('ULDC.64', UR), 0x208 >> 2), word('NOP', wait=3, stall=15),
                word('IMAD.WIDE.U32', address, address + 3, stride, address, stall=15), word('IMAD.imm', address + 2, address + 3, stride, RZ, stall=15), nop, nop]

    def access(op):
        if op == 'LDG': return word(op, data, address, UR, 0, write_barrier=0)
        if op == 'STG': return with_offset(word(op, 0, address, data, UR, read_barrier=1), 32768)
        if op.startswith('LDS'): return with_offset(word(op, data, address + 2, write_barrier=0), 1024)
        if op.startswith('STS'): return with_offset(word(op, 0, address + 2, data, read_barrier=1), 1024)
        return word(op, data, address + 3, 0x0c201f00, write_barrier=0)
    for op, strides in (('LDS', (4, 8, 16, 32, 64, 128)), ('LDS.128', (16,)), ('STS', (4, 16, 128)), ('STS.128', (16,)), ('LDG', (4, 32, 128)), ('STG', (4, 32, 128)), ('SHFL', (4,))):
        for stride in strides:
            for count in list(range(0, 33)) + list(range(36, 61, 4)):
                # What was stored is behind a load of shared memory that comes later.
                end = [with_offset(word('LDS', data, address + 2, write_barrier=0, stall=2), 1024), word('NOP', wait=3, stall=15), nop]
                if op == 'STG': end = [word('NOP', wait=3, stall=15)] * 24
                bodies.emit(f'{op} {stride} {count}', begin(stride) + [word('NOP', stall=15)] * 8 + [bar, word('CS2R', t0, stall=2)] + [access(op)] * count + [word('CS2R', t1)] + end)


if __name__ == '__main__':
    main(sys.argv[1], sys.argv[2])
