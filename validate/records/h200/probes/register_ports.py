#!/usr/bin/env python3
"""Loops of instructions whose registers and places are chosen word by word, as no compiler would: what FFMAs lose that read or write a
bank of registers so many cycles after an instruction that reads or writes it from a queue; how FP32, FP16 and integer products share a pipe;
how many operations XU lets wait.

    ./register_ports.py SASSAFRAS FOLDER     writes template.cubin and bodies.bin (nvcc and `sassafras disasm` are needed)
    nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o register_ports register_ports.cu
    ./register_ports template.cubin bodies.bin 136 1 2 4 8 > register_ports.csv

A body is named by what it is of:
    after MUFU/e/o re 3 9    in 34 places: the instruction, which reads an even and writes an odd register (p: a pair, z: none), and 3 FFMAs from
                             place 9 on that read even registers and write odd ones (re; ro: the other way round); the rest does nothing
    stream MUFU/e/o ee 17    the instruction and 16 FFMAs of even registers (oo: of odd ones, alternate: in turns), eight times
    halves F*2+I+nop*8 x12   FFMAs, the instruction and NOPs, so many times
    burst MUFU 3             so many of it, then NOPs
    release STS 34           the instruction, which stalls two cycles, a NOP that waits until it has read its registers, and NOPs, four times
    result LDS 68            the same, but the NOP waits for its result, twice. (Either shows 3.5 cycles less than the time from issue, of
                             which the stall and the NOP take three: LDS 19.6 for 23, MUFU 13.5 for 17.)
"""
import re
import struct
import subprocess
import sys

WORDS = 136
RZ = 255
OPS = {  # the lowest 16 bits, and bits 64 to 95 but for operand C
    'NOP': (0x7918, 0), 'FFMA': (0x7823, 0), 'FADD': (0x7221, 0), 'FMUL': (0x7220, 0x00400000), 'IMAD': (0x7224, 0x078e0200),
    'IMAD.WIDE': (0x7225, 0x078e0200), 'HFMA2': (0x7231, 0), 'HFMA2.MMA': (0x7235, 0), 'DFMA': (0x722b, 0), 'LOP3': (0x7212, 0x078e1b00),
    'MUFU': (0x7308, 0x00000800), 'POPC': (0x7309, 0), 'F2F.F64': (0x7310, 0x00201800), 'F2F.F32': (0x7310, 0x00301000),
    'SHFL': (0x7f89, 0x000e0000), 'LDS': (0x7984, 0x800), 'LDS.64': (0x7984, 0xa00), 'LDS.128': (0x7984, 0xc00),
    'STS': (0x7388, 0x800), 'STS.64': (0x7388, 0xa00), 'STS.128': (0x7388, 0xc00)}


def word(op, d=0, a=0, b=0, c=0, write_barrier=7, read_barrier=7, wait=0, stall=1):
    """Does not yield."""
    low16, high = OPS[op]
    control = stall | 1 << 4 | write_barrier << 5 | read_barrier << 8 | wait << 11
    return struct.pack('<QQ', low16 | d << 16 | a << 24 | b << 32, high | c & 255 | control << 41)


