/*
 * The indices over many triangles against searches through all: triangles at a point, corners and sides that were taken, edges, triangles in one plane.
 * Numbers of triangles lie around the counts at which an index is made.
 */
#include "narrow/mesh/index/near.h"

#include <stdlib.h>

#include "narrow/mesh/index/edges.h"
#include "narrow/mesh/index/hub.h"
#include "narrow/mesh/index/parts.h"
#include "narrow/mesh/index/taken.h"
#include "support/check.h"
#include "support/random.h"

enum { MOST = 400 };

typedef struct triangles {
    mesh_set set;
    double same;
} triangles;

static mesh_triangle *add(mesh_set *set, abut_vec3 p, abut_vec3 q, abut_vec3 r) {
    mesh_triangle *t = &set->items[set->count];
    *t = (mesh_triangle){.corner = {p, q, r}, .index = set->count++};
    t->across = abut_cross(abut_sub(q, p), abut_sub(r, p));
    t->normal = abut_unit(t->across);
    t->flat = !(abut_length_squared(t->across) > 0.0);
    return t;
}

/* Corners from a few points, so that they are shared; some points are rounded, so that planes are. */
static triangles random_triangles(random_state *random) {
    abut_vec3 point[64];
    int32_t points = 4 + random_below(random, 60),
            count = random_below(random, 2) == 0 ? 40 + random_below(random, 20) : 1 + random_below(random, MOST);
    bool round = random_below(random, 2) == 0, slender = random_below(random, 3) == 0;
    for (int32_t i = 0; i < points; i++) {
        point[i] = random_vec3(random, -1.0, 1.0);
        if (round) {
            point[i] = abut_vec3_make(floor(2.0 * point[i].x), floor(2.0 * point[i].y), floor(2.0 * point[i].z));
        }
        point[i].z *= slender ? 1e-3 : 1.0;
    }
    triangles made = {.same = random_log_range(random, 1e-9, 1e-3)};
    mesh_set_init(&made.set);
    made.set.items = check_memory((size_t)count, sizeof *made.set.items);
    while (made.set.count < count) {
        int32_t v[3] = {random_below(random, points), random_below(random, points), random_below(random, points)};
        mesh_triangle *t = add(&made.set, point[v[0]], point[v[1]], point[v[2]]);
        for (int k = 0; k < 3; k++) {
            t->vertex[k] = v[k];
        }
        t->part = random_below(random, 2);
    }
    return made;
}

static void free_triangles(triangles *t) { free(t->set.items); }

/* On a triangle, or off it by about as much as counts. */
static abut_vec3 random_place(const triangles *of, random_state *random) {
    const mesh_triangle *t = &of->set.items[random_below(random, of->set.count)];
    double u = random_range(random, 0, 1), v = random_range(random, 0, 1 - u);
    abut_vec3 p =
        abut_add_scaled(abut_add_scaled(t->corner[0], u, abut_sub(t->corner[1], t->corner[0])), v, abut_sub(t->corner[2], t->corner[0]));
    return abut_add_scaled(p, of->same * random_range(random, -2, 2), random_direction(random));
}

static void test_at_a_point(void **state) {
    (void)state;
    random_state random = random_make(random_seed("near", 1));
    for (int32_t sample = random_samples("near", 4000); sample > 0; sample--) {
        triangles of = random_triangles(&random);
        mesh_near near;
        mesh_near_init(&near, mesh_set_item, &of.set, of.set.count, random_below(&random, 4) == 0 ? 0.5 : 4.0, of.same);
        for (int32_t question = 0; question < 200; question++) {
            abut_vec3 p = random_place(&of, &random);
            int32_t end = random_below(&random, 2) == 0 ? of.set.count : random_below(&random, of.set.count + 1), next = 0;
            mesh_near_walk walk;
            mesh_near_begin(&walk, &near, p, end);
            for (int32_t i = mesh_near_next(&walk); i >= 0; i = mesh_near_next(&walk)) {
                assert_true(i >= next && i < end);
                for (; next < i; next++) {
                    assert_false(mesh_set_holds(&of.set.items[next], p, of.same));
                }
                next = i + 1;
            }
            for (; next < end; next++) {
                assert_false(mesh_set_holds(&of.set.items[next], p, of.same));
            }
        }
        mesh_near_free(&near);
        free_triangles(&of);
    }
}

