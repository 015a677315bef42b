/*
 * Shapes and poses on the command line.
 */
#include "shape_argument.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <abut/smooth.h>

#include "cli.h"
#include "meshfile.h"
#include "nearest.h"
#include "trimeshfile.h"

enum { MOST_NUMBERS = 8 };

const char shape_argument_help[] = "  sphere:RADIUS                    box:HALF_X,HALF_Y,HALF_Z\n"
                                   "  capsule:RADIUS,HALF_LENGTH       cylinder:RADIUS,HALF_HEIGHT[,SIDES]\n"
                                   "  plane:NX,NY,NZ,OFFSET            cone:RADIUS,HEIGHT[,SIDES]\n"
                                   "  ellipsoid:HALF_X,HALF_Y,HALF_Z   superquadric:HALF_X,HALF_Y,HALF_Z,E1,E2\n"
                                   "  trimesh:FILE";

/* A missing number of sides is 0, the default; one that is no whole number is refused as an invalid -1. */
static int32_t sides_of(const double *n) {
    return n[2] == floor(n[2]) && n[2] >= 3.0 && n[2] <= 4096.0 ? (int32_t)n[2] : n[2] == 0.0 ? 0 : -1;
}

static abut_status make_sphere(const double *n, abut_shape **shape) { return abut_create_sphere(n[0], shape); }
static abut_status make_capsule(const double *n, abut_shape **shape) { return abut_create_capsule(n[0], n[1], shape); }
static abut_status make_box(const double *n, abut_shape **shape) { return abut_create_box(abut_make_vec3(n[0], n[1], n[2]), shape); }
static abut_status make_ellipsoid(const double *n, abut_shape **shape) {
    return abut_create_ellipsoid(abut_make_vec3(n[0], n[1], n[2]), shape);
}
static abut_status make_superquadric(const double *n, abut_shape **shape) {
    return abut_create_superquadric(abut_make_vec3(n[0], n[1], n[2]), n[3], n[4], shape);
}
static abut_status make_cylinder(const double *n, abut_shape **shape) { return abut_create_cylinder(n[0], n[1], sides_of(n), shape); }
static abut_status make_cone(const double *n, abut_shape **shape) { return abut_create_cone(n[0], n[1], sides_of(n), shape); }
static abut_status make_plane(const double *n, abut_shape **shape) {
    return abut_create_plane(abut_make_vec3(n[0], n[1], n[2]), n[3], shape);
}

/* The kinds: how many numbers each takes, and what they are. */
static const struct inline_kind {
    const char *name;
    int least, most;
    const char *numbers;
    abut_status (*make)(const double *numbers, abut_shape **shape);
} kinds[] = {
    {"sphere", 1, 1, "RADIUS, above 0", make_sphere},
    {"capsule", 2, 2, "RADIUS above 0, HALF_LENGTH from 0 up", make_capsule},
    {"box", 3, 3, "HALF_X,HALF_Y,HALF_Z, each above 0", make_box},
    {"ellipsoid", 3, 3, "HALF_X,HALF_Y,HALF_Z, each above 0", make_ellipsoid},
    {"superquadric", 5, 5, "HALF_X,HALF_Y,HALF_Z above 0, E1,E2 from 0.2 to 1.8", make_superquadric},
    {"cylinder", 2, 3, "RADIUS,HALF_HEIGHT above 0, SIDES 3 to 4096", make_cylinder},
    {"cone", 2, 3, "RADIUS,HEIGHT above 0, SIDES 3 to 4096", make_cone},
    {"plane", 4, 4, "NX,NY,NZ (not all 0),OFFSET", make_plane},
};

enum { KIND_COUNT = sizeof kinds / sizeof *kinds };

static abut_status read_inline(const struct inline_kind *kind, const char *text, abut_shape **shape, abut_error *error) {
    double numbers[MOST_NUMBERS] = {0};
    int count = cli_numbers(text + strlen(kind->name) + 1, numbers, MOST_NUMBERS);
    abut_status status = count < kind->least || count > kind->most ? ABUT_ERROR_INVALID_ARGUMENT : kind->make(numbers, shape);
    if (status == ABUT_ERROR_OUT_OF_MEMORY) {
        return abut_fail(error, status, "'%s': no memory", text);
    }
    return status ? abut_fail(error, status, "'%s': %s %s takes %s", text, kind->name[0] == 'e' ? "an" : "a", kind->name, kind->numbers) : ABUT_OK;
}

