/* Questions about pairs of shapes: contacts, distance, overlap, growth distance, rays and casts. A batch has one shape and one pose for each element, or one
 * for all. */
#include <memory>

#include <nanobind/stl/string.h>

#include "batch.h"

namespace {

/* Caches of the pairs of a batch, kept from call to call. */
struct Cache {
    explicit Cache(size_t count) : caches(count) {}
    std::vector<abut_cache> caches;
};

abut_cache *caches_of(Cache *cache, size_t batch) {
    if (cache == nullptr) {
        return nullptr;
    }
    if (cache->caches.size() != batch) {
        throw nb::value_error("the cache has another number of pairs than the batch");
    }
    return cache->caches.data();
}

void settings_make(abut_collide_settings *settings, double margin, double feature_angle, const std::string &normal,
                   const std::string &contraction, bool refine_normal, const Numbers &previous_normal, double weld) {
    *settings = abut_collide_settings_default();
    if (normal != "minimum" && normal != "growth") {
        throw nb::value_error("normal is \"minimum\" or \"growth\"");
    }
    if (contraction != "core" && contraction != "centroid") {
        throw nb::value_error("contraction is \"core\" or \"centroid\"");
    }
    settings->margin = margin;
    settings->feature_angle = feature_angle;
    settings->normal = normal == "growth" ? ABUT_NORMAL_GROWTH : ABUT_NORMAL_MINIMUM;
    settings->contraction = contraction == "centroid" ? ABUT_CONTRACTION_CENTROID : ABUT_CONTRACTION_CORE;
    settings->refine_normal = refine_normal;
    settings->previous_normal = vector(previous_normal);
    settings->weld = weld;
}

/* The status of a pair that failed in a batch, with its message, found by asking again on this thread. */
[[noreturn]] void refuse_pair(const Pairs &pairs, size_t index, abut_status status, const abut_collide_settings *settings) {
    const abut_pair pair = pairs[index];
    abut_contact contact;
    int32_t count;
    forget_message();
    (void)abut_collide(&pair, settings, nullptr, &contact, 1, &count);
    std::string message = message_of(status);
    forget_message();
    throw Failure(status, pairs.count == 1 ? message : "pair " + std::to_string(index) + ": " + message);
}

/* Contacts of one pair: the short path of a single call. */
Bytes collide_one(const abut_pair &pair, const abut_collide_settings *settings, abut_cache *cache) {
    std::vector<abut_contact> contacts(8);
    int32_t count = 0;
    abut_status status;
    {
        nb::gil_scoped_release released;
        forget_message();
        status = abut_collide(&pair, settings, cache, contacts.data(), static_cast<int32_t>(contacts.size()), &count);
        if (status == ABUT_ERROR_CAPACITY) {
            contacts.resize(static_cast<size_t>(count));
            status = abut_collide(&pair, settings, cache, contacts.data(), count, &count);
        }
    }
    check(status);
    contacts.resize(static_cast<size_t>(count));
    return records(std::move(contacts));
}

/* Contacts of a batch. Pairs are taken in parts whose records stay in the cache. */
struct Batch {
    static constexpr size_t PART = 8192;
    explicit Batch(const Pairs &made)
        : made(made), pairs(made.count < PART ? made.count : PART), results(pairs.count), contacts(2 * made.count + 8),
          first(made.count + 1), statuses(made.count) {}
    /* Adds the contacts of a part of the pairs. On CAPACITY there is room for them now. */
    abut_status add(size_t begin, size_t count, const abut_collide_settings *settings, abut_cache *caches, const abut_parallel *parallel) {
        int64_t needed = 0, room = static_cast<int64_t>(contacts.count - found);
        abut_status status = abut_collide_batch(pairs.data, count_of(count), settings, caches != nullptr ? caches + begin : nullptr,
                                                parallel, contacts.data + found, room, &needed, results.data);
        if (status == ABUT_ERROR_CAPACITY) {
            contacts.resize(2 * contacts.count + static_cast<size_t>(needed));
        }
        for (size_t i = 0; status == ABUT_OK && i < count; i++) {
            first[begin + i] = static_cast<int64_t>(found) + results[i].first;
            statuses[begin + i] = static_cast<int32_t>(results[i].status);
        }
        found += status == ABUT_OK ? static_cast<size_t>(needed) : 0;
        return status;
    }
    abut_status make(const abut_collide_settings *settings, abut_cache *caches, const abut_parallel *parallel) {
        abut_status status = ABUT_OK;
        for (size_t begin = 0; status == ABUT_OK && (begin == 0 || begin < made.count); begin += PART) {
            const size_t count = made.count - begin < PART ? made.count - begin : PART;
            for (size_t i = 0; i < count; i++) {
                pairs[i] = made[begin + i];
            }
            do {
                status = add(begin, count, settings, caches, parallel);
            } while (status == ABUT_ERROR_CAPACITY);
        }
        first[made.count] = static_cast<int64_t>(found);
        return status;
    }
    const Pairs &made;
    Buffer<abut_pair> pairs;
    Buffer<abut_pair_result> results;
    Buffer<abut_contact> contacts;
    Buffer<int64_t> first;
    Buffer<int32_t> statuses;
    size_t found = 0;
};

/* (contacts, first contact of each pair and the end, statuses). */
nb::tuple collide(nb::handle a, const Poses &pose_a, nb::handle b, const Poses &pose_b, const abut_collide_settings *settings, Cache *cache,
                  int32_t threads, bool strict) {
    const Pairs pairs(a, pose_a, b, pose_b);
    abut_cache *caches = caches_of(cache, pairs.count);
    if (pairs.count == 1 && strict) {
        Bytes contacts = collide_one(pairs[0], settings, caches);
        return nb::make_tuple(contacts, nb::none(), nb::none());
    }
    Batch batch(pairs);
    abut_parallel parallel = threads_of(threads);
    abut_status status;
    {
        nb::gil_scoped_release released;
        forget_message();
        status = batch.make(settings, caches, &parallel);
    }
    check(status);
    for (size_t i = 0; strict && i < pairs.count; i++) {
        if (batch.statuses[i] != ABUT_OK) {
            refuse_pair(pairs, i, static_cast<abut_status>(batch.statuses[i]), settings);
        }
    }
    batch.contacts.resize(batch.found);
    return nb::make_tuple(records(std::move(batch.contacts)), array_of<int64_t>(std::move(batch.first)),
                          array_of<int32_t>(std::move(batch.statuses)));
}

constexpr int32_t GRAIN = 64;

Bytes distance(nb::handle a, const Poses &pose_a, nb::handle b, const Poses &pose_b, const abut_collide_settings *settings, Cache *cache,
               int32_t threads) {
    const Pairs pairs(a, pose_a, b, pose_b);
    abut_cache *caches = caches_of(cache, pairs.count);
    Buffer<abut_separation> results(pairs.count);
    for_all(pairs.count, threads, GRAIN, [&](size_t i) {
        const abut_pair pair = pairs[i];
        return abut_distance(&pair, settings, caches != nullptr ? &caches[i] : nullptr, &results[i]);
    });
    return records(std::move(results));
}

Bytes overlap(nb::handle a, const Poses &pose_a, nb::handle b, const Poses &pose_b, Cache *cache, int32_t threads) {
    const Pairs pairs(a, pose_a, b, pose_b);
    abut_cache *caches = caches_of(cache, pairs.count);
    Buffer<uint8_t> results(pairs.count);
    for_all(pairs.count, threads, GRAIN, [&](size_t i) {
        const abut_pair pair = pairs[i];
        bool meet = false;
        abut_status status = abut_overlap(&pair, caches != nullptr ? &caches[i] : nullptr, &meet);
        results[i] = meet;
        return status;
    });
    return records(std::move(results));
}

Bytes growth(nb::handle a, const Poses &pose_a, nb::handle b, const Poses &pose_b, const abut_collide_settings *settings, int32_t threads) {
    const Pairs pairs(a, pose_a, b, pose_b);
    Buffer<abut_growth> results(pairs.count);
    for_all(pairs.count, threads, GRAIN, [&](size_t i) {
        const abut_pair pair = pairs[i];
        return abut_growth_distance(&pair, settings, &results[i]);
    });
    return records(std::move(results));
}

Bytes ray_cast(nb::handle shape, const Poses &pose, const Vectors &origins, const Vectors &translations, int32_t threads) {
    size_t batch = batch_of({length_of(shape), rows(pose), origins.shape(0), translations.shape(0)});
    if (batch == 0) {
        return records(std::vector<abut_hit>());
    }
    Side side(shape, pose, batch, "shape");
    if ((origins.shape(0) != batch && origins.shape(0) != 1) || (translations.shape(0) != batch && translations.shape(0) != 1)) {
        throw nb::value_error("origins and translations: their numbers are not those of the batch");
    }
    size_t origin = origins.shape(0) == 1 ? 0 : 1, translation = translations.shape(0) == 1 ? 0 : 1;
    Buffer<abut_hit> hits(batch);
    for_all(batch, threads, GRAIN, [&](size_t i) {
        return abut_ray_cast(side.shape(i), side.pose(i), vectors(origins)[origin * i], vectors(translations)[translation * i], &hits[i]);
    });
    return records(std::move(hits));
}

Bytes shape_cast(nb::handle a, const Poses &pose_a, const Motions &motion_a, nb::handle b, const Poses &pose_b, const Motions &motion_b,
                 double tolerance, int32_t threads) {
    size_t batch = batch_of({length_of(a), rows(pose_a), motion_a.shape(0), length_of(b), rows(pose_b), motion_b.shape(0)});
    if (batch == 0) {
        return records(std::vector<abut_hit>());
    }
    Side of_a(a, pose_a, batch, "a"), of_b(b, pose_b, batch, "b");
    if ((motion_a.shape(0) != batch && motion_a.shape(0) != 1) || (motion_b.shape(0) != batch && motion_b.shape(0) != 1)) {
        throw nb::value_error("motions: their number is not that of the batch");
    }
    size_t step_a = motion_a.shape(0) == 1 ? 0 : 1, step_b = motion_b.shape(0) == 1 ? 0 : 1;
    Buffer<abut_hit> hits(batch);
    for_all(batch, threads, 16, [&](size_t i) {
        abut_pair pair = {of_a.shape(i), of_a.pose(i), of_b.shape(i), of_b.pose(i)};
        return abut_shape_cast(&pair, motions(motion_a)[step_a * i], motions(motion_b)[step_b * i], tolerance, &hits[i]);
    });
    return records(std::move(hits));
}

/* Poses of matrices [4, 4]; false where one is not a rigid placement to 1e-6. */
using Matrices = nb::ndarray<const double, nb::shape<-1, 4, 4>, nb::c_contig, nb::device::cpu>;
nb::tuple poses_of_matrices(const Matrices &matrices) {
    Buffer<abut_pose> all(matrices.shape(0));
    int64_t wrong = -1;
    for (size_t i = 0; i < matrices.shape(0); i++) {
        const double *m = matrices.data() + 16 * i;
        double xx = m[0], yy = m[5], zz = m[10], q[4];
        // The largest of the four coefficients is computed first, so that no quotient is by a small number.
        double squares[4] = {1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz, 1 + xx + yy + zz};
        int largest = 0;
        for (int k = 1; k < 4; k++) {
            largest = squares[k] > squares[largest] ? k : largest;
        }
        double twice[4][4] = {{squares[0], m[4] + m[1], m[8] + m[2], m[9] - m[6]},
                              {m[4] + m[1], squares[1], m[9] + m[6], m[2] - m[8]},
                              {m[8] + m[2], m[9] + m[6], squares[2], m[4] - m[1]},
                              {m[9] - m[6], m[2] - m[8], m[4] - m[1], squares[3]}};
        for (int k = 0; k < 4; k++) {
            q[k] = twice[largest][k];
        }
        abut_quat rotation = abut_quat_unit(abut_quat_make(q[0], q[1], q[2], q[3]));
        abut_mat3 back = abut_mat3_from_quat(rotation);
        const double columns[9] = {back.x.x, back.y.x, back.z.x, back.x.y, back.y.y, back.z.y, back.x.z, back.y.z, back.z.z};
        bool fine = m[12] == 0 && m[13] == 0 && m[14] == 0 && m[15] == 1;
        for (int k = 0; k < 9; k++) {
            double error = columns[k] - m[4 * (k / 3) + k % 3];
            fine = fine && error < 1e-6 && error > -1e-6;
        }
        if (!fine && wrong < 0) {
            wrong = static_cast<int64_t>(i);
        }
        all[i] = {abut_vec3_make(m[3], m[7], m[11]), rotation};
    }
    return nb::make_tuple(array_of<double>(std::move(all)), wrong);
}

} // namespace

