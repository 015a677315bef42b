/*
 * Let m be the outward normal of the leading side at its point p, and q the point of the other side with the outward normal n. In the tangent plane of p let a
 * and b be the ways of both points, K and L the curvatures of both surfaces, and h = m . (q - p). Normals turn by K a and L b, so p and q face each other after
 *
 *     (1 + h K) a - b = tangential part of q - p,    K a + L b = - tangential part of m + n.
 *
 * Along a direction in which the other surface is sharp, L is infinite: b is then 0 there. The second equation is divided by L where L is large.
 */
#include "narrow/curved/settle.h"

#include "base/real.h"
#include "geom/linear.h"

/* What is missing, and the curvatures, along two tangents of the leading side. Lengths are in units of the size. */
typedef struct facing {
    abut_vec3 tangent[2];
    double apart[2], tilt[2]; /* tangential parts of q - p and of m + n */
    double height;            /* h */
    double lead[3];           /* K: 00 01 11 */
    double miss;
} facing;

static void project(const abut_vec3 tangent[2], abut_vec3 v, double out[2]) {
    out[0] = abut_dot(tangent[0], v);
    out[1] = abut_dot(tangent[1], v);
}

static facing look(const contact_side *lead, const contact_side *other, double size) {
    facing f;
    abut_vec3 way = abut_scale(1.0 / size, abut_sub(other->point, lead->point));
    abut_tangent_frame(lead->outward, &f.tangent[0], &f.tangent[1]);
    project(f.tangent, way, f.apart);
    project(f.tangent, abut_add(lead->outward, other->outward), f.tilt);
    f.height = abut_dot(lead->outward, way);
    f.lead[0] = f.lead[1] = f.lead[2] = 0.0;
    for (int i = 0; i < 2; ++i) {
        double d[2], k = lead->curvature[i] * size;
        project(f.tangent, lead->direction[i], d);
        f.lead[0] += k * d[0] * d[0];
        f.lead[1] += k * d[0] * d[1];
        f.lead[2] += k * d[1] * d[1];
    }
    f.miss = fabs(f.apart[0]) + fabs(f.apart[1]) + fabs(f.tilt[0]) + fabs(f.tilt[1]);
    f.miss += abut_dot(lead->outward, other->outward) < 0.0 ? 0.0 : 2.0;
    return f;
}

enum { UNKNOWNS = 4, WIDTH = UNKNOWNS + 1 };

/* Which directions of the unknowns count: those of a pivot above this part of the largest one. */
static const double ALL = 1e-9, MOST = 1e-2;

/* The ways of both points. */
static void find_ways(const facing *f, const contact_side *other, double size, double least, double way[UNKNOWNS]) {
    double rows[UNKNOWNS * WIDTH] = {1.0 + f->height * f->lead[0], f->height * f->lead[1],       -1.0, 0.0,  f->apart[0],
                                     f->height * f->lead[1],       1.0 + f->height * f->lead[2], 0.0,  -1.0, f->apart[1]};
    for (int i = 0; i < 2; ++i) {
        double d[2], bend = other->curvature[i] * size, turn = fabs(bend) > 1.0 ? 1.0 / bend : 1.0, own = fabs(bend) > 1.0 ? 1.0 : bend;
        double *row = rows + (2 + i) * WIDTH;
        project(f->tangent, other->direction[i], d);
        row[0] = turn * (f->lead[0] * d[0] + f->lead[1] * d[1]);
        row[1] = turn * (f->lead[1] * d[0] + f->lead[2] * d[1]);
        row[2] = own * d[0];
        row[3] = own * d[1];
        row[4] = -turn * (f->tilt[0] * d[0] + f->tilt[1] * d[1]);
    }
    linear_solve_rank(UNKNOWNS, rows, least, way);
}

static abut_vec3 moved(const contact_side *side, const facing *f, const double way[2], double factor) {
    return abut_add_scaled(abut_add_scaled(side->point, factor * way[0], f->tangent[0]), factor * way[1], f->tangent[1]);
}

