/*
 * Forces between two bodies from the contacts of their facets: bouncing balls, friction and its memory, snapping on and off, point mode's choice; the third
 * law, bodies exchanged, rigid motion, contacts in any order and on any thread; and every refusal.
 */
#include "solve/pressure/pressure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/allocator.h"
#include "support/check.h"
#include "support/icosphere.h"
#include "support/pressed.h"
#include "support/random.h"
#include "support/threads.h"


static const abut_vec3 nowhere = {0, 0, 0};

enum { ROOM = 512 };

/* A body and its partner from step to step. */
typedef struct stage {
    abut_pressure_law law;
    abut_pressure_body bodies[2];
    double time_step;
    abut_pressure_memory own[2][ROOM];
    abut_pressure_history before, after;
    abut_pressure_result result;
} stage;

static void begin(stage *s, const abut_pressure_law *law) {
    memset(s, 0, sizeof *s);
    s->law = *law;
    s->before = (abut_pressure_history){s->own[0], 0, ROOM};
    s->after = (abut_pressure_history){s->own[1], 0, ROOM};
}

static void press(stage *s, const pressed *p) {
    assert_ok(abut_pressure_pair(p->contacts, p->ids, p->count, &s->law, s->bodies, s->time_step, &s->before, &s->after, &s->result));
}

/* What was after is before. */
static void pass_on(stage *s) {
    abut_pressure_history old = s->before;
    s->before = s->after;
    s->after = old;
}

/* ---- a ball of radius 0.01 on a plane ---- */

static const double ball_radius = 0.01, ball_mass = 0.005;

typedef struct ball {
    abut_facet *facets, *placed;
    int32_t count;
} ball;

static ball make_ball(int level) {
    random_state random = random_make(41);
    ball b;
    b.facets = icosphere_make(level, ball_radius, (abut_pose){nowhere, random_rotation(&random)}, &b.count);
    b.placed = check_memory((size_t)b.count, sizeof *b.placed);
    return b;
}

static void free_ball(ball *b) {
    free(b->facets);
    free(b->placed);
}

static pressed place_ball(ball *b, abut_vec3 centre, const abut_pressure_law *law) {
    for (int32_t i = 0; i < b->count; ++i) {
        b->placed[i] = b->facets[i];
        for (int k = 0; k < 3; ++k) {
            b->placed[i].corner[k] = abut_add(b->facets[i].corner[k], centre);
        }
    }
    return pressed_on_plane(b->placed, b->count, 0.0, abut_pressure_reach(law, ball_radius));
}

static void press_ball(stage *s, ball *b) {
    pressed p = place_ball(b, s->bodies[0].centre, &s->law);
    press(s, &p);
    pressed_free(&p);
}

typedef struct bounced {
    double restitution, drift, damped; /* largest change of the energy, and what damping took, both over the energy */
} bounced;

/* Velocity Verlet; the force of damping at the end of a step is found with the velocity that it leads to. */
static bounced bounce(const abut_pressure_law *law, double speed, int steps) {
    static stage s;
    bounced out = {.drift = 0.0};
    ball b = make_ball(2);
    begin(&s, law);
    s.bodies[0] = (abut_pressure_body){.centre = {3e-4, 1e-4, ball_radius}, .motion.linear = {0, 0, -speed}, .inverse_mass = 1.0 / ball_mass};
    double time = 3.2 * pow(ball_mass * ball_mass / (law->modulus * law->modulus * ball_radius * speed), 0.2), h = time / steps;
    double energy = 0.5 * ball_mass * speed * speed;
    press_ball(&s, &b);
    for (int i = 0; i < 4 * steps && (i < steps / 10 || s.result.contacts > 0); ++i) {
        abut_pressure_body *body = &s.bodies[0];
        abut_vec3 half = abut_add_scaled(body->motion.linear, 0.5 * h / ball_mass, s.result.force);
        double power = s.result.damping_power;
        body->centre = abut_add_scaled(body->centre, h, half);
        pressed p = place_ball(&b, body->centre, law);
        body->motion.linear = half;
        for (int round = 0; round < 3; ++round) {
            press(&s, &p);
            body->motion.linear = abut_add_scaled(half, 0.5 * h / ball_mass, s.result.force);
        }
        pressed_free(&p);
        out.damped += 0.5 * h * (power + s.result.damping_power) / energy;
        double now = 0.5 * ball_mass * abut_length_squared(body->motion.linear) + s.result.elastic_energy;
        out.drift = fmax(out.drift, fabs(now / energy - 1.0));
    }
    free_ball(&b);
    assert_int_equal(s.result.contacts, 0);
    out.restitution = s.bodies[0].motion.linear.z / speed;
    return out;
}

