/* Contacts of rounded triangles, facet by facet. */
#include <algorithm>

#include "batch.h"

namespace {

abut_status ask(const abut_pair &pair, std::vector<abut_facetmesh_contact> &contacts) {
    int32_t count = 0;
    abut_status status = abut_collide_facets(&pair, nullptr, 0, &count);
    if (status == ABUT_ERROR_CAPACITY) {
        contacts.resize(static_cast<size_t>(count));
        status = abut_collide_facets(&pair, contacts.data(), count, &count);
    }
    return status;
}

/* (contacts of all pairs, first contact of each pair and the end). */
nb::tuple collide_facets(nb::handle a, const Poses &pose_a, nb::handle b, const Poses &pose_b, int32_t threads) {
    const Pairs pairs(a, pose_a, b, pose_b);
    std::vector<std::vector<abut_facetmesh_contact>> found(pairs.count);
    for_all(pairs.count, threads, 4, [&](size_t i) { return ask(pairs[i], found[i]); });
    Buffer<int64_t> first(pairs.count + 1);
    first[0] = 0;
    for (size_t i = 0; i < pairs.count; i++) {
        first[i + 1] = first[i] + static_cast<int64_t>(found[i].size());
    }
    Buffer<abut_facetmesh_contact> all(static_cast<size_t>(first[pairs.count]));
    for (size_t i = 0; i < pairs.count; i++) {
        std::copy(found[i].begin(), found[i].end(), all.data + first[i]);
    }
    return nb::make_tuple(records(std::move(all)), array_of<int64_t>(std::move(first)));
}

} // namespace

void define_facet(nb::module_ &module) { module.def("collide_facets", &collide_facets); }
