/* Triangles near a point, through a hierarchy of boxes that is built on demand: see near.h. Set frame. */
#include "narrow/mesh/near.h"

#include "base/memory.h"
#include "base/real.h"

enum { WORTH_BUILDING = 24 }; /* building takes about as long as this many searches through all triangles */

void mesh_near_init(mesh_near *near, mesh_near_triangle *triangle, const void *context, int32_t count, double reach) {
    *near = (mesh_near){.triangle = triangle, .context = context, .count = count, .reach = reach};
    near->left = (int64_t)WORTH_BUILDING * (count > MESH_SET_FEW ? count : MESH_SET_FEW);
}

void mesh_near_free(mesh_near *near) {
    packed_tree_release(&near->tree);
    memory_release(near->order);
    near->order = NULL;
}

static abut_vec3 cut(abut_vec3 place, double reach) {
    return abut_vec3_make(real_max(-reach, real_min(reach, place.x)), real_max(-reach, real_min(reach, place.y)),
                          real_max(-reach, real_min(reach, place.z)));
}

/* Points of a triangle are computed with the rounding error of its coordinates, and those of slender triangles with more. */
static double grown_by(const mesh_triangle *t) {
    const double rounding = 1e-12;
    double most = 0.0;
    for (int i = 0; i < 3; ++i) {
        most = real_max(most, real_max(fabs(t->corner[i].x), real_max(fabs(t->corner[i].y), fabs(t->corner[i].z))));
    }
    return rounding * most;
}

static abut_aabb bounds_of(const mesh_triangle *t, double reach) {
    const abut_vec3 *p = &t->corner[0], *q = &t->corner[1], *r = &t->corner[2];
    double grown = grown_by(t);
    abut_vec3 more = abut_vec3_make(grown, grown, grown);
    abut_vec3 lower =
        abut_vec3_make(real_min(p->x, real_min(q->x, r->x)), real_min(p->y, real_min(q->y, r->y)), real_min(p->z, real_min(q->z, r->z)));
    abut_vec3 upper =
        abut_vec3_make(real_max(p->x, real_max(q->x, r->x)), real_max(p->y, real_max(q->y, r->y)), real_max(p->z, real_max(q->z, r->z)));
    return (abut_aabb){cut(abut_sub(lower, more), reach), cut(abut_add(upper, more), reach)};
}

static void build(mesh_near *near) {
    abut_aabb *boxes = memory_allocate((size_t)near->count, sizeof *boxes);
    int32_t *order = memory_allocate((size_t)near->count, sizeof *order);
    for (int32_t i = 0; boxes != NULL && i < near->count; ++i) {
        boxes[i] = bounds_of(near->triangle(near->context, i), near->reach);
    }
    if (boxes != NULL && order != NULL && packed_tree_build(&near->tree, boxes, near->count, order)) {
        near->order = order;
    } else {
        memory_release(order);
        near->left = INT64_MAX;
    }
    memory_release(boxes);
}

void mesh_near_begin(mesh_near_walk *walk, mesh_near *near, abut_vec3 point, double same, int32_t end) {
    if (near->order == NULL && near->left < end) {
        build(near);
    }
    walk->all = near->order == NULL;
    walk->end = end;
    walk->leaf = (packed_leaf){0, 0};
    walk->order = near->order;
    if (walk->all) {
        near->left -= end;
        return;
    }
    abut_vec3 more = abut_vec3_make(same, same, same);
    packed_box_begin(&walk->boxes, &near->tree,
                     (abut_aabb){cut(abut_sub(point, more), near->reach), cut(abut_add(point, more), near->reach)});
}

int32_t mesh_near_next(mesh_near_walk *walk) {
    if (walk->all) {
        return walk->leaf.first < walk->end ? walk->leaf.first++ : -1;
    }
    for (;;) {
        while (walk->leaf.count > 0) {
            int32_t index = walk->order[walk->leaf.first++];
            --walk->leaf.count;
            if (index < walk->end) {
                return index;
            }
        }
        if (!packed_box_next(&walk->boxes, &walk->leaf)) {
            return -1;
        }
    }
}