static void test_undamped_bounce_keeps_energy(void **state) {
    (void)state;
    for (int mode = 0; mode < 2; ++mode) {
        abut_pressure_law law = {.modulus = 1e7, .mode = mode == 0 ? ABUT_PRESSURE_AREA : ABUT_PRESSURE_POINT};
        bounced b = bounce(&law, 0.5, 3000);
        printf("undamped bounce: energy within %.1e, restitution off 1 by %.1e\n", b.drift, b.restitution - 1.0);
        assert_true(b.drift < 1e-6);
        assert_near(b.restitution, 1.0, 1e-6);
        assert_near(b.damped, 0.0, 0.0);
    }
}

static void test_damped_bounces(void **state) {
    (void)state;
    const double wanted[4] = {0.9, 0.6, 0.3, 0.12}; /* the last is damped past the critical ratio */
    for (int pulls = 0; pulls < 2; ++pulls) {
        for (int i = 0; i < 4; ++i) {
            abut_pressure_law law = {.modulus = 1e7, .damping_pulls = pulls == 1};
            assert_ok(abut_pressure_damping(wanted[i], law.damping_pulls, &law.damping));
            bounced slow = bounce(&law, 0.05, 2000), fast = bounce(&law, 5.0, 2000);
            printf("restitution %.2f, damping ratio %.4f%s: %.5f at 0.05, %.5f at 5\n", wanted[i], law.damping, pulls == 1 ? ", pulls" : "", slow.restitution,
                   fast.restitution);
            assert_near(slow.restitution, wanted[i], 2e-4);
            assert_near(fast.restitution, wanted[i], 2e-4);
            assert_near(slow.damped, 1.0 - wanted[i] * wanted[i], 1e-3);
        }
    }
}

static void test_nothing_pulls(void **state) {
    (void)state;
    static stage s;
    ball b = make_ball(2);
    begin(&s, &(abut_pressure_law){.modulus = 1e7, .shear_modulus = 5e6, .friction = 0.5, .damping = 0.3});
    s.bodies[0] = (abut_pressure_body){.centre = {0, 0, 0.99 * ball_radius}, .motion.linear = {1, 0, 50}, .inverse_mass = 1.0 / ball_mass};
    s.time_step = 1e-6;
    press_ball(&s, &b);
    assert_vec3_near(s.result.force, nowhere, 1e-12);
    assert_true(s.result.contacts > 0 && s.result.damping_power > 0.0 && s.result.sliding == 1);
    s.law.damping_pulls = true;
    press_ball(&s, &b);
    assert_true(s.result.force.z < 0.0);
    assert_near(s.result.force.x, 0.0, 1e-12);
    s.bodies[0].inverse_mass = 0.0; /* nothing to go by */
    press_ball(&s, &b);
    assert_near(s.result.damping_power, 0.0, 0.0);
    free_ball(&b);
}

/* ---- friction ---- */

static void test_friction(void **state) {
    (void)state;
    static stage s;
    for (int level = 1; level <= 3; ++level) {
        ball b = make_ball(level);
        begin(&s, &(abut_pressure_law){.modulus = 1e7, .shear_modulus = 4e6, .friction = 0.4});
        s.time_step = 1e-5;
        s.bodies[0].inverse_mass = 200.0;
        double overlap = 1e-4, a = sqrt(ball_radius * overlap), normal = 4.0 / 3.0 * 1e7 * a * overlap, stiffness = 8.0 * 4e6 * a;
        double step = 0.4 * normal / stiffness / 7.3, expected = 0.0, slid = 0.0;
        for (int i = 0; i < 60; ++i) {
            double way = i < 12 ? step : i < 40 ? -step : 0.0, tried = expected - stiffness * way;
            expected = fmax(fmin(tried, 0.4 * normal), -0.4 * normal);
            slid += 0.4 * normal * fabs(tried - expected) / stiffness;
            /* The mesh stays; what counts is the velocity. */
            s.bodies[0].centre = abut_vec3_make(0, 0, ball_radius - overlap);
            s.bodies[0].motion.linear.x = way / s.time_step;
            press_ball(&s, &b);
            slid -= s.result.friction_work;
            assert_near(s.result.force.x / normal, expected / normal, 1e-9);
            assert_near(s.result.force.z / normal, 1.0, 1e-9);
            assert_near(s.result.moment_a.y, -(ball_radius - overlap) * expected, 1e-9 * normal);
            assert_near(s.result.spring_energy, 0.5 * expected * expected / stiffness, 1e-9);
            if (fabs(fabs(tried) - 0.4 * normal) > 1e-9 * normal) {
                assert_int_equal(s.result.sliding, fabs(tried) > 0.4 * normal);
            }
            pass_on(&s);
        }
        assert_near(slid, 0.0, 1e-9);
        /* It lifts off: what was in the spring is lost. */
        double held = s.result.spring_energy;
        s.bodies[0].centre.z = ball_radius + overlap;
        press_ball(&s, &b);
        assert_true(held > 0.0);
        assert_near(s.result.friction_work, held, 0.0);
        assert_int_equal(s.after.count, 0);
        free_ball(&b);
    }
}

