# pack.py FOLDER OUT: compresses every file, by priority, into at most 4 archives of 11.9 MiB: records of name length, name, size, data (xz).
import os, sys, lzma, struct, time
from multiprocessing import Pool
folder, out = sys.argv[1], sys.argv[2]
def squeeze(name):
    return name, lzma.compress(open(os.path.join(folder, name), 'rb').read(), format=lzma.FORMAT_XZ, preset=4)
if __name__ == '__main__':
    start = time.time()
    limit = int(11.9 * 2**20); files = [open(os.path.join(out, 'mufu%d.bin' % i), 'wb') for i in range(4)]; used = [0] * 4; left = []
    with Pool(max(1, (os.cpu_count() or 2))) as pool:
        for name, data in pool.imap(squeeze, sorted(os.listdir(folder))):
            record = struct.pack('<II', len(name), len(data)) + name.encode() + data
            if time.time() - start > 100: left.append(name); continue
            for i in range(4):
                if used[i] + len(record) <= limit:
                    files[i].write(record); used[i] += len(record); print(name, len(data)); break
            else: left.append(name)
    print('used', used, 'left out', left, 'seconds', time.time() - start)
