/*
 * The force of a parallel bond: that it follows from its energy, that a body that moves as a whole bears none, that force and moment are those of both bodies,
 * the dampers, and the bound of the frequencies against those of chains and stars of bonded bodies.
 */
#include "solve/bond/bond.h"

#include <stdio.h>

#include "support/check.h"
#include "support/random.h"

/* Two bodies and a bond between them. */
typedef struct pair {
    bond_law law;
    bond_seat seat;
    bond_side side[2];
    abut_vec3 centre[2];
} pair;

static abut_quat random_turn(random_state *random) {
    return abut_quat_unit((abut_quat){random_range(random, -1, 1), random_range(random, -1, 1), random_range(random, -1, 1), 0.1});
}

/* For small angles the rotation by this vector. */
static abut_quat rotation(abut_vec3 turn) { return abut_quat_unit((abut_quat){0.5 * turn.x, 0.5 * turn.y, 0.5 * turn.z, 1.0}); }

static pair make_pair(random_state *random) {
    pair p = {.law = bond_law_of(random_range(random, 0.05, 0.5), random_range(random, 0.1, 1.0), 1e6, random_range(random, 0.5, 3.0))};
    p.law.tensile = p.law.shear = INFINITY;
    for (int i = 0; i < 2; ++i) {
        p.side[i] = (bond_side){.frame = random_turn(random),
                                .velocity = random_vec3(random, -1, 1),
                                .spin = random_vec3(random, -1, 1),
                                .inverse_mass = random_range(random, 0.1, 1.0),
                                .inverse_inertia = random_range(random, 1.0, 10.0)};
        p.centre[i] = random_vec3(random, -1, 1);
    }
    abut_vec3 point = random_vec3(random, -1, 1), axis = abut_unit(random_vec3(random, -1, 1));
    p.seat = (bond_seat){.arm_a = abut_quat_rotate_inverse(p.side[0].frame, abut_sub(point, p.centre[0])),
                         .arm_b = abut_quat_rotate_inverse(p.side[1].frame, abut_sub(point, p.centre[1])),
                         .axis_a = abut_quat_rotate_inverse(p.side[0].frame, axis),
                         .axis_b = abut_quat_rotate_inverse(p.side[1].frame, axis),
                         .rest = abut_quat_mul(abut_quat_conjugate(p.side[0].frame), p.side[1].frame)};
    return p;
}

static bond_load bear(const pair *p) {
    return bond_bear(&p->law, &p->seat, abut_sub(p->centre[1], p->centre[0]), &p->side[0], &p->side[1]);
}

/* Moves a body by a vector, and turns it about its centre. */
static void move(pair *p, int body, abut_vec3 by, abut_vec3 turn) {
    p->centre[body] = abut_add(p->centre[body], by);
    p->side[body].frame = abut_quat_unit(abut_quat_mul(rotation(turn), p->side[body].frame));
}

static void test_rigid_motion(void **state) {
    (void)state;
    random_state random = random_make(random_seed("rigid", 91));
    for (int i = 0; i < 500; ++i) {
        pair p = make_pair(&random);
        abut_vec3 by = random_vec3(&random, -10, 10);
        abut_quat turn = random_turn(&random);
        for (int k = 0; k < 2; ++k) {
            p.centre[k] = abut_add(abut_quat_rotate(turn, p.centre[k]), by);
            p.side[k].frame = abut_quat_mul(turn, p.side[k].frame);
        }
        bond_load load = bear(&p);
        double unit = p.law.stretch + p.law.bend + p.law.twist + p.law.slide;
        assert_true(abut_length(load.force) <= 1e-13 * unit && abut_length(load.moment) <= 1e-13 * unit);
        assert_true(fabs(load.energy) <= 1e-26 * unit && !load.breaks);
    }
}

/* Work of small displacements of either body about a strained state: to the first order of the strain. */
static void test_force_from_energy(void **state) {
    (void)state;
    random_state random = random_make(random_seed("energy", 92));
    const double strain = 1e-4, h = 1e-7;
    for (int i = 0; i < 300; ++i) {
        pair p = make_pair(&random);
        move(&p, 0, random_vec3(&random, -strain, strain), random_vec3(&random, -strain, strain));
        bond_load load = bear(&p);
        for (int body = 0; body < 2; ++body) {
            abut_vec3 by = random_vec3(&random, -h, h), turn = random_vec3(&random, -h, h);
            pair forth = p, back = p;
            move(&forth, body, by, turn);
            move(&back, body, abut_scale(-1.0, by), abut_scale(-1.0, turn));
            double work = 0.5 * (bear(&back).energy - bear(&forth).energy), sign = body == 0 ? 1.0 : -1.0;
            abut_vec3 torque = abut_add(load.moment, abut_cross(body == 0 ? load.arm_a : load.arm_b, load.force));
            double expected = sign * (abut_dot(load.force, by) + abut_dot(torque, turn));
            double unit = (p.law.stretch + p.law.slide + p.law.bend + p.law.twist) * strain * h;
            assert_true(fabs(work - expected) <= 3e-3 * unit);
        }
    }
}

