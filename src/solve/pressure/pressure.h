#pragma once

#include <math.h>

#include <abut/pressure.h>

/*
 * Forces of rounded surfaces in parts: the law of two whole spheres, the share that a polygon bears, the force of all contacts of two
 * surfaces, and their friction spring.
 */

/* ---- two whole spheres ---- */

/* ABUT_OK or ABUT_ERROR_INVALID_ARGUMENT. */
abut_status pressure_check_law(const abut_pressure_law *law);
/* Says in the name of a public function what is wrong with such a law; returns ABUT_ERROR_INVALID_ARGUMENT. */
abut_status pressure_refuse_law(const char *call, const abut_pressure_law *law);

/* The contact of two whole spheres at rest, over its disc. */
typedef struct pressure_disc {
    double radius;   /* a */
    double pressing; /* force of the pressure proportional to sqrt(1 - r^2 / a^2), > 0 */
    double even;     /* pull with the same distribution, >= 0 */
    double brim;     /* pull with the inverse distribution, >= 0 */
    double hold;     /* addition to the normal force in Coulomb's bound, >= 0 */
    double energy;
} pressure_disc;

/* False when the spheres do not touch. radius: effective radius. touched: the spheres touched before. */
bool pressure_disc_of(const abut_pressure_law *law, double radius, double overlap, bool touched, pressure_disc *disc);

/* The disc of Maugis; jkr: that of JKR with the same overlap, or one of the radius 0. False when the spheres do not touch. */
bool pressure_maugis_disc(const abut_pressure_law *law, double radius, double overlap, const pressure_disc *jkr, pressure_disc *disc);

/* Whether surfaces hold together across a gap as long as they have touched. */
static inline bool pressure_snaps(const abut_pressure_law *law) {
    return law->adhesion == ABUT_ADHESION_JKR || law->adhesion == ABUT_ADHESION_MAUGIS;
}

/* Pressure at the distance r < a from the middle; for JKR minus the pull of the brim. */
double pressure_within(const abut_pressure_law *law, double radius, const pressure_disc *disc, double r);

/* The linear law. Its friction spring has the ratio of stiffnesses of Hertz's and Mindlin's laws, 8 G* a / (2 E* a). */
static inline bool pressure_is_linear(const abut_pressure_law *law) { return law->stiffness > 0.0; }
static inline double pressure_linear_shear(const abut_pressure_law *law) {
    return 4.0 * law->shear_modulus / law->modulus * law->stiffness;
}

/* The factor of a damper c = 2 damping sqrt(m k) of the linear law for velocities of half a step before. With x'' at the step,
 * m x'' = -k x - c (x' - h / 2 x''), an oscillator of the mass m - c h / 2. This factor gives it the damping ratio that the law asks for. */
static inline double pressure_lag(double damper, double mass, double time_step) {
    double q = 0.25 * time_step * damper / mass;
    return sqrt(1.0 + q * q) - q;
}

/* The factor of the same damper in the first step of a contact. Surfaces began to overlap within the step, and the damper's force jumps.
 * The force at the end of a step acts from half of this step to half of the next one; it has acted since they met. Not for dampers that
 * nearly stop the bodies within a step, where contacts would flicker. parting: velocity along the normal. */
static inline double pressure_begun(double damper, double mass, double overlap, double parting, double time_step) {
    if (!(parting < 0.0 && time_step > 0.0 && damper * time_step < 0.3 * mass)) {
        return 1.0;
    }
    double since = overlap / (-parting * time_step);
    return 0.5 + (since < 1.0 ? since : 1.0);
}

/* ---- capillary bridges ---- */

static inline bool pressure_law_is_wet(const abut_pressure_law *law) { return law->liquid_volume > 0.0 && law->surface_tension > 0.0; }

/* The gap at which a bridge breaks; 0 for a dry law. */
double pressure_rupture(const abut_pressure_law *law);

typedef struct pressure_bridge {
    double pull;   /* >= 0 */
    double energy; /* <= 0 */
    double formed; /* what is lost when it forms, > 0: its energy at the first touch */
} pressure_bridge;