def template(sassafras, folder, local=False, words=WORDS, constants=False):
    """Compiles the kernel, with or without local memory; the registers that a body may use."""
    lines = ['extern "C" __global__ void __launch_bounds__(1024) body(const float* from, float* to, long long* spent) {',
             '__shared__ float words[1024]; words[threadIdx.x % 1024] = 0; float v[40];', '#pragma unroll',
             'for (int k = 0; k < 40; ++k) asm volatile("ld.global.f32 %0, [%1];" : "=f"(v[k]) : "l"(from + k * 32 + threadIdx.x % 32));',
             'float s = 0;', '#pragma unroll', 'for (int k = 0; k < 40; ++k) s += v[k];', 'to[threadIdx.x] = s + words[int(s)];',
             '__syncthreads(); const long long begin = clock64();', '#pragma unroll 1', 'for (int r = 0; r < 32; ++r) {']
    if local: lines[5:5] = ['float room[64]; for (int k = 0; k < 64; ++k) room[k] = from[k]; s += room[int(from[64]) & 63];']
    if constants: lines[-2:-2] = ['v[1] += numbers[threadIdx.x & 16383];']
    if constants: lines.insert(0, '__constant__ float numbers[16384];')
    lines += [f'asm volatile("fma.rn.f32 %0, %0, 0f{0x3f000000 | n:08X}, %0;" : "+f"(v[0]));' for n in range(words)]
    lines += ['} const long long end = clock64();',
              'if (threadIdx.x % 32 == 0) { spent[threadIdx.x / 32 * 2] = begin; spent[threadIdx.x / 32 * 2 + 1] = end; }', '#pragma unroll',
              'for (int k = 0; k < 40; ++k) to[threadIdx.x + k * 1024] = v[k]; }']
    open(f'{folder}/template.cu', 'w').write('\n'.join(lines))
    subprocess.check_call(['nvcc', '-O3', '-std=c++17', '-arch=sm_90', '-cubin', '-o', f'{folder}/template.cubin', f'{folder}/template.cu'])
    text = subprocess.run([sassafras, 'disasm', f'{folder}/template.cubin'], capture_output=True, text=True, check=True).stdout
    return sorted(int(m[1]) for m in re.finditer(r'LDG\.E R(\d+),', text))


