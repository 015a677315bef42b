/*
 * The contact generator for meshes ([T]). It gathers the triangles near the body into one set; from there on it does not matter which mesh
 * they came from.
 */

#include <float.h>
#include <stdio.h>

#include "base/argument.h"
#include "base/memory.h"
#include "base/real.h"
#include "narrow/generators.h"
#include "narrow/mesh/ball.h"
#include "narrow/mesh/convex/convex.h"
#include "narrow/mesh/each.h"
#include "narrow/mesh/mesh.h"
#include "narrow/mesh/pair/pair.h"
#include "narrow/seam/mend.h"
#include "narrow/solids.h"
#include "shape/edges/mesh_smooth.h"

/* A body and the meshes near it. The set's frame has the body's origin; `rotation` turns the body's frame into it. */
typedef struct mesh_question {
    const collide_pair *pair; /* for its settings */
    const abut_shape *shape;
    abut_mat3 rotation;
    const placed_mesh *mesh;
    int32_t mesh_count;
    const box_index *index;   /* of the bounds of the meshes, for convex bodies; NULL: all are looked at */
    const mesh_share *shares; /* [share_count] contacts with their meshes are asked for; none: with all meshes */
    int32_t share_count;
    bool mesh_first;     /* the mesh is A of the pair; directions in the settings refer to the pair */
    contact_list *found; /* contacts, with the body as A */
} mesh_question;

/* The rounding error of a coordinate near the body, in a mesh's frame. */
static double rounding_near(const mesh_question *q, double reach) {
    double most = 0.0;
    for (int32_t i = 0; i < q->mesh_count; ++i) {
        const abut_vec3 *centre = &q->mesh[i].centre;
        most = real_max(most, fabs(centre->x) + fabs(centre->y) + fabs(centre->z));
    }
    return 4.0 * DBL_EPSILON * (most + reach);
}

/* ---- a ball about the origin ---- */

typedef struct ball_contacts {
    contact_list *found;
    double radius;
} ball_contacts;

static void add_touch(void *context, const ball_touch *touch) {
    const ball_contacts *to = context;
    abut_contact contact = {
        .on_a = abut_scale(-to->radius, touch->normal),
        .on_b = touch->on_mesh,
        .normal = touch->normal,
        .gap = touch->distance - to->radius,
        .feature_a = {.kind = ABUT_FEATURE_SMOOTH},
        .feature_b = touch->feature,
        .patch = to->found->count,
        .flags = touch->chosen ? ABUT_CONTACT_NORMAL_CHOSEN : 0,
    };
    contact_list_add(to->found, &contact);
}

static double most_bulge(const mesh_question *q) {
    double most = 0.0;
    for (int32_t i = 0; i < q->mesh_count && q->pair->mesh_rule == ABUT_MESH_SURFACE; ++i) {
        most = real_max(most, mesh_smooth_bulge(q->mesh[i].mesh));
    }
    return most;
}

static void touch_ball(const mesh_question *q) {
    double radius = q->shape->radius, margin = q->pair->normal.margin, rounding = rounding_near(q, radius);
    ball_settings settings = {.radius = radius,
                              .margin = margin,
                              .same = 1e-6 * radius + rounding,
                              .rounding = rounding,
                              .rule = q->pair->mesh_rule,
                              .identity = q->pair->mesh_identity,
                              .bulge = most_bulge(q),
                              .mesh = q->mesh,
                              .mesh_count = q->mesh_count};
    ball_contacts to = {q->found, radius};
    double reach = radius + margin + rounding + settings.bulge;
    mesh_set set;
    mesh_set_init(&set);
    for (int32_t i = 0; i < q->mesh_count; ++i) {
        mesh_set_gather_ball(&set, &q->mesh[i], reach);
    }
    if (set.out_of_memory || !mesh_ball(&set, &settings, add_touch, &to)) {
        q->found->out_of_memory = true;
    }
    mesh_set_free(&set);
}

/* ---- any convex body ---- */

/* The size that tolerances of the contacts with a mesh refer to: that of the body, or of the mesh if it is smaller. Beside a wide plate a small mesh keeps its
 * shape, and beside a wide mesh a small one does. */
static double tolerance_size(const placed_mesh *mesh, const convex *body) {
    return real_min(body->size, 2.0 / mesh->mesh->tree.scale); /* the mesh's extent, or up to twice that */
}

