#!/usr/bin/env python3
"""Which warp of a sub-core issues, by stall counts and yield hints that are chosen word by word, in one block (turns) and in an older beside a younger one (blocks).

    ./issue_turns.py SASSAFRAS FOLDER turns     writes template.cubin and bodies.bin (nvcc and `sassafras disasm` are needed); blocks and queues likewise
    nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o issue_turns issue_turns.cu
    ./issue_turns template.cubin bodies.bin 3 > issue_turns.csv        of `turns`; a row is named by a group of instructions, which is repeated
    nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o yield_blocks yield_blocks.cu
    ./yield_blocks template.cubin bodies.bin 3 > yield_blocks.csv      of `blocks`; OLDER | YOUNGER
    ./yield_blocks template.cubin bodies.bin 3 > yield_queues.csv      of `queues`, what fills the queues of LSU and XU; OLDER | YOUNGER

    LOPU/1 CS2R/4 VIADD/5 -YY     with these stall counts, the last two with the yield hint. LOPU: LOP3 with a uniform register. Each CS2R keeps the clock. LDSW and
                                  MUFUW set the scoreboard for which FMULW waits
"""
import random
import re
import struct
import subprocess
import sys

WORDS, STAMPS = 96, 32
LOWEST = {  # 64 bits, registers left out; the upper half's low 32 bits
    'VIADD': (0x9e3779b900007836, 0), 'UIADD3': (0x0000000400007890, 0x0fffe03f), 'LOPU': (0x0000002600007c12, 0x0f8e6000), 'FFMA': (0x7223, 0),
    'NOP': (0x7918, 0), 'LDS': (0x7984 | 0xff << 24 | 0x400 << 40, 0x800), 'LDSW': (0x7984 | 0xff << 24 | 0x400 << 40, 0x800),
    'FMULW': (0x7220, 0x00400000), 'MUFUW': (0x7308, 0x400), 'CS2R': (0x7805, 0x5000), 'FMUL': (0x7220, 0x00400000)}


def template(sassafras, folder, blocks):
    """Compiles the kernel, of two bodies, the second for blocks of the younger half; the registers that it stores, in order."""
    trips, wait = ('trips', 'if (r <= 1) ') if blocks else ('2', '')
    lines = ['struct OfSm { unsigned arrived, halves; unsigned long long start; };',
             f'extern "C" __global__ void __launch_bounds__(1024) body(const float* from, unsigned* to, int na, int nb, OfSm* all{", int trips" if blocks else ""}) {{',
             '__shared__ unsigned long long start; unsigned sm; asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));',
             'const bool second = nb != 0 && blockIdx.x >= gridDim.x / 2; float v[40];', '#pragma unroll',
             'for (int k = 0; k < 40; ++k) asm volatile("ld.global.f32 %0, [%1];" : "=f"(v[k]) : "l"(from + k * 32 + threadIdx.x % 32));',
             'if (nb != 0 && threadIdx.x == 0) { OfSm& own = all[sm]; atomicAdd(&own.halves, second ? 256u : 1u);',
             'if (atomicAdd(&own.arrived, 1u) == 1) atomicExch(&own.start, (unsigned long long)clock64() + 6000);',
             'start = 0; for (int t = 0; t < 1000 && (start = *(volatile unsigned long long*)&own.start) == 0; ++t) __nanosleep(100); }',
             '__syncthreads(); const unsigned long long begin = start;', 'if ((int)(threadIdx.x / 128) >= (second ? nb : na)) return;',
             '#pragma unroll 1', f'for (int r = 0; r < {trips}; ++r) {{',
             'if (nb != 0 && r == 1) while ((unsigned long long)clock64() < begin) __nanosleep(20);', f'{wait}__syncthreads();', 'if (second) {']
    for half in (1, 0):
        lines += [f'asm volatile("fma.rn.f32 %0, %0, 0f{0x3f000000 | half << 12 | n:08X}, %0;" : "+f"(v[0]));' for n in range(WORDS)]
        if half: lines += ['} else {']
    end = 'const unsigned end = clock(); ' if blocks else ''
    last = 'own[41] = (unsigned)begin; own[42] = end; ' if blocks else ''
    lines += ['}', '}', f'{end}unsigned* own = to + (blockIdx.x * blockDim.x + threadIdx.x) / 32 * 44; if (threadIdx.x % 32 == 0) {{', '#pragma unroll',
              f'for (int k = 0; k < 40; ++k) own[k] = __float_as_uint(v[k]); own[40] = sm; {last}}} }}']
    open(f'{folder}/template.cu', 'w').write('\n'.join(lines))
    subprocess.check_call(['nvcc', '-O3', '-std=c++17', '-arch=sm_90', '-cubin', '-o', f'{folder}/template.cubin', f'{folder}/template.cu'])
    text = subprocess.run([sassafras, 'disasm', f'{folder}/template.cubin'], capture_output=True, text=True, check=True).stdout
    loads = [(int(m[2] or '0', 16), int(m[1])) for m in re.finditer(r'LDG\.E R(\d+), desc\[UR\d+\]\[R\d+\.64(?:\+(0x[0-9a-f]+))?\]', text)]
    loads = sorted(pair for pair in loads if pair[0] < 40 * 128)
    assert [at for at, _ in loads] == [128 * k for k in range(40)]
    return [register for _, register in loads]


