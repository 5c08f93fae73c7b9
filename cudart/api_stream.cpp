// Streams and events. Work is done when it is put into a stream; time is simulated.
#include <algorithm>

#include "cudart/api.hpp"

using namespace sassafras::cudart;

namespace {

constexpr double nanoseconds_per_millisecond = 1e6;
constexpr int least_priority = 0;

/// The smaller the number, the more urgent.
int greatest_priority(Runtime& runtime) { return 1 - static_cast<int>(runtime.platform().limits.stream_priorities); }

template <class Body>
cudaError_t with_stream(cudaStream_t handle, Body&& body, const char* function = __builtin_FUNCTION()) {
    return call(
        [&](Runtime& runtime) {
            Stream* const stream = runtime.stream(handle);
            return stream == nullptr ? cudaErrorInvalidResourceHandle : body(runtime, *stream);
        },
        function);
}

cudaError_t create(cudaStream_t* handle, unsigned flags, int priority, const char* function = __builtin_FUNCTION()) {
    return call(
        [&](Runtime& runtime) {
            if (handle == nullptr || (flags != cudaStreamDefault && flags != cudaStreamNonBlocking))
                return cudaErrorInvalidValue;
            const auto kind = flags == cudaStreamNonBlocking ? Stream::Kind::non_blocking : Stream::Kind::blocking;
            *handle = runtime.add_stream(kind, std::clamp(priority, greatest_priority(runtime), least_priority));
            return cudaSuccess;
        },
        function);
}

cudaError_t record(cudaEvent_t handle, cudaStream_t in, unsigned flags, const char* function = __builtin_FUNCTION()) {
    return with_stream(
        in,
        [&](Runtime& runtime, Stream& stream) {
            Event* const event = runtime.event(handle);
            if (event == nullptr) return cudaErrorInvalidResourceHandle;
            if (flags != cudaEventRecordDefault && flags != cudaEventRecordExternal) return cudaErrorInvalidValue;
            runtime.record(stream, *event);
            return cudaSuccess;
        },
        function);
}

/// A host function is work of its stream, which takes no simulated time.
cudaError_t before_host_function(cudaStream_t handle, const char* function = __builtin_FUNCTION()) {
    return with_stream(
        handle,
        [](Runtime& runtime, Stream& stream) {
            (void)runtime.streams().put(stream, {Engine::last, 0});
            return runtime.synchronize();
        },
        function);
}

}  // namespace

extern "C" {

cudaError_t cudaStreamCreate(cudaStream_t* handle) { return create(handle, cudaStreamDefault, 0); }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* handle, unsigned flags) { return create(handle, flags, 0); }
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* handle, unsigned flags, int priority) {
    return create(handle, flags, priority);
}

cudaError_t cudaStreamDestroy(cudaStream_t handle) {
    return call(
        [&](Runtime& runtime) { return runtime.remove_stream(handle) ? cudaSuccess : cudaErrorInvalidResourceHandle; });
}

cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
    return with_stream(handle, [](Runtime& runtime, Stream& stream) {
        runtime.streams().host_waits(stream);
        return runtime.synchronize();
    });
}

cudaError_t cudaStreamQuery(cudaStream_t handle) {
    return with_stream(handle, [](Runtime& runtime, Stream& stream) {
        const bool ended = runtime.streams().ask(stream);
        return ended ? runtime.synchronize() : cudaErrorNotReady;
    });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event, unsigned flags) {
    return with_stream(handle, [&](Runtime& runtime, Stream& stream) {
        Event* const awaited = runtime.event(event);
        if (awaited == nullptr) return cudaErrorInvalidResourceHandle;
        if (flags != cudaEventWaitDefault && flags != cudaEventWaitExternal) return cudaErrorInvalidValue;
        runtime.wait(stream, *awaited);
        return cudaSuccess;
    });
}

cudaError_t cudaStreamGetFlags(cudaStream_t handle, unsigned* flags) {
    return with_stream(handle, [&](Runtime&, Stream& stream) {
        if (flags == nullptr) return cudaErrorInvalidValue;
        *flags = stream.kind == Stream::Kind::non_blocking ? cudaStreamNonBlocking : cudaStreamDefault;
        return cudaSuccess;
    });
}

cudaError_t cudaStreamGetPriority(cudaStream_t handle, int* priority) {
    return with_stream(handle, [&](Runtime&, Stream& stream) {
        if (priority == nullptr) return cudaErrorInvalidValue;
        *priority = stream.priority;
        return cudaSuccess;
    });
}