/* Whether contacts with meshes of that size are asked for. */
static bool is_wanted(const mesh_question *q, const convex *body, double size) {
    bool wanted = q->share_count == 0;
    for (int32_t i = 0; i < q->share_count && !wanted; ++i) {
        wanted = tolerance_size(&q->mesh[q->shares[i].own], body) == size;
    }
    return wanted;
}

/* The largest size below another one that the meshes of the set's triangles have; 0 for none. */
static double next_size(const mesh_question *q, const convex *body, const mesh_set *set, double below) {
    double most = 0.0;
    for (int32_t i = 0; i < set->count; ++i) {
        double size = tolerance_size(&q->mesh[set->items[i].part], body);
        most = size < below && size > most ? size : most;
    }
    return most;
}

/* Adds the contacts with all meshes, by tolerances of that size. */
static void touch_at_size(const mesh_question *q, const convex *body, const mesh_set *set, double rounding, double size,
                          contact_list *list) {
    const collide_pair *pair = q->pair;
    mesh_convex_settings settings = {.normal = pair->normal,
                                     .feature_sine = collide_sine(pair->feature_angle),
                                     .weld = pair->weld * size,
                                     .surface = {q->mesh, q->mesh_count, 1e-6 * size + rounding, q->index},
                                     .rounding = rounding};
    settings.normal.minimum = true;
    settings.normal.cache = NULL;
    settings.normal.aside = pair->aside;
    settings.normal.previous = q->mesh_first ? abut_neg(pair->normal.previous) : pair->normal.previous;
    if (!mesh_convex(set, body, convex_inner_centre(body), &settings, list)) {
        list->out_of_memory = true;
    }
}

/* Adds the contacts with the meshes of one size, where there are others. */
static void touch_of_size(const mesh_question *q, const convex *body, const mesh_set *set, double rounding, double size) {
    contact_list all;
    int32_t patches = q->found->count;
    contact_list_init(&all, q->found->order, q->found->aside);
    touch_at_size(q, body, set, rounding, size, &all);
    for (int32_t i = 0; i < all.count; ++i) {
        abut_contact contact = all.items[i];
        contact.patch += patches;
        if (tolerance_size(&q->mesh[contact.feature_b.part], body) == size) {
            contact_list_add(q->found, &contact);
        }
    }
    q->found->out_of_memory = q->found->out_of_memory || all.out_of_memory;
    contact_list_free(&all);
}

static void touch_convex(const mesh_question *q, const convex *body) {
    const mesh_surface surface = {.mesh = q->mesh, .count = q->mesh_count, .index = q->index};
    double rounding = rounding_near(q, abut_length(body->position) + body->size);
    mesh_set set;
    mesh_surface_gather_about(&surface, body, q->pair->normal.margin + rounding + CONTACT_ROUNDING * body->size, &set);
    q->found->out_of_memory = q->found->out_of_memory || set.out_of_memory;
    double size = set.out_of_memory ? 0.0 : q->mesh_count == 1 ? tolerance_size(q->mesh, body) : next_size(q, body, &set, INFINITY);
    double smaller = q->mesh_count == 1 ? 0.0 : next_size(q, body, &set, size);
    if (size > 0.0 && smaller == 0.0) {
        touch_at_size(q, body, &set, rounding, size, q->found);
    }
    for (; smaller > 0.0 && size > 0.0 && !q->found->out_of_memory; size = next_size(q, body, &set, size)) {
        if (is_wanted(q, body, size)) {
            touch_of_size(q, body, &set, rounding, size);
        }
    }
    mesh_set_free(&set);
}

/* ---- another mesh ---- */

static placed_mesh moved(placed_mesh mesh, abut_vec3 about) {
    mesh.centre = abut_add(mesh.centre, abut_mat3_apply_transposed(mesh.rotation, about));
    return mesh;
}

/* The sizes that tolerances and rounding errors refer to: of two meshes, not both solids, the smaller and the larger one, so that exchanging
 * them changes nothing. */
typedef struct mesh_sizes {
    double tolerance, rounding;
} mesh_sizes;