class Bodies:
    def __init__(self, registers, path):
        self.registers = registers
        self.even = [r for r in registers[STAMPS:] if r % 2 == 0]
        self.odd = [r for r in registers[STAMPS:] if r % 2]
        self.file = open(path, 'wb')

    def word(self, op, i, stall, yields, stamp):
        low, high = LOWEST[op]
        even = lambda k: self.even[k % len(self.even)]
        odd = lambda k: self.odd[k % len(self.odd)]
        if op == 'UIADD3': low |= (30 + 2 * (i % 4)) << 16 | 31 << 24
        elif op == 'CS2R': low |= self.registers[stamp] << 16
        elif op in ('LDS', 'LDSW'): low |= even(i) << 16
        elif op == 'MUFUW': low |= even(i) << 16 | odd(i) << 32
        elif op != 'NOP': low |= even(i) << 16 | odd(i if op == 'VIADD' else i + 1) << 24
        if op in ('FFMA', 'FMUL', 'FMULW'): low |= even(i + 3) << 32
        if op == 'LOPU': high |= even(i + 2)
        if op == 'FFMA': high |= even(i + 3)
        sets, waits = 0 if op in ('LDSW', 'MUFUW') else 7, 1 if op == 'FMULW' else 0
        return struct.pack('<QQ', low, high | (stall | (0 if yields else 1) << 4 | sets << 5 | 7 << 8 | waits << 11) << 41)

    def body(self, group):
        """The group as often as clocks and words are left, then NOPs."""
        words, stamps = [], 0
        while len(words) + len(group) <= WORDS and stamps + sum(op == 'CS2R' for op, _, _ in group) <= STAMPS:
            for op, stall, yields in group:
                words.append(self.word(op, len(words), stall, yields, stamps))
                stamps += op == 'CS2R'
        return b''.join(words + [self.word('NOP', 0, 1, False, 0)] * (WORDS - len(words)))

    def emit(self, name, older, younger, group, other=None):
        self.file.write(name.encode().ljust(96, b'\0') + struct.pack('<ii', older, younger) + self.body(group) + self.body(other or group))

    def pair(self, a, b, shapes=((1, 1), (2, 2), (4, 4))):
        for older, younger in shapes: self.emit(f'{name_of(a)} | {name_of(b)}', older, younger, a, b)


def group_of(ops, stalls, hints):
    return [(op, stall, hint == 'Y') for op, stall, hint in zip(ops, stalls, hints)]


def name_of(group):
    return ' '.join(f'{op}/{stall}' for op, stall, _ in group) + ' ' + ''.join('-Y'[yields] for _, _, yields in group)


