/*
 * The spring of friction: its stiffness, the limit, turning back, energy that is never gained by turning or by changes of stiffness, and frames that turn.
 */
#include "solve/pressure/pressure.h"

#include <math.h>

#include "support/check.h"
#include "support/random.h"


static const abut_vec3 up = {0, 0, 1};

static abut_pressure_memory memory_of(const pressure_spring *spring, const pressure_slide *slide) {
    return (abut_pressure_memory){.stretch = spring->stretch, .normal = slide->normal, .stiffness = slide->stiffness};
}

static void test_sticks_then_slides_and_turns_back(void **state) {
    (void)state;
    pressure_slide slide = {.normal = up, .way = {1e-3, 0, 5.0}, .stiffness = 100.0, .limit = 0.5}; /* the way along the normal counts for nothing */
    abut_pressure_memory m;
    double lost = 0.0;
    for (int i = 1; i <= 8; ++i) {
        pressure_spring s = pressure_slide_on(i > 1 ? &m : NULL, &slide);
        assert_near(slide.stiffness * s.stretch.x, fmin(0.1 * i, 0.5), 1e-14);
        assert_near(s.stretch.z, 0.0, 0.0);
        assert_int_equal(s.sliding, i > 5);
        lost += s.lost;
        m = memory_of(&s, &slide);
    }
    assert_near(lost, 0.5 * 3e-3, 1e-15);
    slide.way.x = -1e-3;
    for (int i = 1; i <= 12; ++i) {
        pressure_spring s = pressure_slide_on(&m, &slide);
        assert_near(slide.stiffness * s.stretch.x, fmax(0.5 - 0.1 * i, -0.5), 1e-14);
        assert_int_equal(s.sliding, i > 10);
        m = memory_of(&s, &slide);
    }
}

static void test_no_limit_no_force(void **state) {
    (void)state;
    pressure_slide slide = {.normal = up, .way = {1e-3, 2e-3, 0}, .stiffness = 100.0, .limit = 0.0};
    pressure_spring s = pressure_slide_on(NULL, &slide);
    assert_near(abut_length(s.stretch), 0.0, 0.0);
    assert_near(s.lost, 0.0, 0.0);
    assert_true(s.sliding);
}

/* Force times way is what the spring takes up and what is lost, up to the square of a step. */
static void test_energy_of_a_loop(void **state) {
    (void)state;
    const int steps = 100000;
    double work = 0.0, lost = 0.0;
    abut_pressure_memory m = {.normal = up, .stiffness = 0.0};
    for (int i = 0; i < steps; ++i) {
        double angle = 4.0 * PI * i / steps, h = 4.0 * PI / steps * 0.02;
        pressure_slide slide = {.normal = up, .way = {-h * sin(angle), 0.5 * h * cos(angle), 0}, .stiffness = 100.0, .limit = 0.6};
        abut_vec3 before = m.stretch;
        pressure_spring s = pressure_slide_on(&m, &slide);
        work += 0.5 * slide.stiffness * abut_dot(abut_add(before, s.stretch), slide.way);
        lost += s.lost;
        m = memory_of(&s, &slide);
    }
    assert_near((lost + pressure_spring_energy(&m)) / work, 1.0, 1e-4);
    assert_true(lost > 0.5 * work);
}

static void test_changes_of_stiffness_gain_nothing(void **state) {
    (void)state;
    abut_pressure_memory m = {.stretch = {1e-3, 0, 0}, .normal = up, .stiffness = 100.0};
    pressure_slide stiffer = {.normal = up, .stiffness = 400.0, .limit = 1e9}, softer = {.normal = up, .stiffness = 25.0, .limit = 1e9};
    pressure_spring s = pressure_slide_on(&m, &stiffer), t = pressure_slide_on(&m, &softer);
    assert_near(stiffer.stiffness * s.stretch.x, 0.1, 1e-15);
    assert_near(t.stretch.x, 1e-3, 1e-18);
    assert_near(s.lost + 200.0 * s.stretch.x * s.stretch.x, 5e-5, 1e-18);
    assert_near(t.lost + 12.5 * t.stretch.x * t.stretch.x, 5e-5, 1e-18);
    assert_true(s.lost > 0.0 && t.lost > 0.0);
}

/* The stretch goes with a frame that turns about any axis, normal and all. */
static void test_turns_with_the_frame(void **state) {
    (void)state;
    random_state random = random_make(random_seed("turning", 31));
    for (int sample = 0; sample < 50; ++sample) {
        abut_vec3 axis = random_direction(&random), normal = random_direction(&random), first, second;
        abut_tangent_frame(normal, &first, &second);
        abut_pressure_memory m = {.stretch = first, .normal = normal, .stiffness = 1.0};
        const int steps = 2000;
        double angle = 3.0 / steps;
        for (int i = 1; i <= steps; ++i) {
            pressure_slide slide = {.normal = abut_quat_rotate(abut_quat_about(axis, angle * i), normal), .spin = 0.0, .stiffness = 1.0, .limit = 10.0};
            slide.spin = angle * abut_dot(axis, slide.normal);
            pressure_spring s = pressure_slide_on(&m, &slide);
            m = memory_of(&s, &slide);
        }
        assert_near(abut_length(m.stretch), 1.0, 1e-12);
        assert_vec3_near(m.stretch, abut_quat_rotate(abut_quat_about(axis, 3.0), first), 1e-5);
    }
}

static void test_turning_gains_nothing(void **state) {
    (void)state;
    random_state random = random_make(random_seed("wobble", 32));
    abut_pressure_memory m = {.stretch = {1, 0, 0}, .normal = up, .stiffness = 1.0};
    for (int i = 0; i < 100000; ++i) {
        pressure_slide slide = {.normal = abut_unit(abut_add(m.normal, random_vec3(&random, -0.3, 0.3))), .spin = random_range(&random, -1.0, 1.0),
                                .stiffness = 1.0, .limit = 10.0};
        pressure_spring s = pressure_slide_on(&m, &slide);
        assert_true(fabs(abut_dot(s.stretch, slide.normal)) <= 1e-12);
        m = memory_of(&s, &slide);
    }
    assert_near(abut_length(m.stretch), 1.0, 1e-10);
    /* Turned right over: begun anew, and the energy counts as lost. */
    pressure_slide over = {.normal = abut_neg(m.normal), .stiffness = 1.0, .limit = 10.0};
    pressure_spring s = pressure_slide_on(&m, &over);
    assert_near(abut_length(s.stretch), 0.0, 0.0);
    assert_near(s.lost, pressure_spring_energy(&m), 0.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sticks_then_slides_and_turns_back),
        cmocka_unit_test(test_no_limit_no_force),
        cmocka_unit_test(test_energy_of_a_loop),
        cmocka_unit_test(test_changes_of_stiffness_gain_nothing),
        cmocka_unit_test(test_turns_with_the_frame),
        cmocka_unit_test(test_turning_gains_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
