#!/usr/bin/env python3
"""How often a sub-core begins instructions of the uniform datapath, of branches and convergence barriers, and of special registers and the like, when their
results are there, and after which stall count a dependent instruction has the result.

    ./pipe_words.py SASSAFRAS FOLDER     writes template.cubin and bodies.bin (nvcc and `sassafras disasm` are needed)
    ./word_values template.cubin bodies.bin 136 3 0 1 2 4 > pipe_words.csv

    empty                NOPs: 136 cycles and the loop
    stream UIADD3 64     so many of it, stalls of one cycle, then NOPs: each more than the NOP's cycle is the pipe's
    result S2R 2         twice: the instruction, which stalls two cycles, a NOP that waits for its result, 62 NOPs (as in register_ports.py: 3.5 cycles less than from issue to result,
                         of which the stall and the NOP take three)
    chain UIADD3/3 8     eight additions of 1, each of the result before it, with this stall count (0x8 in the first register: it is enough), then NOPs
    back R2UR/3          a move to a uniform register, with this stall count, and one back, of 5 where 0 was before (0x5: it is enough)
    adds FFMA/2 8        eight dependent FFMAs, x + 1, with this stall count (41000000, 8.0: it is enough)
"""
import sys

from word_bodies import RZ, UR, Bodies, jump, with_offset, word

ONE = 0x3f800000


def main(sassafras, folder):
    bodies = Bodies(sassafras, folder, 136)
    out, q = bodies.out[0], bodies.quads()[0]
    nop = word('NOP')
    emit = bodies.emit
    emit('empty', [])

    def fixed(op, i):
        d = UR + i % 8
        if op == 'UIADD3': return word(op, d, UR + 8, 1)
        if op in ('ULOP3', 'UIMAD', 'USHF'): return word(op, d, UR + 8, 1)
        if op == 'UMOV': return word(op, d, 0, 1)
        if op == 'VOTEU': return word(op, d)
        if op == 'R2UR': return word(op, d, out)
        if op == 'MOV.U': return word(op, q, 0, UR)
        if op in ('ULDC', 'ULDC.64'): return with_offset(word(op, d & ~1), 0x210 >> 2)
        if op == 'CS2R': return word(op, q)
        if op == 'BRA': return jump(0)
        if op == 'BSSY': return with_offset(word(op, 3), 0)
        return word(op)
    for op in ('NOP', 'UIADD3', 'ULOP3', 'UIMAD', 'USHF', 'UMOV', 'VOTEU', 'R2UR', 'MOV.U', 'ULDC', 'ULDC.64', 'CS2R', 'BRA.not', 'BSSY', 'WARPSYNC', 'YIELD', 'BRA'):
        for count in (8, 16, 32, 64): emit(f'stream {op} {count}', [fixed(op, i) for i in range(count)])
    for count in (8, 16, 32):
        emit(f'stream BSSY+BSYNC {count}', [fixed('BSSY', 0), word('BSYNC', 3)] * count)
        emit(f'stream UIADD3+FFMA {count}', [w for i in range(count) for w in (fixed('UIADD3', i), word('FFMA', q, q + 1, ONE, q + 1))])
        emit(f'stream UIADD3+UMOV {count}', [w for i in range(count) for w in (fixed('UIADD3', i), fixed('UMOV', i))])
        emit(f'stream UIADD3+R2UR {count}', [w for i in range(count) for w in (fixed('UIADD3', i), fixed('R2UR', i))])

    def held(op, barrier, stall):
        if op in ('S2UR', 'REDUX'): return word(op, UR, out, write_barrier=barrier, stall=stall)
        if op in ('LDC', 'LDC.64'): return with_offset(word(op, q, RZ, write_barrier=barrier, stall=stall), 0x210 >> 2)
        if op == 'MATCH': return word(op, q, out, write_barrier=barrier, stall=stall)
        if op == 'B2R': return word(op, RZ, write_barrier=barrier, stall=stall)
        if op == 'BMOV.CLEAR': return word(op, q, 6, write_barrier=barrier, stall=stall)
        if op == 'BMOV.B': return word(op, 0, 6, out, read_barrier=barrier, stall=stall)
        return word(op, q, write_barrier=barrier, stall=stall)
    for op in ('S2R', 'S2R.LANE', 'S2R.LTMASK', 'S2UR', 'REDUX', 'MATCH', 'LDC', 'LDC.64', 'BMOV.CLEAR', 'BMOV.B'):
        for count in (1, 2, 4, 8, 16, 32): emit(f'stream {op} {count}', [held(op, 0, 1) for _ in range(count)] + [word('NOP', wait=1)])
        emit(f'result {op} 2', ([held(op, 0, 2), word('NOP', wait=1)] + [nop] * 62) * 2)
    for stall in range(1, 15):
        umov, umad = word('UMOV', UR, 0, 0, stall=15), word('MOV.U', out, 0, UR, stall=15)
        emit(f'chain UIADD3/{stall} 8', [umov, nop] + [word('UIADD3', UR, UR, 1, stall=stall)] * 7 + [word('UIADD3', UR, UR, 1, stall=15), nop, umad, nop])
        emit(f'chain UIMAD/{stall} 8', [word('UMOV', UR, 0, 1, stall=15), nop] + [word('UIMAD', UR, UR, 3, stall=stall)] * 3 + [word('UIMAD', UR, UR, 3, stall=15), nop, umad, nop])
        start = [word('IADD', q, RZ, 5, RZ, stall=15), umov, nop]
        emit(f'back R2UR/{stall}', start + [word('R2UR', UR, q, stall=stall), word('MOV.U', out, 0, UR, stall=15), nop])
        emit(f'back R2UR+UIADD3/{stall}', start + [word('R2UR', UR, q, stall=stall), word('UIADD3', UR, UR, 0, stall=15), nop, umad, nop])
        emit(f'back ULDC/{stall}', [umov, nop, with_offset(word('ULDC', UR, stall=stall), 0x214 >> 2), umad, nop])
        emit(f'back ULDC+UIADD3/{stall}', [umov, nop, with_offset(word('ULDC', UR, stall=stall), 0x214 >> 2), word('UIADD3', UR, UR, 0, stall=15), nop, umad, nop])
        emit(f'back UMOV/{stall}', [umov, nop, word('UMOV', UR, 0, 5, stall=stall), umad, nop])
        zero = word('IADD', out, RZ, 0, RZ, stall=15)
        emit(f'adds FFMA/{stall} 8', [zero, nop, word('IADD', q, RZ, ONE, RZ, stall=15), nop] +
             [word('FFMA', out, q, ONE, out, stall=stall)] * 7 + [word('FFMA', out, q, ONE, out, stall=15), nop])


if __name__ == '__main__':
    main(sys.argv[1], sys.argv[2])
