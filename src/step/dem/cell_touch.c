/*
 * Contacts of elastic cells. A facet of a cell moves with its three nodes: the velocity of its surface at a contact is interpolated between them by the
 * barycentric weights of the contact, and the force of the contact acts on them with the same weights. A contact lies above its triangle. What its moment lacks
 * by that is added as a couple of forces on the same nodes, so that momentum and angular momentum are kept.
 *
 * The pressure of a region (solve/pressure/pressure.h) is that of rigid bodies in the same place. Its dampers and its friction act on the mean motion of the
 * surface, weighted with the pressing forces, and are divided in the same way. Their effective mass is that of the nodes below: the motion of nodes by shares W
 * of a force has the inverse mass of the sum of W^2 / m.
 */
#include "base/array.h"
#include "base/memory.h"
#include "step/dem/system.h"

bool dem_cell_touches(const dem_system *s, const dem_facet_pair *pair) {
    return dem_cell_of(s, pair->frame) != NULL || dem_cell_of(s, pair->guest) != NULL;
}

/* The pressure of Hertz, 2 E / pi sqrt((d - r^2 / R) / R), is that of the gap between surfaces with twice the curvature, and not a function of the gap
 * d - r^2 / 2 R between those that touch. On rigid bodies nobody can tell. But where facets turn by themselves it does other work than its energy says: a cell
 * that bounces would gain several times its energy. On cells the pressure is E / pi sqrt((d - r^2 / 2 R) / R), over the circle in which the surfaces meet.
 * Force and energy of a whole disc are those of Hertz at every overlap. So it is Hertz's law for twice the radius and a modulus that is smaller by the root of
 * two. Adhesion, of JKR and Maugis, has the same similarity with half of the work and of the strength. The parabola goes through the gap where it is least in
 * the polygon, because spheres of facets that turned are far from it outside. */
void dem_cell_touch_widen(abut_pressure_law *law, abut_facetmesh_contact *contacts, int32_t count) {
    const double root = sqrt(2.0);
    law->modulus /= root;
    law->shear_modulus /= root;
    law->layer /= root; /* the stiffness of flat facets stays */
    law->adhesion_work *= 0.5;
    law->adhesion_strength *= 0.5;
    law->liquid_volume = 0.0;
    for (int32_t i = 0; i < count; ++i) {
        abut_facet_contact *c = &contacts[i].contact;
        if (!pressure_is_flat(c)) {
            c->sphere_gap = c->gap - 0.5 * c->offset * c->offset / c->radius;
            c->radius *= 2.0;
            c->saddle = abut_scale(0.5, c->saddle);
        }
    }
}

static int32_t nodes_of(const dem_cell *cell) { return cell != NULL ? cell->of->mesh.node_count : 0; }

bool dem_cell_touch_begin(dem_cell_touch *t, const dem_system *s, dem_facet_pair *pair, pressure_pair *p, const abut_mat3 *turn,
                          int32_t contacts) {
    *t = (dem_cell_touch){.s = s,
                          .pair = pair,
                          .cell = {dem_cell_of(s, pair->frame), dem_cell_of(s, pair->guest)},
                          .turn = *turn,
                          .centre = {p->bodies[0].centre, p->bodies[1].centre},
                          .rigid = {p->bodies[0], p->bodies[1]},
                          .body = {p->bodies[0], p->bodies[1]},
                          .mass = p->mass};
    t->gathered = memory_allocate((size_t)nodes_of(t->cell[0]) + (size_t)nodes_of(t->cell[1]) + 1, sizeof *t->gathered);
    t->loads = memory_allocate((size_t)contacts + 1, sizeof *t->loads);
    p->bodies = t->body;
    if (t->gathered == NULL || t->loads == NULL) {
        dem_cell_touch_end(t, p);
        return false;
    }
    return true;
}

void dem_cell_touch_end(dem_cell_touch *t, pressure_pair *p) {
    p->mass = t->mass;
    memory_release(t->gathered);
    memory_release(t->loads);
}

/* ---- the contacts of a region ---- */