static mesh_sizes sizes_of(const mesh_question *q) {
    double a = q->pair->a->size, b = q->pair->b->size, own = q->shape->size;
    bool open = q->mesh_count == 1 && !(trimesh_has_inside(q->shape->mesh) && trimesh_has_inside(q->mesh[0].mesh));
    return open ? (mesh_sizes){real_min(a, b), real_max(a, b)} : (mesh_sizes){own, own};
}

static bool touch_mesh_from(const mesh_question *q, placed_mesh *placed) {
    const collide_pair *pair = q->pair;
    abut_vec3 about = mesh_pair_origin(q->shape->mesh);
    placed_mesh body = {.mesh = q->shape->mesh, .rotation = q->rotation, .aligned = convex_is_identity(&q->rotation), .centre = about};
    mesh_sizes sizes = sizes_of(q);
    double rounding = rounding_near(q, sizes.rounding);
    mesh_pair_settings settings = {.margin = pair->normal.margin,
                                   .feature_sine = collide_sine(pair->feature_angle),
                                   .size = sizes.tolerance,
                                   .weld = pair->weld * sizes.tolerance,
                                   .same = 1e-6 * sizes.tolerance + rounding,
                                   .rounding = rounding};
    contact_list found;
    contact_list_init(&found, q->found->order, q->found->aside);
    about = abut_mat3_apply(q->rotation, about);
    for (int32_t i = 0; i < q->mesh_count; ++i) {
        placed[i] = moved(q->mesh[i], about);
    }
    bool fine = mesh_pair(&body, placed, q->mesh_count, &settings, &found);
    contact_list_take(q->found, &found, about, false);
    contact_list_free(&found);
    return fine;
}

static void touch_mesh(const mesh_question *q) {
    enum { FEW = 8 };
    placed_mesh few[FEW];
    placed_mesh *placed = q->mesh_count <= FEW ? few : memory_allocate((size_t)q->mesh_count, sizeof *placed);
    if (placed == NULL || !touch_mesh_from(q, placed)) {
        q->found->out_of_memory = true;
    }
    if (placed != few) {
        memory_release(placed);
    }
}

/* ---- any body ---- */

static bool is_any_smooth(const mesh_question *q) {
    bool any = false;
    for (int32_t i = 0; i < q->mesh_count && q->pair->mesh_rule == ABUT_MESH_SURFACE; ++i) {
        any = any || q->mesh[i].mesh->smooth != NULL;
    }
    return any;
}

/* A sphere of a compound at a position of the set, by the rule for balls, with its centre as the origin. */
static void touch_ball_from(const mesh_question *q, const abut_shape *ball, abut_vec3 position, int32_t part, placed_mesh *placed) {
    mesh_question own = *q;
    contact_list found;
    contact_list_init(&found, q->found->order, q->found->aside);
    for (int32_t i = 0; i < q->mesh_count; ++i) {
        placed[i] = moved(q->mesh[i], position);
    }
    own.shape = ball;
    own.mesh = placed;
    own.found = &found;
    touch_ball(&own);
    for (int32_t i = 0; i < found.count; ++i) {
        found.items[i].feature_a.part = part;
    }
    contact_list_take(q->found, &found, position, false);
    contact_list_free(&found);
}

static void touch_ball_part(const mesh_question *q, const abut_shape *ball, abut_vec3 position, int32_t part) {
    enum { FEW = 8 };
    placed_mesh few[FEW];
    placed_mesh *placed = q->mesh_count <= FEW ? few : memory_allocate((size_t)q->mesh_count, sizeof *placed);
    if (placed != NULL) {
        touch_ball_from(q, ball, position, part, placed);
    } else {
        q->found->out_of_memory = true;
    }
    if (placed != few) {
        memory_release(placed);
    }
}

static void touch_parts(const mesh_question *q) {
    const abut_shape *compound = q->shape;
    for (int32_t i = 0; i < compound->part_count && !q->found->out_of_memory; ++i) {
        const abut_part *part = &compound->parts[i];
        abut_mat3 rotation = abut_mat3_mul(q->rotation, abut_mat3_from_quat(part->pose.rotation));
        abut_vec3 position = abut_mat3_apply(q->rotation, part->pose.position);
        if (part->shape->kind == ABUT_SHAPE_SPHERE && is_any_smooth(q)) {
            touch_ball_part(q, part->shape, position, i);
        } else {
            convex body = convex_place(part->shape, rotation, position, i);
            touch_convex(q, &body);
        }
    }
}

