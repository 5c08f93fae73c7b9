// Lanes that part and meet at random, in loops, a switch and recursion, with and without sleeps, and exchange values in
// groups that differ from round to round: what comes out is what the host computes lane by lane.
#include "check.cuh"

#define BOTH __host__ __device__

BOTH inline unsigned hash(unsigned a, unsigned b, unsigned c) {
    unsigned x = a * 2654435761u ^ b * 40503u ^ c * 2246822519u;
    x = (x ^ x >> 15) * 2246822519u;
    x = (x ^ x >> 13) * 3266489917u;
    return x ^ x >> 16;
}

template <bool sleeps>
BOTH inline void pause(unsigned nanoseconds) {
#ifdef __CUDA_ARCH__
    if (sleeps) __nanosleep(nanoseconds);
#else
    (void)nanoseconds;
#endif
}

/// What a lane does by itself in a round, told by two random numbers.
template <bool sleeps>
BOTH inline unsigned alone(unsigned x, unsigned h, unsigned g) {
    if (h & 1) {
        if (h & 2) {
            pause<sleeps>(h % 500);
            x += h;
        } else {
            for (unsigned j = 0; j < (h >> 8 & 7); ++j) {
                x = x * 5 + j;
                if (h >> (12 + j) & 1) pause<sleeps>(g % 200);
                for (unsigned k = 0; k < (g >> j & 3); ++k) {
                    if ((x + k) & 1) pause<sleeps>(10 + k * 50);
                    x ^= x << 3;
                }
            }
        }
    } else if (h & 4) {
        x = x * 3 + g;
    } else {
        while ((x & 7) != 3) {
            x = x * 13 + 5 + (g & 1);
            if (x & 16) pause<sleeps>(x % 90);
            if ((x >> 9 & 31) == 7) break;
        }
    }
    switch (h >> 20 & 7) {
        case 0: x = x * 3 + 1; pause<sleeps>(31); break;
        case 1: x ^= g >> 1; if (x & 2) pause<sleeps>(40); break;
        case 2: x += g; pause<sleeps>(300); x *= 9; break;
        case 3: for (unsigned i = 0; i < (g & 15); ++i) x = x * 7 + i; break;
        case 4: x -= h; if (x & 64) pause<sleeps>(1); else x += 5; break;
        case 5: pause<sleeps>(x & 127); x ^= x >> 5; break;
        case 6: x = ~x; break;
        default: x += 77;
    }
    return x;
}

/// The round before which a thread exits.
BOTH inline unsigned last_round(unsigned thread, unsigned seed, unsigned rounds, bool exits) {
    return exits && hash(thread, seed, 99) % 3 == 0 ? hash(thread, seed, 98) % rounds : rounds;
}

/// The lanes that `lane` meets in a round: 8 neighbours, every fourth, or 4 neighbours.
BOTH inline bool meet(unsigned round, unsigned lane, unsigned other) {
    return round % 3 == 0 ? lane / 8 == other / 8 : round % 3 == 1 ? (lane & 3) == (other & 3) : lane / 4 == other / 4;
}

template <bool sleeps>
__global__ void walk(unsigned* out, unsigned seed, unsigned rounds, bool exits, bool watches_clock) {
    const unsigned thread = threadIdx.x;
    const unsigned lane = thread & 31;
    unsigned x = hash(thread, blockIdx.x, seed);
    const unsigned mine = last_round(thread, seed, rounds, exits);
    for (unsigned round = 0; round < rounds; ++round) {
        if (round == mine) break;
        const unsigned h = hash(thread, round * 131 + blockIdx.x, seed);
        const unsigned g = hash(h, round, seed);
        const long long begin = watches_clock && (h >> 5 & 3) == 0 ? clock64() : 0;
        x = alone<sleeps>(x, h, g);
        if (begin != 0 && clock64() < begin) x = 0;
        unsigned alive = 0;
        unsigned met = 0;
        for (unsigned i = 0; i < 32; ++i) {
            if (last_round((thread & ~31u) + i, seed, rounds, exits) <= round) continue;
            alive |= 1u << i;
            if (meet(round, lane, i)) met |= 1u << i;
        }
        if (g & 1) pause<sleeps>(g % 300);
        __syncwarp(met);
        x ^= __shfl_sync(met, x, 31 - __clz(met)) * 3;
        if (g & 2) pause<sleeps>(g % 77);
        const unsigned next = (lane + round + 1) & 31;
        const unsigned of_next = __shfl_sync(alive, x, next);
        if (alive >> next & 1) x += of_next;
        x += __popc(__ballot_sync(alive, x & 1));
    }
    out[blockIdx.x * blockDim.x + thread] = x;
}

/// The same for one warp, lane by lane.
void walk_on_host(unsigned* x, unsigned first, unsigned block, unsigned seed, unsigned rounds, bool exits) {
    unsigned ends[32];
    for (unsigned lane = 0; lane < 32; ++lane) {
        x[lane] = hash(first + lane, block, seed);
        ends[lane] = last_round(first + lane, seed, rounds, exits);
    }
    for (unsigned round = 0; round < rounds; ++round) {
        unsigned before[32];
        for (unsigned lane = 0; lane < 32; ++lane) {
            if (ends[lane] <= round) continue;
            const unsigned h = hash(first + lane, round * 131 + block, seed);
            x[lane] = alone<false>(x[lane], h, hash(h, round, seed));
        }
        std::memcpy(before, x, sizeof before);
        for (unsigned lane = 0; lane < 32; ++lane) {
            if (ends[lane] <= round) continue;
            unsigned from = lane;
            for (unsigned i = 0; i < 32; ++i)
                if (ends[i] > round && meet(round, lane, i)) from = i;
            x[lane] ^= before[from] * 3;
        }
        std::memcpy(before, x, sizeof before);
        unsigned odd = 0;
        for (unsigned lane = 0; lane < 32; ++lane) {
            if (ends[lane] <= round) continue;
            const unsigned next = (lane + round + 1) & 31;
            if (ends[next] > round) x[lane] += before[next];
            odd += x[lane] & 1;
        }
        for (unsigned lane = 0; lane < 32; ++lane)
            if (ends[lane] > round) x[lane] += odd;
    }
}

int main() {
    constexpr unsigned blocks = 2, threads = 96, rounds = 7;
    DeviceArray<unsigned> results(blocks * threads);
    for (unsigned seed = 1; seed <= 12; ++seed) {
        for (const bool exits : {false, true}) {
            unsigned wrong[3] = {};
            for (int kind = 0; kind < 3; ++kind) {
                if (kind == 0) walk<false><<<blocks, threads>>>(results.data, seed, rounds, exits, false);
                else walk<true><<<blocks, threads>>>(results.data, seed, rounds, exits, kind == 2);
                const auto found = results.host();
                for (unsigned warp = 0; warp < blocks * threads / 32; ++warp) {
                    unsigned expected[32];
                    walk_on_host(expected, warp * 32 % threads, warp * 32 / threads, seed, rounds, exits);
                    for (unsigned lane = 0; lane < 32; ++lane) wrong[kind] += found[warp * 32 + lane] != expected[lane];
                }
            }
            std::printf("seed %u, %s: %u wrong, %u with sleeps, %u with clocks\n", seed, exits ? "early exits" : "all stay",
                        wrong[0], wrong[1], wrong[2]);
        }
    }
}
