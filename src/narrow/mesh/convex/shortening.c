/* The search for a less deep way: see shortening.h. */
#include "narrow/mesh/convex/shortening.h"

#include "base/real.h"
#include "narrow/mesh/convex/cone.h"
#include "narrow/mesh/convex/rim.h"
#include "narrow/mesh/convex/settle.h"
#include "narrow/mesh/convex/triangle_body.h"

enum { MOST_SEARCHES = 3 };

void shortening_of_all(shortening *s, convex_work *work, const met_triangle *way) {
    s->work = work;
    s->of = NULL;
    s->least = *way;
    s->shortest = 0.0;
    for (int32_t i = 0; i < work->met_count; ++i) {
        s->shortest = real_max(s->shortest, work->met[i].depth > 0.0 ? settle_shortest_out(work, &work->met[i]) : 0.0);
    }
    for (int i = 0; i < SHORTENING_CELLS; ++i) {
        s->held[i] = (shortening_hold){.met = -1};
    }
}

/* The shortest way that can take the body out of a triangle and make a contact. A body that touches the triangle within the margin has negative
 * depth along it. */
static double shortest_of_one(const convex_work *work, const met_triangle *of) {
    double margin = real_max(work->settings->normal.margin, -of->bound);
    return real_max(settle_shortest_out(work, of), -margin - CONTACT_ROUNDING * work->body->size);
}

void shortening_of_one(shortening *s, convex_work *work, const met_triangle *of) {
    s->work = work;
    s->of = of;
    s->least = *of;
    s->shortest = shortest_of_one(work, of);
}

/* The cell of a direction, on the faces of a cube. */
static int cell_of(abut_vec3 d) {
    double x = fabs(d.x), y = fabs(d.y), z = fabs(d.z);
    int axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
    double most = axis == 0 ? d.x : axis == 1 ? d.y : d.z, u = axis == 0 ? d.y : d.x, v = axis == 2 ? d.y : d.z;
    int face = 2 * axis + (most > 0.0), column = (int)(0.5 * SHORTENING_ACROSS * (1.0 + u / fabs(most)));
    int row = (int)(0.5 * SHORTENING_ACROSS * (1.0 + v / fabs(most))), last = SHORTENING_ACROSS - 1;
    return (face * SHORTENING_ACROSS + (row < last ? row : last)) * SHORTENING_ACROSS + (column < last ? column : last);
}

static bool is_held(const convex_work *work, const met_triangle *way, int32_t by) {
    return work->met[by].depth > 0.0 && !settle_takes_out(work, way, &work->met[by]);
}

/* The triangle that reaches farthest along a direction. */
static int32_t farthest_met(const convex_work *work, abut_vec3 direction) {
    int32_t farthest = 0;
    double most = -INFINITY;
    for (int32_t i = 0; i < work->met_count; ++i) {
        const abut_vec3 *c = work->met[i].triangle.corner;
        double reach = real_max(abut_dot(direction, c[0]), real_max(abut_dot(direction, c[1]), abut_dot(direction, c[2])));
        if (reach > most) {
            most = reach;
            farthest = i;
        }
    }
    return farthest;
}

/* Whether a way is less deep than the least deep one, and the triangles that are likely to hold it do not. */
static bool may_be_shorter(shortening *s, const met_triangle *way) {
    const convex_work *work = s->work;
    if (way->depth < s->shortest || !(way->depth < s->least.depth - 1e-9 * work->body->size)) {
        return false;
    }
    if (s->of != NULL || work->body->core == CORE_SMOOTH) {
        return true; /* for smooth bodies, taking it out is compared last, because it costs most */
    }
    shortening_hold *held = &s->held[cell_of(way->normal)];
    if (held->met >= 0 && is_held(work, way, held->met)) {
        return false;
    }
    if (held->searches++ < MOST_SEARCHES) {
        int32_t farthest = farthest_met(work, way->normal);
        if (is_held(work, way, farthest)) {
            held->met = farthest;
            return false;
        }
    }
    return true;
}

/* Whether moving the body out along a way takes it out of all triangles that it meets. The last ones are the deepest, and hold most ways. */
static bool takes_out_of_all(shortening *s, const met_triangle *way) {
    for (int32_t i = s->work->met_count - 1; i >= 0; --i) {
        if (is_held(s->work, way, i)) {
            s->held[cell_of(way->normal)].met = i;
            return false;
        }
    }
    return true;
}

static bool take(shortening *s, const met_triangle *way) {
    bool out = s->of != NULL ? settle_takes_out(s->work, way, s->of) : takes_out_of_all(s, way);
    s->least = out ? *way : s->least;
    return out;
}

bool shortening_try(shortening *s, const mesh_triangle *t, const mesh_way_out *out) {
    convex_work *work = s->work;
    triangle_body flat;
    met_triangle way = {.triangle = *t, .first = work->list->count, .normal = out->normal, .depth = out->depth};
    contact_normal normal = {.direction = abut_neg(out->normal), .gap = -out->depth};
    if (mesh_cone_is_own(t, out->normal) || !may_be_shorter(s, &way)) {
        return false;
    }
    triangle_body_set(&flat, t);
    bool found = met_touch_sunk(work, &flat.body, &normal, &way);
    met_forget(work->list, way.first);
    return found && way.count > 0 && take(s, &way);
}

bool shortening_try_ways(shortening *s, const mesh_triangle *t) {
    mesh_rim rim = met_rim(s->work);
    mesh_way_out ways[MESH_WAYS_OUT];
    int sides = mesh_rim_outer_sides(&rim, t);
    int32_t count = sides != 0 ? mesh_ways_find(s->work->body, t, sides, s->shortest, s->least.depth, ways) : 0;
    s->work->list->out_of_memory = s->work->list->out_of_memory || rim.out_of_memory;
    for (int32_t i = 0; i < count && !shortening_try(s, t, &ways[i]); ++i) {
    }
    return sides != 0;
}

void shortening_try_own(shortening *s, const mesh_triangle *t) {
    triangle_body flat;
    met_triangle own = {.triangle = *t};
    triangle_body_set(&flat, t);
    met_touch_own(s->work, &flat.body, &own);
    met_forget(s->work->list, own.first);
    if (own.count > 0 && may_be_shorter(s, &own)) {
        (void)take(s, &own);
    }
}