static void touch_convex_parts(mesh_question *q) {
    mesh_surface surface = {.mesh = q->mesh, .count = q->mesh_count};
    box_index index;
    q->found->out_of_memory = !mesh_among_index(&index, &surface);
    q->index = surface.index;
    if (q->shape->kind == ABUT_SHAPE_COMPOUND) {
        touch_parts(q);
    } else if (!q->found->out_of_memory) {
        convex body = convex_place(q->shape, q->rotation, abut_vec3_make(0.0, 0.0, 0.0), 0);
        touch_convex(q, &body);
    }
    box_index_release(&index);
}

static void touch(mesh_question *q) {
    if (q->shape->kind == ABUT_SHAPE_SPHERE) {
        touch_ball(q);
    } else if (q->shape->kind == ABUT_SHAPE_TRIMESH) {
        touch_mesh(q);
    } else {
        touch_convex_parts(q);
    }
}

/* ---- a pair ---- */

/* Places B in a set about A: the set's frame is that of A. */
static placed_mesh place_about_a(const collide_pair *pair, int32_t part) {
    return (placed_mesh){.mesh = pair->b->mesh,
                         .rotation = pair->rotation_b,
                         .aligned = convex_is_identity(&pair->rotation_b),
                         .part = part,
                         .centre = abut_neg(abut_mat3_apply_transposed(pair->rotation_b, pair->position_b))};
}

static placed_mesh place_mesh(const collide_pair *pair, bool mesh_is_a) {
    if (!mesh_is_a) {
        return place_about_a(pair, 0);
    }
    return (placed_mesh){.mesh = pair->a->mesh, .rotation = abut_mat3_identity(), .aligned = true, .centre = pair->position_b};
}

static void touch_in_order(const collide_pair *pair, contact_list *list) {
    bool mesh_is_a = pair->a->kind == ABUT_SHAPE_TRIMESH && pair->b->kind != ABUT_SHAPE_TRIMESH;
    placed_mesh mesh = place_mesh(pair, mesh_is_a);
    contact_list found;
    contact_list_init(&found, list->order, list->aside);
    mesh_question q = {.pair = pair, .shape = mesh_is_a ? pair->b : pair->a, .mesh = &mesh, .mesh_count = 1, .found = &found};
    q.rotation = mesh_is_a ? pair->rotation_b : abut_mat3_identity();
    q.mesh_first = mesh_is_a;
    touch(&q);
    contact_list_take(list, &found, mesh_is_a ? pair->position_b : abut_vec3_make(0.0, 0.0, 0.0), mesh_is_a);
    contact_list_free(&found);
}

/* Whether the contacts are made in the other order, so that they are the same when A and B are exchanged, also where several ways out are equally
 * short. A body with axes is A, because its support is found faster along them. Beside a ball the mesh is A: flat places along the mesh's axes are
 * flat without rounding. Of two meshes the larger one is A, which takes less time. */
static bool is_other_way(const collide_pair *pair) {
    bool from = pair->a->kind == ABUT_SHAPE_TRIMESH, to = pair->b->kind == ABUT_SHAPE_TRIMESH;
    return from && to ? collide_is_a_smaller(pair) : pair->a->kind == ABUT_SHAPE_SPHERE || (from && pair->b->kind != ABUT_SHAPE_SPHERE);
}

void collide_mesh(const collide_pair *pair, contact_list *list) {
    if (is_other_way(pair)) {
        collide_exchanged(pair, touch_in_order, list);
    } else {
        touch_in_order(pair, list);
    }
}

/* ---- a body and several meshes ---- */

/* A group of which the meshes are placed about the body. */
typedef struct placed_group {
    const mesh_group *group;
    const placed_mesh *placed;
    collide_pair pair;  /* its settings */
    abut_mat3 rotation; /* to the world */
} placed_group;

/* Contacts in the order of the meshes that have them. */
typedef struct sorted_contacts {
    const contact_list *all;
    int32_t *end;  /* [meshes] those of mesh i are item[k] from the end of the mesh before to this one */
    int32_t *item; /* places in the list, in their order */
} sorted_contacts;

