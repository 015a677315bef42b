/* The oracle least_height.h against closed forms. */
#include <math.h>

#include "accuracy/least_height.h"
#include "support/check.h"
#include "support/random.h"

typedef long double real;

/* An ellipsoid or a box with its centre away from the origin, turned. */
typedef struct body {
    bool box;
    height_vec half, axis[3], centre;
} body;

static real dot(height_vec p, height_vec q) { return p.x * q.x + p.y * q.y + p.z * q.z; }
static height_vec of(abut_vec3 v) { return (height_vec){v.x, v.y, v.z}; }

static height_vec farthest(const void *of, height_vec d) {
    const body *s = of;
    real along[3] = {s->half.x * dot(s->axis[0], d), s->half.y * dot(s->axis[1], d), s->half.z * dot(s->axis[2], d)};
    const real half[3] = {s->half.x, s->half.y, s->half.z};
    real n = s->box ? 1.0L : sqrtl(along[0] * along[0] + along[1] * along[1] + along[2] * along[2]);
    height_vec p = s->centre;
    for (int i = 0; i < 3; i++) {
        real t = half[i] * (s->box ? copysignl(1.0L, along[i]) : along[i] / n);
        p = (height_vec){p.x + t * s->axis[i].x, p.y + t * s->axis[i].y, p.z + t * s->axis[i].z};
    }
    return p;
}

static body random_body(random_state *r, bool box, double aside) {
    abut_quat turn = random_rotation(r);
    body s = {.box = box};
    s.half = (height_vec){random_log_range(r, 0.01, 1), random_log_range(r, 0.01, 1), random_log_range(r, 0.01, 1)};
    s.axis[0] = of(abut_quat_rotate(turn, abut_vec3_make(1, 0, 0)));
    s.axis[1] = of(abut_quat_rotate(turn, abut_vec3_make(0, 1, 0)));
    s.axis[2] = of(abut_quat_rotate(turn, abut_vec3_make(0, 0, 1)));
    abut_vec3 shift = random_vec3(r, -aside, aside);
    for (int i = 0; i < 3; i++) {
        real t = (&shift.x)[i] * (&s.half.x)[i];
        s.centre = (height_vec){s.centre.x + t * s.axis[i].x, s.centre.y + t * s.axis[i].y, s.centre.z + t * s.axis[i].z};
    }
    return s;
}

enum { SAMPLES = 300, MOST = 100000 };
static const long double tolerance = 1e-10L;

static void require_least(const body *s, real least) {
    least_height right = least_height_find(farthest, s, least, -INFINITY, tolerance, MOST);
    least_height found = least_height_find(farthest, s, 2.0L * fabsl(least) + 1.0L, -INFINITY, tolerance, MOST);
    assert_true(right.proved && found.proved);
    assert_true(right.height >= least - 1e-14L && right.height <= least);
    assert_true(found.height >= least - 1e-14L && found.height <= least + tolerance);
}

static real least_of_box(const body *s) {
    real least = INFINITY;
    for (int i = 0; i < 3; i++) {
        least = fminl(least, (&s->half.x)[i] - fabsl(dot(s->centre, s->axis[i])));
    }
    return least;
}

static void finds_the_nearest_face_of_a_box(void **state) {
    (void)state;
    random_state r = random_make(18001);
    for (int i = 0; i < SAMPLES; i++) {
        body s = random_body(&r, true, 1.0);
        require_least(&s, least_of_box(&s));
    }
}

static void finds_the_shortest_axis_of_an_ellipsoid(void **state) {
    (void)state;
    random_state r = random_make(18002);
    for (int i = 0; i < SAMPLES; i++) {
        body s = random_body(&r, false, 0.0);
        require_least(&s, fminl(s.half.x, fminl(s.half.y, s.half.z)));
    }
}

/* A box beside the origin: the least height is minus its distance where that is to a face. */
static void finds_how_far_a_box_is_apart(void **state) {
    (void)state;
    random_state r = random_make(18003);
    for (int i = 0; i < SAMPLES; i++) {
        body s = random_body(&r, true, 0.9);
        int k = random_below(&r, 3);
        real t = 3.0L * (&s.half.x)[k] - dot(s.centre, s.axis[k]);
        s.centre = (height_vec){s.centre.x + t * s.axis[k].x, s.centre.y + t * s.axis[k].y, s.centre.z + t * s.axis[k].z};
        require_least(&s, -2.0L * (&s.half.x)[k]);
    }
}

/* All directions of a ball are equal: no proof, but the floor is one. */
static void gives_up_where_all_directions_are_equal(void **state) {
    (void)state;
    body s = {.half = {1, 1, 1}, .axis = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    assert_false(least_height_find(farthest, &s, 1.0L, -INFINITY, tolerance, 1000).proved);
    assert_true(least_height_find(farthest, &s, 1.0L, 1.0L, tolerance, 1000).proved);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_nearest_face_of_a_box),
        cmocka_unit_test(finds_the_shortest_axis_of_an_ellipsoid),
        cmocka_unit_test(finds_how_far_a_box_is_apart),
        cmocka_unit_test(gives_up_where_all_directions_are_equal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
