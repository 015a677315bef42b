/* The styles of the plugin. */
#include "plugin_entry.h"

#include "fix_memory.h"
#include "fix_nve.h"
#include "fix_wall.h"
#include "pair_facetmesh.h"

#include "lammps.h"

namespace {

using LAMMPS_NS::LAMMPS;

template <class Style> void *pair_style(void *lammps) { return new Style(static_cast<LAMMPS *>(lammps)); }
template <class Style> void *fix_style(void *lammps, int count, char **words) {
    return new Style(static_cast<LAMMPS *>(lammps), count, words);
}

} // namespace

void lammpsplugin_init(void *lammps, void *handle, void *register_function) {
    auto add = reinterpret_cast<lammpsplugin_register>(register_function);
    lammpsplugin_t plugin{};
    plugin.version = ABUT_LAMMPS_VERSION;
    plugin.author = "abut";
    plugin.handle = handle;

    plugin.style = "pair";
    plugin.name = "abut/facetmesh";
    plugin.info = "abut: contacts of grains of rounded triangles";
    plugin.creator.without_words = pair_style<abut_lammps::PairFacetmesh>;
    add(&plugin, lammps);

    plugin.style = "fix";
    plugin.name = "abut/memory";
    plugin.info = "abut: memory of contacts";
    plugin.creator.with_words = fix_style<abut_lammps::FixMemory>;
    add(&plugin, lammps);

    plugin.name = "abut/nve";
    plugin.info = "abut: motion of rigid bodies with their true inertia";
    plugin.creator.with_words = fix_style<abut_lammps::FixNVE>;
    add(&plugin, lammps);

    plugin.name = "abut/wall";
    plugin.info = "abut: planes and meshes that bodies touch, at rest or moving";
    plugin.creator.with_words = fix_style<abut_lammps::FixWall>;
    add(&plugin, lammps);
}
