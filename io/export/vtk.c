/*
 * Writes recordings for ParaView: six VTKHDF files, because versions of VTK read one file with several data sets differently. Each layer below turns a frame
 * into points, cells and arrays, whose meaning is in docs/recording.md.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <abut/facetmesh.h>

#include "io/export/export.h"
#include "io/export/vtk_joints.h"
#include "io/export/vtk_patches.h"
#include "io/export/vtk_scene.h"
#include "io/export/vtk_surface.h"
#include "io/export/vtkhdf.h"
#include "io/file/ending.h"
#include "io/file/output.h"
#include "io/file/same.h"
#include "io/file/signals.h"

enum { SURFACES, CENTRES, CONTACTS, PATCHES, CHAINS, JOINTS, LAYERS };

typedef struct exporter {
    vtk_scene scene;
    vtk_shapes shapes;
    vtk_patches patches;
    vtk_surface *surfaces; /* [shape_count]; without points until first use */
    int rings;
    abut_vec3 centre; /* middle of all bodies in all frames */
    double reach;     /* half size of the squares that represent planes */
    vtkhdf *files[LAYERS];
    const vtk_pair *pair; /* pair whose patches are being added */
} exporter;

/* ---- surfaces of bodies ---- */

enum {
    SURFACE_BODY,
    SURFACE_KIND,
    SURFACE_FACE,
    SURFACE_CURVATURE,
    SURFACE_AWAKE,
    SURFACE_VELOCITY,
    SURFACE_SPIN,
    SURFACE_FORCE,
    SURFACE_COORDINATION
};
static const vtkhdf_array surface_arrays[] = {
    [SURFACE_BODY] = {"body", LAYOUT_INT32, 1},
    [SURFACE_KIND] = {"kind", LAYOUT_INT32, 1},
    [SURFACE_FACE] = {"face", LAYOUT_INT32, 1},
    [SURFACE_CURVATURE] = {"curvature", LAYOUT_FLOAT, 1},
    [SURFACE_AWAKE] = {"awake", LAYOUT_INT32, 1},
    [SURFACE_VELOCITY] = {"velocity", LAYOUT_FLOAT, 3},
    [SURFACE_SPIN] = {"angular_velocity", LAYOUT_FLOAT, 3},
    [SURFACE_FORCE] = {"contact_force", LAYOUT_FLOAT, 3},
    [SURFACE_COORDINATION] = {"coordination", LAYOUT_INT32, 1},
};

static void add_surface_cell(vtkhdf *file, const vtk_body *b, int32_t index, int32_t face, double curvature, const int64_t *corners,
                             int count) {
    vtkhdf_add_cell(file, corners, count);
    vtkhdf_put_integer(file, SURFACE_BODY, index);
    vtkhdf_put_integer(file, SURFACE_KIND, (int32_t)b->body.kind);
    vtkhdf_put_integer(file, SURFACE_FACE, face);
    vtkhdf_put_real(file, SURFACE_CURVATURE, curvature);
    vtkhdf_put_integer(file, SURFACE_AWAKE, b->awake);
    vtkhdf_put_vec3(file, SURFACE_VELOCITY, b->velocity);
    vtkhdf_put_vec3(file, SURFACE_SPIN, b->angular_velocity);
    vtkhdf_put_vec3(file, SURFACE_FORCE, b->force);
    vtkhdf_put_integer(file, SURFACE_COORDINATION, b->coordination);
}

