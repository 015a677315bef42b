/* Surfaces of bodies: see surfaces.h. Which triangle of a mesh a contact is on follows from its point, not from its feature: contacts of coplanar triangles,
 * and of convex meshes, have the name of one triangle for many. */
#include "step/world/meet/surfaces.h"

#include <string.h>

#include <abut/mesh.h>

#include "base/argument.h"
#include "base/digest.h"
#include "base/memory.h"
#include "base/real.h"
#include "shape/shape.h"
#include "step/world/meet/substances.h"

abut_surface abut_surface_default(void) { return (abut_surface){.friction = 0.5}; }

/* ---- making ---- */

/* Parts of a compound or triangles of a mesh; 0 for other shapes. */
static int32_t count_of(const abut_shape *shape) {
    return shape->kind == ABUT_SHAPE_COMPOUND  ? abut_shape_part_count(shape)
           : shape->kind == ABUT_SHAPE_TRIMESH ? abut_shape_triangle_count(shape)
                                               : 0;
}

static int32_t vertices_of(const abut_shape *shape) { return shape->kind == ABUT_SHAPE_TRIMESH ? abut_shape_vertex_count(shape) : 0; }

static abut_status check_surface(const char *call, int32_t index, const abut_surface *s) {
    const struct {
        const char *name;
        double value, most;
    } numbers[] = {{"friction", s->friction, INFINITY},
                   {"restitution", s->restitution, 1.0},
                   {"rolling_friction", s->rolling_friction, INFINITY},
                   {"spinning_friction", s->spinning_friction, INFINITY}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        char name[64];
        (void)snprintf(name, sizeof name, "def->surfaces[%d].%s", (int)index, numbers[i].name);
        if (argument_is_not_finite(call, name, numbers[i].value)) {
            return ABUT_ERROR_NOT_FINITE;
        }
        if (argument_is_negative(call, name, numbers[i].value) ||
            (numbers[i].value > numbers[i].most && refused_outside(call, name, numbers[i].value, 0.0, numbers[i].most))) {
            return ABUT_ERROR_INVALID_ARGUMENT;
        }
    }
    if (s->substance < 0) {
        return refuse(ABUT_ERROR_INVALID_ARGUMENT, call, "def->surfaces[%d].substance is %d: it must be at least 0", (int)index,
                      (int)s->substance);
    }
    return ABUT_OK;
}

