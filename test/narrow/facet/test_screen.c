/* Batches of rounded triangles: every instruction set gives the bytes of single calls, for ordinary and for unusual pairs. */
#include "narrow/facet/screen.h"

#include <string.h>

#include "support/check.h"
#include "support/random.h"

static const char *const names[INSTRUCTION_SETS] = {"scalar", "sse2", "avx2", "avx512"};

typedef struct pair {
    abut_facet a, b;
} pair;

static abut_facet random_facet(random_state *random, abut_vec3 near, double size) {
    abut_facet f = {.radius = random_log_range(random, 0.3, 10.0)};
    for (int i = 0; i < 3; ++i) {
        f.corner[i] = abut_add(near, random_vec3(random, -size, size));
    }
    return f;
}

/* Two triangles that face each other about the origin, whose spheres overlap a little; shifted sideways by up to 2. */
static pair facing_pair(random_state *random) {
    pair p;
    abut_facet *const both[2] = {&p.a, &p.b};
    double lift = random_range(random, -0.05, 0.02);
    for (int s = 0; s < 2; ++s) {
        double ox = s * random_range(random, -1.5, 1.5), oy = s * random_range(random, -1.5, 1.5), sign = s == 0 ? 1.0 : -1.0;
        for (int i = 0; i < 3; ++i) {
            double angle = sign * (2.1 * i + random_range(random, 0.0, 1.5)), r = random_range(random, 0.2, 0.6);
            both[s]->corner[i] =
                abut_vec3_make(ox + r * cos(angle), oy + r * sin(angle), s * lift - sign * 0.05 + random_range(random, -0.02, 0.02));
        }
        both[s]->radius = random_log_range(random, 0.7, 5.0);
    }
    return p;
}

static double kind_of_radius(random_state *random) {
    const double odd[] = {INFINITY, 0.0, -1.0, NAN, 1e-300, 1e99, 1e101, 1e-3};
    return odd[random_below(random, (int32_t)(sizeof odd / sizeof *odd))];
}

/* B consists of A's corners: a shared side or corner, A seen from the other side, or A itself. */
static void tie(random_state *random, pair *p) {
    int first = random_below(random, 3);
    for (int i = 0; i <= random_below(random, 3); ++i) {
        p->b.corner[(first + i) % 3] = p->a.corner[(first + 3 - i) % 3];
    }
}

/* B lies beyond a side of A, seen along the axis, or slightly over it. */
static void put_beyond_a_side(random_state *random, pair *p) {
    int first = random_below(random, 3);
    abut_vec3 from = p->a.corner[first], to = p->a.corner[(first + 1) % 3], way = abut_sub(to, from);
    abut_vec3 out = abut_unit(abut_vec3_make(way.y, -way.x, 0.0));
    double gap = random_log_range(random, 1e-18, 1e-3) * (random_below(random, 3) == 0 ? -1.0 : 1.0),
           lift = p->b.corner[0].z - p->a.corner[0].z;
    abut_vec3 third = abut_add_scaled(abut_lerp(from, to, random_range(random, -0.5, 1.5)), random_log_range(random, 1e-6, 1.0), out);
    abut_vec3 move = abut_add(abut_scale(gap, out), abut_vec3_make(0.0, 0.0, lift));
    p->b.corner[0] = abut_add(from, move);
    p->b.corner[1] = abut_add(to, move);
    p->b.corner[2] = abut_add(third, move);
}

static void make_needle(random_state *random, abut_facet *f) {
    double t = random_range(random, -0.5, 1.5), off = random_log_range(random, 1e-16, 1e-2);
    f->corner[2] = abut_add(abut_lerp(f->corner[0], f->corner[1], t), random_vec3(random, -off, off));
}

static void scale_pair(pair *p, double scale, abut_vec3 move) {
    abut_facet *const both[2] = {&p->a, &p->b};
    for (int s = 0; s < 2; ++s) {
        both[s]->radius *= scale;
        for (int i = 0; i < 3; ++i) {
            both[s]->corner[i] = abut_add(abut_scale(scale, both[s]->corner[i]), move);
        }
    }
}

