/* Contacts that go on: see track.h. The frame is that of the places. */
#include "narrow/curved/track.h"

#include "base/real.h"
#include "narrow/curved/curved.h"
#include "narrow/curved/settle.h"
#include "shape/smooth.h"
#include "shape/surface/triangulation_data.h"
#include "shape/trimesh.h"
#include "shape/user.h"

static bool is_in(int32_t index, int32_t count) { return index >= 0 && index < count; }

/* Whether a shape has a feature. A restored world may name others. */
static bool has(const abut_shape *shape, abut_feature feature) {
    bool of_mesh = shape->kind == ABUT_SHAPE_TRIMESH;
    switch (feature.kind) {
    case ABUT_FEATURE_FACE:
        return shape->kind == ABUT_SHAPE_PLANE || is_in(feature.index, of_mesh ? shape->mesh->triangle_count : shape->surface.face_count);
    case ABUT_FEATURE_EDGE:
        return is_in(feature.index, of_mesh ? 3 * shape->mesh->triangle_count : shape->surface.edge_count);
    case ABUT_FEATURE_VERTEX:
        return is_in(feature.index, of_mesh ? shape->mesh->vertex_count : shape->surface.vertex_count);
    default:
        return feature.kind == ABUT_FEATURE_SMOOTH && feature.index >= 0 &&
               (smooth_is(shape) || shape->kind == ABUT_SHAPE_SPHERE || shape->kind == ABUT_SHAPE_CAPSULE);
    }
}

static bool begin(contact_side *side, const abut_shape *shape, side_place place, const curved_start *from) {
    abut_vec3 point = abut_add(abut_mat3_apply(place.rotation, from->point), place.position);
    if (smooth_is_unknown(shape)) {
        int32_t triangle = curved_triangle_of(shape, from->feature);
        return triangle >= 0 && contact_side_begin_curved(side, shape, place, triangle, point);
    }
    return has(shape, from->feature) &&
           contact_side_begin(side, shape, place, from->feature, point, abut_mat3_apply(place.rotation, from->outward));
}

bool curved_track(const abut_shape *const shape[2], const side_place place[2], const curved_start start[2], contact_side side[2]) {
    const double way = 0.25; /* of the sizes: farther, the contact is another one */
    int lead = smooth_is_unknown(shape[0]) ? 0 : 1;
    double size = shape[0]->size + shape[1]->size;
    return begin(&side[0], shape[0], place[0], &start[0]) && begin(&side[1], shape[1], place[1], &start[1]) &&
           contact_sides_settle(&side[lead], &side[1 - lead], size, way * size);
}
