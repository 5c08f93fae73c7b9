// Who sleeps leaves the others time: how many are at once within a section that is a pause, and who comes when.
#include <algorithm>

#include "../fixtures/execute/sleeping_lanes.cu"
#include "check.cuh"

__device__ int inside, most, line_of_blocks, places[4];

struct Sleep {
    __device__ void operator()() const { __nanosleep(5000); }
};
struct WatchTheClock {
    __device__ void operator()() const {
        const long long begin = clock64();
        while (clock64() - begin < 10000) {}
    }
};

/// out[0]: the most warps that are in their pause at once.
template <class Pause>
__global__ void warps(int* out, Pause pause) {
    __shared__ int in, greatest;
    if (threadIdx.x == 0) in = greatest = 0;
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        atomicMax(&greatest, atomicAdd(&in, 1) + 1);
        pause();
        atomicSub(&in, 1);
    }
    __syncthreads();
    out[0] = greatest;
}

__global__ void blocks() {
    atomicMax(&most, atomicAdd(&inside, 1) + 1);
    __nanosleep(20000);
    atomicSub(&inside, 1);
}

/// Number 0 to 3, each four times as long as the one before. A sleep of t takes up to the next multiple of the power of
/// two above t, so four of them take between three and four times that.
__device__ void sleep_longer(int number) {
    for (int i = 0; i < 4; ++i) __nanosleep(2000 << (2 * number));
}

/// out[number]: who comes how many-th out of the sleeps; the longest lies down first.
template <bool clocked>
__global__ void come_in_turn(int* out) {
    __shared__ int line;
    if (threadIdx.x == 0) line = 0;
    __syncthreads();
    const int number = 3 - static_cast<int>(threadIdx.x / 32);
    const long long begin = clocked ? clock64() : 0;
    sleep_longer(number);
    if (threadIdx.x % 32 != 0) return;
    out[number] = clocked && clock64() == begin ? -1 : atomicAdd(&line, 1);
}

__global__ void blocks_come_in_turn() {
    const int number = 3 - static_cast<int>(blockIdx.x);
    sleep_longer(number);
    places[number] = atomicAdd(&line_of_blocks, 1);
}

/// The timer advances by 32 ns. out[0], out[1]: whether it is at a multiple of the power of two above a sleep's length, or
/// one step past it, behind two sleeps; out[2]: how many nanoseconds those multiples are apart.
__global__ void by_the_timer(int* out, int nanoseconds) {
    const int above = 2 << (31 - __clz(nanoseconds));
    long long timer[3];
    for (int i = 0; i < 3; ++i) {  // the first time, code is fetched
        __nanosleep(nanoseconds);
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(timer[i]));
    }
    out[0] = timer[1] % above <= 32;
    out[1] = timer[2] % above <= 32;
    out[2] = static_cast<int>(timer[2] / above - timer[1] / above) * above;
}

/// Many short sleeps of one warp lie within one long one of another, which then sees what the first has done.
template <bool clocked>
__global__ void short_and_long(int* out) {
    __shared__ volatile int done;
    if (threadIdx.x == 0) done = 0;
    __syncthreads();
    const long long begin = clocked ? clock64() : 0;
    if (threadIdx.x < 32) {
        for (int i = 0; i < 20; ++i) {
            __nanosleep(50 + i);
            if (threadIdx.x == 0) done = i + 1;
        }
    } else {
        const int before = done;
        __nanosleep(500000);
        if (threadIdx.x == 32) out[0] = before < 20 ? done : -1;
    }
    if (clocked && clock64() == begin) out[0] = -2;
}

/// Cycles from a tick of 2^20 ns until the lower and the upper half of a warp are behind their sleeps: out[0], out[1].
__global__ void halves(int* out, int lower, int upper) {
    __nanosleep(1000000);
    __syncwarp();
    const long long begin = clock64();
    int slept;
    if (threadIdx.x < 16) {
        __nanosleep(lower);
        slept = static_cast<int>(clock64() - begin);
    } else {
        unsigned x = threadIdx.x;
        for (int i = 0; i < 200; ++i) asm volatile("mad.lo.u32 %0, %0, %0, %0;" : "+r"(x));
        if (upper != 0) __nanosleep(upper);
        slept = static_cast<int>(clock64() - begin) + (x == 77);
    }
    __syncwarp();
    if (threadIdx.x % 16 == 0) out[threadIdx.x / 16] = slept;
}

/// out[0], out[1]: cycles until lanes 4 and 5 are behind a sleep that lane 5 alone takes. No lane waits for it.
__global__ void one_lane(int* out, int nanoseconds) {
    __nanosleep(1000000);
    __syncwarp();
    const long long begin = clock64();
    if (threadIdx.x == 5) __nanosleep(nanoseconds);
    const int slept = static_cast<int>(clock64() - begin);
    if (threadIdx.x == 4 || threadIdx.x == 5) out[threadIdx.x - 4] = slept;
}

