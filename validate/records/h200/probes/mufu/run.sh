#!/bin/sh
# Records what MUFU computes on the GPU of this machine, in the folder $OUT: needs nvcc and python3. README.md beside this file's folder.
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
dumps=$work/dumps
mkdir "$dumps"
nvcc -arch=sm_90 -O3 -cubin -o "$work/kernels.cubin" kernels.cu
nvcc -arch=sm_90 -O3 -cubin -o "$work/half.cubin" half.cu
number=0
for name in cos sin ex2 lg2 rcp rsq rcp64h rsq64h sqrt tanh; do
    python3 patch.py "$work/kernels.cubin" "$work/$name.cubin" $number
    python3 patch.py "$work/half.cubin" "$work/half_$number.cubin" $number
    number=$((number + 1))
done
nvcc -arch=sm_90 -O2 -o "$work/host" host.cu
nvcc -arch=sm_90 -O2 -o "$work/half_host" half_host.cu
cd "$work"
./host "$dumps"
./half_host "$dumps" "" half.cubin
for number in 0 1 3 4 5 8; do ./half_host "$dumps" $number half_$number.cubin; done
python3 "$OLDPWD/pack.py" "$dumps" "$OUT"