static bool rises_from(const triangles *of, const mesh_triangle *t, abut_vec3 point, abut_vec3 normal) {
    return mesh_set_holds(t, point, of->same) && mesh_set_rises(t, point, normal, 1e-3 * of->same, FLAT_SINE);
}

/* Asks about one corner several times. Whether its triangles were listed. */
static bool ask_about_corner(const triangles *of, mesh_hub *hub, mesh_near *near, random_state *random) {
    abut_vec3 point = of->set.items[random_below(random, of->set.count)].corner[random_below(random, 3)];
    bool is = false;
    for (int question = 0; question < 8; question++) {
        abut_vec3 normal = random_direction(random);
        is = mesh_hub_is_at(hub, &of->set, near, point, of->same);
        int32_t risen = is ? mesh_hub_risen(hub, &of->set, normal, 1e-3 * of->same) : -1, listed = 0;
        assert_true(risen < 0 || rises_from(of, &of->set.items[risen], point, normal));
        for (int32_t i = 0; i < of->set.count && is; i++) {
            const mesh_triangle *t = &of->set.items[i];
            assert_true(risen >= 0 || !rises_from(of, t, point, normal));
            if (mesh_set_holds(t, point, of->same)) {
                assert_int_equal(hub->item[listed++], i);
            }
        }
        assert_true(!is || listed == hub->count);
    }
    return is;
}

static void test_hub(void **state) {
    (void)state;
    random_state random = random_make(random_seed("hub", 1));
    int32_t listed = 0;
    for (int32_t sample = random_samples("hub", 2000); sample > 0; sample--) {
        triangles of = random_triangles(&random);
        mesh_near near;
        mesh_hub hub = {.count = 0};
        mesh_near_init(&near, mesh_set_item, &of.set, of.set.count, 4.0, of.same);
        for (int32_t corner = 0; corner < 8; corner++) {
            listed += ask_about_corner(&of, &hub, &near, &random);
        }
        mesh_hub_free(&hub);
        mesh_near_free(&near);
        free_triangles(&of);
    }
    assert_true(listed > 0);
}

static bool has_side(const mesh_triangle *t, int32_t v, int32_t w) {
    for (int i = 0; i < 3; i++) {
        int32_t p = t->vertex[i], q = t->vertex[(i + 1) % 3];
        if ((p == v && q == w) || (p == w && q == v)) {
            return true;
        }
    }
    return false;
}

static void test_names(void **state) {
    (void)state;
    random_state random = random_make(random_seed("edges", 1));
    for (int32_t sample = random_samples("edges", 4000); sample > 0; sample--) {
        triangles of = random_triangles(&random);
        mesh_edges edges;
        mesh_edges_init(&edges, &of.set);
        for (int32_t question = 0; question < 100; question++) {
            const mesh_triangle *t = &of.set.items[random_below(&random, of.set.count)];
            int side = random_below(&random, 3);
            abut_feature name = mesh_edges_name(&edges, t, side);
            int32_t lowest = 0;
            while (of.set.items[lowest].part != t->part || !has_side(&of.set.items[lowest], t->vertex[side], t->vertex[(side + 1) % 3])) {
                lowest++;
            }
            const mesh_triangle *first = &of.set.items[lowest];
            assert_int_equal(name.kind, ABUT_FEATURE_EDGE);
            assert_int_equal(name.part, t->part);
            assert_int_equal(name.index / 3, lowest);
            int32_t p = first->vertex[name.index % 3], q = first->vertex[(name.index % 3 + 1) % 3];
            assert_true((p == t->vertex[side] && q == t->vertex[(side + 1) % 3]) ||
                        (q == t->vertex[side] && p == t->vertex[(side + 1) % 3]));
        }
        mesh_triangle other = of.set.items[0]; /* not in the set */
        other.index = MOST;
        other.vertex[0] = MOST;
        assert_int_equal(mesh_edges_name(&edges, &other, 2).index, 3 * MOST + 2);
        mesh_edges_free(&edges);
        free_triangles(&of);
    }
}

