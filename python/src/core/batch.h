/* Batches: shapes and poses for each element, and loops over elements on many threads. */
#pragma once

#include <atomic>
#include <initializer_list>

#include "core.h"

/* The shapes and poses of one side of a batch. */
struct Side {
    Side(nb::handle given, const Poses &places, size_t batch, const char *name) : place(poses(places)) {
        if (batch == 0) {
            return;
        }
        if (nb::isinstance<Shape>(given)) {
            one = nb::cast<const Shape &>(given).shape;
        } else {
            many = &nb::cast<const Shapes &>(given);
            if (many->shape.size() != batch && many->shape.size() != 1) {
                throw nb::value_error((std::string(name) + ": the number of shapes is not that of the batch").c_str());
            }
            one = many->shape.size() == 1 ? many->shape[0] : nullptr;
        }
        if (rows(places) != batch && rows(places) != 1) {
            throw nb::value_error((std::string(name) + ": the number of poses is not that of the batch").c_str());
        }
        step = rows(places) == batch ? 1 : 0;
    }
    const abut_shape *shape(size_t i) const { return one != nullptr ? one : many->shape[i]; }
    const abut_pose &pose(size_t i) const { return place[step * i]; }
    const abut_shape *one = nullptr;
    const Shapes *many = nullptr;
    const abut_pose *place;
    size_t step = 0;
};

inline size_t length_of(nb::handle given) { return nb::isinstance<Shape>(given) ? 1 : nb::cast<const Shapes &>(given).shape.size(); }

/* The number of elements: the largest of the lengths, of which the others are 1 or the same. An empty array makes an empty batch. */
inline size_t batch_of(std::initializer_list<size_t> lengths) {
    size_t batch = 1;
    for (size_t length : lengths) {
        if (length == 0) {
            return 0;
        }
        batch = length > batch ? length : batch;
    }
    return batch;
}

/* The pairs of a batch, made when they are asked for: an array of them would be written and read once more. */
struct Pairs {
    Pairs(nb::handle a, const Poses &pose_a, nb::handle b, const Poses &pose_b)
        : count(batch_of({length_of(a), rows(pose_a), length_of(b), rows(pose_b)})), of_a(a, pose_a, count, "a"),
          of_b(b, pose_b, count, "b") {}
    abut_pair operator[](size_t i) const { return {of_a.shape(i), of_a.pose(i), of_b.shape(i), of_b.pose(i)}; }
    size_t count;
    Side of_a, of_b;
};

/* A loop over the elements of a batch on many threads: ask(i) returns a status. The first error in the order of the elements is thrown, with its message. */
template <typename Ask> void for_all(size_t count, int32_t threads, int32_t grain, Ask ask) {
    struct Loop {
        Ask *ask;
        std::atomic<int32_t> failed; /* the first that failed so far */
    } loop = {&ask, {INT32_MAX}};
    abut_parallel parallel = threads_of(count > 1 ? threads : 1);
    auto task = [](void *argument, int32_t begin, int32_t end) {
        auto *of = static_cast<Loop *>(argument);
        for (int32_t i = begin; i < end; i++) {
            if ((*of->ask)(static_cast<size_t>(i)) != ABUT_OK) {
                int32_t first = of->failed.load();
                while (i < first && !of->failed.compare_exchange_weak(first, i)) {
                }
                return;
            }
        }
    };
    {
        nb::gil_scoped_release released;
        abut_parallel_for(&parallel, count_of(count), grain, task, &loop);
    }
    const int32_t failed = loop.failed.load();
    if (failed < INT32_MAX) {
        forget_message();
        abut_status status = ask(static_cast<size_t>(failed));
        std::string message = message_of(status);
        forget_message();
        throw Failure(status, count == 1 ? message : "element " + std::to_string(failed) + ": " + message);
    }
}