static abut_status check(const char *call, const abut_body_def *def) {
    int32_t count = count_of(def->shape);
    if (count == 0) {
        return refuse(ABUT_ERROR_INVALID_ARGUMENT, call, "def->surfaces: the shape is neither a compound nor a mesh");
    }
    if (def->surface_count != count) {
        (void)refused_integer(call, "def->surface_count", def->surface_count, "the number of parts or triangles of the shape");
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    abut_status status = ABUT_OK;
    for (int32_t i = 0; i < count && status == ABUT_OK; i++) {
        status = check_surface(call, i, &def->surfaces[i]);
    }
    return status;
}

/* From the last triangle to the first one, so that the lowest one stays. */
static void name_vertices(const abut_shape *shape, int32_t *of_vertex) {
    for (int32_t t = abut_shape_triangle_count(shape) - 1; t >= 0; t--) {
        abut_triangle triangle;
        (void)abut_shape_triangle(shape, t, &triangle);
        for (int c = 0; c < 3; c++) {
            of_vertex[triangle.vertex[c]] = t;
        }
    }
}

abut_status surfaces_make(const char *call, const abut_body_def *def, struct body_surfaces **made) {
    *made = NULL;
    if (def->surfaces == NULL) {
        return def->surface_count == 0 ? ABUT_OK
                                       : refuse(ABUT_ERROR_INVALID_ARGUMENT, call, "def->surfaces is NULL, and surface_count is not 0");
    }
    abut_status status = check(call, def);
    if (status != ABUT_OK) {
        return status;
    }
    size_t count = (size_t)def->surface_count, vertices = (size_t)vertices_of(def->shape);
    struct body_surfaces *s = memory_allocate(1, sizeof *s + count * sizeof *s->surface + vertices * sizeof *s->of_vertex);
    if (s == NULL) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    s->count = def->surface_count;
    s->of_vertex = (int32_t *)(void *)(s->surface + count);
    memcpy(s->surface, def->surfaces, count * sizeof *s->surface);
    for (int32_t i = 0; i < s->count; i++) {
        s->bounce = real_max_number(s->bounce, s->surface[i].restitution);
        s->rolls = s->rolls || s->surface[i].rolling_friction > 0.0 || s->surface[i].spinning_friction > 0.0;
    }
    if (vertices > 0) {
        name_vertices(def->shape, s->of_vertex);
    }
    *made = s;
    return ABUT_OK;
}

bool surfaces_fit(const struct body_surfaces *surfaces, const abut_shape *shape) {
    return surfaces == NULL || surfaces->count == count_of(shape);
}

uint64_t surfaces_digest(const struct body_surfaces *surfaces, uint64_t digest) {
    for (int32_t i = 0; i < surfaces->count; i++) {
        const abut_surface *s = &surfaces->surface[i];
        const double numbers[] = {s->friction, s->restitution, s->rolling_friction, s->spinning_friction};
        digest = digest_reals(digest, numbers, sizeof numbers / sizeof *numbers);
        digest = s->substance > 0 ? digest_word(digest, (uint64_t)s->substance) : digest;
    }
    return digest;
}

/* ---- meeting ---- */

static double mixed_friction(double a, double b) { return sqrt(a) * sqrt(b); }

static abut_surface mixed(abut_surface a, abut_surface b) {
    return (abut_surface){.friction = mixed_friction(a.friction, b.friction),
                          .restitution = real_max_number(a.restitution, b.restitution),
                          .rolling_friction = real_max_number(a.rolling_friction, b.rolling_friction),
                          .spinning_friction = real_max_number(a.spinning_friction, b.spinning_friction)};
}

/* By the table of substances, and by the usual rule where it says nothing. */
static abut_surface combined(const abut_world *world, abut_surface a, abut_surface b) {
    abut_surface usual = mixed(a, b);
    const abut_substance_pair *said = substances_find(world, a.substance, b.substance);
    if (said != NULL) {
        usual.friction = substances_value(said->friction, usual.friction);
        usual.restitution = substances_value(said->restitution, usual.restitution);
        usual.rolling_friction = substances_value(said->rolling_friction, usual.rolling_friction);
        usual.spinning_friction = substances_value(said->spinning_friction, usual.spinning_friction);
    }
    return usual;
}

static abut_surface own_surface(const body *body) {
    return (abut_surface){body->friction, body->restitution, body->rolling_friction, body->spinning_friction, body->substance};
}

abut_surface surfaces_of_bodies(const abut_world *world, const body *a, const body *b) {
    return combined(world, own_surface(a), own_surface(b));
}

double surfaces_friction(const abut_world *world, const body *a, const body *b) {
    const abut_substance_pair *said = substances_find(world, a->substance, b->substance);
    double usual = mixed_friction(a->friction, b->friction);
    return said != NULL ? substances_value(said->friction, usual) : usual;
}

double surfaces_restitution(const abut_world *world, const body *a, const body *b) {
    const abut_substance_pair *said = substances_find(world, a->substance, b->substance);
    return said != NULL && said->restitution >= 0.0 ? said->restitution : real_max(a->restitution, b->restitution);
}

surface_pair surfaces_pair_now(const abut_world *world, int32_t slot_a, int32_t slot_b) {
    return (surface_pair){world, {slot_a, slot_b}, {world->bodies[slot_a].pose, world->bodies[slot_b].pose}};
}

/* The part or triangle of a body on which a contact is; -1 for a body with one surface. */
static int32_t index_at(const body *body, abut_pose pose, abut_feature feature, abut_vec3 point) {
    const struct body_surfaces *s = body->surfaces;
    abut_projection foot;
    if (s == NULL) {
        return -1;
    }
    if (body->shape->kind == ABUT_SHAPE_COMPOUND) {
        return feature.part >= 0 && feature.part < s->count ? feature.part : 0;
    }
    if (abut_shape_project(body->shape, pose, point, &foot) != ABUT_OK) {
        return 0;
    }
    int32_t index = foot.feature.index;
    return foot.feature.kind == ABUT_FEATURE_EDGE ? index / 3 : foot.feature.kind == ABUT_FEATURE_VERTEX ? s->of_vertex[index] : index;
}

static abut_surface surface_of(const body *body, int32_t index) { return index < 0 ? own_surface(body) : body->surfaces->surface[index]; }

static double taken(double said, double usual) { return said >= 0.0 && isfinite(said) ? said : usual; }

/* The caller's rule may say what it likes; what is no coefficient is not taken. */
static abut_surface asked(const abut_surface_rule *rule, const abut_surface_meeting *meeting, abut_surface usual) {
    abut_surface said = usual;
    rule->meet(rule->context, meeting, &said);
    said.friction = taken(said.friction, usual.friction);
    said.restitution = said.restitution <= 1.0 ? taken(said.restitution, usual.restitution) : usual.restitution;
    said.rolling_friction = taken(said.rolling_friction, usual.rolling_friction);
    said.spinning_friction = taken(said.spinning_friction, usual.spinning_friction);
    return said;
}

abut_surface surfaces_at(const surface_pair *pair, const abut_contact *contact) {
    const abut_world *world = pair->world;
    const body *a = &world->bodies[pair->slot[0]], *b = &world->bodies[pair->slot[1]];
    abut_surface_meeting m = {.bodies = world_body_pair(world, pair->slot[0], pair->slot[1]),
                              .index_a = index_at(a, pair->pose[0], contact->feature_a, contact->on_a),
                              .index_b = index_at(b, pair->pose[1], contact->feature_b, contact->on_b)};
    m.a = surface_of(a, m.index_a);
    m.b = surface_of(b, m.index_b);
    abut_surface usual = combined(world, m.a, m.b);
    return world->def.surfaces.meet != NULL ? asked(&world->def.surfaces, &m, usual) : usual;
}

/* ---- patches ---- */

/* -1, 0 or 1. */
static int order_of(abut_surface p, abut_surface q) {
    const double left[] = {p.friction, p.restitution, p.rolling_friction, p.spinning_friction};
    const double right[] = {q.friction, q.restitution, q.rolling_friction, q.spinning_friction};
    int order = 0;
    for (int i = 0; i < 4 && order == 0; i++) {
        order = (left[i] > right[i]) - (left[i] < right[i]);
    }
    return order;
}

/* Contacts of a patch are few, and most often of one surface. */
void surfaces_split(const surface_pair *pair, abut_contact *contacts, int32_t count) {
    for (int32_t i = 1; i < count; i++) {
        abut_contact moved = contacts[i];
        abut_surface surface = surfaces_at(pair, &moved);
        int32_t at = i;
        while (at > 0 && contacts[at - 1].patch == moved.patch && order_of(surface, surfaces_at(pair, &contacts[at - 1])) < 0) {
            contacts[at] = contacts[at - 1];
            at--;
        }
        contacts[at] = moved;
    }
    abut_surface last = {.friction = 0.0};
    for (int32_t i = 0, patch = 0, was = 0; i < count; i++) {
        abut_surface surface = surfaces_at(pair, &contacts[i]);
        patch += i > 0 && (contacts[i].patch != was || order_of(surface, last) != 0);
        was = contacts[i].patch;
        contacts[i].patch = patch;
        last = surface;
    }
}

bool surfaces_can_bounce(const abut_world *world, const body *body) {
    return world->bouncing || body->restitution > 0.0 || (body->surfaces != NULL && body->surfaces->bounce > 0.0) ||
           world->def.surfaces.meet != NULL;
}
