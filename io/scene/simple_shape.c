/*
 * Reads shapes that a few numbers describe. One function reads the keys of all kinds: read_object() has refused keys that the kind does not have, and missing
 * keys that it needs.
 */
#include "io/scene/simple_shape.h"

#include <string.h>

#include <abut/smooth.h>

typedef struct parameters {
    double radius, top_radius, ring_radius, tube_radius, half_length, half_height, height;
    int32_t sides;
    abut_vec3 half;
    double exponents[2];
    abut_vec3 normal;
    double offset;
} parameters;

/* ---- reading ---- */

/* Three positive lengths under "half". */
static abut_status read_half(const scene_reader *reader, const scene_place *place, abut_vec3 *half) {
    scene_place member;
    if (!read_member(place, "half", &member)) {
        return ABUT_OK;
    }
    abut_status status = read_vec3_at(reader, &member, "half", half);
    for (size_t i = 0; status == ABUT_OK && i < 3; i++) {
        double positive;
        scene_place element = read_element(&member, i);
        status = read_number_at(reader, &element, "half", NUMBER_POSITIVE, &positive);
    }
    return status;
}

/* Two numbers in the range of exponents of superquadrics. */
static abut_status read_exponents(const scene_reader *reader, const scene_place *place, double exponents[2]) {
    scene_place member;
    if (!read_member(place, "exponents", &member)) {
        return ABUT_OK;
    }
    abut_status status = read_array(reader, &member, 2, "exponents");
    if (status == ABUT_OK && json_array_size(member.value) != 2) {
        status = read_fail(reader, &member, "'exponents' must be two numbers, not %zu", json_array_size(member.value));
    }
    for (size_t i = 0; status == ABUT_OK && i < 2; i++) {
        scene_place element = read_element(&member, i);
        status = read_number_at(reader, &element, "exponents", NUMBER_POSITIVE, &exponents[i]);
        bool fine = exponents[i] >= ABUT_SUPERQUADRIC_LEAST_EXPONENT && exponents[i] <= ABUT_SUPERQUADRIC_LARGEST_EXPONENT;
        if (status == ABUT_OK && !fine) {
            status = read_fail(reader, &element, "'exponents' must be from %g to %g, not %g", ABUT_SUPERQUADRIC_LEAST_EXPONENT,
                               ABUT_SUPERQUADRIC_LARGEST_EXPONENT, exponents[i]);
        }
    }
    return status;
}

static abut_status read_normal(const scene_reader *reader, const scene_place *place, abut_vec3 *normal) {
    scene_place member;
    if (!read_member(place, "normal", &member)) {
        return ABUT_OK;
    }
    abut_status status = read_vec3_at(reader, &member, "normal", normal);
    bool zero = normal->x == 0.0 && normal->y == 0.0 && normal->z == 0.0;
    return status == ABUT_OK && zero ? read_fail(reader, &member, "'normal' must not be zero") : status;
}

static abut_status read_parameters(const scene_reader *reader, const scene_place *place, parameters *p) {
    const number_key numbers[] = {{"radius", NUMBER_POSITIVE, &p->radius},
                                  {"top_radius", NUMBER_NOT_NEGATIVE, &p->top_radius},
                                  {"ring_radius", NUMBER_POSITIVE, &p->ring_radius},
                                  {"tube_radius", NUMBER_POSITIVE, &p->tube_radius},
                                  {"half_length", NUMBER_NOT_NEGATIVE, &p->half_length},
                                  {"half_height", NUMBER_POSITIVE, &p->half_height},
                                  {"height", NUMBER_POSITIVE, &p->height},
                                  {"offset", NUMBER_ANY, &p->offset}};
    abut_status status = read_number_keys(reader, place, numbers, sizeof numbers / sizeof numbers[0]);
    if (status == ABUT_OK) {
        status = read_integer(reader, place, "sides", 3, 4096, &p->sides);
    }
    if (status == ABUT_OK) {
        status = read_half(reader, place, &p->half);
    }
    if (status == ABUT_OK) {
        status = read_exponents(reader, place, p->exponents);
    }
    return status == ABUT_OK ? read_normal(reader, place, &p->normal) : status;
}

/* ---- kinds ---- */

static abut_status create_sphere(const parameters *p, abut_shape **shape) { return abut_shape_create_sphere(p->radius, shape); }

