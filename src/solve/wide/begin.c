/* Anchors and patches at the start of a step. The principal axes of a patch follow from half of an angle whose double is known: no trigonometry is needed. */
#include "solve/wide/begin.h"

#include "base/real.h"
#include "solve/contact/share.h"

/* Squared spreads below this, relative to the squared arms, bear no torque (solve/contact/patch.c). */
static const double least_spread = 1e-16;

void wide_begin_point(const solver_pair *pair, abut_vec3 centre, const double radius[2], const abut_contact *contact,
                      solver_anchor *anchor) {
    anchor->share = solver_share_of(contact);
    anchor->radius_a = radius[0];
    anchor->radius_b = radius[1];
    anchor->touch = pair->touch;
    anchor->gap = contact->gap;
    anchor->arm = abut_add_scaled(abut_sub(contact->on_a, centre), anchor->share - 1.0, abut_sub(contact->on_a, contact->on_b));
}

/* Sums over the points about their mean, along the tangents. */
typedef struct spread {
    double xx, xy, yy;
} spread;

/* Turns the tangents onto the principal axes, the longer one first. The doubled angle has the cosine c and the sine s, up to a factor. */
static void turn_tangents(solver_patch *patch, spread of) {
    double c = of.xx - of.yy, s = 2.0 * of.xy, length = sqrt(c * c + s * s);
    if (!(s != 0.0 || c < 0.0)) {
        return;
    }
    double large = sqrt(0.5 * (1.0 + fabs(c) / length)), small = fabs(s) / (2.0 * length * large); /* of cosine and sine */
    double cosine = c < 0.0 ? small : large, sine = copysign(c < 0.0 ? large : small, s);
    abut_vec3 first = patch->tangent[0];
    patch->tangent[0] = abut_add(abut_scale(cosine, first), abut_scale(sine, patch->tangent[1]));
    patch->tangent[1] = abut_cross(patch->normal, patch->tangent[0]);
}

/* Sets the positions of the points. Returns their spread. */
static spread place_points(const solver_patch *patch, solver_point *points, const solver_anchor *anchors, abut_vec3 mean) {
    spread of = {0.0, 0.0, 0.0};
    for (int32_t i = 0; i < patch->count; i++) {
        abut_vec3 place = abut_sub(anchors[i].arm, mean);
        double x = abut_dot(place, patch->tangent[0]), y = abut_dot(place, patch->tangent[1]);
        points[i].x = x;
        points[i].y = y;
        of.xx += x * x;
        of.xy += x * y;
        of.yy += y * y;
    }
    return of;
}

void wide_root_point(const solver_pair *pair, abut_vec3 normal, const abut_mat3 axes[2], solver_anchor *anchor) {
    abut_vec3 on_a = abut_add_scaled(anchor->arm, (1.0 - anchor->share) * anchor->gap, normal);
    abut_vec3 on_b = abut_add_scaled(abut_add(on_a, pair->offset), -anchor->gap, normal);
    abut_vec3 core_a = abut_add_scaled(on_a, anchor->radius_a, normal), core_b = abut_add_scaled(on_b, -anchor->radius_b, normal);
    anchor->local_a = abut_mat3_apply_transposed(axes[0], core_a);
    anchor->local_b = abut_mat3_apply_transposed(axes[1], core_b);
    anchor->base = anchor->gap - abut_dot(normal, abut_sub(core_a, core_b));
}

void wide_begin_patch(const solver_contacts *set, solver_patch *patch, abut_vec3 normal) {
    solver_point *points = &set->points[patch->first];
    const solver_anchor *anchors = &set->anchors[patch->first];
    abut_vec3 mean = {0.0, 0.0, 0.0};
    double reach = 0.0;
    patch->inverse_count = 1.0 / patch->count;
    for (int32_t i = 0; i < patch->count; i++) {
        mean = abut_add_scaled(mean, patch->inverse_count, anchors[i].arm);
        reach = real_max_number(reach, abut_length_squared(anchors[i].arm));
    }
    patch->normal = normal;
    abut_tangent_frame(normal, &patch->tangent[0], &patch->tangent[1]);
    spread of = place_points(patch, points, anchors, mean);
    if (patch->count > 1) {
        turn_tangents(patch, of);
        of = place_points(patch, points, anchors, mean);
    }
    patch->bears[0] = of.xx > least_spread * reach;
    patch->bears[1] = of.yy > least_spread * reach;
    patch->inverse_spread[0] = patch->bears[0] ? 1.0 / of.xx : 0.0;
    patch->inverse_spread[1] = patch->bears[1] ? 1.0 / of.yy : 0.0;
}
