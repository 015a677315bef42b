/* ABUT_NORMAL_MINIMUM between bodies with a size ratio of up to 1e4, on slivers of aspect 1e4, and 1e6 m from the origin. (Every test of
 * the exact normal repeats some of its pairs at 1e-3 and 1e3 of their size.) */
#include "support/exact.h"

enum { PLACES = 5 };

static void check_places(exact_record *record, exact_pair *pair, random_state *random, int32_t first, const char *what) {
    for (int32_t k = 0; k < PLACES; k++) {
        int32_t kind = (first * PLACES + k) % EXACT_PLACES;
        exact_put(pair, exact_random_position(pair, random, kind));
        pair->delicate = kind == 6; /* bodies with axes of symmetry and a common centre: rounding error decides which corners meet */
        tally_sample(&record->failures, "%s %d place %d: %d and %d vertices, separation %.17g, concentric %.3g", what, (int)first,
                     (int)kind, (int)pair->oracle_a.vertex_count, (int)pair->oracle_b.vertex_count, pair->least.separation,
                     pair->concentric);
        exact_check(record, pair);
        if ((first + k) % 10 == 0) {
            exact_symmetries(record, pair, random);
        }
    }
}

static solid random_solid(random_state *random, double size) {
    double p = size * random_range(random, 0.3, 0.7), q = size * random_range(random, 0.3, 0.7), r = size * random_range(random, 0.3, 0.7);
    switch (random_below(random, 4)) {
    case 0:
        return solid_box(abut_vec3_make(p, q, r));
    case 1:
        return solid_prism(p, q, 3 + random_below(random, 30));
    case 2:
        return solid_pyramid(p, q, 3 + random_below(random, 30));
    default:
        return solid_cloud(random, 6 + random_below(random, 60), abut_vec3_make(p, q, r));
    }
}

/* Depths are relative to the small body, and so are the gaps. */
static void small_on_large(void **state) {
    (void)state;
    random_state random = random_make(random_seed("small_on_large", 141));
    int32_t pairs = random_samples("small_on_large", 5000) / PLACES;
    static exact_record record;
    for (int32_t i = 0; i < pairs; i++) {
        solid small = random_solid(&random, 1e-4), large = random_solid(&random, 1.0);
        exact_body a = exact_polytope(i % 2 ? small : large), b = exact_polytope(i % 2 ? large : small);
        exact_pair pair = exact_open_at_random(a, b, &random);
        check_places(&record, &pair, &random, i, "pair");
        exact_close(&pair);
    }
    exact_end("small_on_large", &record);
}

/* Plates and needles, long triangles, flat and long prisms. */
static exact_body sliver(random_state *random) {
    const double thin = 1e-4;
    double p = random_range(random, 0.4, 1.0), q = random_below(random, 2) ? thin : random_range(random, 0.4, 1.0);
    switch (random_below(random, 4)) {
    case 0:
        return exact_box(abut_vec3_make(p, q, thin));
    case 1:
        return exact_polytope(random_below(random, 2) ? solid_prism(p, 0.5 * thin, 3 + random_below(random, 30))
                                                      : solid_prism(thin, p, 3 + random_below(random, 30)));
    case 2:
        return exact_polytope(solid_tetrahedron(abut_vec3_make(-p, 0, 0), abut_vec3_make(p, 0, 0), abut_vec3_make(0.1, thin, 0),
                                                abut_vec3_make(0.2, 0.3 * thin, q)));
    default:
        return exact_polytope(solid_cloud(random, 8 + random_below(random, 40), abut_vec3_make(p, q, thin)));
    }
}

static void slivers(void **state) {
    (void)state;
    random_state random = random_make(random_seed("slivers", 142));
    int32_t pairs = random_samples("slivers", 5000) / PLACES;
    static exact_record record;
    for (int32_t i = 0; i < pairs; i++) {
        exact_body a = sliver(&random), b = i % 3 ? sliver(&random) : exact_polytope(random_solid(&random, 1.0));
        exact_pair pair = exact_open_at_random(a, b, &random);
        check_places(&record, &pair, &random, i, "slivers");
        exact_close(&pair);
    }
    exact_end("slivers", &record);
}

static void far_from_the_origin(void **state) {
    (void)state;
    random_state random = random_make(random_seed("far_from_the_origin", 143));
    int32_t pairs = random_samples("far_from_the_origin", 5000) / PLACES;
    static exact_record record;
    for (int32_t i = 0; i < pairs; i++) {
        abut_pose pose_b = random_pose(&random, 1.0);
        pose_b.position = exact_binary(pose_b.position);
        exact_body a = exact_polytope(random_solid(&random, 1.0)), b = exact_polytope(random_solid(&random, 1.0));
        exact_pair pair = exact_open(a, random_rotation(&random), b, pose_b);
        for (int32_t k = 0; k < PLACES; k++) {
            int32_t kind = (i * PLACES + k) % EXACT_PLACES;
            exact_put(&pair, exact_binary(exact_random_position(&pair, &random, kind)));
            tally_sample(&record.failures, "pair %d place %d: %d and %d vertices, separation %.17g", (int)i, (int)kind,
                         (int)a.surface.vertex_count, (int)b.surface.vertex_count, pair.least.separation);
            exact_check(&record, &pair);
            exact_far_away(&record, &pair);
        }
        exact_close(&pair);
    }
    exact_end("far_from_the_origin", &record);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_on_large),
        cmocka_unit_test(slivers),
        cmocka_unit_test(far_from_the_origin),
    };
    return cmocka_run_group_tests_name("narrow/normal/minimum_scales", tests, NULL, NULL);
}