static void test_rolling_is_free(void **state) {
    (void)state;
    static stage s;
    ball b = make_ball(3);
    begin(&s, &(abut_pressure_law){.modulus = 1e7, .shear_modulus = 4e6, .friction = 0.4});
    double height = 0.995 * ball_radius;
    s.time_step = 1e-4;
    s.bodies[0] = (abut_pressure_body){.motion.linear = {height * 7.0, 0, 0}, .motion.angular = {0, 7.0, 0}, .inverse_mass = 200.0};
    for (int i = 0; i < 50; ++i) {
        s.bodies[0].centre = abut_vec3_make(s.bodies[0].motion.linear.x * s.time_step * i, 0, height);
        press_ball(&s, &b);
        assert_near(hypot(s.result.force.x, s.result.force.y), 0.0, 1e-9 * s.result.force.z);
        pass_on(&s);
    }
    assert_near(s.result.friction_work, 0.0, 1e-20);
    free_ball(&b);
}

/* What adhesion adds to the limit. */
static void test_friction_with_adhesion(void **state) {
    (void)state;
    static stage s;
    ball b = make_ball(2);
    const double held[3] = {0.0, 3.0 * PI * 2.0 * ball_radius, 2.0 * PI * 2.0 * ball_radius};
    for (int kind = 0; kind < 3; ++kind) {
        for (int mode = 0; mode < 2; ++mode) {
            begin(&s, &(abut_pressure_law){.mode = (abut_pressure_mode)mode, .modulus = 1e7, .shear_modulus = 4e6, .friction = 0.4,
                                           .adhesion = (abut_adhesion)kind, .adhesion_work = kind > 0 ? 2.0 : 0.0});
            s.time_step = 1.0;
            s.bodies[0] = (abut_pressure_body){.centre = {0, 0, 0.99 * ball_radius}, .motion.linear = {1, 1, 0}, .inverse_mass = 1.0};
            press_ball(&s, &b);
            double whole = hypot(s.result.force.x, s.result.force.y);
            assert_near(whole / (0.4 * (s.result.force.z + held[kind])), 1.0, 1e-9);
            assert_int_equal(s.result.sliding, 1);
        }
    }
    free_ball(&b);
}

/* A ball thrown askew, which spins, slides and sticks: what it has, what is stored and what was taken add up. */
static void test_energy_of_an_oblique_bounce(void **state) {
    (void)state;
    static stage s;
    ball b = make_ball(1);
    begin(&s, &(abut_pressure_law){.modulus = 1e7, .shear_modulus = 4e6, .friction = 0.3, .damping = 0.1});
    const int steps = 12000;
    double speed = 1.0, time = 3.2 * pow(ball_mass * ball_mass / (1e14 * ball_radius * speed), 0.2), h = time / 4000, taken = 0.0;
    double inertia = 0.4 * ball_mass * ball_radius * ball_radius;
    s.time_step = h;
    s.bodies[0] = (abut_pressure_body){{0, 0, ball_radius}, {{0.8, 0.1, -speed}, {5, -20, 30}}, 1.0 / ball_mass};
    abut_pressure_body *body = &s.bodies[0];
    double start = 0.5 * ball_mass * abut_length_squared(body->motion.linear) + 0.5 * inertia * abut_length_squared(body->motion.angular), now = start, most = 0.0;
    int stuck = 0, slid = 0;
    for (int i = 0; i < steps && (i < 100 || s.result.contacts > 0); ++i) {
        body->centre = abut_add_scaled(body->centre, h, body->motion.linear);
        press_ball(&s, &b);
        body->motion.linear = abut_add_scaled(body->motion.linear, h / ball_mass, s.result.force);
        body->motion.angular = abut_add_scaled(body->motion.angular, h / inertia, s.result.moment_a);
        taken += h * s.result.damping_power + s.result.friction_work;
        now = 0.5 * ball_mass * abut_length_squared(body->motion.linear) + 0.5 * inertia * abut_length_squared(body->motion.angular) + s.result.elastic_energy +
              s.result.spring_energy;
        most = fmax(most, fabs((now + taken) / start - 1.0));
        slid += s.result.sliding;
        stuck += s.result.contacts > 0 && s.result.sliding == 0;
        pass_on(&s);
    }
    assert_true(stuck > 100 && slid > 100);
    assert_true(now < 0.95 * start);
    printf("oblique bounce: energy within %.1e, %.0f %% of it taken; slid %d steps, stuck %d\n", most, 100.0 * (1.0 - now / start), slid, stuck);
    assert_true(most < 2e-3);
    free_ball(&b);
}