static void sort_by_mesh(const contact_list *all, int32_t mesh_count, sorted_contacts *to) {
    for (int32_t i = 0; i < mesh_count; ++i) {
        to->end[i] = 0;
    }
    for (int32_t i = 0; i < all->count; ++i) {
        ++to->end[all->items[i].feature_b.part];
    }
    for (int32_t i = 0, before = 0; i < mesh_count; ++i) { /* at first each one's beginning */
        int32_t own = to->end[i];
        to->end[i] = before;
        before += own;
    }
    for (int32_t i = 0; i < all->count; ++i) {
        to->item[to->end[all->items[i].feature_b.part]++] = i;
    }
}

/* Adds the contacts with one mesh, as those of the only one. */
static void add_own(contact_list *list, const sorted_contacts *from, int32_t own) {
    for (int32_t i = own > 0 ? from->end[own - 1] : 0; i < from->end[own]; ++i) {
        abut_contact contact = from->all->items[from->item[i]];
        contact.feature_b.part = 0;
        contact_list_add(list, &contact);
    }
}

/* The same for other bodies that stand still beside the mesh. */
static void mend(const placed_group *from, const mesh_share *share, contact_list *found) {
    const placed_mesh *mesh = &from->placed[share->own];
    seam_pair seam = seam_of_pair(&from->pair, false, share->others);
    seam.still = from->group->meshes[share->own].shape;
    seam.still_rotation = mesh->rotation;
    seam.still_position = abut_neg(abut_mat3_apply(mesh->rotation, mesh->centre));
    seam_mend(&seam, found);
}

static void write_share(const placed_group *from, const contact_list *found, mesh_share *share) {
    const mesh_group *group = from->group;
    contact_list list;
    contact_list_init(&list, group->mesh_first ? -from->pair.order : from->pair.order, from->pair.aside);
    contact_list_take(&list, found, abut_vec3_make(0.0, 0.0, 0.0), group->mesh_first);
    contact_list_finish(&list, &from->rotation);
    share->status = list.out_of_memory ? ABUT_ERROR_OUT_OF_MEMORY : ABUT_OK;
    if (share->status == ABUT_OK) {
        contact_list_write(&list, &from->rotation, &group->pose.position, share->contacts, share->capacity);
        share->count = list.count;
        share->status = list.count > share->capacity ? ABUT_ERROR_CAPACITY : ABUT_OK;
    }
    contact_list_free(&list);
}

static void fill_share(const placed_group *from, const sorted_contacts *sorted, mesh_share *share) {
    contact_list own;
    contact_list_init(&own, from->pair.order, from->pair.aside);
    add_own(&own, sorted, share->own);
    if (share->others != NULL) {
        mend(from, share, &own);
    }
    write_share(from, &own, share);
    contact_list_free(&own);
}

/* Gives each share its part of all contacts. */
static void fill_shares(const placed_group *from, const contact_list *all, mesh_share *shares, int32_t share_count) {
    int32_t *places = memory_allocate((size_t)from->group->mesh_count + (size_t)all->count, sizeof *places);
    sorted_contacts sorted = {all, places, places != NULL ? places + from->group->mesh_count : NULL};
    if (places != NULL && !all->out_of_memory) {
        sort_by_mesh(all, from->group->mesh_count, &sorted);
    }
    for (int32_t i = 0; i < share_count; ++i) {
        if (places == NULL || all->out_of_memory) {
            shares[i].status = ABUT_ERROR_OUT_OF_MEMORY;
        } else {
            fill_share(from, &sorted, &shares[i]);
        }
    }
    memory_release(places);
}

static void touch_group(const placed_group *from, mesh_share *shares, int32_t share_count) {
    const mesh_group *group = from->group;
    contact_list found;
    contact_list_init(&found, from->pair.order, from->pair.aside);
    mesh_question q = {.pair = &from->pair,
                       .shape = group->shape,
                       .rotation = abut_mat3_identity(),
                       .mesh = from->placed,
                       .mesh_count = group->mesh_count,
                       .shares = shares,
                       .share_count = shares[0].own < 0 ? 0 : share_count,
                       .mesh_first = group->mesh_first,
                       .found = &found};
    touch(&q);
    if (shares[0].own < 0) {
        write_share(from, &found, &shares[0]);
    } else {
        fill_shares(from, &found, shares, share_count);
    }
    contact_list_free(&found);
}

