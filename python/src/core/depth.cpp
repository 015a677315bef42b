/* Deformable penetration depth of tetrahedra and of tetrahedral meshes. */
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "core.h"

namespace {

using Tetrahedra = nb::ndarray<const double, nb::shape<-1, 4, 3>, nb::c_contig, nb::device::cpu>;
using Elements = nb::ndarray<const int32_t, nb::shape<-1, 4>, nb::c_contig, nb::device::cpu>;

abut_depth_settings settings_of(const std::string &mode, int32_t best_k, double weight_a, double weight_b, double volume_ratio) {
    abut_depth_settings settings = abut_depth_settings_default();
    const struct {
        const char *name;
        abut_depth_mode mode;
    } modes[] = {{"exact44", ABUT_DEPTH_EXACT44}, {"paper", ABUT_DEPTH_PAPER},           {"accelerated", ABUT_DEPTH_ACCELERATED},
                 {"best-k", ABUT_DEPTH_BEST_K},   {"free-local", ABUT_DEPTH_FREE_LOCAL}, {"free", ABUT_DEPTH_FREE}};
    bool known = false;
    for (const auto &one : modes) {
        if (mode == one.name) {
            settings.mode = one.mode;
            known = true;
        }
    }
    if (!known) {
        throw nb::value_error("mode is exact44, paper, accelerated, best-k, free-local or free");
    }
    settings.best_k = best_k;
    settings.weight_a = weight_a;
    settings.weight_b = weight_b;
    settings.volume_ratio = volume_ratio;
    return settings;
}

std::vector<abut_simplex> simplices(const Tetrahedra &tetrahedra, size_t batch) {
    std::vector<abut_simplex> all(batch);
    for (size_t i = 0; i < batch; i++) {
        all[i].count = 4;
        std::memcpy(all[i].vertex, tetrahedra.data() + 12 * (tetrahedra.shape(0) == 1 ? 0 : i), sizeof all[i].vertex);
    }
    return all;
}

size_t batch_of(const Tetrahedra &a, const Tetrahedra &b) {
    if (a.shape(0) != b.shape(0) && a.shape(0) != 1 && b.shape(0) != 1) {
        throw nb::value_error("a and b: the numbers of tetrahedra differ");
    }
    if (a.shape(0) == 0 || b.shape(0) == 0) {
        return 0;
    }
    return a.shape(0) > b.shape(0) ? a.shape(0) : b.shape(0);
}

Bytes depth(const Tetrahedra &a, const Tetrahedra &b, const std::string &mode, int32_t best_k, double weight_a, double weight_b,
            double volume_ratio, int32_t threads) {
    abut_depth_settings settings = settings_of(mode, best_k, weight_a, weight_b, volume_ratio);
    size_t batch = batch_of(a, b);
    std::vector<abut_simplex> of_a = simplices(a, batch), of_b = simplices(b, batch);
    std::vector<abut_depth> depths(batch);
    abut_parallel parallel = threads_of(threads);
    abut_status status;
    {
        nb::gil_scoped_release released;
        forget_message();
        status = abut_simplex_depth_batch(of_a.data(), of_b.data(), count_of(batch), &settings, &parallel, depths.data());
    }
    check(status);
    for (size_t i = 0; i < batch; i++) {
        if (depths[i].status != ABUT_OK) {
            throw Failure(depths[i].status, "pair " + std::to_string(i) + ": " + abut_status_message(depths[i].status));
        }
    }
    return records(std::move(depths));
}

/* Derivatives of the depths by the vertices, [n, 4, 3] of A and of B. */
nb::tuple depth_gradient(const Tetrahedra &a, const Tetrahedra &b, const nb::bytes &found, const std::string &mode, int32_t best_k,
                         double weight_a, double weight_b, double volume_ratio) {
    abut_depth_settings settings = settings_of(mode, best_k, weight_a, weight_b, volume_ratio);
    size_t batch = batch_of(a, b);
    if (found.size() != batch * sizeof(abut_depth)) {
        throw nb::value_error("these are not the depths of these tetrahedra");
    }
    std::vector<abut_simplex> of_a = simplices(a, batch), of_b = simplices(b, batch);
    std::vector<abut_vec3> by_a(4 * batch), by_b(4 * batch);
    for (size_t i = 0; i < batch; i++) {
        abut_depth one;
        std::memcpy(&one, static_cast<const char *>(found.data()) + i * sizeof one, sizeof one);
        forget_message();
        check(abut_depth_gradient(&of_a[i], &of_b[i], &settings, &one, &by_a[4 * i], &by_b[4 * i]));
    }
    return nb::make_tuple(records(std::move(by_a)), records(std::move(by_b)));
}

abut_tetra_mesh mesh_of(const Vectors &vertices, const Elements &elements) {
    abut_tetra_mesh mesh = {};
    mesh.vertices = vectors(vertices);
    mesh.vertex_count = count_of(vertices.shape(0));
    mesh.elements = elements.data();
    mesh.element_count = count_of(elements.shape(0));
    return mesh;
}

/* Pairs of elements that intersect, [n, 2]; without b, of a with itself. */
Bytes intersections(const Vectors &vertices_a, const Elements &elements_a, const std::optional<Vectors> &vertices_b,
                    const std::optional<Elements> &elements_b, int32_t threads) {
    abut_tetra_mesh a = mesh_of(vertices_a, elements_a), b = vertices_b ? mesh_of(*vertices_b, *elements_b) : abut_tetra_mesh{};
    abut_parallel parallel = threads_of(threads);
    std::vector<abut_element_pair> pairs(1024);
    int64_t count = 0;
    abut_status status;
    {
        nb::gil_scoped_release released;
        forget_message();
        status = abut_tetra_mesh_intersections(&a, vertices_b ? &b : nullptr, &parallel, pairs.data(), static_cast<int64_t>(pairs.size()),
                                               &count);
        if (status == ABUT_ERROR_CAPACITY) {
            pairs.resize(static_cast<size_t>(count));
            status = abut_tetra_mesh_intersections(&a, vertices_b ? &b : nullptr, &parallel, pairs.data(), count, &count);
        }
    }
    check(status);
    pairs.resize(static_cast<size_t>(count));
    return records(std::move(pairs));
}

/* (status, new vertices of A, of B, pairs that remain, largest displacement, its root mean square). */
nb::tuple resolve(const Vectors &vertices_a, const Elements &elements_a, const std::optional<Vectors> &vertices_b,
                  const std::optional<Elements> &elements_b, const std::optional<Numbers> &mass_a, const std::optional<Numbers> &mass_b,
                  double volume_ratio, int32_t threads) {
    abut_tetra_mesh a = mesh_of(vertices_a, elements_a), b = vertices_b ? mesh_of(*vertices_b, *elements_b) : abut_tetra_mesh{};
    if ((mass_a && mass_a->size() != vertices_a.shape(0)) || (mass_b && (!vertices_b || mass_b->size() != vertices_b->shape(0)))) {
        throw nb::value_error("a mesh needs one mass for each vertex, or none at all");
    }
    abut_resolve_settings settings = abut_resolve_settings_default();
    settings.volume_ratio = volume_ratio;
    std::vector<abut_vec3> moved_a(vertices_a.shape(0)), moved_b(vertices_b ? vertices_b->shape(0) : 0);
    abut_parallel parallel = threads_of(threads);
    abut_resolve_report report = {};
    abut_status status;
    {
        nb::gil_scoped_release released;
        forget_message();
        status =
            abut_tetra_mesh_resolve(&a, vertices_b ? &b : nullptr, mass_a ? mass_a->data() : nullptr, mass_b ? mass_b->data() : nullptr,
                                    &settings, &parallel, moved_a.data(), moved_b.data(), nullptr, 0, &report);
    }
    if (status != ABUT_ERROR_INFEASIBLE && status != ABUT_ERROR_ITERATION_LIMIT) {
        check(status);
    }
    return nb::make_tuple(static_cast<int>(status), records(std::move(moved_a)), records(std::move(moved_b)), report.pairs_begin,
                          report.pairs_remaining, report.displacement_max, report.displacement_rms, report.inverted);
}

} // namespace

void define_depth(nb::module_ &module) {
    module.def("depth", &depth);
    module.def("depth_gradient", &depth_gradient);
    module.def("intersections", &intersections, nb::arg("vertices_a"), nb::arg("elements_a"), nb::arg("vertices_b").none(),
               nb::arg("elements_b").none(), nb::arg("threads"));
    module.def("resolve", &resolve, nb::arg("vertices_a"), nb::arg("elements_a"), nb::arg("vertices_b").none(),
               nb::arg("elements_b").none(), nb::arg("mass_a").none(), nb::arg("mass_b").none(), nb::arg("volume_ratio"),
               nb::arg("threads"));
}
