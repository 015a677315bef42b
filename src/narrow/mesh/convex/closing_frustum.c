/*
 * Closest points of a frustum and a triangle: those of a point of a side, or of a point inside the face and the frustum's farthest point towards it. The
 * distance of a point has a closed form and is convex along a side. Its slope there has the sign of the outward normal's part along the side, which is exact to
 * rounding also where the distance is tiny.
 */
#include "geom/closest.h"
#include "narrow/mesh/convex/closing.h"

static abut_vec3 outward_at(const closing *c, abut_vec3 point, frustum_point *found) {
    *found = frustum_closest(&c->body->shape->round, convex_to_local(c->body, point));
    return convex_direction_to_pair(c->body, found->outward);
}

static void from_side(closing *c, abut_vec3 from, abut_vec3 to) {
    enum { HALVINGS = 64 };
    abut_vec3 along = abut_sub(to, from), outward;
    double low = 0.0, high = 1.0;
    frustum_point found;
    bool falls = abut_dot(outward_at(c, from, &found), along)<0.0, rises = abut_dot(outward_at(c, to, &found), along)> 0.0;
    for (int i = 0; i < HALVINGS && falls && rises; ++i) {
        double middle = 0.5 * (low + high);
        outward = outward_at(c, abut_lerp(from, to, middle), &found);
        *(abut_dot(outward, along) < 0.0 ? &low : &high) = middle;
    }
    abut_vec3 on_side = !falls ? from : !rises ? to : abut_lerp(from, to, 0.5 * (low + high));
    outward = outward_at(c, on_side, &found);
    if (closing_offer(c, convex_to_pair(c->body, found.point), on_side)) {
        closing_try(c, outward);
        if (falls && rises) {
            closing_try_across(c, outward, along);
        }
    }
}

static void from_face(closing *c, abut_vec3 towards) {
    const abut_vec3 *v = c->triangle->vertices;
    abut_vec3 farthest;
    double weight[3];
    (void)convex_support(c->body, towards, &farthest);
    double height = abut_dot(towards, abut_sub(v[0], farthest));
    closest_on_wide_triangle(farthest, v[0], v[1], v[2], abut_cross(abut_sub(v[1], v[0]), abut_sub(v[2], v[0])), weight);
    if (height > 0.0 && weight[0] > 0.0 && weight[1] > 0.0 && weight[2] > 0.0) {
        (void)closing_offer(c, farthest, abut_add_scaled(farthest, height, towards));
    }
    if (height > 0.0 && c->directed) {
        closing_try(c, towards);
    }
}

void closing_of_frustum(closing *c) {
    const abut_vec3 *v = c->triangle->vertices;
    for (int i = 0; i < 3; ++i) {
        from_side(c, v[i], v[(i + 1) % 3]);
    }
    from_face(c, c->triangle->normals[0]);
    from_face(c, c->triangle->normals[1]);
}