/* Whether a ball about the body may reach a mesh of the group. */
static bool is_in_reach(const mesh_group *group, int32_t mesh, double margin) {
    const abut_shape *body = group->shape, *other = group->meshes[mesh].shape;
    abut_vec3 middle = abut_lerp(body->bounds.lower, body->bounds.upper, 0.5);
    double radius = 0.5 * abut_distance_between(body->bounds.lower, body->bounds.upper);
    abut_vec3 apart = abut_sub(group->pose.position, group->meshes[mesh].pose.position);
    abut_vec3 centre = abut_add(abut_mat3_apply(abut_mat3_from_quat(group->pose.rotation), middle), apart);
    centre = abut_mat3_apply_transposed(abut_mat3_from_quat(group->meshes[mesh].pose.rotation), centre);
    abut_vec3 below = abut_sub(other->bounds.lower, centre), above = abut_sub(centre, other->bounds.upper);
    double beyond = real_max(real_max(real_max(below.x, above.x), real_max(below.y, above.y)), real_max(below.z, above.z));
    double rounding = 1e-14 * (fabs(apart.x) + fabs(apart.y) + fabs(apart.z) + other->size);
    return !(beyond > radius + margin + 1e-6 * (body->size + other->size) + rounding);
}

/* The only mesh in reach of the body, if it is a solid; -1 if it is none, or if there are more. Several meshes are one surface, with edges that are inner
 * ones. */
static int32_t only_solid(const mesh_group *group, double margin) {
    int32_t found = -1;
    for (int32_t i = 0; i < group->mesh_count; ++i) {
        if (is_in_reach(group, i, margin)) {
            if (found >= 0 || !solids_is_one(group->meshes[i].shape)) {
                return -1;
            }
            found = i;
        }
    }
    return found;
}

/* As abut_collide() with one of the meshes. */
static void touch_alone(const mesh_group *group, int32_t alone, mesh_share *share) {
    const abut_part *mesh = &group->meshes[alone];
    if (share->own >= 0 && share->own != alone) {
        return;
    }
    const abut_placed body = collide_place_body(group->shape, &group->pose), beside = collide_place_body(mesh->shape, &mesh->pose);
    const abut_placed *a = group->mesh_first ? &beside : &body, *b = group->mesh_first ? &body : &beside;
    abut_contact *contacts = share->contacts;
    share->status = collide_beside(a, b, share->others, group->mesh_first, share->settings, NULL, contacts, share->capacity, &share->count);
    for (int32_t i = 0; i < share->count && i < share->capacity && share->own < 0; ++i) {
        *(group->mesh_first ? &contacts[i].feature_a.part : &contacts[i].feature_b.part) = alone;
    }
}

/* A body that meets each mesh by itself, and all meshes. */
static void touch_each(const mesh_group *group, double margin, mesh_share *all) {
    int32_t *near = memory_allocate((size_t)group->mesh_count, sizeof *near), count = 0;
    bool bounded = group->shape->kind != ABUT_SHAPE_PLANE;
    for (int32_t i = 0; i < group->mesh_count && near != NULL; ++i) {
        if (!bounded || is_in_reach(group, i, margin)) {
            near[count++] = i;
        }
    }
    if (near == NULL) {
        all->status = ABUT_ERROR_OUT_OF_MEMORY;
    } else if (count == 1) {
        touch_alone(group, near[0], all);
    } else {
        mesh_each(group, near, count, all);
    }
    memory_release(near);
}

/* Places all meshes. */
static abut_status place_group(const mesh_group *group, const abut_collide_settings *settings, placed_group *to, placed_mesh *placed) {
    *to = (placed_group){.group = group, .placed = placed};
    for (int32_t i = 0; i < group->mesh_count; ++i) {
        const abut_part *mesh = &group->meshes[i];
        abut_status status =
            collide_place(&(abut_pair){group->shape, group->pose, mesh->shape, mesh->pose}, settings, &to->pair, &to->rotation);
        if (status != ABUT_OK) {
            return status;
        }
        if (mesh->shape->kind != ABUT_SHAPE_TRIMESH || !collide_is_supported(group->shape, mesh->shape)) {
            return ABUT_ERROR_UNSUPPORTED_PAIR;
        }
        placed[i] = place_about_a(&to->pair, i);
    }
    return ABUT_OK;
}

