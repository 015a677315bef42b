/*
 * Shapes and poses on the command line.
 */
#include "tool/shape_argument.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <abut/smooth.h>

#include "tool/cli.h"
#include "io/mesh/facetmesh_file.h"
#include "io/mesh/pieces.h"
#include "io/file/nearest_name.h"
#include "io/file/path.h"
#include "io/mesh/trimesh_file.h"
#include "tool/formula_argument.h"

enum { MOST_NUMBERS = 8 };

const char shape_argument_help[] = "  sphere:RADIUS                    box:HALF_X,HALF_Y,HALF_Z\n"
                                   "  capsule:RADIUS,HALF_LENGTH       plane:NX,NY,NZ,OFFSET\n"
                                   "  cylinder:RADIUS,HALF_HEIGHT      prism:RADIUS,HALF_HEIGHT[,SIDES]\n"
                                   "  cone:RADIUS,HEIGHT               pyramid:RADIUS,HEIGHT[,SIDES]\n"
                                   "  frustum:RADIUS,TOP_RADIUS,HEIGHT (a truncated cone)\n"
                                   "  ellipsoid:HALF_X,HALF_Y,HALF_Z   superquadric:HALF_X,HALF_Y,HALF_Z,E1,E2\n"
                                   "  torus:RING_RADIUS,TUBE_RADIUS\n"
                                   "  implicit:upper=X,Y,Z:[lower=X,Y,Z:][inside=X,Y,Z:][convex=no:]\n"
                                   "    [NAME=VALUE:]...FORMULA of x, y, z\n"
                                   "  parametric:u=FROM,TO:v=FROM,TO:[periodic=u|v|uv:][convex=no:]\n"
                                   "    [NAME=VALUE:]...X;Y;Z, formulas of u, v\n"
                                   "  trimesh:[scale=S:][two-sided:][smooth=DEGREES:][piece=NAME:][at=X,Y,Z:]FILE\n"
                                   "  facetmesh:[scale=S:][radius=R:][piece=NAME:][at=X,Y,Z:]FILE";

/* The number of sides. 0 is the default, for a missing number. -1 is invalid, for numbers out of range or not whole. */
static int32_t sides_of(const double *n) {
    return n[2] == floor(n[2]) && n[2] >= 3.0 && n[2] <= 4096.0 ? (int32_t)n[2] : n[2] == 0.0 ? 0 : -1;
}

static abut_status make_sphere(const double *n, abut_shape **shape) { return abut_shape_create_sphere(n[0], shape); }
static abut_status make_capsule(const double *n, abut_shape **shape) { return abut_shape_create_capsule(n[0], n[1], shape); }
static abut_status make_box(const double *n, abut_shape **shape) { return abut_shape_create_box(abut_vec3_make(n[0], n[1], n[2]), shape); }
static abut_status make_ellipsoid(const double *n, abut_shape **shape) {
    return abut_shape_create_ellipsoid(abut_vec3_make(n[0], n[1], n[2]), shape);
}
static abut_status make_superquadric(const double *n, abut_shape **shape) {
    return abut_shape_create_superquadric(abut_vec3_make(n[0], n[1], n[2]), n[3], n[4], shape);
}
static abut_status make_torus(const double *n, abut_shape **shape) { return abut_shape_create_torus(n[0], n[1], shape); }
static abut_status make_frustum(const double *n, abut_shape **shape) { return abut_shape_create_frustum(n[0], n[1], n[2], shape); }
static abut_status make_prism(const double *n, abut_shape **shape) { return abut_shape_create_prism(n[0], n[1], sides_of(n), shape); }
static abut_status make_pyramid(const double *n, abut_shape **shape) { return abut_shape_create_pyramid(n[0], n[1], sides_of(n), shape); }
/* A number of sides makes them a prism and a pyramid, as in older scripts. */
static abut_status make_cylinder(const double *n, abut_shape **shape) {
    return n[2] == 0.0 ? abut_shape_create_cylinder(n[0], n[1], shape) : make_prism(n, shape);
}
static abut_status make_cone(const double *n, abut_shape **shape) {
    return n[2] == 0.0 ? abut_shape_create_cone(n[0], n[1], shape) : make_pyramid(n, shape);
}
static abut_status make_plane(const double *n, abut_shape **shape) {
    return abut_shape_create_plane(abut_vec3_make(n[0], n[1], n[2]), n[3], shape);
}