/* False when there is no bridge across the gap. The caller knows whether one has formed. radius: effective radius. */
bool pressure_bridge_of(const abut_pressure_law *law, double radius, double gap, pressure_bridge *bridge);

/* ---- contacts in order ---- */

typedef struct pressure_named {
    abut_pressure_id id;
    const abut_facet_contact *contact;
} pressure_named;

/* Below, at or above 0: the order of two pairs of surfaces. */
int pressure_compare_surfaces(int32_t a, int32_t b, int32_t other_a, int32_t other_b);

/* Checks the contacts, and sorts those that touch by rising surface_a, surface_b, facet_a, facet_b. ids: NULL to use indices. out: [count].
 * Sets their number. ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT, also when two have the same name; ABUT_ERROR_NOT_FINITE */
abut_status pressure_sort(const char *call, const abut_facet_contact *contacts, const abut_pressure_id *ids, int32_t count,
                          pressure_named *out, int32_t *number);

/* ---- the load of contacts ---- */

/* The share of its disc that a contact bears. Points are relative to the middle of the contact's circle. */
typedef struct pressure_share {
    double dome, brim;            /* shares of both pressures, 0 .. 1 */
    abut_vec3 dome_arm, brim_arm; /* the same shares times the position */
    double area;
} pressure_share;

pressure_share pressure_share_of(const abut_facet_contact *contact, double radius);

/* The elliptic disc of surfaces with two different principal curvatures (H. Hertz, 1881; K. L. Johnson, section 4.2), compared with the round disc of spheres
 * that have the same force at every overlap. */
typedef struct pressure_ellipse {
    double radius; /* effective radius of these spheres, over that of the mean curvature */
    double along,
        wide; /* semi-axes of the ellipse over the radius of the round disc: along the direction of the smaller curvature, and of the greater one */
} pressure_ellipse;

/* The largest of these effective radii, for principal curvatures with the ratio 100, over that of the mean. */
#define PRESSURE_MOST_STRETCH 10.5

/* part: half the difference of the principal curvatures over their mean, 0 <= part < 1. */
pressure_ellipse pressure_ellipse_of(double part);

/* The total load of the contacts of two surfaces. Arms are from the centre of A. */
typedef struct pressure_region {
    abut_vec3 push;    /* force on A at rest */
    abut_vec3 turn;    /* its moment about the centre of A */
    abut_vec3 normals; /* normals and arms of the contacts, times their pressing forces; and the sum of these forces */
    abut_vec3 arms;
    double pressing;
    double hold;      /* addition to the normal force in Coulomb's bound */
    double root;      /* sum of sqrt(2 E* a) times the share; damping is proportional to it */
    double flat;      /* stiffness of the flat facets, and of the linear law */
    double stiffness; /* sum of 2 E* a times the share */
    double shear;     /* stiffness of the friction spring */
    double round; /* of the contacts that are not flat: their pressing forces, these times the effective radii, and their part of `shear` */
    double radii, round_shear;
    double energy, area, largest;
    int32_t contacts; /* number of contacts with a load */
} pressure_region;

/* Adds one contact in area mode. */
void pressure_add_area(const abut_pressure_law *law, const abut_facet_contact *contact, bool touched, abut_vec3 centre_a,
                       pressure_region *region);

/* Adds one contact at its point, with the whole force of its overlap. */
void pressure_add_point(const abut_pressure_law *law, const abut_facet_contact *contact, bool touched, abut_vec3 centre_a,
                        pressure_region *region);

/* Two flat facets: their contact has no circle. */
static inline bool pressure_is_flat(const abut_facet_contact *contact) { return !(contact->radius < INFINITY); }

/* Adds the contact of two flat facets. */
void pressure_add_flat(const abut_pressure_law *law, const abut_facet_contact *contact, abut_vec3 centre_a, pressure_region *region);

/* ---- friction ---- */

/* A friction spring in one step. */
typedef struct pressure_spring {
    abut_vec3 stretch;
    abut_vec3 force; /* on A: the force of the spring, and of its damper while it sticks */
    double lost;     /* energy that did not go into the spring, the bodies or the damper */
    double damping;  /* power of the damper, >= 0 */
    bool sliding;
} pressure_spring;

