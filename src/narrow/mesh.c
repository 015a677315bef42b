/*
 * Contacts with meshes: the triangles near the body are gathered, and from there on it does not matter where they came from.
 */

#include <float.h>

#include "base/real.h"
#include "narrow/generators.h"
#include "narrow/mesh_ball.h"
#include "narrow/mesh_convex.h"

typedef struct mesh_work {
    const collide_pair *pair;
    contact_list *list;
    bool mesh_is_a;
    abut_vec3 centre; /* of the body, pair frame */
    double radius;
} mesh_work;

static bool is_identity(const abut_mat3 *m) {
    return m->x.x == 1.0 && m->y.y == 1.0 && m->z.z == 1.0 && m->x.y == 0.0 && m->x.z == 0.0 && m->y.x == 0.0 && m->y.z == 0.0 &&
           m->z.x == 0.0 && m->z.y == 0.0;
}

/* The mesh about the middle of the other shape, which lies at the origin of that shape's frame. */
static placed_mesh place_mesh(const collide_pair *pair, bool mesh_is_a) {
    placed_mesh placed = {.mesh = mesh_is_a ? pair->a->mesh : pair->b->mesh, .rotation = abut_identity_mat3(), .aligned = true};
    if (mesh_is_a) {
        placed.centre = pair->position_b;
    } else {
        placed.rotation = pair->rotation_b;
        placed.aligned = is_identity(&pair->rotation_b);
        placed.centre = abut_neg(abut_mul_transposed(pair->rotation_b, pair->position_b));
    }
    return placed;
}

/* Of a coordinate in the mesh's frame, near the body. */
static double rounding_near(const placed_mesh *mesh, double reach) {
    return 4.0 * DBL_EPSILON * (fabs(mesh->centre.x) + fabs(mesh->centre.y) + fabs(mesh->centre.z) + reach);
}

static void add_touch(void *context, const ball_touch *touch) {
    mesh_work *work = context;
    abut_vec3 on_ball = abut_scale(-work->radius, touch->normal);
    const abut_feature of_ball = {.kind = ABUT_FEATURE_SMOOTH};
    bool mesh_is_a = work->mesh_is_a;
    abut_contact contact = {
        .on_a = abut_add(work->centre, mesh_is_a ? touch->on_mesh : on_ball),
        .on_b = abut_add(work->centre, mesh_is_a ? on_ball : touch->on_mesh),
        .normal = mesh_is_a ? abut_neg(touch->normal) : touch->normal,
        .gap = touch->distance - work->radius,
        .feature_a = mesh_is_a ? touch->feature : of_ball,
        .feature_b = mesh_is_a ? of_ball : touch->feature,
        .patch = work->list->count,
        .flags = touch->chosen ? ABUT_CONTACT_NORMAL_CHOSEN : 0,
    };
    contact.id = contact_list_id(work->list, contact.feature_a, contact.feature_b, contact.normal);
    contact_list_add(work->list, &contact);
}

void collide_mesh_sphere(const collide_pair *pair, contact_list *list) {
    bool mesh_is_a = pair->a->kind == ABUT_SHAPE_TRIMESH;
    const abut_shape *sphere = mesh_is_a ? pair->b : pair->a;
    placed_mesh placed = place_mesh(pair, mesh_is_a);
    double reach = sphere->radius + pair->normal.margin, rounding = rounding_near(&placed, reach);
    ball_settings settings = {.radius = sphere->radius, .margin = pair->normal.margin, .same = 1e-6 * sphere->radius + rounding,
                              .rounding = rounding, .rule = pair->mesh_rule, .identity = pair->mesh_identity};
    mesh_work work = {.pair = pair, .list = list, .mesh_is_a = mesh_is_a, .radius = sphere->radius};
    work.centre = mesh_is_a ? pair->position_b : abut_make_vec3(0.0, 0.0, 0.0);
    mesh_set set;
    mesh_set_init(&set);
    reach += rounding;
    mesh_set_gather(&set, &placed, (abut_aabb){{-reach, -reach, -reach}, {reach, reach, reach}});
    if (set.out_of_memory || !mesh_ball(&set, &settings, add_touch, &work)) {
        list->out_of_memory = true;
    }
    mesh_set_free(&set);
}

/* ---- any other convex body ---- */

/* The body's extent along the mesh's axes, and somewhat more. */
static abut_aabb extent_in_mesh(const convex *body, const placed_mesh *mesh, double more) {
    const abut_mat3 *r = &mesh->rotation;
    double grown = more + body->radius;
    abut_aabb box;
    box.lower = abut_make_vec3(-convex_extent(body, abut_neg(r->x)) - grown, -convex_extent(body, abut_neg(r->y)) - grown,
                               -convex_extent(body, abut_neg(r->z)) - grown);
    box.upper = abut_make_vec3(convex_extent(body, r->x) + grown, convex_extent(body, r->y) + grown, convex_extent(body, r->z) + grown);
    return box;
}

/* From the body as A, seen from its centre, to the pair as it is. Turned round, a patch runs the other way. */
static void take_contacts(const contact_list *found, abut_vec3 centre, bool mesh_is_a, contact_list *list) {
    int32_t patches = list->count;
    for (int32_t first = 0, end; first < found->count; first = end) {
        for (end = first + 1; end < found->count && found->items[end].patch == found->items[first].patch; ++end) {
        }
        for (int32_t i = first; i < end; ++i) {
            abut_contact contact = found->items[mesh_is_a ? first + end - 1 - i : i];
            contact = mesh_is_a ? abut_contact_swap(contact) : contact;
            contact.on_a = abut_add(contact.on_a, centre);
            contact.on_b = abut_add(contact.on_b, centre);
            contact.id = contact_list_id(list, contact.feature_a, contact.feature_b, contact.normal);
            contact.patch += patches;
            contact_list_add(list, &contact);
        }
    }
}

void collide_mesh_convex(const collide_pair *pair, contact_list *list) {
    bool mesh_is_a = pair->a->kind == ABUT_SHAPE_TRIMESH;
    const abut_shape *shape = mesh_is_a ? pair->b : pair->a;
    const abut_vec3 origin = {0.0, 0.0, 0.0};
    convex body = convex_place(shape, mesh_is_a ? pair->rotation_b : abut_identity_mat3(), origin, 0);
    placed_mesh placed = place_mesh(pair, mesh_is_a);
    double rounding = rounding_near(&placed, body.size + pair->normal.margin);
    mesh_convex_settings settings = {.normal = pair->normal, .feature_sine = pair->feature_sine, .weld = pair->weld * body.size,
                                     .same = 1e-6 * body.size + rounding, .rounding = rounding};
    settings.normal.minimum = true;
    settings.normal.cache = NULL;
    settings.normal.aside = pair->aside;
    settings.normal.previous = mesh_is_a ? abut_neg(pair->normal.previous) : pair->normal.previous;
    mesh_set set;
    mesh_set_init(&set);
    mesh_set_gather(&set, &placed, extent_in_mesh(&body, &placed, pair->normal.margin + rounding + CONTACT_ROUNDING * body.size));
    contact_list found;
    contact_list_init(&found, list->order, list->aside);
    if (set.out_of_memory || !mesh_convex(&set, &body, convex_inner_centre(&body), &settings, &found)) {
        list->out_of_memory = true;
    } else {
        take_contacts(&found, mesh_is_a ? pair->position_b : origin, mesh_is_a, list);
    }
    contact_list_free(&found);
    mesh_set_free(&set);
}
