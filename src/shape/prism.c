/*
 * A right prism and a right pyramid over a regular polygon about the z axis: cylinder and cone. Corner i of the polygon is at the angle
 * 2 pi i / sides from the x axis.
 *
 * Cylinder: vertices 0 to sides - 1 at the bottom, sides to 2 sides - 1 above them; face 0 is the bottom, face 1 the top, face 2 + i lies
 * between the corners i and i + 1. Cone: vertices 0 to sides - 1 at the bottom, vertex `sides` is the apex; face 0 is the bottom, face
 * 1 + i lies between the corners i and i + 1.
 */

#include <math.h>

#include "base/argument.h"
#include "base/elementary.h"
#include "base/real.h"
#include "shape/lifecycle.h"
#include "shape/shape.h"

enum { default_sides = 32, most_sides = 4096 };

/* cos and sin of 2 pi i / n, reduced to half a quadrant, so that mirrored corners have mirrored coordinates to the last bit. */
static void turn_part(int32_t i, int32_t n, double *cosine, double *sine) {
    /* The angle is pi p / q. */
    int32_t p = 2 * i, q = n;
    double sign_x = 1.0, sign_y = 1.0;
    if (p > q) {
        p = 2 * q - p;
        sign_y = -1.0;
    }
    if (2 * p > q) {
        p = q - p;
        sign_x = -1.0;
    }
    bool steep = 4 * p > q;
    double angle = steep ? REAL_PI * (q - 2 * p) / (2.0 * q) : REAL_PI * p / q;
    double c = elementary_cos(angle), s = elementary_sin(angle);
    *cosine = sign_x * (steep ? s : c);
    *sine = sign_y * (steep ? c : s);
}

static void place_ring(abut_vec3 *vertices, int32_t sides, double radius, double z) {
    for (int32_t i = 0; i < sides; i++) {
        double c, s;
        turn_part(i, sides, &c, &s);
        vertices[i] = abut_vec3_make(radius * c, radius * s, z);
    }
}

/* The next face begins at this corner. */
static void end_face(polytope *surface, int32_t *face, int32_t corner) { surface->face_first[++*face] = corner; }

static abut_status prism_surface(double radius, double half_height, int32_t n, polytope *surface) {
    abut_status status = polytope_allocate(surface, 2 * n, n + 2, 6 * n);
    if (status != ABUT_OK) {
        return status;
    }
    place_ring(surface->vertices, n, radius, -half_height);
    place_ring(surface->vertices + n, n, radius, half_height);
    int32_t *loop = surface->face_vertices, corner = 0, face = 0;
    for (int32_t i = 0; i < n; i++) {
        loop[corner++] = n - 1 - i;
    }
    end_face(surface, &face, corner);
    for (int32_t i = 0; i < n; i++) {
        loop[corner++] = n + i;
    }
    end_face(surface, &face, corner);
    for (int32_t i = 0; i < n; i++) {
        int32_t j = i + 1 < n ? i + 1 : 0;
        loop[corner++] = i;
        loop[corner++] = j;
        loop[corner++] = n + j;
        loop[corner++] = n + i;
        end_face(surface, &face, corner);
    }
    return polytope_complete(surface);
}

static abut_status pyramid_surface(double radius, double height, int32_t n, polytope *surface) {
    abut_status status = polytope_allocate(surface, n + 1, n + 1, 4 * n);
    if (status != ABUT_OK) {
        return status;
    }
    place_ring(surface->vertices, n, radius, -0.25 * height);
    surface->vertices[n] = abut_vec3_make(0.0, 0.0, 0.75 * height);
    int32_t *loop = surface->face_vertices, corner = 0, face = 0;
    for (int32_t i = 0; i < n; i++) {
        loop[corner++] = n - 1 - i;
    }
    end_face(surface, &face, corner);
    for (int32_t i = 0; i < n; i++) {
        loop[corner++] = i;
        loop[corner++] = i + 1 < n ? i + 1 : 0;
        loop[corner++] = n;
        end_face(surface, &face, corner);
    }
    return polytope_complete(surface);
}

typedef abut_status make_surface(double radius, double height, int32_t sides, polytope *surface);

/* `height` goes by the name that the public function gives it. */
static abut_status create(const char *call, double radius, const char *height_name, double height, int32_t sides, make_surface *make,
                          abut_shape **shape) {
    if (argument_is_not_finite(call, "radius", radius) || argument_is_not_finite(call, height_name, height)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    int32_t n = sides == 0 ? default_sides : sides;
    if (argument_is_null(call, "shape", shape) || argument_is_not_positive(call, "radius", radius) ||
        argument_is_not_positive(call, height_name, height) || argument_is_outside(call, "sides", n, 3, most_sides)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    abut_shape *made = shape_allocate(ABUT_SHAPE_POLYTOPE);
    if (made == NULL) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    abut_status status = make(radius, height, n, &made->surface);
    if (status == ABUT_OK) {
        status = polytope_measure(&made->surface, &made->unit_mass);
    }
    if (status != ABUT_OK) {
        shape_free(made);
        return status;
    }
    return shape_publish_polytope(call, made, shape);
}

abut_status abut_shape_create_prism(double radius, double half_height, int32_t sides, abut_shape **shape) {
    return create(CALL_NAME, radius, "half_height", half_height, sides, prism_surface, shape);
}

abut_status abut_shape_create_pyramid(double radius, double height, int32_t sides, abut_shape **shape) {
    return create(CALL_NAME, radius, "height", height, sides, pyramid_surface, shape);
}