/* Two balls, of which one sticks to the other while both turn as one: the force turns with them, and nothing is lost or gained. */
static void test_turns_as_one(void **state) {
    (void)state;
    static stage s;
    random_state random = random_make(43);
    int32_t count_a, count_b, steps = 4000;
    abut_facet *fa = icosphere_make(1, 1.0, abut_pose_identity(), &count_a), *fb = icosphere_make(1, 1.5, (abut_pose){{0, 0, -2.47}, {0, 0, 0, 1}}, &count_b);
    abut_vec3 axis = random_direction(&random), first = nowhere;
    begin(&s, &(abut_pressure_law){.modulus = 1e6, .shear_modulus = 4e5, .friction = 10.0});
    for (int32_t i = 0; i <= steps; ++i) {
        double angle = 2.0 * i / steps, rate = i > 0 ? 2.0 / steps : 0.0;
        abut_pose motion = {nowhere, abut_quat_about(axis, angle)};
        pressed p = pressed_make(fa, count_a, fb, count_b, 0.0);
        pressed_move(&p, motion);
        s.time_step = 1.0;
        for (int k = 0; k < 2; ++k) {
            s.bodies[k].centre = abut_quat_rotate(motion.rotation, abut_vec3_make(0, 0, k == 0 ? 0.0 : -2.47));
            s.bodies[k].motion.angular = abut_scale(rate, axis);
            s.bodies[k].motion.linear = abut_cross(s.bodies[k].motion.angular, s.bodies[k].centre);
        }
        s.bodies[0].motion.linear.x += i == 0 ? 1e-3 : 0.0;
        press(&s, &p);
        first = i == 0 ? s.result.force : first;
        assert_vec3_near(s.result.force, abut_quat_rotate(motion.rotation, first), 2e-6 * abut_length(first));
        pass_on(&s);
        pressed_free(&p);
        if (i == 0) {
            assert_true(fabs(s.result.force.x) > 100.0);
        }
    }
    assert_near(s.result.friction_work, 0.0, 1e-12);
    free(fa);
    free(fb);
}

/* ---- adhesion ---- */

/* Surfaces meet without a force until they touch, hold each other beyond that, and part where the theory says; a loop costs what sticking does. */
static void test_snaps_on_and_off(void **state) {
    (void)state;
    static stage s;
    abut_pressure_law law = {.modulus = 1e6, .adhesion = ABUT_ADHESION_JKR, .adhesion_work = 500.0};
    begin(&s, &law);
    int32_t count_a, count_b, steps = 400, sign = -1;
    abut_facet *fa = icosphere_make(1, 1.0, abut_pose_identity(), &count_a);
    double b = cbrt(PI * 500.0 * 0.36 / 8e6), last = -3.0 * b * b / 0.6, work = 0.0, least = 0.0, previous = 0.0, parted = 0.0;
    for (int32_t i = -steps; i <= steps; ++i, sign = i < 0 ? -1 : 1) {
        double overlap = -last * (1.0 - 2.2 * fabs((double)i) / steps); /* from -1.2 |last| to |last| and back */
        s.bodies[1].centre = abut_vec3_make(0, 0, -(2.5 - overlap));
        abut_facet *fb = icosphere_make(1, 1.5, (abut_pose){s.bodies[1].centre, {0, 0, 0, 1}}, &count_b);
        pressed p = pressed_make(fa, count_a, fb, count_b, abut_pressure_reach(&law, 0.6));
        press(&s, &p);
        pressed_free(&p);
        free(fb);
        double force = s.result.force.z, change = -last * 2.2 / steps;
        assert_true(i > 0 || overlap > 0.0 || force == 0.0);
        work += i > -steps ? -0.5 * (force + previous) * (sign < 0 ? change : -change) : 0.0;
        parted = s.result.contacts > 0 ? overlap : parted;
        least = fmin(least, force);
        previous = force;
        pass_on(&s);
    }
    assert_near(least / (1.5 * PI * 500.0 * 0.6), -1.0, 1e-4);
    assert_near(parted / last, 1.0, 0.006);
    assert_near(-work / cbrt(pow(500.0, 5.0) * pow(0.6, 4.0) / 1e12), 7.09, 0.1);
    assert_int_equal(s.before.count, 0);
    free(fa);
}

/* ---- point mode ---- */

static abut_facet_contact contact_at(double distance, double overlap) {
    return (abut_facet_contact){.relation = ABUT_FACET_CONTACT, .normal = {0, 0, 1}, .sphere_gap = -0.01, .radius = 1.0, .circle_radius = 0.14,
                                .point = {distance, 0, 0}, .offset = distance, .gap = -overlap, .corner_count = 3,
                                .corner = {{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}}};
}

