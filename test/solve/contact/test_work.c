/* The work of contacts is the change of kinetic energy, less what bodies do that impulses do not move; and mixtures of states do the work that they are asked
 * for. */
#include "heap.h"

#include "solve/contact/work.h"

static double energy_of(const heap *h) {
    double energy = 0.0;
    for (int32_t i = 1; i < h->set.body_count; i++) {
        const solver_body *body = &h->bodies[i];
        double inertia = 1.0 / body->inverse_inertia.x.x; /* of a cube */
        energy +=
            0.5 * abut_length_squared(body->velocity) / body->inverse_mass + 0.5 * inertia * abut_length_squared(body->angular_velocity);
    }
    return energy;
}

/* A tower of moving bodies, on a base that moves, too. */
static void begin(heap *h, random_state *random) {
    heap_tower(h, 3, 0.0, 0.5);
    for (int32_t i = 0; i < h->set.body_count; i++) {
        h->bodies[i].velocity = random_vec3(random, -3.0, 3.0);
        h->bodies[i].angular_velocity = random_vec3(random, -3.0, 3.0);
    }
    solver_hold(&h->set);
}

/* Random impulses at all contacts. Returns the work of the base on the bodies. */
static double strike(heap *h, random_state *random) {
    double work = 0.0;
    for (int32_t p = 0; p < h->set.pair_count; p++) {
        const solver_pair *pair = &h->pairs[p];
        for (int32_t k = pair->first; k < pair->first + pair->count; k++) {
            const solver_patch *patch = &h->patches[k];
            for (int32_t i = patch->first; i < patch->first + patch->count; i++) {
                solver_impulse l = {random_range(random, 0.0, 300.0), random_range(random, -90.0, 90.0), random_range(random, -90.0, 90.0)};
                solver_apply(&h->set, pair, patch, &h->points[i], l);
                solver_body still = {.inverse_mass = 0.0};
                solver_contacts base = h->set;
                solver_body bodies[8];
                for (int32_t b = 0; b < h->set.body_count; b++) {
                    bodies[b] = b == 0 ? h->bodies[0] : still;
                }
                base.bodies = bodies;
                solver_impulse u = solver_velocity(&base, pair, patch, &h->points[i]); /* of A relative to B, if only the base moves */
                work -= l.normal * u.normal + l.x * u.x + l.y * u.y;
            }
        }
    }
    return work;
}

static void test_the_work_is_the_change_of_energy(void **state) {
    (void)state;
    random_state random = random_make(random_seed("work", 4));
    for (int round = 0; round < 100; round++) {
        heap h;
        begin(&h, &random);
        double before = energy_of(&h), base = strike(&h, &random), change = energy_of(&h) - before;
        assert_near(solver_work(&h.set), change - base, 1e-10 * (1.0 + before + fabs(change) + fabs(base)));
    }
}

static void test_states_are_held_and_exchanged(void **state) {
    (void)state;
    random_state random = random_make(random_seed("states", 5));
    heap h;
    begin(&h, &random);
    abut_vec3 before = h.bodies[2].velocity;
    strike(&h, &random);
    abut_vec3 after = h.bodies[2].velocity;
    double impulse = h.points[1].impulse.normal, work = solver_work(&h.set);
    solver_exchange(&h.set);
    assert_vec3_near(h.bodies[2].velocity, before, 0.0);
    assert_true(h.points[1].impulse.normal == 0.0);
    assert_near(solver_work(&h.set), -work, 1e-12 * fabs(work));
    solver_exchange(&h.set);
    assert_vec3_near(h.bodies[2].velocity, after, 0.0);
    assert_true(h.points[1].impulse.normal == impulse);
    solver_go_back(&h.set);
    assert_vec3_near(h.bodies[2].velocity, before, 0.0);
    assert_true(h.points[1].impulse.normal == 0.0 && solver_work(&h.set) == 0.0);
}

/* The mixture does the work that is allowed, or it is the whole present state. */
static void test_mixtures_do_the_work_that_is_allowed(void **state) {
    (void)state;
    random_state random = random_make(random_seed("mixtures", 6));
    int mixed = 0;
    for (int round = 0; round < 300; round++) {
        heap h;
        begin(&h, &random);
        strike(&h, &random);
        double whole = solver_work(&h.set), most = round % 3 == 0 ? 0.0 : random_range(&random, 0.0, 2.0) * fabs(whole);
        abut_vec3 present = h.bodies[3].velocity;
        solver_mix(&h.set, most);
        double work = solver_work(&h.set), scale = 1e-11 * (fabs(whole) + most);
        if (whole <= most) {
            assert_vec3_near(h.bodies[3].velocity, present, 0.0);
        } else {
            assert_near(work, most, scale);
            mixed++;
        }
    }
    assert_true(mixed > 50);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_work_is_the_change_of_energy),
        cmocka_unit_test(test_states_are_held_and_exchanged),
        cmocka_unit_test(test_mixtures_do_the_work_that_is_allowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
