// Exclusive prefix sums of 32-bit words, modulo 2^32: G. Blelloch's scan in shared memory, unpadded and padded (M. Harris, Parallel prefix sum
// with CUDA; GPU Gems 3, chapter 39), and a conflict-free one of three kernels whose blocks are single warps that load a page, work on it in shared
// memory and write it (N. Sitchinava and V. Weichert's poster, Provably efficient GPU algorithms), plain and coloured.

constexpr unsigned w = 32;  ///< lanes of a warp, and banks of shared memory
constexpr unsigned log_w = 5;
constexpr unsigned all_lanes = 0xffffffffU;

extern __shared__ unsigned shared_words[];

// ---- Blelloch -----------------------------------------------------------------------------------------------------

struct Unpadded {
    static __device__ inline unsigned place(unsigned index) { return index; }
};
/// Both levels of padding: a word after every w, and one more after every w^2.
struct Padded {
    static __device__ inline unsigned place(unsigned index) { return index + (index >> log_w) + (index >> (2 * log_w)); }
};

/// Each block of b threads (b a power of two) scans 2b words; its sum goes to sums[block].
template <class Layout>
__device__ inline void scan_blocks(const unsigned* __restrict__ in, unsigned* __restrict__ out, unsigned* __restrict__ sums, unsigned count) {
    const unsigned thread = threadIdx.x;
    const unsigned words = 2 * blockDim.x;
    const unsigned first = blockIdx.x * words + thread;
    const unsigned second = first + blockDim.x;
    shared_words[Layout::place(thread)] = first < count ? in[first] : 0;
    shared_words[Layout::place(thread + blockDim.x)] = second < count ? in[second] : 0;
    unsigned distance = 1;
    for (unsigned pairs = blockDim.x; pairs > 0; pairs /= 2) {  // up-sweep: sums of ever larger parts
        __syncthreads();
        if (thread < pairs) {
            const unsigned left = Layout::place(distance * (2 * thread + 1) - 1);
            const unsigned right = Layout::place(distance * (2 * thread + 2) - 1);
            shared_words[right] += shared_words[left];
        }
        distance *= 2;
    }
    __syncthreads();
    if (thread == 0) {
        const unsigned last = Layout::place(words - 1);
        sums[blockIdx.x] = shared_words[last];
        shared_words[last] = 0;
    }
    for (unsigned pairs = 1; pairs < words; pairs *= 2) {  // down-sweep: what lies before each part
        distance /= 2;
        __syncthreads();
        if (thread < pairs) {
            const unsigned left = Layout::place(distance * (2 * thread + 1) - 1);
            const unsigned right = Layout::place(distance * (2 * thread + 2) - 1);
            const unsigned before = shared_words[right];
            shared_words[right] = before + shared_words[left];
            shared_words[left] = before;
        }
    }
    __syncthreads();
    if (first < count) out[first] = shared_words[Layout::place(thread)];
    if (second < count) out[second] = shared_words[Layout::place(thread + blockDim.x)];
}

extern "C" __global__ void __launch_bounds__(1024) scan_unpadded(const unsigned* in, unsigned* out, unsigned* sums, unsigned count) {
    scan_blocks<Unpadded>(in, out, sums, count);
}
extern "C" __global__ void __launch_bounds__(1024) scan_padded(const unsigned* in, unsigned* out, unsigned* sums, unsigned count) {
    scan_blocks<Padded>(in, out, sums, count);
}

/// Adds to each block's 2b words what lies before them.
extern "C" __global__ void __launch_bounds__(1024) scan_add(unsigned* __restrict__ out, const unsigned* __restrict__ before, unsigned count) {
    const unsigned first = blockIdx.x * 2 * blockDim.x + threadIdx.x;
    const unsigned second = first + blockDim.x;
    if (first < count) out[first] += before[blockIdx.x];
    if (second < count) out[second] += before[blockIdx.x];
}

// ---- three phases ---------------------------------------------------------------------------------------------------

constexpr unsigned page = w * w;     ///< words that a warp works on at a time: w rows of w
constexpr unsigned row_size = w + 1;  ///< of a page in shared memory, so that lanes in one column of different rows meet no conflict