static void test_point_mode_takes_the_nearest(void **state) {
    (void)state;
    abut_pressure_law law = {.modulus = 1.0, .mode = ABUT_PRESSURE_POINT};
    abut_pressure_body bodies[2] = {{.centre = {0, 0, 1}}, {.centre = {0, 0, -1}}};
    abut_facet_contact c[5] = {contact_at(0.05, 0.007), contact_at(0.02, 0.009), contact_at(0.02, 0.008), contact_at(0.09, 0.001), contact_at(0.0, 0.01)};
    abut_pressure_id ids[5] = {{1, 1, 7, 7}, {2, 5, 7, 7}, {2, 4, 7, 7}, {3, 3, 7, 8}, {0, 0, 7, 7}};
    abut_pressure_result r;
    c[4].relation = ABUT_FACET_BESIDE; /* takes no part */
    assert_ok(abut_pressure_pair(c, ids, 5, &law, bodies, 0.0, NULL, NULL, &r));
    assert_int_equal(r.contacts, 2);
    assert_int_equal(r.regions, 2);
    double kept = 4.0 / 3.0 * pow(0.008, 1.5), other = 4.0 / 3.0 * pow(0.001, 1.5); /* of two at one distance that of the smallest names */
    assert_near(r.force.z, kept + other, 1e-15);
    assert_near(r.moment_a.y, -(0.02 * kept + 0.09 * other), 1e-15);
    assert_ok(abut_pressure_pair(c, NULL, 5, &law, bodies, 0.0, NULL, NULL, &r)); /* each for itself */
    assert_int_equal(r.regions, 4);
}

/* ---- invariances ---- */

typedef struct scene {
    pressed contacts;
    abut_pressure_body bodies[2];
    abut_pressure_law law;
    abut_pressure_memory memory;
    abut_pressure_history before;
} scene;

static void make_scene(scene *s, random_state *random, abut_pressure_mode mode) {
    int32_t count_a, count_b;
    abut_vec3 axis = random_direction(random), first, second;
    *s = (scene){.law = {.mode = mode, .modulus = 1e6, .shear_modulus = 3e5, .damping = 0.2, .friction = 0.3}};
    s->law.adhesion = (abut_adhesion)random_below(random, 3);
    s->law.adhesion_work = 30.0;
    for (int k = 0; k < 2; ++k) {
        s->bodies[k] = (abut_pressure_body){k == 0 ? nowhere : abut_scale(2.47, axis), {random_vec3(random, -1, 1), random_vec3(random, -1, 1)}, 0.1 + k};
    }
    abut_tangent_frame(axis, &first, &second);
    s->memory = (abut_pressure_memory){.stretch = abut_scale(random_range(random, 0.0, 0.02), first), .normal = axis, .stiffness = 3e5};
    abut_facet *fa = icosphere_make(1, 1.0, (abut_pose){s->bodies[0].centre, random_rotation(random)}, &count_a);
    abut_facet *fb = icosphere_make(1, 1.5, (abut_pose){s->bodies[1].centre, random_rotation(random)}, &count_b);
    s->contacts = pressed_make(fa, count_a, fb, count_b, abut_pressure_reach(&s->law, 0.6));
    for (int32_t i = 0; i < s->contacts.count; ++i) { /* regions: faces of A that begin at an even place, and the others */
        s->contacts.ids[i].surface_a = s->contacts.ids[i].facet_a & 1;
    }
    s->memory.normal = abut_neg(s->contacts.contacts[0].normal);
    free(fa);
    free(fb);
}

static abut_pressure_result press_scene(scene *s) {
    abut_pressure_result r;
    s->before = (abut_pressure_history){&s->memory, 1, 1};
    assert_ok(abut_pressure_pair(s->contacts.contacts, s->contacts.ids, s->contacts.count, &s->law, s->bodies, 1e-3, &s->before, NULL, &r));
    return r;
}

static void check_near_result(const abut_pressure_result *r, const abut_pressure_result *q) {
    double unit = 1e-9 * 1e4;
    assert_vec3_near(r->force, q->force, unit);
    assert_vec3_near(r->moment_a, q->moment_a, unit);
    assert_vec3_near(r->moment_b, q->moment_b, unit);
    assert_near(r->elastic_energy, q->elastic_energy, unit);
    assert_near(r->spring_energy, q->spring_energy, unit);
    assert_near(r->damping_power, q->damping_power, unit);
    assert_near(r->friction_work, q->friction_work, unit);
    assert_near(r->area, q->area, 1e-12);
    assert_near(r->largest_pressure / q->largest_pressure, 1.0, 1e-9);
    assert_int_equal(r->contacts, q->contacts);
    assert_int_equal(r->regions, q->regions);
    assert_int_equal(r->sliding, q->sliding);
}

static void check_exchanged(scene *s, const abut_pressure_result *r) {
    abut_pressure_body a = s->bodies[0];
    pressed_swap(&s->contacts);
    s->bodies[0] = s->bodies[1];
    s->bodies[1] = a;
    s->memory.normal = abut_neg(s->memory.normal);
    s->memory.stretch = abut_neg(s->memory.stretch);
    abut_pressure_result q = press_scene(s), back = q;
    back.force = abut_neg(q.force);
    back.moment_a = q.moment_b;
    back.moment_b = q.moment_a;
    check_near_result(&back, r);
}