/* The kinds, with the count and meaning of their numbers. */
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
    {"torus", 2, 2, "RING_RADIUS above TUBE_RADIUS, TUBE_RADIUS above 0", make_torus},
    {"cylinder", 2, 3, "RADIUS,HALF_HEIGHT above 0; SIDES, 3 to 4096, make it a prism", make_cylinder},
    {"cone", 2, 3, "RADIUS,HEIGHT above 0; SIDES, 3 to 4096, make it a pyramid", make_cone},
    {"frustum", 3, 3, "RADIUS,TOP_RADIUS from 0 up, not both 0, HEIGHT above 0", make_frustum},
    {"prism", 2, 3, "RADIUS,HALF_HEIGHT above 0, SIDES 3 to 4096", make_prism},
    {"pyramid", 2, 3, "RADIUS,HEIGHT above 0, SIDES 3 to 4096", make_pyramid},
    {"plane", 4, 4, "NX,NY,NZ (not all 0),OFFSET", make_plane},
};

enum { KIND_COUNT = sizeof kinds / sizeof *kinds };

static const struct inline_kind *find_kind(const char *name) {
    for (int i = 0; i < KIND_COUNT; i++) {
        if (strcmp(kinds[i].name, name) == 0) {
            return &kinds[i];
        }
    }
    return NULL;
}

static const char contraction_key[] = "contraction=";

/* Reads the value of contraction=X,Y,Z. False where it is something else. */
static bool read_point(const char *value, size_t length, abut_vec3 *point) {
    char copy[256];
    double n[3];
    if (length >= sizeof copy) {
        return false;
    }
    memcpy(copy, value, length);
    copy[length] = '\0';
    bool fine = cli_numbers(copy, n, 3) == 3;
    *point = fine ? abut_vec3_make(n[0], n[1], n[2]) : *point;
    return fine;
}

/* Replaces the shape by one with that contraction point. `value` is followed by a colon. */
static abut_status contract(const char *text, const char *value, abut_shape **shape, abut_error *error) {
    abut_vec3 point = {0.0, 0.0, 0.0};
    abut_shape *plain = *shape;
    int length = (int)strcspn(value, ":");
    if (!read_point(value, (size_t)length, &point)) {
        abut_shape_release(plain);
        return abut_fail(error, ABUT_ERROR_INVALID_ARGUMENT, "'%s': the contraction point '%.*s' is not x,y,z", text, length, value);
    }
    abut_status status = abut_shape_create_with_contraction(plain, point, shape);
    abut_shape_release(plain);
    if (status == ABUT_ERROR_OUT_OF_MEMORY) {
        return abut_fail(error, status, "'%s': no memory", text);
    }
    return status
               ? abut_fail(error, status, "'%s': the contraction point '%.*s' is not strictly inside a bounded shape", text, length, value)
               : ABUT_OK;
}

static abut_status read_inline(const struct inline_kind *kind, const char *text, abut_shape **shape, abut_error *error) {
    double numbers[MOST_NUMBERS] = {0};
    const char *colon = strchr(text, ':'), *point = NULL;
    if (colon && strncmp(colon + 1, contraction_key, strlen(contraction_key)) == 0) {
        point = colon + 1 + strlen(contraction_key);
        colon = strchr(point, ':');
    }
    int count = colon ? cli_numbers(colon + 1, numbers, MOST_NUMBERS) : 0;
    abut_status status = count < kind->least || count > kind->most ? ABUT_ERROR_INVALID_ARGUMENT : kind->make(numbers, shape);
    if (status == ABUT_ERROR_OUT_OF_MEMORY) {
        return abut_fail(error, status, "'%s': no memory", text);
    }
    const char *article = kind->name[0] == 'e' ? "an" : "a";
    if (!status && point) {
        return contract(text, point, shape, error);
    }
    return status ? abut_fail(error, status, "'%s': %s %s takes %s; sizes lie between 1e-50 and 1e50", text, article, kind->name,
                              kind->numbers)
                  : ABUT_OK;
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
        parts[i].pose = abut_pose_identity();
    }
    abut_status status = abut_shape_create_compound(parts, pieces->count, shape);
    free(parts);
    return status ? abut_fail(error, status, "%s: %s", path, abut_status_message(status)) : ABUT_OK;
}

static abut_status read_mesh(const char *path, bool hull, abut_shape **shape, abut_error *error) {
    abut_mesh_options options = abut_mesh_options_default();
    options.hull = hull;
    options.hull_hint = "--hull";
    options.trimesh_hint = "trimesh:FILE";
    abut_mesh_pieces *pieces = NULL;
    abut_status status = abut_mesh_load(path, &options, &pieces, error);
    if (!status) {
        status = join_pieces(path, pieces, shape, error);
    }
    abut_mesh_destroy(pieces);
    return status;
}

/* ---- a mesh file as the surface it is ---- */

/* Only a trimesh can be two-sided; only a facetmesh has a radius of curvature. */
typedef enum surface_kind { SURFACE_TRIMESH = 1, SURFACE_FACETMESH = 2 } surface_kind;

static const char *surface_name(surface_kind kind) { return kind == SURFACE_TRIMESH ? "trimesh" : "facetmesh"; }

