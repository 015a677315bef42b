/* The contact patch of the deepest pair of triangles of two surfaces, by SAT over all pairs: see cross.h. Set frame. */
#include "narrow/mesh/pair/cross.h"

#include "base/real.h"
#include "narrow/patch/patch.h"
#include "narrow/mesh/convex/triangle_body.h"

typedef struct crossing {
    const mesh_surface *a, *b;
    double most;         /* largest depth so far */
    abut_vec3 direction; /* from A to B */
    mesh_triangle of_a, of_b;
    bool out_of_memory;
} crossing;

static void span(const mesh_triangle *t, abut_vec3 direction, double *lower, double *upper) {
    double p = abut_dot(direction, t->corner[0]), q = abut_dot(direction, t->corner[1]), r = abut_dot(direction, t->corner[2]);
    *lower = real_min(p, real_min(q, r));
    *upper = real_max(p, real_max(q, r));
}

/* The overlap of two triangles along a unit axis, and the sign of the axis that points from A to B. Negative: they are apart. */
static double depth_along(const mesh_triangle *a, const mesh_triangle *b, abut_vec3 axis, abut_vec3 *direction) {
    double a_lower, a_upper, b_lower, b_upper;
    span(a, axis, &a_lower, &a_upper);
    span(b, axis, &b_lower, &b_upper);
    bool onwards = a_upper - b_lower <= b_upper - a_lower;
    *direction = onwards ? axis : abut_neg(axis);
    return onwards ? a_upper - b_lower : b_upper - a_lower;
}

/* The depth of two triangles, over both normals and the cross products of their sides. *direction: from A to B. */
static double depth_of(const mesh_triangle *a, const mesh_triangle *b, abut_vec3 *direction) {
    abut_vec3 axis[11] = {a->normal, b->normal};
    int count = 2;
    for (int i = 0; i < 3; ++i) {
        abut_vec3 u = abut_sub(a->corner[(i + 1) % 3], a->corner[i]);
        for (int k = 0; k < 3; ++k) {
            abut_vec3 v = abut_sub(b->corner[(k + 1) % 3], b->corner[k]), across = abut_cross(u, v);
            if (abut_length_squared(across) > 1e-12 * abut_length_squared(u) * abut_length_squared(v)) {
                axis[count++] = abut_unit(across);
            }
        }
    }
    double least = INFINITY;
    for (int i = 0; i < count; ++i) {
        abut_vec3 way;
        double depth = depth_along(a, b, axis[i], &way);
        if (depth < least) {
            least = depth;
            *direction = way;
        }
    }
    return least;
}

static void cross_with(crossing *c, const mesh_triangle *a, const mesh_set *near) {
    for (int32_t i = 0; i < near->count; ++i) {
        abut_vec3 direction;
        double depth = near->items[i].flat ? 0.0 : depth_of(a, &near->items[i], &direction);
        if (depth > c->most) {
            c->most = depth;
            c->direction = direction;
            c->of_a = *a;
            c->of_b = near->items[i];
        }
    }
}

static bool take_triangle(void *context, int32_t index, const abut_triangle *triangle) {
    crossing *c = context;
    mesh_triangle t;
    mesh_set_place(&t, &c->a->mesh[0], index, triangle);
    if (t.flat) {
        return true;
    }
    abut_vec3 middle = abut_scale(1.0 / 3.0, abut_add(t.corner[0], abut_add(t.corner[1], t.corner[2])));
    double reach = 0.0;
    for (int i = 0; i < 3; ++i) {
        reach = real_max(reach, abut_distance_between(middle, t.corner[i]));
    }
    mesh_set set;
    mesh_surface_gather(c->b, middle, reach, &set);
    cross_with(c, &t, &set);
    c->out_of_memory = c->out_of_memory || set.out_of_memory;
    mesh_set_free(&set);
    return !c->out_of_memory;
}

static bool keep_near(void *context, abut_vec3 centre, double radius) {
    const crossing *c = context;
    mesh_point found;
    return mesh_point_find(c->b, mesh_place_point(&c->a->mesh[0], centre), radius + c->b->same, &found);
}

static abut_vec3 farthest_corner(const mesh_triangle *t, abut_vec3 direction) {
    int best = 0;
    for (int i = 1; i < 3; ++i) {
        best = abut_dot(direction, t->corner[i]) > abut_dot(direction, t->corner[best]) ? i : best;
    }
    return t->corner[best];
}

static void add_patch(const crossing *c, double weld, contact_list *list) {
    triangle_body a, b;
    triangle_body_set(&a, &c->of_a);
    triangle_body_set(&b, &c->of_b);
    contact_normal normal = {.direction = c->direction,
                             .gap = -c->most,
                             .on_a = farthest_corner(&c->of_a, c->direction),
                             .on_b = farthest_corner(&c->of_b, abut_neg(c->direction))};
    patch_settings settings = {.weld = weld};
    int32_t first = list->count;
    patch_build(&a.body, &b.body, &normal, &settings, first, list);
    for (int32_t i = first; i < list->count; ++i) {
        abut_contact *contact = &list->items[i];
        contact->feature_a = (abut_feature){.kind = ABUT_FEATURE_FACE, .index = c->of_a.index, .part = c->of_a.part};
        contact->feature_b = (abut_feature){.kind = ABUT_FEATURE_FACE, .index = c->of_b.index, .part = c->of_b.part};
        contact->flags |= ABUT_CONTACT_NORMAL_CHOSEN;
    }
}

bool mesh_cross(const mesh_surface *a, const mesh_surface *b, double weld, contact_list *list) {
    crossing c = {.a = a, .b = b, .most = b->same};
    trimesh_where(a->mesh[0].mesh, keep_near, take_triangle, &c);
    if (!c.out_of_memory && c.most > b->same) {
        add_patch(&c, weld, list);
    }
    return !c.out_of_memory && !list->out_of_memory;
}
