/*
 * Contact patches and their pressures, by the static laws of abut/pressure.h: Hertz's, or with adhesion Johnson-Kendall-Roberts's and Maugis's. The contact
 * disc is drawn as a circumscribed regular polygon. A pair of facets gets the part of it inside the polygon of the facets, so that the parts tile the disc and
 * no part with an area is missing.
 */
#include "io/export/vtk_patches.h"

#include <math.h>
#include <stdlib.h>

#include <abut/facetmesh.h>
#include <abut/pressure.h>

#include "io/file/grow.h"
#include "io/surface/turn.h"

static const double pi = 3.14159265358979323846;

void vtk_patches_release(vtk_patches *patches) {
    free(patches->contacts);
    *patches = (vtk_patches){0};
}

/* ---- pressure ---- */

/* The static pressure law of two bodies, as in the dem stepper. False when a material is unknown; the law is then valid for areas only. */
static bool find_law(const abut_recorded_body *a, const abut_recorded_body *b, abut_pressure_law *law) {
    static const abut_material any = {.young = 1.0, .poisson = 0.0};
    bool known = abut_pressure_law_make(&a->material, &b->material, law) == ABUT_OK;
    if (!known) {
        (void)abut_pressure_law_make(&any, &any, law);
        return false;
    }
    double work = sqrt(a->adhesion_work * b->adhesion_work);
    if (work > 0.0 && isfinite(work)) {
        double strength = sqrt(a->adhesion_strength) * sqrt(b->adhesion_strength);
        law->adhesion = strength > 0.0 && isfinite(strength) ? ABUT_ADHESION_MAUGIS : ABUT_ADHESION_JKR;
        law->adhesion_work = work;
        law->adhesion_strength = law->adhesion == ABUT_ADHESION_MAUGIS ? strength : 0.0;
    }
    if (a->contact_stiffness > 0.0 && b->contact_stiffness > 0.0) {
        law->stiffness = 1.0 / (1.0 / a->contact_stiffness + 1.0 / b->contact_stiffness);
    }
    return true;
}

/* The common data of all patches of a pair. */
typedef struct job {
    abut_pressure_law law;
    bool known;
    void (*take)(void *user, const vtk_patch *patch);
    void *user;
} job;

static void hand_over(const job *j, vtk_patch *patch, double force, double largest) {
    patch->force = j->known ? force : NAN;
    patch->mean_pressure = patch->force / patch->area;
    patch->largest_pressure = j->known ? largest : NAN;
    j->take(j->user, patch);
}

/* ---- discs ---- */

static void draw_disc(abut_vec3 centre, abut_vec3 normal, double radius, vtk_patch *patch) {
    abut_vec3 u, v;
    abut_tangent_frame(normal, &u, &v);
    double reach = radius / surface_turn(pi / VTK_PATCH_DISC).x;
    bool left = abut_dot(abut_cross(u, v), normal) > 0.0;
    for (int i = 0; i < VTK_PATCH_DISC; i++) {
        abut_vec3 turn = surface_turn(2.0 * pi * (i + 0.5) / VTK_PATCH_DISC * (left ? 1.0 : -1.0));
        patch->corners[i] = abut_add_scaled(abut_add_scaled(centre, reach * turn.x, u), reach * turn.y, v);
    }
    patch->corner_count = VTK_PATCH_DISC;
}

/* Adds a whole contact disc of effective radius `radius`. */
static void take_disc(const job *j, double radius, double overlap, abut_vec3 centre, abut_vec3 normal) {
    abut_pressure_disc disc;
    if (abut_pressure_spheres(&j->law, radius, -overlap, true, &disc) != ABUT_OK || !(disc.radius > 0.0)) {
        return;
    }
    vtk_patch patch = {.facet_a = -1, .facet_b = -1, .normal = normal, .overlap = overlap, .area = pi * disc.radius * disc.radius};
    draw_disc(centre, normal, disc.radius, &patch);
    hand_over(j, &patch, disc.force, disc.pressure);
}