bool mesh_share_is_alike(const abut_shape *body, const abut_collide_settings *p, const abut_collide_settings *q) {
    bool follows = body->kind != ABUT_SHAPE_SPHERE && body->kind != ABUT_SHAPE_TRIMESH; /* see touch_ball() and touch_mesh() */
    const abut_vec3 *m = &p->previous_normal, *n = &q->previous_normal;
    return p->margin == q->margin && p->feature_angle == q->feature_angle && (!follows || (m->x == n->x && m->y == n->y && m->z == n->z));
}

void collide_among_meshes(const mesh_group *group, mesh_share *shares, int32_t share_count) {
    enum { FEW = 8 };
    placed_mesh few[FEW];
    placed_mesh *placed = group->mesh_count <= FEW ? few : memory_allocate((size_t)group->mesh_count, sizeof *placed);
    placed_group from;
    abut_status status = placed != NULL ? place_group(group, shares[0].settings, &from, placed) : ABUT_ERROR_OUT_OF_MEMORY;
    bool fine = status == ABUT_OK, each = fine && mesh_each_is(group->shape);
    int32_t solid = fine && !each ? only_solid(group, from.pair.normal.margin) : -1;
    for (int32_t i = 0; i < share_count; ++i) {
        shares[i].status = status;
        shares[i].count = 0;
        if (each && shares[i].own < 0) {
            touch_each(group, from.pair.normal.margin, &shares[i]);
        } else if (each || solid >= 0) {
            touch_alone(group, each ? shares[i].own : solid, &shares[i]);
        }
    }
    if (fine && !each && solid < 0) {
        touch_group(&from, shares, share_count);
    }
    if (placed != few) {
        memory_release(placed);
    }
}

/* Words for what collide_among_meshes() found. */
static abut_status refuse_group(abut_status status, const char *call, const mesh_group *group, const abut_collide_settings *settings) {
    if (argument_is_null(call, "shape", group->shape)) {
        return status;
    }
    if (settings != NULL && collide_check_settings(settings) != ABUT_OK) {
        collide_refuse_settings(call, "settings->", settings);
        return status;
    }
    if (collide_check_poses(&group->pose, &group->pose) != ABUT_OK) {
        return collide_refuse_poses(status, call, "", &group->pose, &group->pose);
    }
    for (int32_t i = 0; i < group->mesh_count; ++i) {
        const abut_part *mesh = &group->meshes[i];
        char place[32];
        (void)snprintf(place, sizeof place, "meshes[%d].", (int)i);
        if (mesh->shape == NULL) {
            return refuse(status, call, "%sshape is NULL", place);
        }
        if (collide_check_poses(&mesh->pose, &mesh->pose) != ABUT_OK) {
            return collide_refuse_poses(status, call, place, &mesh->pose, &mesh->pose);
        }
        if (mesh->shape->kind != ABUT_SHAPE_TRIMESH) {
            return refuse(status, call, "%sshape is a %s: it must be a trimesh", place, abut_kind_name(mesh->shape->kind));
        }
    }
    if (status == ABUT_ERROR_UNSUPPORTED_PAIR) {
        return refuse(status, call, "shape is of kind %s, not convex, and has no mesh of its surface", abut_kind_name(group->shape->kind));
    }
    return status == ABUT_ERROR_NOT_FINITE ? refuse(status, call, "pose and meshes are too far apart: products of distances overflow")
                                           : status;
}

abut_status abut_collide_meshes(const abut_shape *shape, abut_pose pose, const abut_part *meshes, int32_t mesh_count,
                                const abut_collide_settings *settings, abut_contact *contacts, int32_t capacity, int32_t *count) {
    if (argument_is_null(CALL_NAME, "count", count)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    *count = 0;
    if (argument_is_below(CALL_NAME, "mesh_count", mesh_count, 1) || argument_is_null(CALL_NAME, "meshes", meshes) ||
        argument_is_no_buffer(CALL_NAME, "contacts", contacts, capacity)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    const mesh_group group = {.shape = shape, .pose = pose, .meshes = meshes, .mesh_count = mesh_count};
    mesh_share all = {.own = -1, .settings = settings, .contacts = contacts, .capacity = capacity};
    collide_among_meshes(&group, &all, 1);
    *count = all.count;
    return all.status == ABUT_OK ? ABUT_OK : refuse_group(all.status, CALL_NAME, &group, settings);
}
