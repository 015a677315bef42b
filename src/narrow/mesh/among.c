/* Meshes near a place, among many: see among.h. */
#include "narrow/mesh/among.h"

#include "base/memory.h"
#include "base/real.h"

static const double rounding = 1e-14; /* of a place, relative to its coordinates: more than a mesh's own bounds can err by */

/* The bounds of a mesh, seen along the axes of the set. */
static abut_aabb bounds_of(const placed_mesh *mesh) {
    const abut_mat3 *m = &mesh->rotation;
    const trimesh *of = mesh->mesh;
    abut_aabb box = packed_node_box(&of->tree, 0);
    abut_vec3 half = abut_scale(0.5, abut_sub(box.upper, box.lower));
    abut_vec3 middle = abut_add(of->tree.middle, abut_lerp(box.lower, box.upper, 0.5)), centre = mesh->centre;
    abut_vec3 at = abut_mat3_apply(*m, abut_sub(middle, centre));
    double far = fabs(middle.x) + fabs(middle.y) + fabs(middle.z) + fabs(centre.x) + fabs(centre.y) + fabs(centre.z);
    double grown = rounding * (far + half.x + half.y + half.z);
    abut_vec3 reach = {grown + fabs(m->x.x) * half.x + fabs(m->y.x) * half.y + fabs(m->z.x) * half.z,
                       grown + fabs(m->x.y) * half.x + fabs(m->y.y) * half.y + fabs(m->z.y) * half.z,
                       grown + fabs(m->x.z) * half.x + fabs(m->y.z) * half.y + fabs(m->z.z) * half.z};
    return (abut_aabb){abut_sub(at, reach), abut_add(at, reach)};
}

static bool is_finite(abut_aabb box) {
    abut_vec3 sum = abut_add(box.lower, box.upper); /* of opposite infinities it is NaN */
    return isfinite(sum.x) && isfinite(sum.y) && isfinite(sum.z);
}

bool mesh_among_index(box_index *index, mesh_surface *surface) {
    enum { FEW = 16 };
    *index = (box_index){0};
    if (surface->count <= FEW) {
        return true;
    }
    abut_aabb *bounds = memory_allocate((size_t)surface->count, sizeof *bounds);
    bool fine = bounds != NULL, finite = true;
    for (int32_t i = 0; i < surface->count && fine; ++i) {
        bounds[i] = bounds_of(&surface->mesh[i]);
        finite = finite && is_finite(bounds[i]);
    }
    if (fine && finite) {
        fine = box_index_make(index, bounds, surface->count);
        surface->index = fine ? index : NULL;
    }
    memory_release(bounds);
    return fine;
}

void mesh_among_find(const mesh_surface *surface, abut_vec3 middle, double half, box_hits *hits) {
    const double diagonal = 1.75; /* of a cube, over its side, and a little more */
    if (surface->index == NULL) {
        hits->all = true;
        hits->count = surface->count;
        return;
    }
    double reach = diagonal * half + rounding * (fabs(middle.x) + fabs(middle.y) + fabs(middle.z));
    abut_vec3 grown = {reach, reach, reach};
    box_index_find(surface->index, (abut_aabb){abut_sub(middle, grown), abut_add(middle, grown)}, hits);
}