class Bodies:
    def __init__(self, registers, path):
        quads = [r for r in registers if r % 4 == 0 and all(r + i in registers for i in range(4))]
        self.to, self.source = quads[-2:]
        used = {r for q in quads[-2:] for r in range(q, q + 4)}
        self.even = [r for r in registers if r % 2 == 0 and r not in used][:8]
        self.odd = [r for r in registers if r % 2 == 1 and r not in used][:8]
        self.file = open(path, 'wb')

    def emit(self, name, words):
        words = words + [word('NOP')] * (WORDS - len(words))
        assert len(words) == WORDS, name
        self.file.write(name.encode().ljust(64, b'\0') + b''.join(words))

    def ffma(self, kind, i):
        even, odd = self.even[i % 8], self.odd[i % 8]
        d, a = {'re': (odd, even), 'ro': (even, odd), 'ee': (even, even), 'oo': (odd, odd)}[kind]
        return word('FFMA', d, a, 0x3f000000, a)

    def turns(self, i):
        return self.ffma('oo' if i % 2 else 'ee', i // 2)

    def held(self, op, write_barrier=7, read_barrier=7):
        """Of even registers, two cycles before the next."""
        barriers = {'write_barrier': write_barrier, 'read_barrier': read_barrier, 'stall': 2}
        if op.startswith('LDS'): return word(op, self.to, self.source, **barriers)
        if op.startswith('STS'): return word(op, 0, self.source, self.to, **barriers)
        if op == 'SHFL': return word(op, self.to, self.source, 0x0c201f00, **barriers)
        return word(op, self.to, 0, self.source, **barriers)

    def other(self, op, source, to):
        d = RZ if to == 'z' else self.to + (to == 'o')
        s = self.source + (source == 'o')
        if op.startswith('LDS'): return word(op, d, s, write_barrier=0)
        if op.startswith('STS'): return word(op, 0, s, d, read_barrier=1)
        if op == 'SHFL': return word(op, d, s, 0x0c201f00, write_barrier=0)
        if op in ('MUFU', 'POPC', 'F2F.F64', 'F2F.F32'): return word(op, d, 0, s, write_barrier=0)
        if op == 'DFMA': return word(op, d, s, s + 2, s, write_barrier=1)
        if op == 'IMAD.WIDE': return word(op, self.to, s, s, self.source + 2)
        if op in ('FADD', 'FMUL'): return word(op, d, s, s)
        return word(op, d, s, s, s)


def main(sassafras, folder):
    bodies = Bodies(template(sassafras, folder), f'{folder}/bodies.bin')
    nop = word('NOP')
    queued = [('MUFU', 'e', 'o'), ('MUFU', 'o', 'e'), ('POPC', 'e', 'o'), ('F2F.F64', 'e', 'p'), ('F2F.F64', 'o', 'p'), ('F2F.F32', 'p', 'o'),
              ('F2F.F32', 'p', 'e'), ('DFMA', 'p', 'p'), ('DFMA', 'p', 'z'), ('HFMA2.MMA', 'e', 'e'), ('HFMA2.MMA', 'e', 'o'), ('SHFL', 'e', 'o'),
              ('STS', 'e', 'o'), ('STS', 'o', 'e'), ('STS.64', 'e', 'p'), ('STS.128', 'e', 'p'), ('LDS', 'e', 'o'), ('LDS', 'o', 'e'), ('LDS.128', 'e', 'p')]
    for what in queued:
        for kind in ('re', 'ro'):
            for run in (1, 2, 3, 6):
                for place in range(1, 34 - run + 1):
                    group = [bodies.other(*what)] + [nop] * (place - 1) + [bodies.ffma(kind, i) for i in range(run)] + [nop] * (34 - place - run)
                    bodies.emit(f'after {"/".join(what)} {kind} {run} {place}', group * 4)
        for length in (17, 34, 68):
            for kind in ('ee', 'oo'):
                bodies.emit(f'stream {"/".join(what)} {kind} {length}', ([bodies.other(*what)] + [bodies.ffma(kind, i) for i in range(length - 1)]) * (WORDS // length))
            bodies.emit(f'stream {"/".join(what)} alternate {length}', ([bodies.other(*what)] + [bodies.turns(i) for i in range(length - 1)]) * (WORDS // length))
    for kind in ('ee', 'oo'): bodies.emit(f'stream none {kind} 136', [bodies.ffma(kind, i) for i in range(WORDS)])
    bodies.emit('stream none alternate 136', [bodies.turns(i) for i in range(WORDS)])
    bodies.emit('stream none nop 136', [nop] * WORDS)

    def halves(name, group):
        times = WORDS // len(group)
        bodies.emit(f'halves {name} x{times}', group * times)
    for letter, op in (('I', 'IMAD'), ('W', 'IMAD.WIDE'), ('H', 'HFMA2'), ('HM', 'HFMA2.MMA'), ('M', 'FMUL'), ('A', 'FADD')):
        x = bodies.other(op, 'e', 'o')
        for count in range(9):
            ffmas = [bodies.turns(i) for i in range(count)]
            halves(f'F*{count}+{letter}+nop*8', ffmas + [x] + [nop] * 8)
            halves(f'{letter}+F*{count}+nop*8', [x] + ffmas + [nop] * 8)
            halves(f'{letter}+F*{count}', [x] + ffmas)
            halves(f'{letter}+nop*{count}', [x] + [nop] * count)
    for what in (('MUFU', 'e', 'o'), ('POPC', 'e', 'o'), ('F2F.F64', 'e', 'p'), ('F2F.F32', 'p', 'o'), ('LDS', 'e', 'o'), ('SHFL', 'e', 'o'), ('STS', 'e', 'o'), ('LDS.128', 'e', 'p')):
        for count in range(1, 17): bodies.emit(f'burst {what[0]} {count}', [bodies.other(*what)] * count)
    for op in ('STS', 'STS.64', 'STS.128', 'LDS', 'LDS.64', 'LDS.128', 'SHFL', 'MUFU', 'POPC', 'F2F.F64', 'F2F.F32'):
        bodies.emit(f'release {op} 34', ([bodies.held(op, write_barrier=7 if op.startswith('STS') else 0, read_barrier=1), word('NOP', wait=2)] + [nop] * 32) * 4)
        if not op.startswith('STS'): bodies.emit(f'result {op} 68', ([bodies.held(op, write_barrier=0), word('NOP', wait=1)] + [nop] * 66) * 2)


if __name__ == '__main__':
    main(sys.argv[1], sys.argv[2])
