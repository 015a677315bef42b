/*
 * Contacts of bodies of rounded triangles: the pairs that trying all of them finds, whatever the shapes, radii and depths; tilings of whole balls; the
 * order of bodies; spheres and planes; as contacts of abut_collide().
 */
#include "narrow/facetmesh.h"

#include <stdlib.h>
#include <string.h>

#include "shape/facetmesh.h"
#include "shape/shape.h"
#include "support/allocator.h"
#include "support/check.h"
#include "support/facet_body.h"
#include "support/random.h"
#include "support/threads.h"

static const double pi = 3.14159265358979323846;

enum { ROOM = 60000 };
static abut_facetmesh_contact found[ROOM], other[ROOM];

/* ---- every pair of facets in turn ---- */

/* In A's frame, as the library has it: which pairs are in contact must then be the same to the last one. */
static int32_t try_all(const abut_shape *a, const abut_shape *b, const facet_placement *at, abut_facetmesh_contact *all) {
    int32_t count = 0;
    for (int32_t i = 0; i < a->mesh->triangle_count; ++i) {
        for (int32_t k = 0; k < b->mesh->triangle_count; ++k) {
            const facet_side *own = &b->facets->side[k];
            abut_vec3 corner[3];
            for (int c = 0; c < 3; ++c) {
                corner[c] = abut_add(abut_mul(at->rotation, own->corner[c]), at->position);
            }
            facet_side side = *own;
            side.normal = abut_mul(at->rotation, own->normal);
            side.foot = abut_add(abut_mul(at->rotation, own->foot), at->position);
            side.centre = abut_add(abut_mul(at->rotation, own->centre), at->position);
            side.corner = corner;
            abut_facet_contact c = facet_meet(&a->facets->side[i], &side, abut_make_vec3(0, 0, 0));
            if (c.relation == ABUT_FACET_CONTACT && count < ROOM) {
                all[count++] = (abut_facetmesh_contact){i, k, c};
            }
        }
    }
    return count;
}

/* Returns the number of contacts. */
static int32_t check_against_all(tally *t, const abut_shape *a, const abut_shape *b, const facet_placement *at) {
    facet_found walk;
    static int32_t order[ROOM];
    facet_found_init(&walk);
    facetmesh_meet(a, b, at, &walk);
    int32_t count = try_all(a, b, at, other);
    if (walk.count != count) {
        tally_fail(t, "number of pairs", "%d instead of %d", (int)walk.count, (int)count);
    } else {
        facet_found_sort(&walk, order);
        for (int32_t i = 0; i < count; ++i) {
            if (memcmp(&walk.items[order[i]], &other[i], sizeof *other) != 0) {
                tally_fail(t, "pair", "%d: (%d, %d) instead of (%d, %d)", (int)i, (int)walk.items[order[i]].facet_a, (int)walk.items[order[i]].facet_b,
                           (int)other[i].facet_a, (int)other[i].facet_b);
            }
        }
    }
    facet_found_free(&walk);
    return count;
}

static abut_shape *random_body(random_state *random) {
    facet_body body;
    int kind = (int)(random_next(random) % 6);
    if (kind == 5) {
        body = facet_body_torus(1.0, random_range(random, 0.2, 0.8), 14, 9);
    } else {
        body = facet_body_ball(kind % 3);
    }
    abut_vec3 scale = {random_range(random, 0.3, 1.5), random_range(random, 0.3, 1.5), random_range(random, 0.3, 1.5)};
    facet_body_scale(&body, scale);
    double *radii = check_memory((size_t)body.triangle_count, sizeof *radii);
    for (int32_t i = 0; i < body.triangle_count; ++i) {
        double chance = random_range(random, 0.0, 1.0);
        radii[i] = chance < 0.1 ? INFINITY : chance < 0.15 ? 1e8 : random_log_range(random, 0.05, 30.0);
    }
    int how = (int)(random_next(random) % 3);
    abut_shape *shape = how == 0 ? facet_body_shape(&body, radii) : how == 1 ? facet_body_shape(&body, NULL) : facet_body_round(&body, 1.5);
    free(radii);
    facet_body_free(&body);
    return shape;
}

static void test_same_as_all_pairs(void **state) {
    (void)state;
    random_state random = random_make(random_seed("facet bodies", 17));
    static tally t;
    int64_t contacts = 0;
    for (int32_t i = 0, count = random_samples("facet bodies", 3000); i < count; ++i) {
        abut_shape *a = random_body(&random), *b = random_body(&random);
        abut_pose pose = random_pose(&random, random_range(&random, 0.0, 2.0));
        const facet_placement at = {abut_mat3_from_quat(pose.rotation), pose.position};
        tally_sample(&t, "sample %d, %d and %d triangles", (int)i, (int)abut_facetmesh_count(a), (int)abut_facetmesh_count(b));
        contacts += check_against_all(&t, a, b, &at);
        abut_shape_release(a);
        abut_shape_release(b);
    }
    tally_end(&t);
    assert_true(contacts > 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_as_all_pairs),
    };
    (void)pi; (void)found;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