/* Adds a square about the plane's point nearest to the middle of all bodies. */
static void add_plane(const exporter *e, int32_t index) {
    static const double sides[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    const vtk_body *b = &e->scene.bodies[index];
    abut_recorded_shape shape;
    (void)abut_recording_shape(e->scene.recording, b->body.shape, &shape);
    abut_vec3 u, v, middle = abut_pose_apply_inverse(b->pose, e->centre);
    abut_tangent_frame(shape.normal, &u, &v);
    middle = abut_add_scaled(middle, shape.offset - abut_dot(shape.normal, middle), shape.normal);
    int64_t corners[4];
    for (int c = 0; c < 4; c++) {
        corners[c] = vtkhdf_point_count(e->files[SURFACES]);
        abut_vec3 corner = abut_add_scaled(abut_add_scaled(middle, e->reach * sides[c][0], u), e->reach * sides[c][1], v);
        vtkhdf_add_point(e->files[SURFACES], abut_pose_apply(b->pose, corner));
    }
    add_surface_cell(e->files[SURFACES], b, index, 0, 0.0, corners, 4);
}

/* 1 / radius of a polygon. A deformed facet has its present radius. */
static double curvature_of(const exporter *e, int32_t index, const vtk_surface *surface, int32_t polygon) {
    abut_facet facet;
    bool moved = e->scene.bodies[index].deforms &&
                 abut_shape_facet(vtk_shapes_of(&e->shapes, index), abut_pose_identity(), surface->face[polygon], &facet) == ABUT_OK;
    return moved ? 1.0 / facet.radius : surface->curvature[polygon];
}

/* Adds the surface of a body: `points`, moved by the body's pose. */
static void add_surface(const exporter *e, int32_t index, const vtk_surface *surface, const abut_vec3 *points, int64_t *room) {
    const vtk_body *b = &e->scene.bodies[index];
    int64_t base = vtkhdf_point_count(e->files[SURFACES]);
    for (int32_t i = 0; i < surface->point_count; i++) {
        vtkhdf_add_point(e->files[SURFACES], abut_pose_apply(b->pose, points[i]));
    }
    for (int32_t i = 0; i < surface->polygon_count; i++) {
        int32_t first = surface->first[i], count = surface->first[i + 1] - first;
        for (int32_t c = 0; c < count; c++) {
            room[c] = base + surface->corners[first + c];
        }
        add_surface_cell(e->files[SURFACES], b, index, surface->face[i], curvature_of(e, index, surface, i), room, count);
    }
}

/* Finds the points of a body's surface in the shape's frame: the surface's own points, or the frame's vertices when the body has deformed. */
static abut_status find_points(exporter *e, int32_t index, const vtk_surface *surface, const abut_vec3 **points, abut_error *error) {
    int32_t count = 0;
    *points = surface->points;
    if (!e->scene.bodies[index].deforms) {
        return ABUT_OK;
    }
    abut_status status = abut_recording_vertices(e->scene.recording, e->scene.frame, index, points, &count, error);
    return status || count == surface->point_count
               ? status
               : abut_fail(error, ABUT_ERROR_FORMAT, "%s: the recording is damaged: a deforming body has no vertices", e->scene.info.path);
}

static int32_t most_corners(const vtk_surface *surface) {
    int32_t most = 0;
    for (int32_t i = 0; i < surface->polygon_count; i++) {
        int32_t count = surface->first[i + 1] - surface->first[i];
        most = count > most ? count : most;
    }
    return most;
}

static abut_status draw_surfaces(exporter *e, abut_error *error) {
    for (int32_t i = 0; i < e->scene.info.body_count; i++) {
        const vtk_body *b = &e->scene.bodies[i];
        if (!b->there) {
            continue;
        }
        if (b->kind == ABUT_SHAPE_PLANE) {
            add_plane(e, i);
            continue;
        }
        vtk_surface *surface = &e->surfaces[b->body.shape];
        abut_status status = surface->points ? ABUT_OK : vtk_surface_create(e->scene.recording, b->body.shape, e->rings, surface);
        int64_t *room = status ? NULL : malloc(sizeof *room * ((size_t)most_corners(surface) + 1));
        if (!room) {
            status = status ? status : ABUT_ERROR_OUT_OF_MEMORY;
            return abut_fail(error, status, "%s: cannot draw its shapes: %s", e->scene.info.path, abut_status_message(status));
        }
        const abut_vec3 *points;
        status = find_points(e, i, surface, &points, error);
        if (!status) {
            add_surface(e, i, surface, points, room);
        }
        free(room);
        if (status) {
            return status;
        }
    }
    return ABUT_OK;
}

/* ---- centres of bodies ---- */

enum {
    CENTRE_BODY,
    CENTRE_KIND,
    CENTRE_RADIUS,
    CENTRE_MASS,
    CENTRE_AWAKE,
    CENTRE_VELOCITY,
    CENTRE_SPIN,
    CENTRE_FORCE,
    CENTRE_COORDINATION
};
static const vtkhdf_array centre_arrays[] = {
    [CENTRE_BODY] = {"body", LAYOUT_INT32, 1},
    [CENTRE_KIND] = {"kind", LAYOUT_INT32, 1},
    [CENTRE_RADIUS] = {"radius", LAYOUT_DOUBLE, 1},
    [CENTRE_MASS] = {"mass", LAYOUT_DOUBLE, 1},
    [CENTRE_AWAKE] = {"awake", LAYOUT_INT32, 1},
    [CENTRE_VELOCITY] = {"velocity", LAYOUT_DOUBLE, 3},
    [CENTRE_SPIN] = {"angular_velocity", LAYOUT_DOUBLE, 3},
    [CENTRE_FORCE] = {"contact_force", LAYOUT_DOUBLE, 3},
    [CENTRE_COORDINATION] = {"coordination", LAYOUT_INT32, 1},
};

static abut_status draw_centres(exporter *e, abut_error *error) {
    (void)error;
    vtkhdf *file = e->files[CENTRES];
    for (int32_t i = 0; i < e->scene.info.body_count; i++) {
        const vtk_body *b = &e->scene.bodies[i];
        if (!b->there || b->kind == ABUT_SHAPE_PLANE) {
            continue;
        }
        int64_t point = vtkhdf_point_count(file);
        vtkhdf_add_point(file, b->centre);
        vtkhdf_add_cell(file, &point, 1);
        vtkhdf_put_integer(file, CENTRE_BODY, i);
        vtkhdf_put_integer(file, CENTRE_KIND, (int32_t)b->body.kind);
        vtkhdf_put_real(file, CENTRE_RADIUS, b->radius);
        vtkhdf_put_real(file, CENTRE_MASS, b->body.mass);
        vtkhdf_put_integer(file, CENTRE_AWAKE, b->awake);
        vtkhdf_put_vec3(file, CENTRE_VELOCITY, b->velocity);
        vtkhdf_put_vec3(file, CENTRE_SPIN, b->angular_velocity);
        vtkhdf_put_vec3(file, CENTRE_FORCE, b->force);
        vtkhdf_put_integer(file, CENTRE_COORDINATION, b->coordination);
    }
    return ABUT_OK;
}

/* ---- contacts ---- */

enum { CONTACT_A, CONTACT_B, CONTACT_NORMAL, CONTACT_GAP, CONTACT_AREA, CONTACT_PRESS, CONTACT_FRICTION, CONTACT_FORCE };
static const vtkhdf_array contact_arrays[] = {
    [CONTACT_A] = {"a", LAYOUT_INT32, 1},
    [CONTACT_B] = {"b", LAYOUT_INT32, 1},
    [CONTACT_NORMAL] = {"normal", LAYOUT_DOUBLE, 3},
    [CONTACT_GAP] = {"gap", LAYOUT_DOUBLE, 1},
    [CONTACT_AREA] = {"area", LAYOUT_DOUBLE, 1},
    [CONTACT_PRESS] = {"normal_force", LAYOUT_DOUBLE, 1},
    [CONTACT_FRICTION] = {"friction_force", LAYOUT_DOUBLE, 3},
    [CONTACT_FORCE] = {"force", LAYOUT_DOUBLE, 3},
};

static void add_contact(vtkhdf *file, const vtk_scene *scene, const abut_recorded_contact *c) {
    int64_t point = vtkhdf_point_count(file);
    vtkhdf_add_point(file, vtk_contact_point(scene, c));
    vtkhdf_add_cell(file, &point, 1);
    vtkhdf_put_integer(file, CONTACT_A, c->a);
    vtkhdf_put_integer(file, CONTACT_B, c->b);
    vtkhdf_put_vec3(file, CONTACT_NORMAL, c->contact.normal);
    vtkhdf_put_real(file, CONTACT_GAP, c->contact.gap);
    vtkhdf_put_real(file, CONTACT_AREA, c->contact.area);
    vtkhdf_put_real(file, CONTACT_PRESS, c->normal_force);
    vtkhdf_put_vec3(file, CONTACT_FRICTION, c->friction_force);
    vtkhdf_put_vec3(file, CONTACT_FORCE, vtk_contact_force(c));
}

static abut_status draw_contacts(exporter *e, abut_error *error) {
    (void)error;
    for (int32_t i = 0; i < e->scene.contact_count; i++) {
        add_contact(e->files[CONTACTS], &e->scene, &e->scene.contacts[i]);
    }
    return ABUT_OK;
}

/* ---- patches of contact ---- */

enum { PATCH_A, PATCH_B, PATCH_FACET_A, PATCH_FACET_B, PATCH_NORMAL, PATCH_OVERLAP, PATCH_AREA, PATCH_FORCE, PATCH_MEAN, PATCH_LARGEST };
static const vtkhdf_array patch_arrays[] = {
    [PATCH_A] = {"a", LAYOUT_INT32, 1},
    [PATCH_B] = {"b", LAYOUT_INT32, 1},
    [PATCH_FACET_A] = {"facet_a", LAYOUT_INT32, 1},
    [PATCH_FACET_B] = {"facet_b", LAYOUT_INT32, 1},
    [PATCH_NORMAL] = {"normal", LAYOUT_DOUBLE, 3},
    [PATCH_OVERLAP] = {"overlap", LAYOUT_DOUBLE, 1},
    [PATCH_AREA] = {"area", LAYOUT_DOUBLE, 1},
    [PATCH_FORCE] = {"force", LAYOUT_DOUBLE, 1},
    [PATCH_MEAN] = {"mean_pressure", LAYOUT_DOUBLE, 1},
    [PATCH_LARGEST] = {"largest_pressure", LAYOUT_DOUBLE, 1},
};

static void add_patch(void *user, const vtk_patch *patch) {
    const exporter *e = user;
    vtkhdf *file = e->files[PATCHES];
    int64_t corners[VTK_PATCH_CORNERS];
    for (int32_t i = 0; i < patch->corner_count; i++) {
        corners[i] = vtkhdf_point_count(file);
        vtkhdf_add_point(file, patch->corners[i]);
    }
    vtkhdf_add_cell(file, corners, patch->corner_count);
    vtkhdf_put_integer(file, PATCH_A, e->pair->a);
    vtkhdf_put_integer(file, PATCH_B, e->pair->b);
    vtkhdf_put_integer(file, PATCH_FACET_A, patch->facet_a);
    vtkhdf_put_integer(file, PATCH_FACET_B, patch->facet_b);
    vtkhdf_put_vec3(file, PATCH_NORMAL, patch->normal);
    vtkhdf_put_real(file, PATCH_OVERLAP, patch->overlap);
    vtkhdf_put_real(file, PATCH_AREA, patch->area);
    vtkhdf_put_real(file, PATCH_FORCE, patch->force);
    vtkhdf_put_real(file, PATCH_MEAN, patch->mean_pressure);
    vtkhdf_put_real(file, PATCH_LARGEST, patch->largest_pressure);
}

static abut_status draw_patches(exporter *e, abut_error *error) {
    abut_status status = ABUT_OK;
    for (int32_t i = 0; i < e->scene.pair_count && !status; i++) {
        e->pair = &e->scene.pairs[i];
        status = vtk_patches_of(&e->patches, e->pair, add_patch, e, error);
    }
    return status;
}

/* ---- chains of forces ---- */

enum { CHAIN_A, CHAIN_B, CHAIN_CONTACTS, CHAIN_PRESS, CHAIN_FRICTION, CHAIN_FORCE };
static const vtkhdf_array chain_arrays[] = {
    [CHAIN_A] = {"a", LAYOUT_INT32, 1},
    [CHAIN_B] = {"b", LAYOUT_INT32, 1},
    [CHAIN_CONTACTS] = {"contacts", LAYOUT_INT32, 1},
    [CHAIN_PRESS] = {"normal_force", LAYOUT_DOUBLE, 1},
    [CHAIN_FRICTION] = {"friction", LAYOUT_DOUBLE, 1},
    [CHAIN_FORCE] = {"force", LAYOUT_DOUBLE, 3},
};

/* The sums over the pair's contacts, and the mean of their points. */
typedef struct chain {
    double press;
    abut_vec3 friction, force, point;
} chain;

static chain sum_pair(const vtk_scene *scene, const vtk_pair *pair) {
    chain sum = {0};
    for (int32_t i = pair->first; i < pair->first + pair->count; i++) {
        const abut_recorded_contact *c = &scene->contacts[i];
        sum.press += c->normal_force;
        sum.friction = abut_add(sum.friction, c->friction_force);
        sum.force = abut_add(sum.force, vtk_contact_force(c));
        sum.point = abut_add_scaled(sum.point, 1.0 / pair->count, vtk_contact_point(scene, c));
    }
    return sum;
}

/* Adds a line from centre to centre. Bodies that do not move, such as walls, have no meaningful centre: the line then ends at the contact. */
static void add_chain(vtkhdf *file, const vtk_scene *scene, const vtk_pair *pair) {
    const vtk_body *a = &scene->bodies[pair->a], *b = &scene->bodies[pair->b];
    chain sum = sum_pair(scene, pair);
    abut_vec3 image = vtk_scene_image(scene, pair->a, pair->b);
    int64_t ends[] = {vtkhdf_point_count(file), vtkhdf_point_count(file) + 1};
    vtkhdf_add_point(file, a->body.kind == ABUT_BODY_DYNAMIC ? a->centre : sum.point);
    vtkhdf_add_point(file, b->body.kind == ABUT_BODY_DYNAMIC ? abut_add(b->centre, image) : sum.point);
    vtkhdf_add_cell(file, ends, 2);
    vtkhdf_put_integer(file, CHAIN_A, pair->a);
    vtkhdf_put_integer(file, CHAIN_B, pair->b);
    vtkhdf_put_integer(file, CHAIN_CONTACTS, pair->count);
    vtkhdf_put_real(file, CHAIN_PRESS, sum.press);
    vtkhdf_put_real(file, CHAIN_FRICTION, abut_length(sum.friction));
    vtkhdf_put_vec3(file, CHAIN_FORCE, sum.force);
}

static abut_status draw_chains(exporter *e, abut_error *error) {
    (void)error;
    for (int32_t i = 0; i < e->scene.pair_count; i++) {
        const vtk_pair *pair = &e->scene.pairs[i];
        if (pair->touching && e->scene.bodies[pair->a].there && e->scene.bodies[pair->b].there) {
            add_chain(e->files[CHAINS], &e->scene, pair);
        }
    }
    return ABUT_OK;
}

/* ---- joints ---- */

static abut_status draw_joints(exporter *e, abut_error *error) { return vtk_joints_draw(&e->scene, e->files[JOINTS], error); }

/* ---- files ---- */

#define ARRAYS(list) list, (int)(sizeof(list) / sizeof *(list))

static const struct {
    const char *name; /* comes before the ending of the file's name */
    vtkhdf_def def;
    abut_status (*draw)(exporter *e, abut_error *error);
} layers[LAYERS] = {
    [SURFACES] = {"", {VTKHDF_POLYGONS, false, LAYOUT_FLOAT, ARRAYS(surface_arrays)}, draw_surfaces},
    [CENTRES] = {".centres", {VTKHDF_VERTICES, true, LAYOUT_DOUBLE, ARRAYS(centre_arrays)}, draw_centres},
    [CONTACTS] = {".contacts", {VTKHDF_VERTICES, true, LAYOUT_DOUBLE, ARRAYS(contact_arrays)}, draw_contacts},
    [PATCHES] = {".patches", {VTKHDF_POLYGONS, false, LAYOUT_DOUBLE, ARRAYS(patch_arrays)}, draw_patches},
    [CHAINS] = {".chains", {VTKHDF_LINES, false, LAYOUT_DOUBLE, ARRAYS(chain_arrays)}, draw_chains},
    [JOINTS] = {".joints", {VTKHDF_LINES, true, LAYOUT_DOUBLE, ARRAYS(vtk_joint_arrays)}, draw_joints},
};

/* The path itself, OUT.centres.vtkhdf and so on; NULL when there is no memory. */
static char *name_of(const char *path, int layer) {
    static const char ending[] = ".vtkhdf";
    size_t length = strlen(path), tail = sizeof ending - 1, part = strlen(layers[layer].name);
    size_t stem = length > tail && file_has_ending(path, ending) ? length - tail : length;
    char *name = malloc(length + part + tail + 1);
    if (name) {
        memcpy(name, path, stem);
        memcpy(name + stem, layers[layer].name, part);
        strcpy(name + stem + part, stem < length || part == 0 ? path + stem : ending);
    }
    return name;
}

/* The files must not replace the recording, nor each other through links. */
static abut_status check_names(char *const *names, const char *recording, abut_error *error) {
    for (int i = 0; i < LAYERS; i++) {
        if (file_is_same(names[i], recording)) {
            return abut_fail(error, ABUT_ERROR_INVALID_ARGUMENT, "cannot write '%s': it is the recording itself; write elsewhere",
                             names[i]);
        }
        for (int k = 0; k < i; k++) {
            if (file_is_same(names[i], names[k])) {
                return abut_fail(error, ABUT_ERROR_INVALID_ARGUMENT, "cannot write '%s': it is the same file as '%s'; remove the link",
                                 names[i], names[k]);
            }
        }
    }
    return ABUT_OK;
}

static abut_status open_files(exporter *e, const char *path, abut_error *error) {
    char *names[LAYERS];
    bool memory = true;
    for (int i = 0; i < LAYERS; i++) {
        names[i] = name_of(path, i);
        memory = memory && names[i];
    }
    abut_status status = memory ? check_names(names, e->scene.info.path, error)
                                : abut_fail(error, ABUT_ERROR_OUT_OF_MEMORY, "cannot write '%s': no memory", path);
    for (int i = 0; i < LAYERS && !status; i++) {
        status = vtkhdf_create(names[i], &layers[i].def, &e->files[i], error);
    }
    for (int i = 0; i < LAYERS; i++) {
        free(names[i]);
    }
    return status;
}

/* All files are complete before the first gets its name. The file of the surfaces, which the user named, is the last. Signals wait: an
 * interruption must not leave files of two exports side by side. */
static abut_status close_files(exporter *e, abut_error *error) {
    abut_status status = ABUT_OK;
    for (int i = 0; i < LAYERS && !status; i++) {
        status = vtkhdf_finish(e->files[i], error);
    }
    signals_hold();
    for (int i = LAYERS - 1; i >= 0 && !status; i--) {
        status = vtkhdf_commit(e->files[i], error);
        e->files[i] = NULL;
    }
    signals_release();
    return status;
}

/* ---- frames ---- */

/* Number of samples: multiples of `every`, and the last frame. */
static int64_t count_samples(const exporter *e, int32_t every) {
    return e->scene.info.frame_count > 0 ? (e->scene.info.frame_count - 1 + every - 1) / every + 1 : 0;
}

static int64_t sample_frame(const exporter *e, int32_t every, int64_t sample) {
    int64_t frame = sample * every;
    return frame < e->scene.info.frame_count ? frame : e->scene.info.frame_count - 1;
}

/* The fewer the balls, the finer they are. */
static int choose_rings(const vtk_scene *scene) {
    static const int64_t most_points = 100000;
    int64_t balls = 0;
    for (int32_t i = 0; i < scene->info.body_count; i++) {
        balls += scene->bodies[i].kind == ABUT_SHAPE_SPHERE || scene->bodies[i].kind == ABUT_SHAPE_CAPSULE ||
                 scene->bodies[i].kind == ABUT_SHAPE_COMPOUND;
    }
    int rings = VTK_SURFACE_MOST_RINGS;
    while (rings > VTK_SURFACE_LEAST_RINGS && balls * 8 * rings * rings > most_points) {
        rings--;
    }
    return rings;
}

static void stretch(const vtk_scene *scene, abut_vec3 *lower, abut_vec3 *upper) {
    for (int32_t i = 0; i < scene->info.body_count; i++) {
        const vtk_body *b = &scene->bodies[i];
        abut_vec3 p = b->pose.position;
        double r = b->radius;
        if (b->there && b->kind != ABUT_SHAPE_PLANE) {
            *lower = abut_vec3_make(fmin(lower->x, p.x - r), fmin(lower->y, p.y - r), fmin(lower->z, p.z - r));
            *upper = abut_vec3_make(fmax(upper->x, p.x + r), fmax(upper->y, p.y + r), fmax(upper->z, p.z + r));
        }
    }
}

/* Computes the middle and the half size of all bounded bodies in all frames. */
static abut_status measure(exporter *e, int32_t every, abut_error *error) {
    abut_vec3 lower = {INFINITY, INFINITY, INFINITY}, upper = {-INFINITY, -INFINITY, -INFINITY};
    abut_status status = ABUT_OK;
    for (int64_t s = 0; s < count_samples(e, every) && !status; s++) {
        status = vtk_scene_load_bodies(&e->scene, sample_frame(e, every, s), error);
        if (!status) {
            stretch(&e->scene, &lower, &upper);
        }
    }
    if (lower.x <= upper.x) {
        e->centre = abut_lerp(lower, upper, 0.5);
        e->reach = 0.75 * abut_distance_between(lower, upper);
    }
    if (!(e->reach > 0.0) || !isfinite(e->reach)) {
        e->centre = abut_vec3_make(0, 0, 0);
        e->reach = 1.0;
    }
    return status;
}

static abut_status draw_frame(exporter *e, int64_t frame, abut_error *error) {
    abut_status status = vtk_scene_load(&e->scene, frame, error);
    status = status ? status : vtk_shapes_load(&e->shapes, error);
    for (int i = 0; i < LAYERS && !status; i++) {
        status = layers[i].draw(e, error);
        status = status ? status : vtkhdf_end_frame(e->files[i], e->scene.time, error);
    }
    return status;
}

static abut_status export_all(exporter *e, const char *path, const abut_export_vtk_settings *settings, abut_error *error) {
    abut_recording *recording = e->scene.recording;
    int64_t samples = count_samples(e, settings->every);
    if (samples == 0) {
        return abut_fail(error, ABUT_ERROR_FORMAT, "%s: the recording has no frames", e->scene.info.path);
    }
    abut_status status = vtk_scene_begin(&e->scene, recording, error);
    status = status ? status : vtk_shapes_begin(&e->shapes, &e->scene, error);
    e->surfaces = calloc((size_t)e->scene.info.shape_count + 1, sizeof *e->surfaces);
    if (!status && !e->surfaces) {
        status = abut_fail(error, ABUT_ERROR_OUT_OF_MEMORY, "%s: no memory to read it", e->scene.info.path);
    }
    e->rings = status ? 0 : choose_rings(&e->scene);
    status = status ? status : measure(e, settings->every, error);
    status = status ? status : open_files(e, path, error);
    for (int64_t s = 0; s < samples && !status; s++) {
        status = draw_frame(e, sample_frame(e, settings->every, s), error);
        if (!status && settings->progress) {
            settings->progress(settings->user, s + 1, samples);
        }
    }
    return status ? status : close_files(e, error);
}

static void release(exporter *e) {
    for (int i = 0; i < LAYERS; i++) {
        vtkhdf_discard(e->files[i]);
    }
    for (int32_t i = 0; e->surfaces && i < e->scene.info.shape_count; i++) {
        vtk_surface_release(&e->surfaces[i]);
    }
    free(e->surfaces);
    vtk_patches_release(&e->patches);
    vtk_shapes_release(&e->shapes);
    vtk_scene_release(&e->scene);
}

abut_export_vtk_settings abut_export_vtk_settings_default(void) {
    abut_export_vtk_settings settings = {.every = 1};
    return settings;
}

abut_status abut_export_vtk(abut_recording *recording, const char *path, const abut_export_vtk_settings *settings, abut_error *error) {
    abut_export_vtk_settings chosen = settings ? *settings : abut_export_vtk_settings_default();
    if (!recording || !path || chosen.every < 1) {
        return abut_fail(error, ABUT_ERROR_INVALID_ARGUMENT, "an export needs a recording, a path, and every >= 1");
    }
    exporter e = {.scene = {.recording = recording, .info = abut_recording_get_info(recording)}};
    e.patches = (vtk_patches){.scene = &e.scene, .shapes = &e.shapes};
    abut_status status = export_all(&e, path, &chosen, error);
    release(&e);
    return status;
}