static void check_motion(scene *s, random_state *random, const abut_pressure_result *r) {
    abut_pose motion = random_pose(random, 2.0);
    abut_pressure_result moved = *r;
    pressed_move(&s->contacts, motion);
    for (int k = 0; k < 2; ++k) {
        s->bodies[k].centre = abut_pose_apply(motion, s->bodies[k].centre);
        s->bodies[k].motion.linear = abut_quat_rotate(motion.rotation, s->bodies[k].motion.linear);
        s->bodies[k].motion.angular = abut_quat_rotate(motion.rotation, s->bodies[k].motion.angular);
    }
    s->memory.normal = abut_quat_rotate(motion.rotation, s->memory.normal);
    s->memory.stretch = abut_quat_rotate(motion.rotation, s->memory.stretch);
    moved.force = abut_quat_rotate(motion.rotation, r->force);
    moved.moment_a = abut_quat_rotate(motion.rotation, r->moment_a);
    moved.moment_b = abut_quat_rotate(motion.rotation, r->moment_b);
    abut_pressure_result q = press_scene(s);
    check_near_result(&q, &moved);
}

/* The same bits in any order. */
static void check_order(scene *s, random_state *random, const abut_pressure_result *r) {
    for (int32_t i = s->contacts.count - 1; i > 0; --i) {
        int32_t k = random_below(random, i + 1);
        abut_facet_contact c = s->contacts.contacts[i];
        abut_pressure_id id = s->contacts.ids[i];
        s->contacts.contacts[i] = s->contacts.contacts[k];
        s->contacts.ids[i] = s->contacts.ids[k];
        s->contacts.contacts[k] = c;
        s->contacts.ids[k] = id;
    }
    abut_pressure_result q = press_scene(s);
    assert_memory_equal(&q, r, sizeof q);
}

/* Of lengths that are larger by a scale, with the same moduli, density and speeds: forces grow with its square. */
static void check_scale(const scene *given, double scale, const abut_pressure_result *r) {
    scene s = *given;
    s.contacts.contacts = check_memory((size_t)s.contacts.count, sizeof *s.contacts.contacts);
    for (int32_t i = 0; i < s.contacts.count; ++i) {
        abut_facet_contact *c = &s.contacts.contacts[i];
        *c = given->contacts.contacts[i];
        c->sphere_gap *= scale;
        c->radius *= scale;
        c->centre = abut_scale(scale, c->centre);
        c->circle_radius *= scale;
        c->point = abut_scale(scale, c->point);
        c->offset *= scale;
        c->gap *= scale;
        for (int32_t k = 0; k < c->corner_count; ++k) {
            c->corner[k] = abut_scale(scale, c->corner[k]);
        }
    }
    for (int k = 0; k < 2; ++k) {
        s.bodies[k].centre = abut_scale(scale, s.bodies[k].centre);
        s.bodies[k].motion.angular = abut_scale(1.0 / scale, s.bodies[k].motion.angular);
        s.bodies[k].inverse_mass /= scale * scale * scale;
    }
    s.memory.stretch = abut_scale(scale, s.memory.stretch);
    s.memory.stiffness *= scale;
    s.law.adhesion_work *= scale;
    abut_pressure_history before = {&s.memory, 1, 1};
    abut_pressure_result q;
    assert_ok(abut_pressure_pair(s.contacts.contacts, s.contacts.ids, s.contacts.count, &s.law, s.bodies, 1e-3 * scale, &before, NULL, &q));
    double square = 1.0 / (scale * scale), cube = square / scale;
    q.force = abut_scale(square, q.force);
    q.moment_a = abut_scale(cube, q.moment_a);
    q.moment_b = abut_scale(cube, q.moment_b);
    q.elastic_energy *= cube;
    q.spring_energy *= cube;
    q.damping_power *= square;
    q.friction_work *= cube;
    q.area *= square;
    check_near_result(&q, r);
    free(s.contacts.contacts);
}

static void test_invariances(void **state) {
    (void)state;
    random_state random = random_make(random_seed("pairs", 47));
    static scene s;
    for (int i = 0; i < 60; ++i) {
        make_scene(&s, &random, i % 2 == 0 ? ABUT_PRESSURE_AREA : ABUT_PRESSURE_POINT);
        abut_pressure_result r = press_scene(&s);
        assert_true(r.contacts > 0 && r.damping_power >= 0.0 && r.friction_work >= 0.0);
        abut_vec3 between = abut_sub(s.bodies[0].centre, s.bodies[1].centre);
        assert_near(abut_length(abut_add(abut_add(r.moment_a, r.moment_b), abut_cross(between, r.force))), 0.0, 1e-9);
        check_order(&s, &random, &r);
        check_scale(&s, 1e-3, &r);
        check_scale(&s, 1e3, &r);
        check_motion(&s, &random, &r);
        r = press_scene(&s);
        check_exchanged(&s, &r);
        pressed_free(&s.contacts);
    }
}