/* Another triangle with a side is found if there is one, once the table is made. */
static void test_beyond(void **state) {
    (void)state;
    random_state random = random_make(random_seed("beyond", 1));
    for (int32_t sample = random_samples("beyond", 2000); sample > 0; sample--) {
        triangles of = random_triangles(&random);
        mesh_edges edges;
        mesh_edges_init(&edges, &of.set);
        for (int32_t question = 0; question < 60; question++) {
            int32_t at = random_below(&random, of.set.count), others = 0;
            const mesh_triangle *t = &of.set.items[at];
            int side = random_below(&random, 3);
            int32_t v = t->vertex[side], w = t->vertex[(side + 1) % 3], found = mesh_edges_beyond(&edges, t, side);
            for (int32_t i = 0; i < of.set.count; i++) {
                others += i != at && of.set.items[i].part == t->part && has_side(&of.set.items[i], v, w);
            }
            bool has_table = of.set.count > MESH_SET_FEW && question >= 8;
            assert_true((found >= 0) == (has_table && others > 0));
            assert_true(found < 0 || (found != at && of.set.items[found].part == t->part && has_side(&of.set.items[found], v, w)));
        }
        mesh_edges_free(&edges);
        free_triangles(&of);
    }
}

/* The first triangle taken with a corner or a side is proposed, by positions. */
static void test_taken(void **state) {
    (void)state;
    random_state random = random_make(random_seed("taken", 1));
    for (int32_t sample = random_samples("taken", 2000); sample > 0; sample--) {
        triangles of = random_triangles(&random);
        mesh_taken taken;
        mesh_taken_init(&taken, of.set.count);
        int32_t half = of.set.count / 2;
        for (int32_t i = 0; i < half; i++) {
            mesh_taken_add(&taken, &of.set.items[i], i);
        }
        for (int32_t i = 0; i < of.set.count; i++) {
            const mesh_triangle *t = &of.set.items[i];
            for (int k = 0; k < 3; k++) {
                int32_t at_corner = mesh_taken_at_corner(&taken, t, k), at_side = mesh_taken_at_side(&taken, t, k);
                assert_true(at_corner < half && at_side < half &&
                            (i >= half || (at_corner >= 0 && at_corner <= i && at_side >= 0 && at_side <= i)));
            }
        }
        mesh_taken_free(&taken);
        free_triangles(&of);
    }
}

static bool is_in_plane(const triangles *of, const mesh_triangle *t, const mesh_triangle *other) {
    bool in = !t->flat && !other->flat && abut_length_squared(abut_cross(t->normal, other->normal)) <= FLAT_SINE * FLAT_SINE;
    for (int i = 0; i < 3 && in; i++) {
        abut_vec3 way = abut_sub(other->corner[i], t->corner[0]);
        in = fabs(abut_dot(t->normal, way)) <= of->same + FLAT_SINE * abut_length(way);
    }
    return in;
}

static void test_parts(void **state) {
    (void)state;
    random_state random = random_make(random_seed("parts", 1));
    for (int32_t sample = random_samples("parts", 4000); sample > 0; sample--) {
        triangles of = random_triangles(&random);
        mesh_parts parts;
        mesh_parts_init(&parts, &of.set, of.same);
        for (int32_t question = 0; question < 40; question++) {
            const mesh_triangle *t = &of.set.items[random_below(&random, of.set.count)];
            bool found[MOST] = {false};
            mesh_parts_walk walk;
            mesh_parts_begin(&walk, &parts, t);
            for (int32_t i = mesh_parts_next(&walk); i >= 0; i = mesh_parts_next(&walk)) {
                found[i] = true;
            }
            for (int32_t i = 0; i < of.set.count; i++) {
                assert_true(found[i] || !is_in_plane(&of, t, &of.set.items[i]));
            }
        }
        mesh_parts_free(&parts);
        free_triangles(&of);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_at_a_point), cmocka_unit_test(test_hub),   cmocka_unit_test(test_names),
                                       cmocka_unit_test(test_beyond),     cmocka_unit_test(test_taken), cmocka_unit_test(test_parts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
