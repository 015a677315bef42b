#include "depth/inputs.h"

static const double side = 10.0, least_volume = 0.1, largest_volume = 130.0;

static double volume(const abut_simplex *s) {
    abut_vec3 u = abut_sub(s->vertex[1], s->vertex[0]), v = abut_sub(s->vertex[2], s->vertex[0]), w = abut_sub(s->vertex[3], s->vertex[0]);
    return fabs(abut_dot(abut_cross(u, v), w)) / 6.0;
}

static abut_simplex random_tetra(random_state *random) {
    for (;;) {
        abut_simplex s = {.count = 4};
        for (int32_t i = 0; i < 4; i++) {
            s.vertex[i] = random_vec3(random, 0.0, side);
        }
        double v = volume(&s);
        if (v >= least_volume && v <= largest_volume) {
            return s;
        }
    }
}

inputs inputs_make(uint64_t seed) { return (inputs){random_make(seed), 0}; }

void inputs_next(inputs *in, int32_t count, abut_simplex *a, abut_simplex *b) {
    for (int32_t kept = 0; kept < count; in->tried++) {
        abut_rigid_depth rigid;
        a[kept] = random_tetra(&in->random);
        b[kept] = random_tetra(&in->random);
        kept += abut_simplex_rigid_depth(&a[kept], &b[kept], &rigid) == ABUT_OK && -rigid.gap > 0.0;
    }
}
