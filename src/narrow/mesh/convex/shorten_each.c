/* Shorter ways out of single triangles: see shorten_each.h. */
#include "narrow/mesh/convex/shorten_each.h"

#include "base/array.h"
#include "narrow/mesh/convex/shortening.h"

/* Whether a point of the triangle is so far inside the body that all ways out of it are longer. */
static bool is_deep_inside(const convex *body, const mesh_triangle *t, double than) {
    abut_vec3 middle = abut_scale(1.0 / 3.0, abut_add(t->corner[0], abut_add(t->corner[1], t->corner[2])));
    return body->core != CORE_SMOOTH && convex_is_deeper(body, middle, than); /* the depth of a point in a smooth body is an estimate */
}

/* Whether only its own normal serves a triangle that a much shorter translation takes the body out of. */
static bool has_fallen_back(const convex_work *work, met_triangle *met) {
    const double much = 4.0, depth = met->depth - 1e-9 * work->body->size;
    bool may_have = met->own && met->depth > 0.0 && much * met->bound < depth;
    if (may_have && met->unsounded && !is_deep_inside(work->body, &met->triangle, depth / much)) {
        met_sound(work, met);
    }
    return may_have && !met->unsounded && much * met->bound < depth;
}

/* Adds a way out of a triangle, if it is new. */
static void add_way(convex_work *work, const met_triangle *of, const met_triangle *way) {
    for (int32_t i = 0; i < work->way_count; ++i) {
        const met_way *known = &work->way[i];
        if (known->of.index == of->triangle.index && known->of.part == of->triangle.part && known->depth == way->depth) {
            return;
        }
    }
    if (!array_extend(&work->way, &work->way_room, work->way_count, work->way_count + 1, sizeof *work->way)) {
        work->list->out_of_memory = true;
        return;
    }
    work->way[work->way_count++] = (met_way){of->triangle, way->triangle, way->normal, way->depth};
}

/* Looks for a way out of the triangle that is shorter than its own normal's. */
static void shorten_own(convex_work *work, const met_triangle *met) {
    shortening s;
    shortening_of_one(&s, work, met);
    shortening_try_ways(&s, &met->triangle);
    if (s.least.own && shortening_is_outer(&s, &met->triangle)) {
        shortening_try_about(&s, met);
    }
    if (!s.least.own) {
        add_way(work, met, &s.least);
    }
}

enum { SEARCHED_MOST = 16 }; /* the deepest triangles */

/* Adds ways that are shorter than the own normals of triangles which only these serve. Returns whether there are any. */
bool shorten_each(convex_work *work) {
    int32_t before = work->way_count, left = SEARCHED_MOST;
    for (int32_t i = work->met_count - 1; i >= 0 && left > 0; --i) {
        if (work->met[i].count > 0 && has_fallen_back(work, &work->met[i])) {
            shorten_own(work, &work->met[i]);
            --left;
        }
    }
    return work->way_count > before;
}
