# patch.py in.cubin out.cubin function: sets the function of every MUFU R, R (bits 79:74 of the word).
import sys, struct
d = bytearray(open(sys.argv[1], 'rb').read()); fn = int(sys.argv[3]); n = 0
# section headers of the ELF64
shoff = struct.unpack_from('<Q', d, 0x28)[0]; shnum = struct.unpack_from('<H', d, 0x3c)[0]
for s in range(shnum):
    name, typ, flags, addr, off, size = struct.unpack_from('<IIQQQQ', d, shoff + 64 * s)
    if typ != 1 or not flags & 4: continue
    for o in range(off, off + size, 16):
        lo, hi = struct.unpack_from('<QQ', d, o)
        if lo & 0xfff == 0x308:
            hi = hi & ~(0x3f << 10) | fn << 10
            struct.pack_into('<Q', d, o + 8, hi); n += 1
open(sys.argv[2], 'wb').write(d)
print(sys.argv[2], n)
