/* Makes the skin of a shape when it is first asked for, and keeps it with the shape. Threads that ask at once make the same skin; one of them is kept. */
#include "shape/facet/mesh.h"
#include "shape/lifecycle.h"
#include "shape/shape.h"
#include "shape/skin/soup.h"
#include "shape/smooth.h"

static abut_status make(const abut_shape *shape, abut_shape **skin) {
    skin_soup soup = {.count = 0};
    if (shape->kind == ABUT_SHAPE_TRIMESH) {
        skin_of_mesh(shape, &soup);
    } else if (shape->kind == ABUT_SHAPE_COMPOUND) {
        skin_of_parts(shape, &soup);
    } else if (smooth_is_unknown(shape)) {
        skin_of_curved(shape, &soup);
    } else {
        skin_of_convex(shape, &soup);
    }
    abut_status status = facetmesh_make_skin(&soup, &shape->unit_mass, skin);
    skin_free(&soup);
    return status;
}

abut_status facetmesh_skin_of(const abut_shape *given, const abut_shape **skin) {
    const abut_shape *shape = given->base != NULL ? given->base : given; /* the one that frees it */
    if (shape->kind == ABUT_SHAPE_FACETMESH) {
        *skin = shape;
        return ABUT_OK;
    }
    shape_skin *kept = &((abut_shape *)(uintptr_t)shape)->skin;
    abut_shape *found = atomic_load_explicit(kept, memory_order_acquire), *made = NULL;
    if (found == NULL) {
        abut_status status = make(shape, &made);
        if (status != ABUT_OK) {
            return status;
        }
        if (atomic_compare_exchange_strong_explicit(kept, &found, made, memory_order_acq_rel, memory_order_acquire)) {
            found = made;
        } else {
            shape_free(made);
        }
    }
    *skin = found;
    return ABUT_OK;
}
