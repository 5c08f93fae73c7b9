"""What scripts that assemble loops word by word share: instructions beside those of register_ports.py, jumps, and bodies whose results are
the registers of lane 0 after the last trip (word_values.cu runs them)."""
import re
import struct
import subprocess

from register_ports import OPS, RZ, template, word

URZ, UR = 63, 30  # UR30 and those behind it are not used by the template
OPS.update({
    'CS2R': (0x7805, 0x5000), 'UIADD3': (0x7890, 0x0fffe03f), 'ULOP3': (0x7892, 0x0f8e3c3f), 'UMOV': (0x7882, 0), 'UIMAD': (0x78a4, 0x0f8e023f),
    'USHF': (0x7899, 0x0800063f), 'R2UR': (0x72ca, 0x000e0000), 'VOTEU': (0x7886, 0x038e0100), 'ULDC': (0x7ab9, 0x800), 'ULDC.64': (0x7ab9, 0xa00),
    'MOV.U': (0x7c02, 0x08000f00), 'S2R': (0x7919, 0x2100), 'S2R.LANE': (0x7919, 0), 'S2R.LTMASK': (0x7919, 0x3900), 'S2UR': (0x79c3, 0x2600),
    'REDUX': (0x73c4, 0xc200), 'MATCH': (0x73a1, 0xe8000), 'B2R': (0x731c, 0x000e4000), 'LDC': (0x7b82, 0x800), 'LDC.64': (0x7b82, 0xa00),
    'BSSY': (0x7945, 0x03800000), 'BSYNC': (0x7941, 0x03800000), 'WARPSYNC': (0x7948, 0x03800000), 'YIELD': (0x7946, 0x03800000), 'BRA': (0x7947, 0x03800000),
    'BRA.not': (0xf947, 0x03800000), 'BMOV.CLEAR': (0x7355, 0x00100000), 'BMOV.B': (0x7356, 0), 'BAR': (0x7b1d, 0x00010000),
    'IADD': (0x7810, 0x07ffe0ff), 'IMAD.imm': (0x7824, 0x078e0200), 'IMAD.WIDE.U32': (0x7825, 0x078e0000), 'STG': (0x7986, 0x0c101900), 'LDG': (0x7981, 0x0c1e1900), 'FADD.c': (0x7621, 0)})


def with_offset(pair, offset):
    """Of an access; of a load of constants a quarter of it."""
    return pair[:5] + offset.to_bytes(3, 'little') + pair[8:]


def jump(words, **barriers):
    """To so many words behind the next."""
    low, high = struct.unpack('<QQ', word('BRA', **barriers))
    quarter = words * 4
    rest = quarter >> 8
    low |= (quarter & 0xff) << 16 | (rest & 0x3fffffff) << 34
    high |= rest >> 30 & 0x3ffff
    return struct.pack('<QQ', low, high)


def text_offset(cubin, at):
    """Of a place in the file, from the beginning of the kernel's code."""
    table, = struct.unpack_from('<Q', cubin, 0x28)
    count, names = struct.unpack_from('<HH', cubin, 0x3c)
    sections = [struct.unpack_from('<IIQQQQ', cubin, table + 64 * i) for i in range(count)]
    for name, _, _, _, offset, size in sections:
        begin = sections[names][4] + name
        if cubin[begin:cubin.index(b'\0', begin)].startswith(b'.text') and offset <= at < offset + size: return at - offset
    raise ValueError('no code there')


class Bodies:
    """Bodies of so many words. self.out: registers that word_values prints, in this order; self.offset: of the first word in the code."""

    def __init__(self, sassafras, folder, words, constants=False):
        template(sassafras, folder, words=words, constants=constants)
        text = subprocess.run([sassafras, 'disasm', f'{folder}/template.cubin'], capture_output=True, text=True, check=True).stdout
        assert f'UR{UR}' not in text and f'UR{UR + 9}' not in text
        loads = [(int(m[2] or '0', 16), int(m[1])) for m in re.finditer(r'LDG\.E R(\d+), desc\[UR\d+\]\[R\d+\.64(?:\+(0x[0-9a-f]+))?\]', text)]
        loads = [pair for pair in loads if pair[0] < 40 * 128]
        assert [at for at, _ in sorted(loads)] == [128 * k for k in range(40)]
        self.out = [register for _, register in sorted(loads)]
        cubin = open(f'{folder}/template.cubin', 'rb').read()
        first = [i for i in range(0, len(cubin) - 8, 8) if struct.unpack_from('<Q', cubin, i)[0] & 0xffffffff0000ffff == 0x3f00000000007823]
        assert len(first) == 1
        self.offset = text_offset(cubin, first[0])
        self.words = words
        self.file = open(f'{folder}/bodies.bin', 'wb')

    def quads(self):
        """Where four registers in a row begin; none of them is among the first three that are printed."""
        late = set(self.out[3:])
        return [r for r in sorted(late) if r % 4 == 0 and all(r + i in late for i in range(4))]

    def emit(self, name, words):
        assert len(words) <= self.words, name
        self.file.write(name.encode().ljust(64, b'\0') + b''.join(words + [word('NOP')] * (self.words - len(words))))
