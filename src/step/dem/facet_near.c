/*
 * The placement of a body in another body's frame, and the facet pairs of both that may touch. These are listed again when the two have
 * moved relative to each other by more than the margin of the list (narrow/facet/near.h).
 */
#include "base/real.h"
#include "shape/facet/mesh.h"
#include "shape/shape.h"
#include "step/dem/system.h"

/* ---- placement of the guest ---- */

abut_vec3 dem_way_to_guest(const dem_system *s, const dem_facet_pair *pair) {
    const abut_vec3 from = s->spheres[pair->frame].centre, to = s->spheres[pair->guest].centre;
    return dem_is_plane(s, pair->guest) ? abut_sub(to, from) : neighbour_way(&s->space, from, to);
}

facet_placement dem_guest_placement(const dem_system *s, const dem_facet_pair *pair, abut_vec3 way) {
    const dem_mesh *frame = dem_mesh_of(s, pair->frame), *guest = dem_mesh_of(s, pair->guest);
    const abut_mat3 back = abut_mat3_transpose(frame->at.rotation);
    const abut_vec3 from = abut_sub(s->spheres[pair->frame].centre, frame->at.position); /* from the frame's origin to the centre */
    facet_placement at = {.position = {0.0, 0.0, 0.0}};
    if (dem_is_plane(s, pair->guest)) {
        const dem_plane *plane = dem_plane_of(s, pair->guest);
        at.rotation.x = abut_mat3_apply(back, plane->normal);
        at.position.x = plane->offset - abut_dot(plane->normal, frame->at.position);
    } else if (guest != NULL) {
        at.rotation = abut_mat3_mul(back, guest->at.rotation);
        abut_vec3 to = abut_sub(guest->at.position, s->spheres[pair->guest].centre);
        at.position = abut_mat3_apply(back, abut_add(abut_add(from, way), to));
    } else {
        at.position = abut_mat3_apply(back, abut_add(from, way));
    }
    return at;
}

/* ---- facets that may touch ---- */

static double square_of(abut_mat3 m) { return abut_length_squared(m.x) + abut_length_squared(m.y) + abut_length_squared(m.z); }

/* Upper bound of the guest's motion in the first body's frame since the list was made, in the sense of facetmesh_near(),
 * facetmesh_near_sphere() and facetmesh_near_plane(). The norm of the difference of two rotations is 1 / sqrt(2) of the root of the sum of
 * its squared entries. */
static double moved_by(const dem_system *s, const dem_facet_pair *pair, const facet_placement *now) {
    const facet_placement *was = &pair->listed_at;
    const abut_mat3 turn = {abut_sub(now->rotation.x, was->rotation.x), abut_sub(now->rotation.y, was->rotation.y),
                            abut_sub(now->rotation.z, was->rotation.z)};
    double way = abut_length(abut_sub(now->position, was->position));
    if (dem_is_plane(s, pair->guest)) {
        return abut_length(turn.x) * dem_mesh_of(s, pair->frame)->shape->facets->reach + way;
    }
    const dem_mesh *guest = dem_mesh_of(s, pair->guest);
    return guest == NULL ? way : way + 0.70711 * sqrt(square_of(turn)) * 2.0 * guest->shape->facets->reach;
}

static void list_within(const dem_system *s, dem_facet_pair *pair, const facet_placement *at, double margin) {
    const abut_shape *frame = dem_mesh_of(s, pair->frame)->shape;
    const dem_mesh *guest = dem_mesh_of(s, pair->guest);
    double within = margin + 2.0 * pair->reach;
    pair->near.count = 0;
    pair->near.out_of_memory = false;
    pair->margin = margin;
    if (dem_is_plane(s, pair->guest)) {
        facetmesh_near_plane(frame, at->rotation.x, at->position.x, within, &pair->near);
    } else if (guest != NULL) {
        facetmesh_near(frame, guest->shape, at, within, &pair->near);
    } else {
        facetmesh_near_sphere(frame, at->position, s->spheres[pair->guest].radius, within, &pair->near);
    }
}

double dem_smaller_reach(const dem_system *s, const dem_facet_pair *pair) {
    const dem_mesh *guest = dem_mesh_of(s, pair->guest);
    double reach = dem_mesh_of(s, pair->frame)->shape->facets->reach;
    return real_min(reach, guest != NULL ? guest->shape->facets->reach : s->spheres[pair->guest].radius);
}