enum { MANY = 300 };

typedef struct crowd {
    scene *scenes;
    abut_pressure_result *results;
} crowd;

static void press_some(void *argument, int32_t first, int32_t end) {
    crowd *c = argument;
    for (int32_t i = first; i < end; ++i) {
        scene *s = &c->scenes[i % 8];
        abut_pressure_history before = {&s->memory, 1, 1};
        (void)abut_pressure_pair(s->contacts.contacts, s->contacts.ids, s->contacts.count, &s->law, s->bodies, 1e-6 * i, &before, NULL, &c->results[i]);
    }
}

static void test_any_thread(void **state) {
    (void)state;
    static scene scenes[8];
    static abut_pressure_result one[MANY], three[MANY];
    random_state random = random_make(48);
    three_threads own;
    for (int i = 0; i < 8; ++i) {
        make_scene(&scenes[i], &random, ABUT_PRESSURE_AREA);
    }
    crowd c = {scenes, one}, d = {scenes, three};
    abut_parallel parallel = three_threads_parallel(&own);
    abut_parallel_for(&(abut_parallel){.threads = 1}, MANY, 1, press_some, &c);
    abut_parallel_for(&parallel, MANY, 1, press_some, &d);
    assert_memory_equal(one, three, sizeof one);
    for (int i = 0; i < 8; ++i) {
        pressed_free(&scenes[i].contacts);
    }
}

/* ---- refusals ---- */

typedef struct call {
    abut_facet_contact contacts[2];
    abut_pressure_id ids[2];
    int32_t count;
    abut_pressure_law law;
    abut_pressure_body bodies[2];
    double time_step;
    abut_pressure_memory memory[2];
    abut_pressure_history before;
} call;

static call good_call(void) {
    return (call){.contacts = {contact_at(0.0, 0.01), contact_at(0.0, 0.01)}, .ids = {{0, 0, 0, 0}, {1, 0, 1, 0}}, .count = 2, .law = {.modulus = 1.0},
                  .memory = {{.surface_a = 0, .normal = {0, 0, 1}}, {.surface_a = 1, .normal = {0, 0, 1}}}, .before = {NULL, 2, 2}};
}

static void refuse(call c, abut_status expected) {
    abut_pressure_result r, untouched;
    memset(&untouched, 3, sizeof untouched);
    memcpy(&r, &untouched, sizeof r);
    abut_pressure_history before = c.before;
    before.memory = c.memory;
    assert_status(abut_pressure_pair(c.contacts, c.ids, c.count, &c.law, c.bodies, c.time_step, &before, NULL, &r), expected);
    if (expected != ABUT_OK) {
        assert_memory_equal(&r, &untouched, sizeof r);
    }
}

static void test_refuses_what_is_out_of_range(void **state) {
    (void)state;
    call good = good_call(), c;
    refuse(good, ABUT_OK);
#define REFUSE(place, value, status) (c = good, c.place = (value), refuse(c, status))
    REFUSE(count, -1, ABUT_ERROR_INVALID_ARGUMENT);
    REFUSE(law.modulus, NAN, ABUT_ERROR_INVALID_ARGUMENT);
    REFUSE(law.mode, (abut_pressure_mode)7, ABUT_ERROR_INVALID_ARGUMENT);
    REFUSE(time_step, -1.0, ABUT_ERROR_INVALID_ARGUMENT);
    REFUSE(time_step, NAN, ABUT_ERROR_INVALID_ARGUMENT);
    REFUSE(time_step, INFINITY, ABUT_ERROR_NOT_FINITE);
    REFUSE(bodies[0].inverse_mass, -1.0, ABUT_ERROR_INVALID_ARGUMENT);
    REFUSE(bodies[1].inverse_mass, NAN, ABUT_ERROR_NOT_FINITE);
    REFUSE(bodies[1].motion.linear.x, NAN, ABUT_ERROR_NOT_FINITE);
    REFUSE(bodies[0].motion.angular.x, INFINITY, ABUT_ERROR_NOT_FINITE);
    REFUSE(bodies[0].centre.z, NAN, ABUT_ERROR_NOT_FINITE);
    REFUSE(contacts[1].corner[2].y, NAN, ABUT_ERROR_NOT_FINITE);
    REFUSE(contacts[1].sphere_gap, NAN, ABUT_ERROR_NOT_FINITE);
    REFUSE(contacts[0].normal.x, NAN, ABUT_ERROR_NOT_FINITE);
    REFUSE(contacts[0].normal.x, 1.0, ABUT_ERROR_INVALID_ARGUMENT);
    REFUSE(contacts[0].radius, 0.0, ABUT_ERROR_INVALID_ARGUMENT);
    REFUSE(contacts[0].corner_count, 7, ABUT_ERROR_INVALID_ARGUMENT);
    REFUSE(contacts[0].offset, -1.0, ABUT_ERROR_INVALID_ARGUMENT);
    REFUSE(ids[1], good.ids[0], ABUT_ERROR_INVALID_ARGUMENT);
    REFUSE(before.count, -1, ABUT_ERROR_INVALID_ARGUMENT);
    REFUSE(memory[1].surface_a, 0, ABUT_ERROR_INVALID_ARGUMENT);
    REFUSE(memory[1].stiffness, -1.0, ABUT_ERROR_INVALID_ARGUMENT);
    REFUSE(memory[1].stretch.x, NAN, ABUT_ERROR_NOT_FINITE);
    REFUSE(law.modulus, 1e300, ABUT_OK);
    c = good;
    c.law.modulus = 1e300;
    c.contacts[0].radius = 1e30;
    c.contacts[0].corner_count = 0;
    refuse(c, ABUT_ERROR_NOT_FINITE);
    c = good;
    c.contacts[0].status = ABUT_ERROR_DEGENERATE; /* passed over, whatever else is in it */
    c.contacts[0].radius = NAN;
    refuse(c, ABUT_OK);
#undef REFUSE
}

