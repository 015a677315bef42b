/* What all parts of the extension module share: references to shapes, errors, and arrays that go in and out. */
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <abut/abut.h>

namespace nb = nanobind;

/* A status other than ABUT_OK, thrown through C++ and raised in Python as abut.Error or one of its kinds. */
struct Failure : std::exception {
    Failure(abut_status status, std::string message) : status(status), message(std::move(message)) {}
    const char *what() const noexcept override { return message.c_str(); }
    abut_status status;
    std::string message;
};

/* Throws a Failure unless the status is ABUT_OK. The message is that of the library for the last call on this thread, where there is one. */
void check(abut_status status);
/* Forgets the message of the last call on this thread. */
void forget_message();
/* What the library said about the last call on this thread; the text of the status when it said nothing. */
std::string message_of(abut_status status);

/* One reference to a shape, and the definition from which Python can make it anew. */
struct Shape {
    explicit Shape(const abut_shape *shape) : shape(shape) {}
    Shape(const Shape &) = delete;
    ~Shape() { abut_shape_release(shape); }
    const abut_shape *shape;
    nb::object definition;
};

/* Many shapes, one for each element of a batch. */
struct Shapes {
    std::vector<const abut_shape *> shape;
    std::vector<nb::object> owner;
};

/* Arrays that go in: contiguous numbers in the memory of the processor. Python's side converts before it calls. */
using Numbers = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Vectors = nb::ndarray<const double, nb::shape<-1, 3>, nb::c_contig, nb::device::cpu>;
/* Seven numbers a row; a single pose needs no second axis. */
using Poses = nb::ndarray<const double, nb::c_contig, nb::device::cpu>;
using Motions = nb::ndarray<const double, nb::shape<-1, 6>, nb::c_contig, nb::device::cpu>;
using Indices = nb::ndarray<const int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Ids = nb::ndarray<const uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

static_assert(sizeof(abut_vec3) == 3 * sizeof(double) && sizeof(abut_pose) == 7 * sizeof(double) &&
                  sizeof(abut_motion) == 6 * sizeof(double),
              "vectors, poses and motions are arrays of numbers");

inline const abut_vec3 *vectors(const Vectors &array) { return reinterpret_cast<const abut_vec3 *>(array.data()); }
inline size_t rows(const Poses &array) { return array.size() / 7; }
inline const abut_pose *poses(const Poses &array) { return reinterpret_cast<const abut_pose *>(array.data()); }
inline const abut_motion *motions(const Motions &array) { return reinterpret_cast<const abut_motion *>(array.data()); }

/* The vector of a sequence of three numbers, and the like. */
inline abut_vec3 vector(const Numbers &three) {
    if (three.size() != 3) {
        throw nb::value_error("a vector has three numbers");
    }
    return abut_vec3_make(three(0), three(1), three(2));
}

/* The count of a batch as the library takes it. */
inline int32_t count_of(size_t count) {
    if (count > INT32_MAX) {
        throw nb::value_error("a batch has at most 2147483647 elements");
    }
    return static_cast<int32_t>(count);
}

/* Memory for a buffer, to be freed by free(). Much memory comes in large pages, as that of NumPy: else the system spends longer on pages than some answers take. */
void *memory_of_numbers(size_t bytes);

/* Numbers or records that a call writes before anyone reads them: a vector would write zeros first, which for small pairs takes as long as the
 * answer. */
template <typename T> struct Buffer {
    explicit Buffer(size_t count) : count(count), data(static_cast<T *>(memory_of_numbers(count * sizeof(T)))) {}
    Buffer(const Buffer &) = delete;
    Buffer(Buffer &&other) noexcept : count(other.count), data(other.data) { other.data = nullptr; }
    ~Buffer() { std::free(data); }
    T &operator[](size_t i) { return data[i]; }
    /* Keeps the first elements when there is room for more or for less. */
    void resize(size_t wanted) {
        void *moved = std::realloc(data, (wanted > 0 ? wanted : 1) * sizeof(T));
        if (moved == nullptr) {
            throw std::bad_alloc();
        }
        data = static_cast<T *>(moved);
        count = wanted;
    }
    size_t count;
    T *data;
};

/* An array of NumPy that owns the memory of a buffer. */
template <typename T, typename U> nb::ndarray<nb::numpy, T, nb::ndim<1>> array_of(Buffer<U> &&buffer) {
    nb::capsule owner(buffer.data, [](void *memory) noexcept { std::free(memory); });
    T *data = reinterpret_cast<T *>(buffer.data);
    buffer.data = nullptr;
    return nb::ndarray<nb::numpy, T, nb::ndim<1>>(data, {buffer.count * (sizeof(U) / sizeof(T))}, owner);
}

/* Records as bytes, which Python views with their layout: a bytearray for a few, which NumPy wraps fastest, and an array for many, whose memory is that of the
 * vector or the buffer. */
constexpr size_t FEW = 16;
using Bytes = nb::object;

template <typename Record> Bytes few_records(const Record *all, size_t count) {
    return nb::bytearray(reinterpret_cast<const char *>(all), count * sizeof(Record));
}

template <typename Record> Bytes record(const Record &one) { return few_records(&one, 1); }

template <typename Record> Bytes records(Buffer<Record> &&buffer) {
    return buffer.count <= FEW ? few_records(buffer.data, buffer.count) : nb::cast(array_of<uint8_t>(std::move(buffer)));
}

template <typename Record> Bytes records(std::vector<Record> &&vector) {
    if (vector.size() <= FEW) {
        return few_records(vector.data(), vector.size());
    }
    auto *kept = new std::vector<Record>(std::move(vector));
    nb::capsule owner(kept, [](void *memory) noexcept { delete static_cast<std::vector<Record> *>(memory); });
    return nb::cast(nb::ndarray<nb::numpy, uint8_t, nb::ndim<1>>(kept->data(), {kept->size() * sizeof(Record)}, owner));
}

/* How many threads a call may use: below 1, one for each processor. */
inline abut_parallel threads_of(int32_t threads) {
    abut_parallel parallel = {};
    parallel.threads = threads;
    return parallel;
}

/* Ids of bodies, springs and joints as single numbers. */
template <typename Id> uint64_t number_of(Id id) { return static_cast<uint64_t>(id.generation) << 32 | id.index; }
template <typename Id> Id id_of(uint64_t number) {
    Id id = {};
    id.index = static_cast<uint32_t>(number);
    id.generation = static_cast<uint32_t>(number >> 32);
    return id;
}

void define_status(nb::module_ &module);
void define_layout(nb::module_ &module);
void define_shape(nb::module_ &module);
void define_pair(nb::module_ &module);
void define_facet(nb::module_ &module);
void define_rates(nb::module_ &module);
void define_depth(nb::module_ &module);
void define_lcp(nb::module_ &module);
void define_world(nb::module_ &module);