/* In point mode only the contact nearest to the middle of its circle has a load; NULL in area mode. */
static const pressure_named *the_point(const pressure_pair *p, const pressure_named *begin, const pressure_named *end) {
    const pressure_named *best = NULL;
    for (const pressure_named *c = begin; c < end && p->law->mode == ABUT_PRESSURE_POINT; ++c) {
        best = !pressure_is_flat(c->contact) && (best == NULL || c->contact->offset < best->contact->offset) ? c : best;
    }
    return best;
}

/* The load of one contact, as pressure_bear() finds it. */
static pressure_region load_of(const dem_cell_touch *t, const pressure_pair *p, const pressure_named *c, const pressure_named *point,
                               bool touched) {
    pressure_region one = {.contacts = 0};
    if (pressure_is_flat(c->contact)) {
        pressure_add_flat(p->law, c->contact, t->centre[0], &one);
    } else if (p->law->mode == ABUT_PRESSURE_AREA) {
        pressure_add_area(p->law, c->contact, touched, t->centre[0], &one);
    } else if (c == point) {
        pressure_add_point(p->law, c->contact, touched, t->centre[0], &one);
    }
    return one;
}

/* A facet of a cell at a contact: its nodes, their places in the frame of the first body, and their weights. */
typedef struct touched_facet {
    int32_t node[3];
    abut_vec3 corner[3];
    double weight[3];
} touched_facet;

static touched_facet facet_at(const dem_cell_touch *t, int side, const pressure_named *c, abut_vec3 point) {
    const dem_cell *cell = t->cell[side];
    const int32_t facet = side == 0 ? c->id.facet_a : c->id.facet_b;
    touched_facet at;
    for (int k = 0; k < 3; ++k) {
        at.node[k] = cell->of->mesh.corner[3 * facet + k];
        const abut_vec3 arm = abut_sub(cell->position[at.node[k]], cell->rigid.centre);
        at.corner[k] = abut_add(t->centre[side], abut_mat3_apply_transposed(t->turn, arm));
    }
    cell_weights(at.corner, point, at.weight);
    return at;
}

static double *gathered_of(const dem_cell_touch *t, int side) { return t->gathered + (side == 0 ? 0 : nodes_of(t->cell[0])); }

/* ---- before ---- */

/* Adds the velocity of a facet, and the shares of its nodes in the force. */
static abut_vec3 add_facet(const dem_cell_touch *t, int side, const touched_facet *at, double share, abut_vec3 velocity) {
    double *gathered = gathered_of(t, side);
    for (int k = 0; k < 3; ++k) {
        velocity = abut_add_scaled(velocity, share * at->weight[k], t->cell[side]->velocity[at->node[k]]);
        gathered[at->node[k]] += share * at->weight[k];
    }
    return velocity;
}

/* The inverse mass of the surface under a force with these shares. Clears them. */
static double take_inverse_mass(const dem_cell_touch *t, int side, const pressure_named *begin, const pressure_named *end) {
    const cell_mesh *mesh = &t->cell[side]->of->mesh;
    double *gathered = gathered_of(t, side), inverse = 0.0;
    for (const pressure_named *c = begin; c < end; ++c) {
        const int32_t facet = side == 0 ? c->id.facet_a : c->id.facet_b;
        for (int k = 0; k < 3; ++k) {
            const int32_t node = mesh->corner[3 * facet + k];
            inverse += gathered[node] * gathered[node] / mesh->mass[node];
            gathered[node] = 0.0;
        }
    }
    return inverse;
}