def turns(bodies):
    def of(group, *warps):
        for w in warps: bodies.emit(name_of(group), w, 0, group)
    for stall in (1, 2, 3, 4):
        for hint in '-Y': of(group_of(['CS2R'], [stall], hint), 1, 2)
    for k in range(1, 6): of(group_of(['CS2R'] + ['NOP'] * k, [1] * 6, '------'), 1, 2)
    for hints in ('---', 'Y--', '-Y-', '--Y', 'YYY', '-YY'):
        for stalls in ((1, 1, 1), (2, 2, 2), (1, 4, 5), (1, 1, 4), (4, 4, 4), (2, 1, 3)):
            few = stalls not in ((1, 1, 1), (1, 4, 5), (4, 4, 4))
            of(group_of(('CS2R', 'NOP', 'NOP'), stalls, hints), *((2, 4) if few else (1, 2, 3, 4, 6, 8)))
    for hint in '-Y':
        for stall in (2, 3, 4, 5, 6, 8, 12): of(group_of(['CS2R'], [stall], hint), 2, 3, 4, 8)
    for hints in ('-YY', '---', 'YYY', '--Y'):
        of(group_of(('LOPU', 'CS2R', 'VIADD'), (1, 4, 5), hints), 1, 2, 3, 4, 6, 8)
        of(group_of(('CS2R', 'LOPU', 'VIADD'), (1, 4, 5), hints), 2, 4, 8)
        for second in ('FFMA', 'LOPU'): of(group_of(('CS2R', second, 'VIADD'), (1, 1, 1), hints), 2, 4, 8)
    for hints in ('--YY', '----'): of(group_of(('CS2R', 'LOPU', 'UIADD3', 'VIADD'), (1, 1, 4, 5), hints), 1, 2, 4, 6, 8)
    rng = random.Random(7)
    for _ in range(24):
        length = rng.randint(2, 5)
        group = [('CS2R', rng.choice((1, 1, 2, 3, 4, 5)), rng.random() < .4)]
        group += [(rng.choice(('NOP', 'NOP', 'FFMA', 'LOPU', 'VIADD')), rng.choice((1, 1, 1, 2, 3, 4, 5, 6)), rng.random() < .4) for _ in range(length - 1)]
        of(group, 2, 3, 4, 8)


def blocks(bodies):
    for op in ('NOP', 'FFMA', 'LOPU'):
        for stall in (4, 8):
            for a in '-Y':
                for b in '-Y': bodies.pair(group_of([op], [stall], a), group_of([op], [stall], b))
    three = lambda hints: group_of(('LOPU', 'UIADD3', 'VIADD'), (1, 4, 5), hints)
    two = lambda hints: group_of(('FMUL', 'NOP'), (4, 8), hints)
    for a in ('-YY', '---', '--Y', '-Y-'):
        for b in ('-YY', '---', '--Y', '-Y-'): bodies.pair(three(a), three(b))
    for a in ('-YY', '---'):
        for b in ('--', 'YY', 'Y-', '-Y'):
            bodies.pair(three(a), two(b))
            bodies.pair(two(b), three(a))


def queues(bodies):
    of = lambda ops, stalls, hints: [group_of(ops, stalls, each) for each in hints]
    loads, mixed = of(['LDS'], [2], '-Y'), of(['LDS', 'LOPU'], [2, 4], ('--', '-Y', 'Y-', 'YY'))
    chains, sines = of(['LDSW', 'FMULW'], [2, 4], ('--', '-Y', 'Y-', 'YY')), of(['MUFUW', 'FMULW'], [2, 4], ('--', '-Y'))
    bursts = of(['LDS', 'LDS', 'LDS', 'LDSW', 'FMULW', 'FMUL'], [2, 2, 2, 2, 4, 4], ('------', '----YY'))
    for kind in (loads, mixed, chains, bursts, sines):
        for a in kind:
            for b in kind: bodies.pair(a, b, ((2, 2), (4, 4)))
    for hints in ('-YY', '---'):
        three = group_of(('LOPU', 'UIADD3', 'VIADD'), (1, 4, 5), hints)
        for kind in (mixed, chains, sines):
            for other in kind[:2]:
                bodies.pair(three, other, ((4, 4),))
                bodies.pair(other, three, ((4, 4),))


if __name__ == '__main__':
    {'turns': turns, 'blocks': blocks, 'queues': queues}[sys.argv[3]](Bodies(template(*sys.argv[1:3], sys.argv[3] != 'turns'), f'{sys.argv[2]}/bodies.bin'))
