/*
 * Support points of the pieces of surfaces of rounded triangles: see piece.h. All are computed from the triangle and not from the centre of its sphere, which
 * may be a million times as far away.
 */
#include "narrow/facet/piece.h"

#include "base/real.h"

/* ---- the piece ---- */

/* The plane through the centre and a side. A side through the centre has the plane along the normal, as it has for any larger radius. */
static void set_arc(facet_piece *p, int i) {
    abut_vec3 from = abut_sub(p->corner[i], p->foot), side = abut_sub(p->corner[(i + 1) % 3], p->corner[i]);
    abut_vec3 inward = abut_cross(p->normal, side), across = abut_add_scaled(abut_cross(from, side), p->height, inward);
    double degenerate = 1e-14 * p->foot_radius * abut_length(side);
    abut_vec3 to_middle = abut_add_scaled(from, 0.5, side);
    abut_vec3 up = abut_add_scaled(to_middle, p->height, p->normal);
    double half2 = 0.25 * abut_length_squared(side);
    facet_arc *arc = &p->arc[i];
    arc->across = abut_unit(abut_length(across) > degenerate ? across : inward);
    arc->middle = abut_add(p->foot, to_middle);
    arc->top = abut_length(up) > 1e-14 * p->foot_radius ? abut_unit(up) : p->normal;
    arc->sagitta = half2 / (p->radius + sqrt(real_max(p->radius * p->radius - half2, 0.0)));
}

void facet_piece_set(facet_piece *piece, const facet_side *side, double unit) {
    piece->corner_count = 3;
    for (int i = 0; i < 3; ++i) {
        piece->corner[i] = abut_scale(unit, side->corner[i]);
    }
    piece->radius = unit * side->radius;
    piece->normal = side->normal;
    piece->foot = abut_scale(unit, side->foot);
    piece->foot_radius = unit * side->foot_radius;
    piece->height = unit * side->height;
    piece->sagitta = facet_sagitta(piece->radius, piece->foot_radius * piece->foot_radius);
    for (int i = 0; i < 3 && !facet_piece_is_flat(piece); ++i) {
        set_arc(piece, i);
    }
}

void facet_piece_set_ball(facet_piece *piece, abut_vec3 centre, double radius, double unit) {
    *piece =
        (facet_piece){.corner = {abut_scale(unit, centre)}, .corner_count = 1, .radius = unit * radius, .foot = abut_scale(unit, centre)};
}

/* ---- its tip ---- */

static facet_tip tip_of_corners(const facet_piece *p, abut_vec3 d) {
    int32_t best = 0;
    double farthest = -INFINITY;
    for (int32_t i = 0; i < p->corner_count; ++i) {
        double reach = abut_dot(d, abut_sub(p->corner[i], p->foot));
        best = reach > farthest ? i : best;
        farthest = real_max(reach, farthest);
    }
    return (facet_tip){.point = p->corner[best], .corner = best};
}

static bool is_over_triangle(const facet_piece *p, abut_vec3 d) {
    return abut_dot(d, p->normal) > 0.0 && abut_dot(d, p->arc[0].across) >= 0.0 && abut_dot(d, p->arc[1].across) >= 0.0 &&
           abut_dot(d, p->arc[2].across) >= 0.0;
}

/* The farthest point of an arc, if it is not an end. */
static bool find_on_arc(const facet_piece *p, int i, abut_vec3 d, facet_tip *tip) {
    const facet_arc *arc = &p->arc[i];
    abut_vec3 in_plane = abut_add_scaled(d, -abut_dot(d, arc->across), arc->across);
    double length = abut_length(in_plane);
    if (!(length > 1e-12)) {
        return false;
    }
    abut_vec3 out = abut_unit(in_plane), side = abut_sub(p->corner[(i + 1) % 3], p->corner[i]);
    abut_vec3 point = abut_add_scaled(abut_add_scaled(arc->middle, p->radius, abut_sub(out, arc->top)), arc->sagitta, arc->top);
    double along = abut_dot(side, abut_sub(point, arc->middle));
    if (!(fabs(along) <= 0.5 * abut_length_squared(side)) || !(abut_dot(out, arc->top) > 0.0)) {
        return false;
    }
    *tip = (facet_tip){.point = point, .spot = FACET_ON_ARC, .along = abut_cross(arc->across, out), .turn = p->radius / length};
    return true;
}

facet_tip facet_piece_tip(const facet_piece *p, abut_vec3 d) {
    if (facet_piece_is_flat(p) || facet_piece_is_ball(p)) {
        return tip_of_corners(p, d);
    }
    if (is_over_triangle(p, d)) {
        abut_vec3 point = abut_add_scaled(abut_add_scaled(p->foot, p->radius, abut_sub(d, p->normal)), p->sagitta, p->normal);
        return (facet_tip){.point = point, .spot = FACET_ON_SPHERE, .turn = p->radius};
    }
    facet_tip best = tip_of_corners(p, d), tip;
    for (int i = 0; i < 3; ++i) {
        if (find_on_arc(p, i, d, &tip) && abut_dot(d, abut_sub(tip.point, best.point)) > 0.0) {
            best = tip;
        }
    }
    return best;
}