/* The place of the force is one point, so that angular momentum is kept. */
static void test_one_point(void **state) {
    (void)state;
    random_state random = random_make(random_seed("one point", 93));
    for (int i = 0; i < 300; ++i) {
        pair p = make_pair(&random);
        p.law.damping = 0.3;
        move(&p, 1, random_vec3(&random, -0.1, 0.1), random_vec3(&random, -0.5, 0.5));
        bond_load load = bear(&p);
        assert_vec3_near(abut_add(p.centre[0], load.arm_a), abut_add(p.centre[1], load.arm_b), 1e-13);
        assert_true(load.power >= 0.0 && load.energy >= 0.0);
        /* The dampers are what motion adds, and absorb what they say. */
        pair still = p;
        still.side[0].velocity = still.side[1].velocity = still.side[0].spin = still.side[1].spin = abut_vec3_make(0, 0, 0);
        bond_load held = bear(&still);
        abut_vec3 force = abut_sub(load.force, held.force), moment = abut_sub(load.moment, held.moment);
        abut_vec3 velocity = abut_sub(abut_add(p.side[0].velocity, abut_cross(p.side[0].spin, load.arm_a)),
                                      abut_add(p.side[1].velocity, abut_cross(p.side[1].spin, load.arm_b)));
        double power = -abut_dot(force, velocity) - abut_dot(moment, abut_sub(p.side[0].spin, p.side[1].spin));
        assert_near(load.power, power, 1e-10 * load.power);
    }
}

/* A bond with a strength breaks exactly when its stress reaches it; a number that is not one breaks it, too. */
static void test_breaks(void **state) {
    (void)state;
    random_state random = random_make(random_seed("breaks", 94));
    for (int i = 0; i < 300; ++i) {
        pair p = make_pair(&random);
        move(&p, 1, random_vec3(&random, -0.01, 0.01), random_vec3(&random, -0.05, 0.05));
        bond_load load = bear(&p);
        assert_true(!load.breaks && load.shearing >= 0.0);
        p.law.shear = load.shearing * (1.0 + 1e-12);
        assert_true(!bear(&p).breaks);
        p.law.shear = load.shearing;
        assert_true(bear(&p).breaks);
        p.law.shear = INFINITY;
        p.law.tensile = load.tension > 0.0 ? load.tension : 1.0;
        assert_true(bear(&p).breaks == (load.tension > 0.0));
        p.centre[0].x = NAN;
        assert_true(bear(&p).breaks);
    }
}

/* The highest frequency of a chain of bodies, found by the power method on what the forces do to them, is at most the bound. */
static void test_pace(void **state) {
    (void)state;
    enum { BODIES = 5, ROUNDS = 300 };
    random_state random = random_make(random_seed("pace", 95));
    double nearest = 0.0;
    for (int i = 0; i < 20; ++i) {
        const double radius = random_range(&random, 0.05, 0.2), size = 1e-7;
        const bond_law law = {.tensile = INFINITY, .shear = INFINITY};
        bond_law cement = bond_law_of(random_range(&random, 0.3, 2.0) * radius, 2.0 * radius, 1e6, random_range(&random, 0.5, 3.0));
        cement.tensile = law.tensile;
        cement.shear = law.shear;
        const bond_seat seat = {{radius, 0, 0}, {-radius, 0, 0}, {1, 0, 0}, {1, 0, 0}, {0, 0, 0, 1}};
        const double mass = random_range(&random, 0.1, 10.0), inertia = 0.4 * mass * radius * radius;
        abut_vec3 place[BODIES], turn[BODIES];
        for (int k = 0; k < BODIES; ++k) {
            place[k] = random_vec3(&random, -size, size);
            turn[k] = random_vec3(&random, -size / radius, size / radius);
        }
        double square = 0.0;
        for (int round = 0; round < ROUNDS; ++round) {
            abut_vec3 push[BODIES], spin[BODIES];
            for (int k = 0; k < BODIES; ++k) {
                push[k] = spin[k] = abut_vec3_make(0, 0, 0);
            }
            for (int k = 0; k + 1 < BODIES; ++k) {
                bond_side a = {.frame = rotation(turn[k])}, b = {.frame = rotation(turn[k + 1])};
                abut_vec3 way = abut_add(abut_vec3_make(2.0 * radius, 0, 0), abut_sub(place[k + 1], place[k]));
                bond_load load = bond_bear(&cement, &seat, way, &a, &b);
                push[k] = abut_add(push[k], load.force);
                push[k + 1] = abut_sub(push[k + 1], load.force);
                spin[k] = abut_add(spin[k], abut_add(load.moment, abut_cross(load.arm_a, load.force)));
                spin[k + 1] = abut_sub(spin[k + 1], abut_add(load.moment, abut_cross(load.arm_b, load.force)));
            }
            double norm = 0.0, before = 0.0;
            for (int k = 0; k < BODIES; ++k) {
                before += mass * abut_length_squared(place[k]) + inertia * abut_length_squared(turn[k]);
                place[k] = abut_scale(-1.0 / mass, push[k]);
                turn[k] = abut_scale(-1.0 / inertia, spin[k]);
                norm += mass * abut_length_squared(place[k]) + inertia * abut_length_squared(turn[k]);
            }
            square = sqrt(norm / before);
            double scale = size * sqrt(mass / norm);
            for (int k = 0; k < BODIES; ++k) {
                place[k] = abut_scale(scale, place[k]);
                turn[k] = abut_scale(scale, turn[k]);
            }
        }
        bond_side side = {.inverse_mass = 1.0 / mass, .inverse_inertia = 1.0 / inertia};
        bond_pace pace = bond_pace_of(&cement, &seat, &side, &side, 2.0, 2.0);
        nearest = fmax(nearest, square / pace.square);
        assert_true(square <= pace.square && pace.damping == 0.0);
    }
    printf("frequencies squared up to %.3f of the bound\n", nearest);
    assert_true(nearest > 0.3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rigid_motion), cmocka_unit_test(test_force_from_energy),
        cmocka_unit_test(test_one_point),    cmocka_unit_test(test_breaks),
        cmocka_unit_test(test_pace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
