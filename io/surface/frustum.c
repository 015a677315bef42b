/* Polygons of cylinders and cones: a ring of vertices for each disc, one vertex for an apex. */
#include "io/surface/frustum.h"

#include "io/surface/turn.h"

static const double pi = 3.14159265358979323846;

bool frustum_surface_has(const abut_shape *shape) {
    abut_kind kind = abut_shape_kind(shape);
    return kind == ABUT_SHAPE_CYLINDER || kind == ABUT_SHAPE_CONE;
}

void frustum_surface_count(const abut_shape *shape, frustum_surface *made) {
    int32_t discs = (abut_shape_radius(shape) > 0.0) + (abut_shape_top_radius(shape) > 0.0);
    made->vertex_count = discs * FRUSTUM_SURFACE_SIDES + 2 - discs;
    made->face_count = FRUSTUM_SURFACE_SIDES + discs;
    made->corner_count = (discs + 2 + discs) * FRUSTUM_SURFACE_SIDES;
}

/* The vertices of an end: index of the first one, and their number. */
typedef struct ring {
    int32_t first, count;
} ring;

static int32_t vertex_of(ring r, int32_t i) { return r.first + i % r.count; }

static ring add_ring(frustum_surface *made, double radius, double z) {
    ring r = {made->vertex_count, radius > 0.0 ? FRUSTUM_SURFACE_SIDES : 1};
    for (int32_t i = 0; i < r.count; i++) {
        abut_vec3 turn = surface_turn(2.0 * pi * i / FRUSTUM_SURFACE_SIDES);
        made->vertices[made->vertex_count++] = abut_vec3_make(radius * turn.x, radius * turn.y, z);
    }
    return r;
}

static void add_corner(frustum_surface *made, int32_t vertex) { made->corners[made->corner_count++] = vertex; }

static void end_face(frustum_surface *made) { made->face_first[++made->face_count] = made->corner_count; }

static void add_disc(frustum_surface *made, ring r, bool top) {
    for (int32_t i = 0; i < r.count; i++) {
        add_corner(made, vertex_of(r, top ? i : r.count - 1 - i));
    }
    end_face(made);
}

/* A quadrilateral, or a triangle at an apex. */
static void add_strip(frustum_surface *made, ring low, ring high, int32_t i) {
    add_corner(made, vertex_of(low, i));
    if (low.count > 1) {
        add_corner(made, vertex_of(low, i + 1));
    }
    add_corner(made, vertex_of(high, i + 1));
    if (high.count > 1) {
        add_corner(made, vertex_of(high, i));
    }
    end_face(made);
}

void frustum_surface_make(const abut_shape *shape, frustum_surface *made) {
    abut_aabb bounds = abut_shape_bounds(shape, abut_pose_identity());
    made->vertex_count = made->face_count = made->corner_count = 0;
    made->face_first[0] = 0;
    ring low = add_ring(made, abut_shape_radius(shape), bounds.lower.z),
         high = add_ring(made, abut_shape_top_radius(shape), bounds.upper.z);
    int32_t strip = 0;
    if (low.count > 1) {
        add_disc(made, low, false);
    } else {
        add_strip(made, low, high, strip++);
    }
    if (high.count > 1) {
        add_disc(made, high, true);
    }
    while (strip < FRUSTUM_SURFACE_SIDES) {
        add_strip(made, low, high, strip++);
    }
}