/* The settings before the file's name. */
typedef struct surface {
    surface_kind kind;
    const char *text; /* the whole argument */
    abut_vec3 scale;
    const char *piece; /* points into a copy of the text; NULL for none */
    bool two_sided;
    double smooth_angle;
    double radius; /* 0: estimated */
    shape_placement placement;
} surface;

static abut_status set_scale(surface *s, const char *value, abut_error *error) {
    double n[3];
    int count = cli_numbers(value, n, 3);
    abut_vec3 scale = count == 1   ? abut_vec3_make(n[0], n[0], n[0])
                      : count == 3 ? abut_vec3_make(n[0], n[1], n[2])
                                   : abut_vec3_make(0.0, 0.0, 0.0);
    if (scale.x == 0.0 || scale.y == 0.0 || scale.z == 0.0) {
        return abut_fail(error, ABUT_ERROR_INVALID_ARGUMENT, "'%s': the scale '%s' is not one or three numbers other than 0", s->text,
                         value);
    }
    s->scale = scale;
    return ABUT_OK;
}

static abut_status set_two_sided(surface *s, const char *value, abut_error *error) {
    (void)value;
    (void)error;
    s->two_sided = true;
    return ABUT_OK;
}

static abut_status set_smooth(surface *s, const char *value, abut_error *error) {
    const double third = 1.0471975511965976; /* of half a turn [rad] */
    double degrees;
    if (cli_numbers(value, &degrees, 1) != 1 || !(degrees >= 0.0 && degrees <= 60.0)) {
        return abut_fail(error, ABUT_ERROR_INVALID_ARGUMENT, "'%s': the angle '%s' is not a number from 0 to 60", s->text, value);
    }
    s->smooth_angle = degrees / 60.0 * third;
    return ABUT_OK;
}

static abut_status set_radius(surface *s, const char *value, abut_error *error) {
    int count = cli_numbers(value, &s->radius, 1);
    bool flat = strcmp(value, "flat") == 0;
    if (!flat && (count != 1 || !(s->radius > 0.0))) {
        return abut_fail(error, ABUT_ERROR_INVALID_ARGUMENT, "'%s': the radius '%s' is neither a number above 0 nor flat", s->text, value);
    }
    s->radius = flat ? INFINITY : s->radius;
    return ABUT_OK;
}

static abut_status set_piece(surface *s, const char *value, abut_error *error) {
    (void)error;
    s->piece = value;
    return ABUT_OK;
}

static abut_status set_place(surface *s, const char *value, abut_error *error) {
    s->placement.given = true;
    return shape_argument_pose(value, &s->placement.pose, error);
}

static const struct surface_key {
    const char *name;
    bool has_value;
    int kinds; /* the kinds that have this key, as flags */
    abut_status (*set)(surface *s, const char *value, abut_error *error);
} surface_keys[] = {
    {"scale", true, SURFACE_TRIMESH | SURFACE_FACETMESH, set_scale},
    {"two-sided", false, SURFACE_TRIMESH, set_two_sided},
    {"smooth", true, SURFACE_TRIMESH, set_smooth},
    {"radius", true, SURFACE_FACETMESH, set_radius},
    {"piece", true, SURFACE_TRIMESH | SURFACE_FACETMESH, set_piece},
    {"at", true, SURFACE_TRIMESH | SURFACE_FACETMESH, set_place},
};

enum { SURFACE_KEY_COUNT = sizeof surface_keys / sizeof *surface_keys };

/* Sets the key if the word, without its colon, is one. An unknown KEY=VALUE is an error. Any other word belongs to the file's name: *known is
 * then false. */
static abut_status take_key(surface *s, char *word, bool *known, abut_error *error) {
    char *equals = strchr(word, '='), hint[120];
    if (equals) {
        *equals = '\0';
    }
    nearest_name nearest = {.mistyped = word};
    for (int i = 0; i < SURFACE_KEY_COUNT; i++) {
        const struct surface_key *key = &surface_keys[i];
        if (!(key->kinds & (int)s->kind)) {
            continue;
        }
        if (strcmp(key->name, word) == 0 && key->has_value == (equals != NULL)) {
            *known = true;
            return key->set(s, equals ? equals + 1 : NULL, error);
        }
        nearest_offer(&nearest, key->name);
    }
    *known = false;
    if (equals && !strpbrk(word, "/\\.")) {
        return abut_fail(error, ABUT_ERROR_INVALID_ARGUMENT, "'%s': a %s has no '%s'%s", s->text, surface_name(s->kind), word,
                         nearest_hint(&nearest, hint, sizeof hint));
    }
    return ABUT_OK;
}