cudaError_t cudaStreamGetId(cudaStream_t handle, unsigned long long* id) {
    return with_stream(handle, [&](Runtime&, Stream& stream) {
        if (id == nullptr) return cudaErrorInvalidValue;
        *id = stream.id;
        return cudaSuccess;
    });
}

cudaError_t cudaStreamGetDevice(cudaStream_t handle, int* device) {
    return with_stream(handle, [&](Runtime&, Stream&) {
        if (device == nullptr) return cudaErrorInvalidValue;
        *device = 0;
        return cudaSuccess;
    });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t handle, cudaStreamCaptureStatus* status) {
    return with_stream(handle, [&](Runtime&, Stream&) {
        if (status == nullptr) return cudaErrorInvalidValue;
        *status = cudaStreamCaptureStatusNone;
        return cudaSuccess;
    });
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t handle, cudaStreamCaptureStatus* status, unsigned long long*,
                                     cudaGraph_t*, const cudaGraphNode_t**, const cudaGraphEdgeData**, std::size_t*) {
    return cudaStreamIsCapturing(handle, status);
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t handle, void*, std::size_t, unsigned) {
    return with_stream(handle, [](Runtime&, Stream&) { return cudaSuccess; });
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
    return call([&](Runtime& runtime) {
        if (least != nullptr) *least = least_priority;
        if (greatest != nullptr) *greatest = greatest_priority(runtime);
        return cudaSuccess;
    });
}

// Work before it has ended, so the host function runs at once; not under the lock, as it may use the API.
cudaError_t cudaLaunchHostFunc(cudaStream_t handle, cudaHostFn_t function, void* data) {
    if (function == nullptr) return keep(cudaErrorInvalidValue);
    const cudaError_t error = before_host_function(handle);
    if (error == cudaSuccess) function(data);
    return error;
}

cudaError_t cudaStreamAddCallback(cudaStream_t handle, cudaStreamCallback_t function, void* data, unsigned flags) {
    if (function == nullptr || flags != 0) return keep(cudaErrorInvalidValue);
    const cudaError_t error = before_host_function(handle);
    if (error != cudaErrorInvalidResourceHandle) function(handle, error, data);
    return error;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* handle, unsigned flags) {
    return call([&](Runtime& runtime) {
        constexpr unsigned known = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
        if (handle == nullptr || (flags & ~known) != 0) return cudaErrorInvalidValue;
        if ((flags & cudaEventInterprocess) != 0)
            runtime.unsupported("cudaEventCreateWithFlags", "cudaEventInterprocess");
        *handle = runtime.add_event(flags);
        return cudaSuccess;
    });
}

cudaError_t cudaEventCreate(cudaEvent_t* handle) { return cudaEventCreateWithFlags(handle, cudaEventDefault); }

cudaError_t cudaEventDestroy(cudaEvent_t handle) {
    return call(
        [&](Runtime& runtime) { return runtime.remove_event(handle) ? cudaSuccess : cudaErrorInvalidResourceHandle; });
}

cudaError_t cudaEventRecord(cudaEvent_t handle, cudaStream_t in) { return record(handle, in, cudaEventRecordDefault); }
cudaError_t cudaEventRecordWithFlags(cudaEvent_t handle, cudaStream_t in, unsigned flags) {
    return record(handle, in, flags);
}

cudaError_t cudaEventSynchronize(cudaEvent_t handle) {
    return call([&](Runtime& runtime) {
        const Event* const event = runtime.event(handle);
        if (event == nullptr) return cudaErrorInvalidResourceHandle;
        runtime.streams().host_waits(event->record);
        return runtime.synchronize();
    });
}

cudaError_t cudaEventQuery(cudaEvent_t handle) {
    return call([&](Runtime& runtime) {
        const Event* const event = runtime.event(handle);
        if (event == nullptr) return cudaErrorInvalidResourceHandle;
        const bool ended = runtime.streams().ask(event->record);
        return ended ? runtime.synchronize() : cudaErrorNotReady;
    });
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end) {
    return call([&](Runtime& runtime) {
        const Event* const first = runtime.event(begin);
        const Event* const second = runtime.event(end);
        if (milliseconds == nullptr) return cudaErrorInvalidValue;
        if (first == nullptr || second == nullptr || first->record == 0 || second->record == 0 || !first->timing ||
            !second->timing)
            return cudaErrorInvalidResourceHandle;
        Streams& streams = runtime.streams();
        if (!streams.ask(first->record) || !streams.ask(second->record)) return cudaErrorNotReady;
        *milliseconds =
            static_cast<float>((streams.time_of(*second) - streams.time_of(*first)) / nanoseconds_per_millisecond);
        return cudaSuccess;
    });
}

}  // extern "C"