typedef struct pressure_slide {
    abut_vec3 normal;   /* now */
    abut_vec3 way;      /* displacement of A relative to B in this step, in any direction */
    double spin;        /* angle by which the bodies turned about the normal */
    double stiffness;   /* now, > 0 */
    double limit;       /* largest force, >= 0 */
    abut_vec3 velocity; /* of A relative to B, in any direction */
    double damper;      /* force of the damper per velocity, >= 0 */
} pressure_slide;

/* The damper next to a friction spring of this stiffness, on this effective mass, with the damping ratio of the law. Surfaces of balls move
 * with 2/7 of their mass, because balls also turn. Without a damper, sticking contacts would oscillate forever (Y. Tsuji and others, 1992). */
double pressure_damper(const abut_pressure_law *law, double mass, double stiffness);

/* before: NULL for a new spring. */
pressure_spring pressure_slide_on(const abut_pressure_memory *before, const pressure_slide *slide);

/* Energy of the friction spring of a memory. */
static inline double pressure_spring_energy(const abut_pressure_memory *memory) {
    return 0.5 * memory->stiffness * abut_length_squared(memory->stretch);
}

/* ---- rolling and twisting ---- */

/* What the springs against rolling and twisting keep: part of abut_pressure_memory. */
typedef struct pressure_turned {
    abut_vec3 normal;
    abut_vec3 roll; /* stretches: of rolling perpendicular to the normal, of twisting along it */
    double stiffness;
} pressure_turned;

/* Both springs in one step. */
typedef struct pressure_roll {
    abut_vec3 normal;  /* now */
    abut_vec3 turning; /* angular velocity of A minus that of B */
    double spin;       /* angle by which the bodies turned about the normal, their mean */
    double radius;     /* effective */
    double stiffness;  /* now, > 0 */
    double force;      /* normal force of Coulomb's limit, >= 0 */
    double mass;       /* effective */
    double time_step;
} pressure_roll;

typedef struct pressure_rolled {
    abut_vec3 roll;   /* the stretches now */
    abut_vec3 moment; /* on A; on B the opposite one */
    double lost;      /* energy that did not go into the springs, the bodies or the dampers */
    double damping;   /* power of the dampers, >= 0 */
} pressure_rolled;

static inline bool pressure_law_rolls(const abut_pressure_law *law) {
    return law->rolling_resistance > 0.0 || law->twisting_resistance > 0.0;
}

/* before: NULL for new springs. */
pressure_rolled pressure_roll_on(const abut_pressure_law *law, const pressure_turned *before, const pressure_roll *roll);

/* Energy of springs against rolling and twisting. */
static inline double pressure_roll_energy(abut_vec3 roll, double stiffness) { return 0.5 * stiffness * abut_length_squared(roll); }

/* ---- two bodies ---- */

/* Two bodies that press on each other in one or more regions, and their forces so far. */
typedef struct pressure_pair {
    const abut_pressure_law *law;
    const abut_pressure_body *bodies; /* A and B */
    double time_step, mass;           /* effective mass; 0 without damping */
    abut_pressure_result sum;
} pressure_pair;

/* A pair without regions. */
pressure_pair pressure_pair_of(const abut_pressure_law *law, const abut_pressure_body bodies[2], double time_step);

/* The load of a region, and its memory for the next step. */
typedef struct pressure_borne {
    abut_pressure_memory memory;
    abut_vec3 arm;   /* from the centre of A to the centre of pressure */
    abut_vec3 force; /* on A */
    double area;
    double stiffness, damper; /* normal force per overlap, and per velocity */
} pressure_borne;

/* Adds the contacts begin <= c < end of one region; before: NULL if the surfaces did not touch. False when the contacts bear no load; then
 * nothing is added. */
bool pressure_bear(pressure_pair *pair, const pressure_named *begin, const pressure_named *end, const abut_pressure_memory *before,
                   pressure_borne *borne);

/* The region of this memory no longer touches: its energy is lost. */
void pressure_forget(pressure_pair *pair, const abut_pressure_memory *memory);