static void take_balls(const job *j, const vtk_body *a, double radius_a, abut_vec3 centre_b, double radius_b) {
    abut_vec3 apart = abut_sub(a->pose.position, centre_b), normal = abut_unit(apart);
    double distance = abut_length(apart);
    if (!(distance > 0.0)) {
        return;
    }
    /* The plane with equal tangent lengths to both spheres. It contains their circle of intersection, if they intersect. */
    double from_a = 0.5 * (distance + (radius_a - radius_b) * (radius_a + radius_b) / distance);
    take_disc(j, radius_a * radius_b / (radius_a + radius_b), radius_a + radius_b - distance,
              abut_add_scaled(a->pose.position, -from_a, normal), normal);
}

/* Adds the patch of a ball and a plane. The normal of the contact is `sign` times that of the plane. */
static void take_ball_on_plane(const job *j, abut_vec3 centre, double radius, const vtk_body *plane, const abut_recorded_shape *shape,
                               double sign) {
    abut_vec3 outward = abut_quat_rotate(plane->pose.rotation, shape->normal);
    double height = abut_dot(outward, abut_sub(centre, plane->pose.position)) - shape->offset;
    take_disc(j, radius, radius - height, abut_add_scaled(centre, -height, outward), abut_scale(sign, outward));
}

/* ---- facets ---- */

/* Clips the drawn polygon: keeps the part to the left of the line from p to q, seen against the normal. */
static void cut(vtk_patch *patch, abut_vec3 p, abut_vec3 q) {
    abut_vec3 inward = abut_cross(patch->normal, abut_sub(q, p)), kept[VTK_PATCH_CORNERS];
    int32_t count = 0;
    for (int32_t i = 0; i < patch->corner_count; i++) {
        abut_vec3 here = patch->corners[i], next = patch->corners[(i + 1) % patch->corner_count];
        double in = abut_dot(inward, abut_sub(here, p)), out = abut_dot(inward, abut_sub(next, p));
        if (in >= 0.0 && count < VTK_PATCH_CORNERS) {
            kept[count++] = here;
        }
        if ((in >= 0.0) != (out >= 0.0) && count < VTK_PATCH_CORNERS) {
            kept[count++] = abut_lerp(here, next, in / (in - out));
        }
    }
    patch->corner_count = count;
    for (int32_t i = 0; i < count; i++) {
        patch->corners[i] = kept[i];
    }
}

/* Draws the part of the disc that belongs to a pair of facets. If rounding leaves no area, the contact's point is drawn. */
static void draw_piece(const abut_facet_contact *c, double radius, vtk_patch *patch) {
    draw_disc(c->centre, c->normal, radius, patch);
    for (int32_t i = 0; i < c->corner_count; i++) {
        cut(patch, c->corner[i], c->corner[(i + 1) % c->corner_count]);
    }
    if (patch->corner_count < 3) {
        patch->corners[0] = patch->corners[1] = patch->corners[2] = c->point;
        patch->corner_count = 3;
    }
}

/* Draws the part of the polygon of two flat facets over which they overlap. */
static void draw_flat(const abut_facet_contact *c, vtk_patch *patch) {
    for (int32_t i = 0; i < c->corner_count; i++) {
        abut_vec3 p = c->corner[i], q = c->corner[(i + 1) % c->corner_count];
        double in = abut_dot(c->tilt, abut_sub(p, c->point)) - c->gap, out = abut_dot(c->tilt, abut_sub(q, c->point)) - c->gap;
        if (in > 0.0) {
            patch->corners[patch->corner_count++] = p;
        }
        if ((in > 0.0) != (out > 0.0)) {
            patch->corners[patch->corner_count++] = abut_lerp(p, q, in / (in - out));
        }
    }
}

static void take_facets(const job *j, const abut_facetmesh_contact *found) {
    static const abut_pressure_body at_rest[2] = {{.inverse_mass = 1.0}, {.inverse_mass = 1.0}};
    const abut_facet_contact *c = &found->contact;
    abut_pressure_result result;
    abut_pressure_disc disc = {.radius = 0.0};
    bool flat = !(c->radius < INFINITY);
    if (abut_pressure_pair(c, NULL, 1, &j->law, at_rest, 0.0, NULL, NULL, &result) != ABUT_OK || !(result.area > 0.0) ||
        (!flat && abut_pressure_spheres(&j->law, c->radius, c->sphere_gap, true, &disc) != ABUT_OK)) {
        return;
    }
    vtk_patch patch = {.facet_a = found->facet_a, .facet_b = found->facet_b, .normal = c->normal, .overlap = -c->gap, .area = result.area};
    if (flat) {
        draw_flat(c, &patch);
    } else {
        draw_piece(c, disc.radius, &patch);
    }
    hand_over(j, &patch, abut_dot(result.force, c->normal), result.largest_pressure);
}