/// Lanes ask for sleeps of different lengths, one of them for the short one. out[0]: cycles slept.
__global__ void lanes_differ(int* out, int who, int shortest, int others) {
    __nanosleep(1000000);
    __syncwarp();
    const long long begin = clock64();
    __nanosleep(threadIdx.x == who ? shortest : others);
    const int slept = static_cast<int>(clock64() - begin);
    if (threadIdx.x == 0) out[0] = slept;
}

/// Whoever waits looks again after every sleep, as a lock with back-off does.
__global__ void look_again(int* out, volatile int* flag) {
    if (blockIdx.x == 0) {
        __nanosleep(100000);
        flag[0] = 1;
        return;
    }
    int looks = 0;
    for (; flag[0] == 0; ++looks) __nanosleep(1000);
    out[0] = looks > 20 && looks < 400;
}

int main() {
    DeviceArray<int> result(8);
    warps<<<1, 512>>>(result.data, Sleep());
    std::printf("warps that sleep at once: %d of 16\n", result.host()[0]);
    warps<<<1, 512>>>(result.data, WatchTheClock());
    std::printf("warps that watch the clock at once: %d of 16\n", result.host()[0]);
    blocks<<<16, 1>>>();
    int at_once = 0;
    CHECK(cudaMemcpyFromSymbol(&at_once, most, sizeof at_once));
    std::printf("blocks that sleep at once: %d of 16\n", at_once);

    come_in_turn<false><<<1, 128>>>(result.data);
    auto turn = result.host();
    std::printf("warps that sleep longer and longer come as number %d %d %d %d\n", turn[0], turn[1], turn[2], turn[3]);
    come_in_turn<true><<<1, 128>>>(result.data);
    turn = result.host();
    std::printf("with a look at the clock: %d %d %d %d\n", turn[0], turn[1], turn[2], turn[3]);
    blocks_come_in_turn<<<4, 1>>>();
    int came[4];
    CHECK(cudaMemcpyFromSymbol(came, places, sizeof came));
    std::printf("blocks: %d %d %d %d\n", came[0], came[1], came[2], came[3]);
    for (const int nanoseconds : {100, 500, 1000, 10000, 100000, 1000000}) {
        by_the_timer<<<1, 1>>>(result.data, nanoseconds);
        const auto timer = result.host();
        std::printf("sleeps of %d ns end at a tick: %d and %d, %d ns apart\n", nanoseconds, timer[0], timer[1], timer[2]);
    }

    short_and_long<false><<<1, 64>>>(result.data);
    std::printf("short sleeps within a long one: %d of 20\n", result.host()[0]);
    short_and_long<true><<<1, 64>>>(result.data);
    std::printf("with a look at the clock: %d of 20\n", result.host()[0]);
    DeviceArray<int> flag(std::vector<int>{0});
    look_again<<<2, 1>>>(result.data, flag.data);
    std::printf("who waits with sleeps of 1 us for 100 us looks between 20 and 400 times: %d\n", result.host()[0]);

    lock_of_lanes<<<1, 32>>>(result.data);
    std::printf("lanes that had the lock: %d of 32\n", result.host()[0]);
    for (const int who : {0, 1}) {
        lane_waits_for_lane<<<1, 32>>>(result.data, who);
        std::printf("lane %d waited until the other said %d\n", who, result.host()[0]);
    }
    struct Halves {
        int lower, upper;
    };
    for (const Halves ns : {Halves{100000, 0}, {100000, 10000}, {10000, 100000}, {1000000, 1000000}}) {
        halves<<<1, 32>>>(result.data, ns.lower, ns.upper);
        const auto slept = result.host();
        // To about 100 us, 10 us and nothing: an H200's lanes take turns some 200 cycles apart.
        const auto about = [](int cycles) { return cycles > 1000000 ? "1 ms" : cycles > 150000 ? "100 us" : cycles > 20000 ? "10 us" : "0"; };
        std::printf("half a warp sleeps %d ns, the other half %d ns: awake after %s and %s\n", ns.lower, ns.upper,
                    about(slept[0]), about(slept[1]));
    }
    one_lane<<<1, 32>>>(result.data, 100000);
    const auto lanes = result.host();
    std::printf("one lane sleeps: the others have gone on %d, it sleeps %d\n", lanes[0] < 10000, lanes[1] > 150000);
    for (const int who : {0, 7, 31}) {
        lanes_differ<<<1, 32>>>(result.data, who, 10000, 100000);
        const int slept = result.host()[0];
        std::printf("lane %d asks for 10 us, the others for 100 us: %d\n", who, slept > 20000 && slept < 50000);
    }
}