/// Calls use(place in shared memory, index) for the words of the page that begins at `begin` and end before `end`, a row at a time: neighbouring
/// lanes have neighbouring words in global and in shared memory.
template <class Use>
__device__ inline void for_page(unsigned begin, unsigned end, const Use& use) {
#pragma unroll 8
    for (unsigned row = 0; row < w; ++row) {
        const unsigned index = begin + row * w + threadIdx.x;
        use(row * row_size + threadIdx.x, index, index < end);
    }
}

/// The sum of all lanes below this one.
__device__ inline unsigned sum_before(unsigned value) {
    unsigned sum = value;
#pragma unroll
    for (unsigned distance = 1; distance < w; distance *= 2) {
        const unsigned lower = __shfl_up_sync(all_lanes, sum, distance);
        if (threadIdx.x >= distance) sum += lower;
    }
    return sum - value;
}

/// Where block `block` of `blocks` begins: whole pages, as many for each as for any other, or one more.
__device__ inline unsigned block_begin(unsigned count, unsigned block, unsigned blocks) {
    const unsigned pages = (count + page - 1) / page;
    return min((block * (pages / blocks) + min(block, pages % blocks)) * page, count);
}

/// Phase 1: the sum of a block's pages. Each lane adds up the row that has its number.
extern "C" __global__ void __launch_bounds__(32) scan_three_phase_sums(const unsigned* __restrict__ in, unsigned* __restrict__ sums, unsigned count) {
    const unsigned end = block_begin(count, blockIdx.x + 1, gridDim.x);
    unsigned sum = 0;
    for (unsigned begin = block_begin(count, blockIdx.x, gridDim.x); begin < end; begin += page) {
        for_page(begin, end, [&](unsigned place, unsigned index, bool inside) { shared_words[place] = inside ? in[index] : 0; });
        __syncwarp();
#pragma unroll 8
        for (unsigned column = 0; column < w; ++column) sum += shared_words[threadIdx.x * row_size + column];
        __syncwarp();
    }
    const unsigned before = sum_before(sum);
    if (threadIdx.x == w - 1) sums[blockIdx.x] = before + sum;
}

/// Phase 2: one warp scans the blocks' sums in place.
extern "C" __global__ void __launch_bounds__(32) scan_three_phase_offsets(unsigned* sums, unsigned blocks) {
    unsigned carry = 0;
    for (unsigned begin = 0; begin < blocks; begin += w) {
        const unsigned block = begin + threadIdx.x;
        const unsigned sum = block < blocks ? sums[block] : 0;
        const unsigned before = sum_before(sum);
        if (block < blocks) sums[block] = carry + before;
        carry += __shfl_sync(all_lanes, before + sum, w - 1);
    }
}

/// Phase 3: the prefix sums of a block's pages, beginning with the block's offset.
extern "C" __global__ void __launch_bounds__(32)
    scan_three_phase_pages(const unsigned* __restrict__ in, unsigned* __restrict__ out, const unsigned* __restrict__ offsets, unsigned count) {
    const unsigned end = block_begin(count, blockIdx.x + 1, gridDim.x);
    unsigned carry = offsets[blockIdx.x];
    unsigned* const row = shared_words + threadIdx.x * row_size;
    for (unsigned begin = block_begin(count, blockIdx.x, gridDim.x); begin < end; begin += page) {
        for_page(begin, end, [&](unsigned place, unsigned index, bool inside) { shared_words[place] = inside ? in[index] : 0; });
        __syncwarp();
        unsigned sum = 0;
#pragma unroll 8
        for (unsigned column = 0; column < w; ++column) sum += row[column];
        const unsigned before = sum_before(sum);
        unsigned running = carry + before;
#pragma unroll 8
        for (unsigned column = 0; column < w; ++column) {
            const unsigned word = row[column];
            row[column] = running;
            running += word;
        }
        carry += __shfl_sync(all_lanes, before + sum, w - 1);
        __syncwarp();
        for_page(begin, end, [&](unsigned place, unsigned index, bool inside) {
            if (inside) out[index] = shared_words[place];
        });
        __syncwarp();
    }
}

// ---- coloured -------------------------------------------------------------------------------------------------------
// The same three phases with a sum for each colour. A lane keeps its own counter of every colour: colour c of lane l lies at word c w + l of
// `counters`, so whatever the colours, lane l stays in bank l. Shared memory: a page of words, a page of colours, w counters a colour.