static abut_status join_pieces(const char *path, const abut_mesh_pieces *pieces, abut_shape **shape, abut_error *error) {
    if (pieces->count == 1) {
        abut_shape_retain(pieces->pieces[0].shape);
        *shape = pieces->pieces[0].shape;
        return ABUT_OK;
    }
    abut_part *parts = calloc((size_t)pieces->count, sizeof *parts);
    if (!parts) {
        return abut_fail(error, ABUT_ERROR_OUT_OF_MEMORY, "%s: no memory", path);
    }
    for (int32_t i = 0; i < pieces->count; i++) {
        parts[i].shape = pieces->pieces[i].shape;
        parts[i].pose = abut_identity_pose();
    }
    abut_status status = abut_create_compound(parts, pieces->count, shape);
    free(parts);
    return status ? abut_fail(error, status, "%s: %s", path, abut_status_message(status)) : ABUT_OK;
}

static abut_status read_mesh(const char *path, bool hull, abut_shape **shape, abut_error *error) {
    abut_mesh_options options = abut_mesh_options_default();
    options.hull = hull;
    options.hull_hint = "--hull";
    abut_mesh_pieces *pieces = NULL;
    abut_status status = abut_mesh_load(path, &options, &pieces, error);
    if (!status) {
        status = join_pieces(path, pieces, shape, error);
    }
    abut_mesh_destroy(pieces);
    return status;
}

static const char surface_kind[] = "trimesh";

/* A mesh file as the surface it is. */
static abut_status read_surface(const char *path, abut_shape **shape, abut_error *error) {
    if (path[0] == '\0') {
        return abut_fail(error, ABUT_ERROR_INVALID_ARGUMENT, "'%s:': a %s takes the name of a mesh file", surface_kind, surface_kind);
    }
    return abut_trimesh_load(path, NULL, NULL, shape, error);
}

abut_status shape_argument_read(const char *text, bool hull, abut_shape **shape, abut_error *error) {
    const char *colon = strchr(text, ':');
    if (!colon) {
        return read_mesh(text, hull, shape, error);
    }
    char name[32], hint[120];
    snprintf(name, sizeof name, "%.*s", (int)(colon - text), text);
    nearest_name nearest = {.mistyped = name};
    for (int i = 0; i < KIND_COUNT; i++) {
        if (strcmp(kinds[i].name, name) == 0) {
            return read_inline(&kinds[i], text, shape, error);
        }
        nearest_offer(&nearest, kinds[i].name);
    }
    if (strcmp(surface_kind, name) == 0) {
        return read_surface(colon + 1, shape, error);
    }
    nearest_offer(&nearest, surface_kind);
    if (strchr(text, '/') || strchr(text, '.')) {
        FILE *probe = fopen(text, "rb");
        if (probe) {
            fclose(probe);
            return read_mesh(text, hull, shape, error);
        }
    }
    return abut_fail(error, ABUT_ERROR_INVALID_ARGUMENT, "'%s': there is no shape '%s'%s", text, name,
                     nearest_hint(&nearest, hint, sizeof hint));
}

abut_status shape_argument_pose(const char *text, abut_pose *pose, abut_error *error) {
    double n[MOST_NUMBERS];
    int count = cli_numbers(text, n, MOST_NUMBERS);
    if (count != 3 && count != 7) {
        return abut_fail(error, ABUT_ERROR_INVALID_ARGUMENT, "the pose '%s' is not x,y,z or x,y,z,qx,qy,qz,qw", text);
    }
    abut_pose made = {abut_make_vec3(n[0], n[1], n[2]), abut_identity_quat()};
    if (count == 7) {
        made.rotation = abut_quat_unit(abut_make_quat(n[3], n[4], n[5], n[6]));
        if (n[3] == 0.0 && n[4] == 0.0 && n[5] == 0.0 && n[6] == 0.0) {
            return abut_fail(error, ABUT_ERROR_INVALID_ARGUMENT, "the pose '%s' has a zero quaternion", text);
        }
    }
    if (!abut_is_valid_pose(made)) {
        return abut_fail(error, ABUT_ERROR_INVALID_ARGUMENT, "the pose '%s' is too large", text);
    }
    *pose = made;
    return ABUT_OK;
}