/* The guest's motion in the first body's frame in one step, in the sense of moved_by(). */
static double motion_in_step(const dem_system *s, const dem_facet_pair *pair, double h) {
    const dem_body *a = &s->bodies[pair->frame], *b = &s->bodies[pair->guest];
    const dem_mesh *guest = dem_mesh_of(s, pair->guest);
    double reach = guest != NULL ? 2.0 * guest->shape->facets->reach : dem_mesh_of(s, pair->frame)->shape->facets->reach;
    double turning = abut_length(abut_sub(b->angular_velocity, a->angular_velocity)) + abut_length(a->angular_velocity);
    return h * (abut_length(abut_sub(b->velocity, a->velocity)) + reach * turning);
}

/* Bodies of round surfaces that are almost at one place may touch with any of their facets after the least motion. A list is not longer than this number of
 * facet pairs for each facet, if a narrower margin makes it shorter. */
enum { CROWDED = 16 };

static int32_t most_listed(const dem_system *s, const dem_facet_pair *pair) {
    const dem_mesh *frame = dem_mesh_of(s, pair->frame), *guest = dem_mesh_of(s, pair->guest);
    double facets = frame->shape->facets->topology->triangle_count + (guest != NULL ? guest->shape->facets->topology->triangle_count : 0.0);
    return (int32_t)real_min(CROWDED * facets, INT32_MAX);
}

static bool is_listed_within(const dem_system *s, dem_facet_pair *pair, const facet_placement *at, double margin, int32_t most) {
    pair->near.most = most;
    list_within(s, pair, at, margin);
    return !facet_candidates_are_too_many(&pair->near);
}

/* The list of a crowded pair has the margin of a few of the present steps, if that makes it little longer than the last one. */
static void list_crowded(const dem_system *s, dem_facet_pair *pair, const facet_placement *at, double motion, double usual, int32_t last) {
    const double steps = 8.0, longer = 1.5;
    double margin = real_min(steps * motion, usual);
    int32_t most = (int32_t)real_min(real_max(most_listed(s, pair), longer * last), INT32_MAX);
    if (!(margin > motion) || !is_listed_within(s, pair, at, margin, most)) {
        (void)is_listed_within(s, pair, at, 0.0, 0);
    }
    pair->crowded = pair->near.count > most_listed(s, pair) / 2;
}

/* The margin lasts for some steps. It is narrow for bodies that hardly move relative to each other, because few facet pairs are listed
 * then. A list that the next step would make useless has no margin. */
static void list_pairs(const dem_system *s, dem_facet_pair *pair, const facet_placement *at, double h) {
    const double steps = 2.0, narrowest = 0.01, widest = 0.2;
    if (dem_cell_touches(s, pair)) { /* the next step has another shape */
        (void)is_listed_within(s, pair, at, 0.0, 0);
        return;
    }
    const int32_t last = pair->crowded ? pair->near.count : 0;
    double unit = dem_smaller_reach(s, pair), motion = motion_in_step(s, pair, h);
    double margin = real_min(real_max(steps * motion, narrowest * unit), widest * unit);
    bool lasts = margin > motion && !pair->crowded;
    if (!lasts || !is_listed_within(s, pair, at, margin, most_listed(s, pair))) {
        list_crowded(s, pair, at, motion, margin, last);
    }
}

static void list_near(const dem_system *s, dem_facet_pair *pair, const facet_placement *at, double h) {
    list_pairs(s, pair, at, h);
    const dem_mesh *guest = dem_mesh_of(s, pair->guest);
    facet_candidates_sort(&pair->near);
    pair->listed_at = *at;
    pair->frame_shape = pair->near.out_of_memory ? NULL : dem_mesh_of(s, pair->frame)->shape; /* NULL: an incomplete list is made again */
    pair->guest_shape = guest != NULL ? guest->shape : s->world->bodies[s->tags[pair->guest].slot].shape;
}

static bool is_listed(const dem_system *s, const dem_facet_pair *pair, const facet_placement *at) {
    const dem_mesh *guest = dem_mesh_of(s, pair->guest);
    return pair->frame_shape == dem_mesh_of(s, pair->frame)->shape &&
           pair->guest_shape == (guest != NULL ? guest->shape : s->world->bodies[s->tags[pair->guest].slot].shape) &&
           moved_by(s, pair, at) <= pair->margin;
}

void dem_keep_near(const dem_system *s, dem_facet_pair *pair, const facet_placement *at, double h) {
    if (!is_listed(s, pair, at)) {
        list_near(s, pair, at, h);
    }
}
