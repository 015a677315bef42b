/*
 * Rigid depth of tetrahedra. For overlapping bodies the reference is the depth of the same bodies as convex polytopes, found by another method (the least
 * translation over all facets of the Minkowski difference). For bodies apart it is the distance.
 */
#include <abut/query.h>
#include <abut/tetra.h>

#include "support/check.h"
#include "support/tetra_case.h"

static abut_shape *polytope_of(const abut_simplex *s) {
    abut_shape *shape = NULL;
    return abut_shape_create_hull(s->vertex, s->count, &shape) == ABUT_OK ? shape : NULL;
}

static void compare(tally *t, const tetra_case *c, const abut_shape *a, const abut_shape *b) {
    enum { ROOM = 64 };
    abut_rigid_depth rigid;
    abut_separation separation;
    abut_contact contacts[ROOM];
    int32_t count;
    double slack = 1e-8 * tetra_case_size(c);
    abut_collide_settings settings = abut_collide_settings_default();
    settings.normal = ABUT_NORMAL_MINIMUM;
    assert_ok(abut_simplex_rigid_depth(&c->a, &c->b, &rigid));
    assert_ok(abut_collide(&(abut_pair){a, abut_pose_identity(), b, abut_pose_identity()}, &settings, NULL, contacts, ROOM, &count));
    double deepest = 0.0;
    for (int32_t i = 0; i < count && i < ROOM; ++i) {
        deepest = fmin(deepest, contacts[i].gap);
    }
    if (rigid.relation == ABUT_DEPTH_INTERSECTING && !(fabs(-rigid.gap + deepest) <= slack)) {
        tally_fail(t, "depth", "%.17g, as polytopes %.17g", -rigid.gap, -deepest);
    }
    if (rigid.relation == ABUT_DEPTH_DISJOINT) {
        assert_ok(abut_distance(&(abut_pair){a, abut_pose_identity(), b, abut_pose_identity()}, NULL, NULL, &separation));
        if (count != 0 || !(separation.gap > 0.0) || !(rigid.gap <= separation.gap + slack)) {
            tally_fail(t, "gap", "%.17g, %d contacts, distance %.17g", rigid.gap, (int)count, separation.gap);
        }
    }
}

static void test_as_polytopes(void **state) {
    (void)state;
    if (!abut_has(ABUT_CAPABILITY_HULL)) {
        return; /* another test covers this */
    }
    random_state random = random_make(random_seed("polytopes", 51));
    static tally t;
    int32_t compared = 0;
    for (int32_t i = 0, count = random_samples("polytopes", 20000); i < count; ++i) {
        tetra_case c = tetra_case_make(&random, random_below(&random, 2) == 0 ? TETRA_UNIFORM : TETRA_NESTED);
        abut_shape *a = polytope_of(&c.a), *b = polytope_of(&c.b);
        if (a != NULL && b != NULL) {
            tally_sample(&t, "sample %d: %s", (int)i, tetra_case_text(&c));
            compare(&t, &c, a, b);
            ++compared;
        }
        abut_shape_release(a);
        abut_shape_release(b);
    }
    tally_end(&t);
    assert_true(compared > 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_as_polytopes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