static void test_refuses_null_and_little_room(void **state) {
    (void)state;
    call c = good_call();
    abut_pressure_result r;
    abut_pressure_memory memory[2];
    abut_pressure_history after = {memory, 0, 1};
    assert_status(abut_pressure_pair(NULL, NULL, 1, &c.law, c.bodies, 0.0, NULL, NULL, &r), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_pressure_pair(c.contacts, NULL, 2, NULL, c.bodies, 0.0, NULL, NULL, &r), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_pressure_pair(c.contacts, NULL, 2, &c.law, NULL, 0.0, NULL, NULL, &r), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_pressure_pair(c.contacts, NULL, 2, &c.law, c.bodies, 0.0, NULL, NULL, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_pressure_pair(c.contacts, c.ids, 2, &c.law, c.bodies, 0.0, NULL, &after, &r), ABUT_ERROR_CAPACITY);
    assert_int_equal(after.count, 2);
    after.capacity = 2;
    assert_ok(abut_pressure_pair(c.contacts, c.ids, 2, &c.law, c.bodies, 0.0, NULL, &after, &r));
    assert_int_equal(after.count, 2);
    assert_int_equal(memory[1].surface_a, 1);
    after.memory = NULL;
    assert_status(abut_pressure_pair(c.contacts, c.ids, 2, &c.law, c.bodies, 0.0, NULL, &after, &r), ABUT_ERROR_INVALID_ARGUMENT);
    assert_ok(abut_pressure_pair(NULL, NULL, 0, &c.law, c.bodies, 0.0, NULL, NULL, &r));
    assert_near(abut_length(r.force) + r.area + r.largest_pressure, 0.0, 0.0);
}

static void test_without_memory(void **state) {
    (void)state;
    enum { COUNT = 100 };
    static abut_facet_contact contacts[COUNT];
    call c = good_call();
    for (int i = 0; i < COUNT; ++i) {
        contacts[i] = contact_at(0.0, 0.01);
    }
    abut_pressure_result r;
    counting_allocator memory = {.refuse_at = 0};
    counting_allocator_install(&memory);
    abut_status status = abut_pressure_pair(contacts, NULL, COUNT, &c.law, c.bodies, 0.0, NULL, NULL, &r);
    counting_allocator_remove();
    assert_status(status, ABUT_ERROR_OUT_OF_MEMORY);
    memory = (counting_allocator){.refuse_at = -1};
    counting_allocator_install(&memory);
    status = abut_pressure_pair(contacts, NULL, COUNT, &c.law, c.bodies, 0.0, NULL, NULL, &r);
    counting_allocator_remove();
    assert_ok(status);
    assert_int_equal(memory.live, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_undamped_bounce_keeps_energy),
        cmocka_unit_test(test_damped_bounces),
        cmocka_unit_test(test_nothing_pulls),
        cmocka_unit_test(test_friction),
        cmocka_unit_test(test_rolling_is_free),
        cmocka_unit_test(test_friction_with_adhesion),
        cmocka_unit_test(test_energy_of_an_oblique_bounce),
        cmocka_unit_test(test_turns_as_one),
        cmocka_unit_test(test_snaps_on_and_off),
        cmocka_unit_test(test_point_mode_takes_the_nearest),
        cmocka_unit_test(test_invariances),
        cmocka_unit_test(test_any_thread),
        cmocka_unit_test(test_refuses_what_is_out_of_range),
        cmocka_unit_test(test_refuses_null_and_little_room),
        cmocka_unit_test(test_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
