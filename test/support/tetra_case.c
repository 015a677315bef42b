#include "support/tetra_case.h"

#include <stdio.h>
#include <stdlib.h>

static abut_vec3 on_grid(random_state *random) {
    return abut_vec3_make(random_below(random, 4), random_below(random, 4), random_below(random, 4));
}

static abut_simplex uniform(random_state *random, int32_t count) {
    abut_simplex s = {.count = count};
    for (int32_t i = 0; i < count; ++i) {
        s.vertex[i] = random_vec3(random, 0.0, 10.0);
    }
    return s;
}

static abut_simplex sliver(random_state *random) {
    abut_simplex s = uniform(random, 4);
    double flat = random_log_range(random, 1e-6, 1.0);
    abut_vec3 n = random_direction(random);
    for (int32_t i = 0; i < 4; ++i) {
        s.vertex[i] = abut_add_scaled(s.vertex[i], (flat - 1.0) * abut_dot(n, s.vertex[i]), n);
    }
    return s;
}

tetra_case tetra_case_make(random_state *random, tetra_kind kind) {
    tetra_case c = {uniform(random, 4), uniform(random, 4)};
    switch (kind) {
    case TETRA_INTEGER:
        for (int32_t i = 0; i < 4; ++i) {
            c.a.vertex[i] = on_grid(random);
            c.b.vertex[i] = on_grid(random);
        }
        break;
    case TETRA_SLIVERS:
        c.a = sliver(random);
        c.b = random_below(random, 2) != 0 ? sliver(random) : c.b;
        break;
    case TETRA_NESTED: {
        abut_vec3 middle = abut_scale(0.25, abut_add(abut_add(c.a.vertex[0], c.a.vertex[1]), abut_add(c.a.vertex[2], c.a.vertex[3])));
        double scale = random_log_range(random, 1e-6, 0.1);
        for (int32_t i = 0; i < 4; ++i) {
            c.b.vertex[i] = abut_add_scaled(middle, scale, abut_sub(c.b.vertex[i], middle));
        }
        break;
    }
    case TETRA_NEIGHBOURS:
        for (int32_t i = 0, shared = 1 + random_below(random, 4); i < shared; ++i) {
            c.b.vertex[i] = c.a.vertex[(i + 1) % 4];
        }
        break;
    case TETRA_MIXED:
        c.a.count = 1 + random_below(random, 4);
        c.b.count = 1 + random_below(random, 4);
        break;
    default:
        break;
    }
    return c;
}

tetra_case tetra_case_intersecting(random_state *random, tetra_kind kind) {
    for (;;) {
        tetra_case c = tetra_case_make(random, kind);
        abut_rigid_depth rigid;
        if (abut_simplex_rigid_depth(&c.a, &c.b, &rigid) == ABUT_OK && -rigid.gap > 1e-12 * tetra_case_size(&c)) {
            return c;
        }
    }
}

abut_simplex tetra_case_moved(abut_simplex simplex, abut_pose pose) {
    for (int32_t i = 0; i < simplex.count; ++i) {
        simplex.vertex[i] = abut_pose_apply(pose, simplex.vertex[i]);
    }
    return simplex;
}

abut_simplex tetra_case_scaled(abut_simplex simplex, double scale) {
    for (int32_t i = 0; i < simplex.count; ++i) {
        simplex.vertex[i] = abut_scale(scale, simplex.vertex[i]);
    }
    return simplex;
}

abut_simplex tetra_case_displaced(abut_simplex simplex, const abut_vec3 *displacement) {
    for (int32_t i = 0; i < simplex.count; ++i) {
        simplex.vertex[i] = abut_add(simplex.vertex[i], displacement[i]);
    }
    return simplex;
}

double tetra_case_size(const tetra_case *c) {
    double size = 0.0;
    for (int32_t i = 0; i < c->a.count; ++i) {
        size = fmax(size, abut_distance_between(c->a.vertex[i], c->a.vertex[0]));
    }
    for (int32_t i = 0; i < c->b.count; ++i) {
        size = fmax(size, abut_distance_between(c->b.vertex[i], c->a.vertex[0]));
    }
    return size;
}

double tetra_case_gap(const abut_simplex *a, const abut_simplex *b, abut_vec3 normal) {
    double low = INFINITY, high = -INFINITY;
    for (int32_t i = 0; i < a->count; ++i) {
        low = fmin(low, abut_dot(normal, abut_sub(a->vertex[i], a->vertex[0])));
    }
    for (int32_t i = 0; i < b->count; ++i) {
        high = fmax(high, abut_dot(normal, abut_sub(b->vertex[i], a->vertex[0])));
    }
    return low - high;
}

const char *tetra_case_text(const tetra_case *c) {
    static _Thread_local char text[700];
    int at = 0;
    for (int32_t b = 0; b < 2; ++b) {
        const abut_simplex *s = b == 0 ? &c->a : &c->b;
        for (int32_t i = 0; i < s->count && at < 600; ++i) {
            at += snprintf(text + at, sizeof text - (size_t)at, "%s(%.17g, %.17g, %.17g)", i == 0 && b == 1 ? " | " : "", s->vertex[i].x,
                           s->vertex[i].y, s->vertex[i].z);
        }
    }
    return text;
}