/* keys: a copy of the text behind the kind, cut into words in place. *file is the offset of the file's name in it. */
static abut_status take_keys(surface *s, char *keys, size_t *file, abut_error *error) {
    char *word = keys, *colon;
    bool known = true;
    while ((colon = strchr(word, ':')) != NULL) {
        *colon = '\0';
        abut_status status = take_key(s, word, &known, error);
        if (status || !known) {
            *file = (size_t)(word - keys);
            return status;
        }
        word = colon + 1;
    }
    *file = (size_t)(word - keys);
    return ABUT_OK;
}

static abut_status load_surface(const surface *s, const char *path, abut_shape **shape, abut_error *error) {
    if (s->kind == SURFACE_TRIMESH) {
        abut_trimesh_options options = {.scale = s->scale, .two_sided = s->two_sided, .smooth_angle = s->smooth_angle, .piece = s->piece};
        return abut_trimesh_load(path, &options, NULL, shape, error);
    }
    abut_facetmesh_options options = {.scale = s->scale, .piece = s->piece, .radius = s->radius};
    return abut_facetmesh_load(path, &options, NULL, shape, error);
}

static abut_status read_surface(surface_kind kind, const char *text, abut_shape **shape, shape_placement *placement, abut_error *error) {
    surface s = {.kind = kind, .text = text, .scale = {1.0, 1.0, 1.0}, .placement = *placement};
    const char *behind = text + strlen(surface_name(kind)) + 1;
    size_t size = strlen(behind) + 1, file;
    char *keys = malloc(size);
    if (!keys) {
        return abut_fail(error, ABUT_ERROR_OUT_OF_MEMORY, "'%s': no memory", text);
    }
    memcpy(keys, behind, size);
    abut_status status = take_keys(&s, keys, &file, error);
    if (!status && behind[file] == '\0') {
        status = abut_fail(error, ABUT_ERROR_INVALID_ARGUMENT, "'%s': a %s takes the name of a mesh file", text, surface_name(kind));
    }
    if (!status) {
        *placement = s.placement;
        status = load_surface(&s, behind + file, shape, error);
    }
    free(keys);
    return status;
}

abut_status shape_argument_read(const char *text, bool hull, abut_shape **shape, shape_placement *placement, abut_error *error) {
    *placement = (shape_placement){.pose = abut_pose_identity()};
    const char *colon = strchr(text, ':');
    char name[32], hint[120];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, ":"), text);
    if (!colon && !find_kind(name)) {
        return read_mesh(text, hull, shape, error);
    }
    nearest_name nearest = {.mistyped = name};
    if (find_kind(name)) {
        return read_inline(find_kind(name), text, shape, error);
    }
    for (int i = 0; i < KIND_COUNT; i++) {
        nearest_offer(&nearest, kinds[i].name);
    }
    for (surface_kind kind = SURFACE_TRIMESH; kind <= SURFACE_FACETMESH; kind++) {
        if (strcmp(surface_name(kind), name) == 0) {
            return read_surface(kind, text, shape, placement, error);
        }
        nearest_offer(&nearest, surface_name(kind));
    }
    static const char *const formulas[] = {"implicit", "parametric"};
    for (int i = 0; i < 2; i++) {
        if (strcmp(formulas[i], name) == 0) {
            return formula_argument_read(text, shape, error);
        }
        nearest_offer(&nearest, formulas[i]);
    }
    if (path_folder_length(text) > 0 || strchr(text, '.')) {
        FILE *probe = fopen(text, "rb");
        if (probe) {
            fclose(probe);
            return read_mesh(text, hull, shape, error);
        }
    }
    nearest_hint(&nearest, hint, sizeof hint);
    return abut_fail(error, ABUT_ERROR_INVALID_ARGUMENT, "'%s': there is no shape '%s'%s", text, name,
                     *hint ? hint : "; 'abut help collide' lists them");
}

abut_status shape_argument_pose(const char *text, abut_pose *pose, abut_error *error) {
    double n[MOST_NUMBERS];
    int count = cli_numbers(text, n, MOST_NUMBERS);
    if (count != 3 && count != 7) {
        return abut_fail(error, ABUT_ERROR_INVALID_ARGUMENT, "the pose '%s' is not x,y,z or x,y,z,qx,qy,qz,qw", text);
    }
    abut_pose made = {abut_vec3_make(n[0], n[1], n[2]), abut_quat_identity()};
    if (count == 7) {
        made.rotation = abut_quat_unit(abut_quat_make(n[3], n[4], n[5], n[6]));
        if (n[3] == 0.0 && n[4] == 0.0 && n[5] == 0.0 && n[6] == 0.0) {
            return abut_fail(error, ABUT_ERROR_INVALID_ARGUMENT, "the pose '%s' has a zero quaternion", text);
        }
    }
    if (!abut_pose_is_valid(made)) {
        return abut_fail(error, ABUT_ERROR_INVALID_ARGUMENT, "the pose '%s' has numbers that are too large", text);
    }
    *pose = made;
    return ABUT_OK;
}
