/*
 * Rigid penetration depth by the separating axis theorem: J. Kim, Y. J. Kim, theorem 1, with the overlap max h_B - min h_A of the
 * intervals. (The overlap as worded in the theorem, the sum of both lengths minus the length of the union, is too small where one interval
 * contains the other.)
 */
#include "tetra/rigid.h"

#include <stddef.h>

#include "base/argument.h"
#include "tetra/along.h"

abut_depth_direction rigid_direction_of(int lane, int *feature_a, int *feature_b) {
    *feature_a = *feature_b = -1;
    if (lane < LANES_FACES_B) {
        *feature_a = lane - LANES_FACES_A;
        return ABUT_DEPTH_BY_FACE_A;
    }
    if (lane < LANES_EDGES) {
        *feature_b = lane - LANES_FACES_B;
        return ABUT_DEPTH_BY_FACE_B;
    }
    *feature_a = (lane - LANES_EDGES) / 6;
    *feature_b = (lane - LANES_EDGES) % 6;
    return ABUT_DEPTH_BY_EDGES;
}

/* ---- touching and flat pairs ---- */

static void take_larger_gap(const pair *p, abut_vec3 direction, rigid *found) {
    abut_vec3 normal = abut_unit(direction);
    for (int sense = 0; sense < 2 && abut_length_squared(normal) > 0.0; ++sense, normal = abut_neg(normal)) {
        double overlap = along_overlap(p, normal);
        if (overlap < found->overlap) {
            found->overlap = overlap;
            found->normal = normal;
            found->direction = ABUT_DEPTH_BY_PLANE;
            found->feature_a = found->feature_b = -1;
        }
    }
}

/* Two flat bodies in one plane, or two bodies on one line, do not overlap across it. The gap between them shows within the plane or line. */
static void look_within(const pair *p, rigid *found) {
    abut_vec3 across = found->normal;
    for (int b = 0; b < 2; ++b) {
        for (int e = 0; e < 6; ++e) {
            take_larger_gap(p, abut_cross(across, p->body[b].edge[e]), found);
            take_larger_gap(p, p->body[b].edge[e], found);
        }
    }
    take_larger_gap(p, p->body[PAIR_B].vertex[0], found); /* from the first vertex of A */
}

/* The normal if no two edges span a direction because all are parallel: towards each other, or perpendicular to the common line. */
static rigid across_a_line(const pair *p) {
    abut_vec3 line = {0.0, 0.0, 0.0}, between = p->body[PAIR_B].vertex[0], second;
    for (int b = 0; b < 2; ++b) {
        for (int e = 0; e < 6; ++e) {
            line = abut_length_squared(p->body[b].edge[e]) > abut_length_squared(line) ? p->body[b].edge[e] : line;
        }
    }
    line = abut_unit(abut_length_squared(line) > 0.0 ? line : between);
    rigid found = {.direction = ABUT_DEPTH_BY_NOTHING, .feature_a = -1, .feature_b = -1, .normal = {0.0, 0.0, 1.0}};
    if (abut_length_squared(line) > 0.0) {
        abut_tangent_frame(line, &found.normal, &second);
    }
    found.overlap = along_overlap(p, found.normal);
    rigid apart = found;
    take_larger_gap(p, lanes_across(between, line), &apart);
    /* For two bodies on one line the remaining vector is rounding error with an arbitrary direction. */
    found = apart.overlap < -pair_rounding(p) ? apart : found;
    return found;
}

/* ---- all pairs ---- */

abut_depth_relation rigid_relation(const pair *p, double overlap) {
    double rounding = pair_rounding(p);
    return overlap > rounding ? ABUT_DEPTH_INTERSECTING : overlap >= -rounding ? ABUT_DEPTH_TOUCHING : ABUT_DEPTH_DISJOINT;
}

rigid rigid_find(const pair *p, lanes *l) {
    lanes_set_directions(p, l);
    lanes_measure(p, l);
    lane_choice best = lanes_least((const double(*)[LANES])l->span);
    rigid found;
    if (best.lane < 0) {
        found = across_a_line(p);
    } else {
        found.normal = abut_unit(lanes_direction(l, best));
        found.overlap = along_overlap(p, found.normal);
        found.direction = rigid_direction_of(best.lane, &found.feature_a, &found.feature_b);
    }
    if (rigid_relation(p, found.overlap) == ABUT_DEPTH_TOUCHING) {
        look_within(p, &found);
    }
    found.relation = rigid_relation(p, found.overlap);
    return found;
}

abut_rigid_depth rigid_report(const pair *p, const rigid *found) {
    return (abut_rigid_depth){
        -(found->overlap / p->scale), found->normal, found->direction, found->feature_a, found->feature_b, found->relation};
}

abut_status abut_simplex_rigid_depth(const abut_simplex *a, const abut_simplex *b, abut_rigid_depth *depth) {
    if (argument_is_null(CALL_NAME, "a", a) || argument_is_null(CALL_NAME, "b", b) || argument_is_null(CALL_NAME, "rigid", depth)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    pair p;
    abut_status status = pair_check(a, b);
    status = status != ABUT_OK ? status : pair_make(a, b, NULL, &p);
    if (status != ABUT_OK) {
        return pair_refuse(status, CALL_NAME, -1, a, b);
    }
    lanes l;
    rigid found = rigid_find(&p, &l);
    abut_rigid_depth made = rigid_report(&p, &found);
    if (!isfinite(made.gap)) {
        return pair_refuse(ABUT_ERROR_NOT_FINITE, CALL_NAME, -1, a, b);
    }
    *depth = made;
    return ABUT_OK;
}