void dem_cell_touch_region(dem_cell_touch *t, pressure_pair *p, const pressure_named *begin, const pressure_named *end, bool touched) {
    const pressure_named *point = the_point(p, begin, end);
    const abut_vec3 zero = {0.0, 0.0, 0.0};
    abut_vec3 velocity[2] = {zero, zero}, arms = zero;
    double pressing = 0.0;
    for (const pressure_named *c = begin; c < end; ++c) {
        const pressure_region one = t->loads[c - begin] = load_of(t, p, c, point, touched);
        for (int side = 0; side < 2 && one.pressing > 0.0; ++side) {
            if (t->cell[side] != NULL) {
                const touched_facet at = facet_at(t, side, c, abut_add_scaled(t->centre[0], 1.0 / one.pressing, one.arms));
                velocity[side] = add_facet(t, side, &at, one.pressing, velocity[side]);
            }
        }
        pressing += one.pressing;
        arms = abut_add(arms, one.arms);
    }
    p->mass = t->mass;
    t->body[0] = t->rigid[0];
    t->body[1] = t->rigid[1];
    if (!(pressing > 0.0)) {
        return;
    }
    const abut_vec3 place = abut_add_scaled(t->centre[0], 1.0 / pressing, arms);
    for (int side = 0; side < 2; ++side) {
        if (t->cell[side] != NULL) {
            const abut_vec3 mean = abut_mat3_apply_transposed(t->turn, abut_scale(1.0 / pressing, velocity[side]));
            const abut_vec3 arm = abut_sub(place, t->centre[side]);
            t->body[side].motion.linear = abut_sub(mean, abut_cross(t->body[side].motion.angular, arm));
            t->body[side].inverse_mass = take_inverse_mass(t, side, begin, end) / (pressing * pressing);
        }
    }
    const double inverse = t->body[0].inverse_mass + t->body[1].inverse_mass;
    p->mass = inverse > 0.0 ? 1.0 / inverse : 0.0;
}

/* ---- after ---- */

static bool has_room(dem_facet_pair *pair, int32_t more) {
    return array_extend(&pair->pushes, &pair->push_capacity, pair->push_count, pair->push_count + more, sizeof *pair->pushes);
}

/* A force on the first body at a contact, with its moment about the first body's centre, on the nodes of one side. */
static void push_facet(dem_cell_touch *t, int side, const touched_facet *at, abut_vec3 force, abut_vec3 moment) {
    dem_facet_pair *pair = t->pair;
    const abut_vec3 middle = abut_scale(1.0 / 3.0, abut_add(at->corner[0], abut_add(at->corner[1], at->corner[2])));
    const abut_vec3 about = abut_sub(moment, abut_cross(abut_sub(middle, t->centre[0]), force));
    const double sign = side == 0 ? 1.0 : -1.0;
    abut_vec3 shares[3];
    cell_share(at->corner, at->weight, abut_scale(sign, force), abut_scale(sign, about), shares);
    for (int k = 0; k < 3; ++k) {
        pair->pushes[pair->push_count++] = (dem_node_push){side == 0 ? at->node[k] : -1 - at->node[k], abut_mat3_apply(t->turn, shares[k])};
    }
}

bool dem_cell_touch_share(dem_cell_touch *t, const pressure_pair *p, const pressure_named *begin, const pressure_named *end,
                          const pressure_borne *borne) {
    pressure_region sum = {.contacts = 0};
    for (const pressure_named *c = begin; c < end; ++c) {
        const pressure_region one = t->loads[c - begin];
        sum.push = abut_add(sum.push, one.push);
        sum.pressing += one.pressing;
    }
    const double inverse = p->mass > 0.0 ? 1.0 / p->mass : 0.0;
    t->pair->square += borne->stiffness * inverse;
    t->pair->pace += borne->damper * inverse;
    if (!(sum.pressing > 0.0)) {
        return true;
    }
    /* Damping, friction and bridges, divided like the pressing forces. */
    const abut_vec3 rest = abut_scale(1.0 / sum.pressing, abut_sub(borne->force, sum.push));
    for (const pressure_named *c = begin; c < end; ++c) {
        const pressure_region one = t->loads[c - begin];
        if (!(one.pressing > 0.0)) {
            continue;
        }
        if (!has_room(t->pair, 6)) {
            return false;
        }
        const abut_vec3 arm = abut_scale(1.0 / one.pressing, one.arms), more = abut_scale(one.pressing, rest);
        const abut_vec3 force = abut_add(one.push, more), moment = abut_add(one.turn, abut_cross(arm, more));
        for (int side = 0; side < 2; ++side) {
            if (t->cell[side] != NULL) {
                const touched_facet at = facet_at(t, side, c, abut_add(t->centre[0], arm));
                push_facet(t, side, &at, force, moment);
            }
        }
    }
    return true;
}