static abut_status create_capsule(const parameters *p, abut_shape **shape) {
    return abut_shape_create_capsule(p->radius, p->half_length, shape);
}

static abut_status create_box(const parameters *p, abut_shape **shape) { return abut_shape_create_box(p->half, shape); }

static abut_status create_ellipsoid(const parameters *p, abut_shape **shape) { return abut_shape_create_ellipsoid(p->half, shape); }

static abut_status create_superquadric(const parameters *p, abut_shape **shape) {
    return abut_shape_create_superquadric(p->half, p->exponents[0], p->exponents[1], shape);
}

static abut_status create_torus(const parameters *p, abut_shape **shape) {
    return abut_shape_create_torus(p->ring_radius, p->tube_radius, shape);
}

static abut_status create_prism(const parameters *p, abut_shape **shape) {
    return abut_shape_create_prism(p->radius, p->half_height, p->sides, shape);
}

static abut_status create_pyramid(const parameters *p, abut_shape **shape) {
    return abut_shape_create_pyramid(p->radius, p->height, p->sides, shape);
}

/* A number of sides makes a cylinder a prism and a cone a pyramid, as in files from before there were true ones. */
static abut_status create_cylinder(const parameters *p, abut_shape **shape) {
    return p->sides > 0 ? create_prism(p, shape) : abut_shape_create_cylinder(p->radius, p->half_height, shape);
}

static abut_status create_cone(const parameters *p, abut_shape **shape) {
    if (p->sides > 0) {
        return create_pyramid(p, shape);
    }
    return p->top_radius > 0.0 ? abut_shape_create_frustum(p->radius, p->top_radius, p->height, shape)
                               : abut_shape_create_cone(p->radius, p->height, shape);
}

static abut_status create_plane(const parameters *p, abut_shape **shape) { return abut_shape_create_plane(p->normal, p->offset, shape); }

static const struct simple_kind {
    const char *key;
    scene_object object;
    abut_status (*create)(const parameters *p, abut_shape **shape);
} simple_kinds[] = {{"sphere", SCENE_SPHERE, create_sphere},
                    {"capsule", SCENE_CAPSULE, create_capsule},
                    {"box", SCENE_BOX, create_box},
                    {"ellipsoid", SCENE_ELLIPSOID, create_ellipsoid},
                    {"superquadric", SCENE_SUPERQUADRIC, create_superquadric},
                    {"torus", SCENE_TORUS, create_torus},
                    {"cylinder", SCENE_CYLINDER, create_cylinder},
                    {"cone", SCENE_CONE, create_cone},
                    {"prism", SCENE_PRISM, create_prism},
                    {"pyramid", SCENE_PYRAMID, create_pyramid},
                    {"plane", SCENE_PLANE, create_plane}};

static const struct simple_kind *find_kind(const char *key) {
    for (size_t i = 0; i < sizeof simple_kinds / sizeof simple_kinds[0]; i++) {
        if (strcmp(key, simple_kinds[i].key) == 0) {
            return &simple_kinds[i];
        }
    }
    return NULL;
}

bool scene_is_simple_shape(const char *key) { return find_kind(key) != NULL; }

abut_status scene_read_simple_shape(const scene_reader *reader, const scene_place *place, const char *what, scene_shape *out) {
    const struct simple_kind *kind = find_kind(place->step.key);
    parameters p = {.radius = 0.0, .exponents = {1.0, 1.0}};
    abut_status status = read_object(reader, place, kind->object, what);
    if (status == ABUT_OK) {
        status = read_parameters(reader, place, &p);
    }
    if (status == ABUT_OK && p.sides > 0 && p.top_radius > 0.0) {
        status = read_fail(reader, place, "a pyramid has no top: %s must have only one of 'sides' and 'top_radius'", what);
    }
    if (status == ABUT_OK && kind->object == SCENE_TORUS && !(p.ring_radius > p.tube_radius)) {
        status = read_fail(reader, place, "%s: 'ring_radius' must be greater than 'tube_radius'", what);
    }
    if (status != ABUT_OK) {
        return status;
    }
    abut_shape *shape = NULL;
    status = kind->create(&p, &shape);
    return scene_take_shape(reader, place, what, status, shape, out);
}