static pair odd_pair(random_state *random, int kind) {
    pair p = kind % 2 == 0
                 ? facing_pair(random)
                 : (pair){random_facet(random, abut_vec3_make(0, 0, 0), 0.5), random_facet(random, random_vec3(random, -0.3, 0.3), 0.5)};
    abut_facet *one = random_below(random, 2) == 0 ? &p.a : &p.b;
    double *number = &one->corner[random_below(random, 3)].y;
    const double odd_numbers[] = {NAN, INFINITY, 1e200, -1e150};
    switch (kind / 2) {
    case 1:
        one->radius = kind_of_radius(random);
        break;
    case 2:
        tie(random, &p);
        break;
    case 3:
        make_needle(random, one);
        break;
    case 4:
        scale_pair(&p, random_log_range(random, 1e-80, 1e80), abut_vec3_make(0, 0, 0));
        break;
    case 5:
        scale_pair(&p, 1.0, random_vec3(random, -1e7, 1e7));
        break;
    case 6:
        one->radius = random_log_range(random, 1.0, 1e12);
        break;
    case 7:
        *number = odd_numbers[random_below(random, 4)];
        break;
    case 8:
        *one = random_facet(random, abut_vec3_make(0.2, 0.1, 0.0), 1e-4);
        break;
    case 9:
        put_beyond_a_side(random, &p);
        break;
    default:
        break;
    }
    return p;
}

enum { KINDS = 20, PAIRS = 5005 };

static void test_batches_are_single_calls(void **state) {
    (void)state;
    static abut_facet a[PAIRS], b[PAIRS];
    static abut_facet_contact single[PAIRS], batch[PAIRS];
    random_state random = random_make(random_seed("screen", 17));
    for (int round = 0, rounds = random_samples("screen", 400); round < rounds; ++round) {
        int32_t of_relation[ABUT_FACET_COINCIDENT + 1] = {0}, refused = 0;
        for (int32_t i = 0; i < PAIRS; ++i) {
            pair p = odd_pair(&random, random_below(&random, KINDS));
            a[i] = p.a;
            b[i] = p.b;
            memset(&single[i], 0, sizeof single[i]);
            abut_status status = abut_facet_collide(&a[i], &b[i], &single[i]);
            single[i].status = status;
            assert_in_range(single[i].corner_count, 0, 6); /* rounding error once left seven corners of two nearly parallel triangles */
            refused += status != ABUT_OK;
            of_relation[single[i].relation]++;
        }
        assert_true(refused > 50);
        for (int relation = ABUT_FACET_CONTACT; relation <= ABUT_FACET_COINCIDENT; ++relation) {
            assert_true(of_relation[relation] > 0 || relation == ABUT_FACET_COINCIDENT);
        }
        for (int level = INSTRUCTIONS_SCALAR; level < INSTRUCTION_SETS; ++level) {
            if (!facet_screen_use((instruction_set)level)) {
                continue;
            }
            const abut_parallel one = {.threads = 1};
            memset(batch, 1, sizeof batch);
            assert_ok(abut_facet_collide_batch(a, b, PAIRS, &one, batch));
            for (int32_t i = 0; i < PAIRS; ++i) {
                if (memcmp(&single[i], &batch[i], sizeof batch[i]) != 0) {
                    fail_msg("round %d, pair %d, %s: relation %d and %d, overlap %.17g and %.17g", round, (int)i, names[level],
                             (int)single[i].relation, (int)batch[i].relation, -single[i].sphere_gap, -batch[i].sphere_gap);
                }
            }
        }
    }
    assert_true(facet_screen_use(instruction_set_best()));
}

/* The purpose of the screen: among pairs that face each other it decides almost all that do not touch. */
static void test_most_is_settled(void **state) {
    (void)state;
    enum { BLOCKS = 5000 };
    random_state random = random_make(random_seed("settled", 18));
    int32_t beside = 0, settled = 0;
    for (int block = 0; block < BLOCKS; ++block) {
        facet_screen s;
        pair p[FACET_SCREEN_PAIRS];
        memset(&s, 0, sizeof s);
        for (int lane = 0; lane < FACET_SCREEN_PAIRS; ++lane) {
            p[lane] = facing_pair(&random);
            for (int c = 0; c < 3; ++c) {
                const abut_facet *const both[2] = {&p[lane].a, &p[lane].b};
                for (int k = 0; k < 2; ++k) {
                    s.side[k].corner[c][0][lane] = both[k]->corner[c].x;
                    s.side[k].corner[c][1][lane] = both[k]->corner[c].y;
                    s.side[k].corner[c][2][lane] = both[k]->corner[c].z;
                    s.side[k].given[lane] = both[k]->radius;
                }
            }
        }
        facet_screen_run(&s);
        assert_int_equal(s.odd & s.apart & s.turned & s.beside, 0);
        for (int lane = 0; lane < FACET_SCREEN_PAIRS; ++lane) {
            abut_facet_contact c;
            assert_ok(abut_facet_collide(&p[lane].a, &p[lane].b, &c));
            beside += c.relation == ABUT_FACET_BESIDE;
            settled += (s.beside >> lane & 1u) != 0u;
        }
    }
    print_message("settled: %d of %d pairs beside each other\n", (int)settled, (int)beside);
    assert_true(beside > 500);
    assert_true(settled > 0.8 * beside);
    assert_true(settled <= beside);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_batches_are_single_calls), cmocka_unit_test(test_most_is_settled)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