/* Finds the contacts of facets at the bodies' poses, in the memory of `patches`. */
static abut_status find_facets(vtk_patches *patches, const abut_shape *a, abut_pose pose_a, const abut_shape *b, abut_pose pose_b,
                               int32_t *count) {
    abut_status status = abut_collide_facets(&(abut_pair){a, pose_a, b, pose_b}, patches->contacts, (int32_t)patches->capacity, count);
    if (status != ABUT_ERROR_CAPACITY) {
        return status;
    }
    if (!grow_array(&patches->contacts, &patches->capacity, (size_t)*count, INT32_MAX, sizeof *patches->contacts)) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    return abut_collide_facets(&(abut_pair){a, pose_a, b, pose_b}, patches->contacts, (int32_t)patches->capacity, count);
}

static bool is_whole(const vtk_body *body) { return body->kind == ABUT_SHAPE_SPHERE || body->kind == ABUT_SHAPE_PLANE; }

/* The layer of flat facets: as in the dem stepper, the cube root of the smaller volume. */
static double layer_of(const abut_shape *a, const abut_shape *b) {
    abut_mass mass;
    double least = INFINITY;
    least = abut_shape_mass(a, 1.0, &mass) == ABUT_OK ? fmin(least, mass.volume) : least;
    least = abut_shape_mass(b, 1.0, &mass) == ABUT_OK ? fmin(least, mass.volume) : least;
    return isfinite(least) ? cbrt(least) : 0.0;
}

/* Adds the patch of a ball and another ball or a plane. b is at pose_b. */
static void take_round(const job *j, const vtk_scene *scene, const vtk_body *a, const vtk_body *b, abut_pose pose_b) {
    abut_recorded_shape shape_a, shape_b;
    (void)abut_recording_shape(scene->recording, a->body.shape, &shape_a);
    (void)abut_recording_shape(scene->recording, b->body.shape, &shape_b);
    bool ball_a = a->kind == ABUT_SHAPE_SPHERE, ball_b = b->kind == ABUT_SHAPE_SPHERE;
    if (ball_a && ball_b) {
        take_balls(j, a, shape_a.radius, pose_b.position, shape_b.radius);
    } else if (ball_a) {
        take_ball_on_plane(j, a->pose.position, shape_a.radius, b, &shape_b, 1.0);
    } else if (ball_b) {
        take_ball_on_plane(j, pose_b.position, shape_b.radius, a, &shape_a, -1.0);
    }
}

abut_status vtk_patches_of(vtk_patches *patches, const vtk_pair *pair, void (*take)(void *user, const vtk_patch *patch), void *user,
                           abut_error *error) {
    const vtk_scene *scene = patches->scene;
    const vtk_body *a = &scene->bodies[pair->a], *b = &scene->bodies[pair->b];
    const abut_shape *shape_a = vtk_shapes_of(patches->shapes, pair->a), *shape_b = vtk_shapes_of(patches->shapes, pair->b);
    if (!a->there || !b->there || !shape_a || !shape_b) {
        return ABUT_OK;
    }
    job j = {.take = take, .user = user};
    j.known = find_law(&a->body, &b->body, &j.law);
    abut_pose pose_b = b->pose;
    pose_b.position = abut_add(pose_b.position, vtk_scene_image(scene, pair->a, pair->b));
    if (is_whole(a) && is_whole(b)) {
        take_round(&j, scene, a, b, pose_b);
        return ABUT_OK;
    }
    int32_t count = 0;
    j.law.layer = layer_of(shape_a, shape_b);
    abut_status status = find_facets(patches, shape_a, a->pose, shape_b, pose_b, &count);
    for (int32_t i = 0; i < count && !status; i++) {
        take_facets(&j, &patches->contacts[i]);
    }
    return status == ABUT_ERROR_OUT_OF_MEMORY ? abut_fail(error, status, "%s: no memory for its contacts", scene->info.path) : ABUT_OK;
}
