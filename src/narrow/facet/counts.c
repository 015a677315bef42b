/* Which facet contacts count: see counts.h. */
#include "narrow/facet/counts.h"

#include "base/real.h"
#include "geom/closest.h"
#include "shape/facet/mesh.h"
#include "shape/shape.h"

/* ---- surfaces with two sides ---- */

/* Only the side counts on which the other body's centre is. */
static bool is_before(const abut_shape *skin, const facet_side *side, abut_vec3 centre) {
    return !skin->facets->two_sided || abut_dot(side->normal, abut_sub(centre, side->foot)) >= 0.0;
}

/* ---- the way out ---- */

typedef struct look {
    abut_vec3 point;
    double square; /* a surface nearer than its root is another way out */
    bool nearer;
} look;

static void approach(void *context, int32_t index, const abut_triangle *triangle, double *limit) {
    look *l = context;
    (void)index;
    const abut_vec3 *p = triangle->corner;
    double w[3];
    closest_on_triangle(l->point, p[0], p[1], p[2], w);
    abut_vec3 at = abut_add(abut_scale(w[0], p[0]), abut_add(abut_scale(w[1], p[1]), abut_scale(w[2], p[2])));
    if (abut_length_squared(abut_sub(at, l->point)) < l->square) {
        l->nearer = true;
        *limit = 0.0;
    }
}

static bool has_nearer(const abut_shape *skin, abut_vec3 point, double distance) {
    look l = {point, distance * distance, false};
    trimesh_near(skin->mesh, point, distance, approach, &l);
    return l.nearer;
}

/* Whether the two flat facets are the way out of each other's bodies. They are not if in both bodies another surface is much nearer to the other's facet at the
 * middle of the overlap: then both facets are sides of bodies that overlap elsewhere. In one body that means nothing: a corner that presses on a wall has
 * its other faces close by. Overlaps of up to a fiftieth of the thickness are the way out. */
static bool is_way_out(const facet_bodies *bodies, const facet_side *a, const facet_side *b, const abut_facet_contact *c) {
    const double shallow = 0.02, much = 0.5;
    double depth = real_min(a->depth > 0.0 ? a->depth : INFINITY, b->depth > 0.0 ? b->depth : INFINITY);
    if (bodies->b == NULL || -c->sphere_gap <= shallow * depth) {
        return true;
    }
    double overlap = -c->gap, nearer = much * overlap / sqrt(1.0 + 0.25 * abut_length_squared(c->tilt));
    abut_vec3 on_a = abut_add_scaled(c->point, -0.5 * overlap, c->normal), on_b = abut_add_scaled(c->point, 0.5 * overlap, c->normal);
    return !has_nearer(bodies->a, on_b, nearer) || !has_nearer(bodies->b, facet_point_back(bodies->b_in_a, on_a), nearer);
}

bool facet_contact_counts(const facet_bodies *bodies, const facet_side *a, const facet_side *b, const abut_facet_contact *c) {
    if ((!bodies->on_plane && !is_before(bodies->a, a, bodies->centre_b)) ||
        (bodies->b != NULL && !is_before(bodies->b, b, bodies->a->unit_mass.centre))) {
        return false;
    }
    return c->radius < INFINITY || is_way_out(bodies, a, b, c);
}

facet_bodies facet_bodies_of(const abut_shape *a, const abut_shape *b, const facet_placement *b_in_a) {
    return (facet_bodies){a, b, b_in_a, false, abut_add(abut_mat3_apply(b_in_a->rotation, b->unit_mass.centre), b_in_a->position)};
}