void define_pair(nb::module_ &module) {
    nb::class_<abut_collide_settings>(module, "Settings", "Settings of contacts; immutable.")
        .def("__init__", &settings_make, nb::arg("margin"), nb::arg("feature_angle"), nb::arg("normal"), nb::arg("contraction"),
             nb::arg("refine_normal"), nb::arg("previous_normal"), nb::arg("weld"));
    nb::class_<Cache>(module, "Cache",
                      "Memory of the pairs of a batch from call to call. It makes calls faster and never changes a bit of a result.")
        .def(nb::init<size_t>(), nb::arg("count") = 1)
        .def("__len__", [](const Cache &cache) { return cache.caches.size(); });
    module.def("collide", &collide, nb::arg("a"), nb::arg("pose_a"), nb::arg("b"), nb::arg("pose_b"), nb::arg("settings").none(),
               nb::arg("cache").none(), nb::arg("threads"), nb::arg("strict"));
    module.def("distance", &distance, nb::arg("a"), nb::arg("pose_a"), nb::arg("b"), nb::arg("pose_b"), nb::arg("settings").none(),
               nb::arg("cache").none(), nb::arg("threads"));
    module.def("overlap", &overlap, nb::arg("a"), nb::arg("pose_a"), nb::arg("b"), nb::arg("pose_b"), nb::arg("cache").none(),
               nb::arg("threads"));
    module.def("growth", &growth, nb::arg("a"), nb::arg("pose_a"), nb::arg("b"), nb::arg("pose_b"), nb::arg("settings").none(),
               nb::arg("threads"));
    module.def("ray_cast", &ray_cast);
    module.def("shape_cast", &shape_cast);
    module.def("poses_of_matrices", &poses_of_matrices);
}
