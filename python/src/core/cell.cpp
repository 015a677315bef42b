/* Elastic cells of a world: bodies whose vertices move. */
#include "world.h"

namespace {

/* Makes bodies cells, all alike; after an error those before it stay cells. */
void make_cells(World &world, const Ids &ids, const nb::dict &given) {
    abut_cell_def def = abut_cell_def_default();
    Options options(given);
    options.read("stiffness", def.stiffness)
        .read("damping", def.damping)
        .read("rest_ratio", def.rest_ratio)
        .read("pressure", def.pressure)
        .read("bulk_modulus", def.bulk_modulus)
        .done();
    for_bodies(world, ids, [&](abut_world *of, abut_body_id id, size_t) { return abut_world_make_cell(of, id, &def); });
}

Bytes cell_states(World &world, const Ids &ids) {
    std::vector<abut_cell_state> all(ids.size());
    for_bodies(world, ids, [&](abut_world *of, abut_body_id id, size_t i) { return abut_world_cell_state(of, id, &all[i]); });
    return records(std::move(all));
}

Bytes cell_nodes(World &world, uint64_t body) {
    std::vector<abut_cell_node> all;
    with(world, [&](abut_world *of) {
        int32_t count = 0;
        abut_status status = abut_world_cell_nodes(of, id_of<abut_body_id>(body), nullptr, 0, &count);
        if (status != ABUT_ERROR_CAPACITY) {
            return status;
        }
        all.resize(static_cast<size_t>(count));
        return abut_world_cell_nodes(of, id_of<abut_body_id>(body), all.data(), count, &count);
    });
    return records(std::move(all));
}

void set_cell_nodes(World &world, uint64_t body, const Vectors &positions, const Vectors &velocities) {
    const size_t count = positions.shape(0);
    if (velocities.shape(0) != count && velocities.shape(0) != 1) {
        throw nb::value_error("positions and velocities: their numbers differ");
    }
    std::vector<abut_cell_node> all(count);
    for (size_t i = 0; i < count; i++) {
        all[i].position = vectors(positions)[i];
        all[i].velocity = vectors(velocities)[velocities.shape(0) == 1 ? 0 : i];
    }
    with(world, [&](abut_world *of) { return abut_world_set_cell_nodes(of, id_of<abut_body_id>(body), all.data(), count_of(count)); });
}

} // namespace

void define_cells(nb::class_<World> &type) {
    type.def("make_cells", &make_cells)
        .def("cell_states", &cell_states)
        .def("cell_nodes", &cell_nodes)
        .def("set_cell_nodes", &set_cell_nodes);
}