/* One step; *taken: its length, in units of the size. False where a surface has no normal. */
static bool step(contact_side *lead, contact_side *other, const facing *f, double size, double most, double least, double *taken) {
    double way[UNKNOWNS];
    find_ways(f, other, size, least, way);
    double longest = size * real_max(fabs(way[0]) + fabs(way[1]), fabs(way[2]) + fabs(way[3]));
    double factor = size * (longest > most ? most / longest : 1.0);
    *taken = longest / size;
    abut_vec3 to_lead = moved(lead, f, way, factor), to_other = moved(other, f, way + 2, factor);
    return isfinite(longest) && contact_side_move(lead, to_lead, abut_neg(other->outward)) &&
           contact_side_move(other, to_other, abut_neg(lead->outward));
}

/* Newton's method on these two features. */
static bool iterate(contact_side *lead, contact_side *other, double size, double reach) {
    enum { MOST_STEPS = 40 };
    const double enough = 1e-10, exact = 1e-15;
    if (!contact_side_move(other, other->point, abut_neg(lead->outward))) {
        return false;
    }
    facing f = look(lead, other, size);
    for (int i = 0; i < MOST_STEPS && !(f.miss <= exact); ++i) {
        contact_side next_lead = *lead, next_other = *other;
        double taken;
        if (!step(&next_lead, &next_other, &f, size, 0.5 * reach, ALL, &taken)) {
            return false;
        }
        facing next = look(&next_lead, &next_other, size);
        if (f.miss <= enough && !(next.miss < f.miss)) {
            break; /* rounding error is left */
        }
        *lead = next_lead;
        *other = next_other;
        f = next;
    }
    return f.miss <= enough;
}

/* The same without the direction in which the surfaces hardly tell where they face each other: along it, the points stay where they are. */
static bool iterate_coarsely(contact_side *lead, contact_side *other, double size, double reach) {
    enum { FEW_STEPS = 6, MOST_STEPS = 40 };
    const double enough = 1e-13, near = 1e-2;
    if (!contact_side_move(other, other->point, abut_neg(lead->outward))) {
        return false;
    }
    facing f = look(lead, other, size);
    for (int i = 0; i < MOST_STEPS; ++i) {
        contact_side next_lead = *lead, next_other = *other;
        double taken;
        if (!step(&next_lead, &next_other, &f, size, 0.5 * reach, MOST, &taken)) {
            return false;
        }
        *lead = next_lead;
        *other = next_other;
        const double was = f.miss;
        f = look(lead, other, size);
        /* Newton's method has settled the other directions in some steps. What is left belongs to that direction, and hardly changes. */
        if (taken <= enough || (i >= FEW_STEPS && f.miss > 0.5 * was)) {
            return f.miss <= near;
        }
    }
    return false;
}

typedef bool settle_method(contact_side *lead, contact_side *other, double size, double reach);

static bool settle_by(settle_method *method, contact_side *lead, contact_side *other, double size, double reach) {
    enum { MOST_FEATURES = 8 };
    const abut_vec3 from_lead = lead->point, from_other = other->point;
    for (int i = 0; i < MOST_FEATURES; ++i) {
        abut_feature next;
        if (!method(lead, other, size, reach)) {
            return false;
        }
        if (!contact_side_leaves(other, abut_neg(lead->outward), &next)) {
            return abut_distance_between(lead->point, from_lead) <= reach && abut_distance_between(other->point, from_other) <= reach;
        }
        if (next.kind == ABUT_FEATURE_NONE) {
            return false;
        }
        contact_side_change(other, next);
    }
    return false;
}

bool contact_sides_settle(contact_side *lead, contact_side *other, double size, double reach) {
    return settle_by(iterate, lead, other, size, reach);
}

contact_settled contact_sides_settle_somewhere(contact_side *lead, contact_side *other, double size, double reach) {
    const contact_side from_lead = *lead, from_other = *other;
    if (contact_sides_settle(lead, other, size, reach)) {
        return CONTACT_SETTLED;
    }
    *lead = from_lead;
    *other = from_other;
    if (!settle_by(iterate_coarsely, lead, other, size, reach)) {
        return CONTACT_UNSETTLED;
    }
    const contact_side near_lead = *lead, near_other = *other;
    if (contact_sides_settle(lead, other, size, reach)) {
        return CONTACT_SETTLED;
    }
    *lead = near_lead;
    *other = near_other;
    return CONTACT_NEARLY_SETTLED;
}
