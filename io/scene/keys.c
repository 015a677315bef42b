/*
 * The table of keys.
 */
#include "io/scene/keys.h"

#define MUST(name) \
    { name, true }
#define MAY(name) \
    { name, false }

const scene_keys scene_key_table[SCENE_OBJECTS] = {
    [SCENE_SCENE] = {"scene",
                     {MAY("$schema"), MUST("abut_scene"), MAY("title"), MAY("description"), MAY("gravity"), MAY("dt"), MUST("duration"),
                      MAY("stepper"), MAY("until"), MAY("contact"), MAY("materials"), MAY("shapes"), MUST("bodies"), MAY("actions")}},
    [SCENE_FIXED_STEPPER] = {"fixed_stepper",
                             {MAY("kind"), MAY("substeps"), MAY("iterations"), MAY("contact_frequency"), MAY("contact_damping"),
                              MAY("max_push_speed"), MAY("restitution_speed"), MAY("margin"), MAY("contacts_per_patch"), MAY("sleeping"),
                              MAY("sleep_speed"), MAY("sleep_time")}},
    [SCENE_EVENT_STEPPER] = {"event_stepper",
                             {MUST("kind"), MAY("tolerance"), MAY("touching"), MAY("resting_speed"), MAY("restitution_speed"),
                              MAY("drift_rate"), MAY("longest_step"), MAY("event_limit"), MAY("impulses")}},
    [SCENE_DEM_STEPPER] = {"dem_stepper", {MUST("kind"), MAY("step"), MAY("step_share"), MAY("skin"), MAY("mode"), MAY("periodic")}},
    [SCENE_PERIODIC] = {"periodic", {MAY("x"), MAY("y"), MAY("z")}},
    [SCENE_UNTIL] = {"until", {MAY("residual"), MAY("kinetic")}},
    [SCENE_CONTACT] = {"contact", {MAY("method"), MAY("feature_angle_degrees"), MAY("normal"), MAY("contraction"), MAY("refine_normal")}},
    [SCENE_MATERIAL] = {"material",
                        {MAY("density"), MAY("friction"), MAY("restitution"), MAY("young"), MAY("poisson"), MAY("adhesion_work"),
                         MAY("linear_damping"), MAY("angular_damping")}},
    [SCENE_SHAPE] = {"shape",
                     {MAY("sphere"), MAY("capsule"), MAY("box"), MAY("ellipsoid"), MAY("superquadric"), MAY("cylinder"), MAY("cone"),
                      MAY("prism"), MAY("pyramid"), MAY("plane"), MAY("hull"), MAY("polytope"), MAY("compound"), MAY("mesh"),
                      MAY("trimesh"), MAY("facetmesh"), MAY("heightfield")}},
    [SCENE_SPHERE] = {"sphere", {MUST("radius")}},
    [SCENE_CAPSULE] = {"capsule", {MUST("radius"), MUST("half_length")}},
    [SCENE_BOX] = {"box", {MUST("half")}},
    [SCENE_ELLIPSOID] = {"ellipsoid", {MUST("half")}},
    [SCENE_SUPERQUADRIC] = {"superquadric", {MUST("half"), MUST("exponents")}},
    [SCENE_CYLINDER] = {"cylinder", {MUST("radius"), MUST("half_height"), MAY("sides")}},
    [SCENE_CONE] = {"cone", {MUST("radius"), MAY("top_radius"), MUST("height"), MAY("sides")}},
    [SCENE_PRISM] = {"prism", {MUST("radius"), MUST("half_height"), MAY("sides")}},
    [SCENE_PYRAMID] = {"pyramid", {MUST("radius"), MUST("height"), MAY("sides")}},
    [SCENE_PLANE] = {"plane", {MUST("normal"), MAY("offset")}},
    [SCENE_HULL] = {"hull", {MUST("points")}},
    [SCENE_POLYTOPE] = {"polytope", {MUST("vertices"), MUST("faces")}},
    [SCENE_PART] = {"part", {MUST("shape"), MAY("position"), MAY("rotation")}},
    [SCENE_MESH] = {"mesh", {MUST("file"), MAY("pieces"), MAY("hull"), MAY("piece"), MAY("scale"), MAY("tolerance")}},
    [SCENE_TRIMESH] = {"trimesh", {MAY("file"), MAY("piece"), MAY("vertices"), MAY("triangles"), MAY("scale"), MAY("two_sided")}},
    [SCENE_FACETMESH] = {"facetmesh",
                         {MAY("file"), MAY("piece"), MAY("vertices"), MAY("triangles"), MAY("scale"), MAY("radius"), MAY("radii")}},
    [SCENE_HEIGHTFIELD] = {"heightfield", {MUST("heights"), MUST("spacing"), MAY("two_sided")}},
    [SCENE_ROTATION] = {"rotation", {MAY("axis"), MAY("degrees"), MAY("quaternion")}},
    [SCENE_BODY] = {"body",
                    {MUST("name"), MAY("kind"), MUST("shape"), MAY("position"), MAY("rotation"), MAY("velocity"), MAY("angular_velocity"),
                     MAY("material"), MAY("density"), MAY("mass"), MAY("friction"), MAY("restitution"), MAY("fill"), MAY("deform")}},
    [SCENE_FILL] = {"fill", {MUST("count"), MUST("lower"), MUST("upper"), MAY("scale"), MAY("spacing"), MAY("seed")}},
    [SCENE_DEFORM] = {"deform", {MUST("amount"), MAY("stretch"), MAY("matrix"), MAY("press"), MAY("about")}},
    [SCENE_PRESS] = {"press", {MUST("at"), MUST("direction"), MUST("depth"), MUST("radius")}},
    [SCENE_ACTION] = {"action", {MUST("at"), MAY("until"), MAY("remove"), MAY("spring"), MAY("force"), MAY("velocity")}},
    [SCENE_SPRING] = {"spring",
                      {MUST("body"), MAY("anchor"), MUST("target"), MAY("target_end"), MAY("frequency"), MAY("damping_ratio"),
                       MAY("max_force")}},
    [SCENE_FORCE] = {"force", {MUST("body"), MUST("force"), MAY("anchor")}},
    [SCENE_VELOCITY] = {"velocity", {MUST("body"), MAY("velocity"), MAY("angular_velocity")}},
};
