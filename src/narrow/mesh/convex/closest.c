/* The normal of a body and a triangle that nearly touch: see closest.h. Pair's frame; directions point from the body to the triangle. */
#include "narrow/mesh/convex/closest.h"

#include "narrow/mesh/convex/closing.h"
#include "narrow/normal/normal.h"

/* ---- points and directions ---- */

bool closing_offer(closing *c, abut_vec3 on_body, abut_vec3 on_triangle) {
    const double tie = 1e-6;
    double distance = abut_distance_between(on_body, on_triangle);
    if (distance < c->least) {
        c->least = distance;
        c->on_body = on_body;
        c->on_triangle = on_triangle;
    }
    return c->directed && distance <= c->least * (1.0 + tie) + closing_rounding(c);
}

void closing_try(closing *c, abut_vec3 direction) {
    abut_vec3 unit = abut_unit(direction);
    if (!(abut_length_squared(unit) > 0.5)) {
        return;
    }
    double gap = -convex_extent(c->body, unit) - convex_extent(&c->triangle->body, abut_neg(unit));
    if (gap > c->gap + closing_rounding(c)) {
        c->gap = gap;
        c->direction = unit;
    }
}

void closing_try_across(closing *c, abut_vec3 between, abut_vec3 edge) {
    abut_vec3 along = abut_unit(edge), across = abut_unit(abut_add_scaled(between, -abut_dot(between, along), along));
    across = abut_add_scaled(across, -abut_dot(across, along), along); /* again, because most of `between` may be along the edge */
    closing_try(c, across);
}

/* ---- the normal ---- */

/* Whether the gap of the cores is the distance of two of their points, up to rounding errors. */
static bool is_certain(const convex *body, double gap, double distance, double size) {
    return fabs(distance - gap) <= 1e-10 * fabs(gap - body->radius) + 2e-15 * size;
}

/* Replaces the normal by that of the closest points. */
static void close_in(const convex *body, const triangle_body *triangle, contact_normal *normal) {
    closing c = {.body = body, .triangle = triangle, .direction = normal->direction, .gap = normal->gap + body->radius};
    double far = abut_distance_between(normal->on_a, normal->on_b);
    bool known = far >= c.gap; /* else the points are not those of the bodies */
    c.on_body = normal->on_a;
    c.on_triangle = normal->on_b;
    c.least = known ? far : INFINITY;
    void (*search)(closing *) = body->core == CORE_FRUSTUM ? closing_of_frustum : closing_of_flat;
    search(&c);
    const double size = body->size + triangle->body.size;
    if (!(c.least < INFINITY) || is_certain(body, c.gap, c.least, size)) {
        normal->on_a = c.on_body;
        normal->on_b = c.on_triangle;
        return;
    }
    c.directed = true;
    search(&c);
    bool certain = is_certain(body, c.gap, c.least, 2.0 * size);
    *normal = (contact_normal){.direction = c.direction, .gap = c.gap - body->radius, .on_a = c.on_body, .on_b = c.on_triangle};
    if (!certain) {
        normal->direction = abut_unit(abut_sub(c.on_triangle, c.on_body));
        normal->gap = c.least - body->radius;
        normal->pair = NORMAL_PAIR;
    }
}

bool mesh_closest_normal(const convex *body, const triangle_body *triangle, const normal_settings *settings, contact_normal *normal) {
    const double size = body->size + triangle->body.size, touching = CONTACT_ROUNDING * size;
    normal->on_a = normal->on_b = abut_vec3_make(0.0, 0.0, 0.0); /* not all searches set them */
    if (!contact_normal_find(body, &triangle->body, settings, normal)) {
        return false;
    }
    double cores = normal->gap + body->radius; /* of a capsule that has sunk in, the axis may be apart */
    if (!(cores > touching) || normal->pair != NORMAL_FEATURES || body->core == CORE_SMOOTH || body->core == CORE_POINT ||
        is_certain(body, cores, abut_distance_between(normal->on_a, normal->on_b), size)) {
        return true;
    }
    close_in(body, triangle, normal);
    return normal->gap <= settings->margin + touching;
}