struct Shared {
    unsigned* words = shared_words;
    unsigned* colors = shared_words + w * row_size;
    unsigned* counters = shared_words + 2 * w * row_size;
    __device__ inline unsigned* counter(unsigned color) const { return counters + color * w + threadIdx.x; }
};

__device__ inline void load_page(const Shared& shared, const unsigned* __restrict__ in, const unsigned* __restrict__ colors, unsigned begin, unsigned end) {
    for_page(begin, end, [&](unsigned place, unsigned index, bool inside) {
        shared.words[place] = inside ? in[index] : 0;
        shared.colors[place] = inside ? colors[index] : 0;
    });
    __syncwarp();
}

/// Adds this lane's row to its counters.
__device__ inline void count_row(const Shared& shared) {
    const unsigned first = threadIdx.x * row_size;
    for (unsigned column = 0; column < w; ++column) *shared.counter(shared.colors[first + column]) += shared.words[first + column];
}

/// Phase 1: sums[block * color_count + c].
extern "C" __global__ void __launch_bounds__(32) scan_colored_sums(const unsigned* __restrict__ in, const unsigned* __restrict__ colors,
                                                                   unsigned* __restrict__ sums, unsigned count, unsigned color_count) {
    const Shared shared;
    for (unsigned color = 0; color < color_count; ++color) *shared.counter(color) = 0;
    const unsigned end = block_begin(count, blockIdx.x + 1, gridDim.x);
    for (unsigned begin = block_begin(count, blockIdx.x, gridDim.x); begin < end; begin += page) {
        load_page(shared, in, colors, begin, end);
        count_row(shared);
        __syncwarp();
    }
    for (unsigned color = 0; color < color_count; ++color) {
        const unsigned sum = *shared.counter(color);
        const unsigned before = sum_before(sum);
        if (threadIdx.x == w - 1) sums[blockIdx.x * color_count + color] = before + sum;
    }
}

/// Phase 2: a lane a colour scans the blocks' sums in place.
extern "C" __global__ void __launch_bounds__(32) scan_colored_offsets(unsigned* sums, unsigned blocks, unsigned color_count) {
    const unsigned color = blockIdx.x * w + threadIdx.x;
    if (color >= color_count) return;
    unsigned before = 0;
    for (unsigned block = 0; block < blocks; ++block) {
        const unsigned sum = sums[block * color_count + color];
        sums[block * color_count + color] = before;
        before += sum;
    }
}

/// Phase 3: on every page, first what each lane has of each colour, then what lies before it, then its row again.
extern "C" __global__ void __launch_bounds__(32)
    scan_colored_pages(const unsigned* __restrict__ in, const unsigned* __restrict__ colors, unsigned* __restrict__ out, unsigned* __restrict__ offsets,
                       unsigned count, unsigned color_count) {
    const Shared shared;
    unsigned* const carries = offsets + blockIdx.x * color_count;  // what lies before the page, a word a colour
    const unsigned first = threadIdx.x * row_size;
    const unsigned end = block_begin(count, blockIdx.x + 1, gridDim.x);
    for (unsigned begin = block_begin(count, blockIdx.x, gridDim.x); begin < end; begin += page) {
        for (unsigned color = 0; color < color_count; ++color) *shared.counter(color) = 0;
        load_page(shared, in, colors, begin, end);
        count_row(shared);
        for (unsigned color = 0; color < color_count; ++color) {
            const unsigned carry = carries[color];
            const unsigned sum = *shared.counter(color);
            const unsigned before = carry + sum_before(sum);
            *shared.counter(color) = before;
            __syncwarp();
            if (threadIdx.x == w - 1) carries[color] = before + sum;
        }
        for (unsigned column = 0; column < w; ++column) {
            unsigned* const counter = shared.counter(shared.colors[first + column]);
            const unsigned word = shared.words[first + column];
            shared.words[first + column] = *counter;
            *counter += word;
        }
        __syncwarp();
        for_page(begin, end, [&](unsigned place, unsigned index, bool inside) {
            if (inside) out[index] = shared.words[place];
        });
        __syncwarp();
    }
}
