/* Random convex bodies. See specimen.h. */
#include "support/specimen.h"

static abut_shape *make_shape(const specimen *s) {
    abut_shape *shape = NULL;
    switch (s->kind) {
    case SPECIMEN_SPHERE:
        assert_ok(abut_shape_create_sphere(s->radius, &shape));
        break;
    case SPECIMEN_CAPSULE:
        assert_ok(abut_shape_create_capsule(s->radius, s->half_length, &shape));
        break;
    case SPECIMEN_BOX:
        assert_ok(abut_shape_create_box(s->half, &shape));
        break;
    default:
        shape = solid_shape(&s->surface);
    }
    return shape;
}

static specimen finished(specimen s) {
    s.shape = make_shape(&s);
    s.size = s.surface.vertex_count > 0 ? solid_reach(&s.surface) : s.radius + s.half_length;
    return s;
}

specimen specimen_of_kind(random_state *state, specimen_kind kind, double size) {
    double p = size * random_log_range(state, 0.05, 1.0), q = size * random_log_range(state, 0.05, 1.0),
           r = size * random_log_range(state, 0.05, 1.0);
    specimen s = {.kind = kind};
    switch (kind) {
    case SPECIMEN_SPHERE:
        s.radius = p;
        break;
    case SPECIMEN_CAPSULE:
        s.radius = p;
        s.half_length = q;
        break;
    case SPECIMEN_BOX:
        s.half = abut_vec3_make(p, q, r);
        s.surface = solid_box(s.half);
        break;
    case SPECIMEN_PRISM:
        s.surface = solid_prism(p, q, 3 + random_below(state, 30));
        break;
    case SPECIMEN_PYRAMID:
        s.surface = solid_pyramid(p, q, 3 + random_below(state, 30));
        break;
    case SPECIMEN_TETRAHEDRON:
        s.surface = solid_tetrahedron(abut_vec3_make(0, 0, 0), abut_vec3_make(p, 0, 0), abut_vec3_make(0.3 * p, q, 0),
                                      abut_vec3_make(0.2 * p, 0.3 * q, r));
        break;
    default:
        s.surface = solid_cloud(state, 6 + random_below(state, 30), abut_vec3_make(p, q, r));
    }
    return finished(s);
}

specimen specimen_random(random_state *state, double size) {
    return specimen_of_kind(state, (specimen_kind)random_below(state, SPECIMEN_KINDS), size);
}

specimen specimen_scaled(const specimen *s, double factor) {
    specimen scaled = {.kind = s->kind, .radius = factor * s->radius, .half_length = factor * s->half_length};
    scaled.half = abut_scale(factor, s->half);
    if (s->surface.vertex_count > 0) {
        scaled.surface = solid_scaled(&s->surface, factor);
    }
    return finished(scaled);
}

void specimen_free(specimen *s) {
    abut_shape_release(s->shape);
    if (s->surface.vertex_count > 0) {
        solid_free(&s->surface);
    }
}

const char *specimen_name(const specimen *s) {
    static const char *const names[SPECIMEN_KINDS] = {"sphere", "capsule", "box", "prism", "pyramid", "tetrahedron", "cloud"};
    return names[s->kind];
}

oracle_body specimen_oracle(const specimen *s, abut_pose pose) {
    return s->surface.vertex_count > 0 ? oracle_solid(&s->surface, pose) : oracle_capsule(s->radius, s->half_length, pose);
}
