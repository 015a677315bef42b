/*
 * abut collide: the contacts and the growth distance of two posed shapes, or of a shape and several meshes.
 */
#include <stdlib.h>
#include <string.h>

#include <abut/collide.h>

#include "tool/collide_answer.h"
#include "tool/paths.h"
#include "tool/shape_argument.h"

enum {
    OPTION_POSE,
    OPTION_POSE_A,
    OPTION_MARGIN,
    OPTION_FEATURE_ANGLE,
    OPTION_NORMAL,
    OPTION_CONTRACTION,
    OPTION_METHOD,
    OPTION_NO_REFINE,
    OPTION_REDUCE,
    OPTION_HULL,
    OPTION_MESH_RULE,
    OPTION_MESH_IDENTITY,
    OPTION_JSON,
    OPTION_COUNT
};

static const cli_option options[OPTION_COUNT] = {
    [OPTION_POSE] =
        {"pose", 'p', "X,Y,Z[,QX,QY,QZ,QW]",
         "Pose of B and of all meshes behind it: position, and rotation as a quaternion of any length (default: origin, no rotation)."},
    [OPTION_POSE_A] = {"pose-a", 'a', "X,Y,Z[,QX,QY,QZ,QW]", "Pose of A."},
    [OPTION_MARGIN] = {"margin", 'm', "LENGTH", "Make contacts up to this gap (default 0: touching or overlapping only)."},
    [OPTION_FEATURE_ANGLE] = {"feature-angle", 0, "DEGREES",
                              "A face or edge that is closer than this to the contact plane takes part whole; 0 to 45 (default 2)."},
    [OPTION_NORMAL] = {"normal", 0, "POLICY",
                       "Normal of overlapping polytopes. minimum: the direction of the shortest translation that separates them (default). "
                       "growth: the normal of the growth distance, which can be deeper."},
    [OPTION_CONTRACTION] =
        {"contraction", 0, "POINT",
         "Points about which the shapes grow. core: directions compete by absolute depth (default). centroid: directions "
         "compete by depth relative to size. A shape written as KIND:contraction=X,Y,Z:NUMBERS grows about this point of its frame, which "
         "lies "
         "strictly inside it; the other shape then grows about its own point or its centroid."},
    [OPTION_METHOD] = {"method", 0, "NAME",
                       "How the growth distance is found. expansion: from inside, over the vertices of the Minkowski difference (default). "
                       "ray-cast: from outside, by distances."},
    [OPTION_NO_REFINE] = {"no-refine", 0, NULL,
                          "With --normal growth: keep the normal of the growth distance everywhere. Without this option the normal of "
                          "least depth replaces it where the "
                          "features do not face each other along it, and where the shapes overlap deeply."},
    [OPTION_REDUCE] =
        {"reduce", 'r', "N",
         "Reduce every patch to N contacts. The deepest contact is kept, and the answer says how much support area was lost."},
    [OPTION_HULL] = {"hull", 0, NULL,
                     "Replace pieces of a mesh that are not convex by their convex hulls. Without this option they are refused."},
    [OPTION_MESH_RULE] =
        {"mesh-rule", 0, "RULE",
         "Which contacts between a sphere and the triangles of a trimesh are kept. surface: contacts with the surface that the triangles "
         "represent (default). For comparison: published (Terdiman's rule; as printed together with --mesh-identity index), closest (the "
         "closest point of every triangle), triangles (the same points with the normals of the triangles), three-passes (Terdiman's first "
         "version: faces, edges, vertices, unsorted), smoothed (closest points with interpolated normals of the vertices), voronoi "
         "(closest "
         "points; normals are turned into the Voronoi regions of edges)."},
    [OPTION_MESH_IDENTITY] =
        {"mesh-identity", 0, "NAMES",
         "When an edge or vertex of one triangle is the same as one of another triangle, for contacts with a sphere. place: "
         "they lie on each other (default). index: their vertices have equal indices. position: their vertices have equal "
         "coordinates, to the last bit."},
    [OPTION_JSON] = {"json", 'j', NULL, "Print JSON instead of a table."},
};

static const char *const contractions[] = {"core", "centroid", NULL};
static const char *const normals[] = {"growth", "minimum", NULL};
static const char *const methods[] = {"expansion", "ray-cast", NULL};
static const char *const mesh_rules[] = {"surface", "published", "closest", "triangles", "three-passes", "smoothed", "voronoi", NULL};
static const char *const mesh_identities[] = {"place", "index", "position", NULL};

/* ---- the question ---- */

static bool read_settings(const cli_line *line, collide_answer *q) {
    int normal = ABUT_NORMAL_MINIMUM, method = ABUT_GROWTH_EXPANSION;
    int contraction = ABUT_CONTRACTION_CORE, rule = ABUT_MESH_SURFACE, identity = ABUT_MESH_BY_PLACE;
    double degrees = 2.0;
    q->settings = abut_collide_settings_default();
    bool right = cli_real(line, OPTION_MARGIN, 0.0, INFINITY, &q->settings.margin) &&
                 cli_real(line, OPTION_FEATURE_ANGLE, 0.0, 45.0, &degrees) && cli_word(line, OPTION_NORMAL, normals, &normal) &&
                 cli_word(line, OPTION_METHOD, methods, &method) && cli_word(line, OPTION_CONTRACTION, contractions, &contraction) &&
                 cli_word(line, OPTION_MESH_RULE, mesh_rules, &rule) && cli_word(line, OPTION_MESH_IDENTITY, mesh_identities, &identity) &&
                 cli_integer(line, OPTION_REDUCE, 1, INT32_MAX, &q->reduce);
    if (line->values[OPTION_FEATURE_ANGLE]) {
        /* Rounding must not take 45 degrees out of the settings' range. */
        const double eighth = 0.78539816339744830962; /* of a full turn [rad] */
        q->settings.feature_angle = fmin(degrees * (eighth / 45.0), eighth);
    }
    q->settings.normal = (abut_normal_policy)normal;
    q->settings.baseline.growth = (abut_growth_method)method;
    q->settings.refine_normal = line->values[OPTION_NO_REFINE] == NULL;
    q->settings.contraction = (abut_contraction)contraction;
    q->settings.baseline.mesh_rule = (abut_mesh_rule)rule;
    q->settings.baseline.mesh_identity = (abut_mesh_identity)identity;
    return right;
}

static bool read_pose(const cli_line *line, int option, abut_pose *pose, abut_error *error) {
    *pose = abut_pose_identity();
    return !line->values[option] || shape_argument_pose(line->values[option], pose, error) == ABUT_OK;
}

/* Reads the shape of an operand. `pose` is the option's pose for it. */
static abut_status read_shape(const cli_line *line, int32_t index, abut_pose pose, abut_part *part, abut_error *error) {
    abut_shape *shape = NULL;
    shape_placement placement;
    abut_status status = shape_argument_read(line->operands[index], line->values[OPTION_HULL] != NULL, &shape, &placement, error);
    if (!status) {
        part->shape = shape;
        part->pose = placement.given ? abut_pose_compose(pose, placement.pose) : pose;
    }
    return status;
}

static int read_question(const cli_line *line, collide_answer *q) {
    abut_error error;
    abut_pose pose_a, pose_b;
    if (!read_settings(line, q)) {
        return CLI_USAGE;
    }
    if (!read_pose(line, OPTION_POSE_A, &pose_a, &error) || !read_pose(line, OPTION_POSE, &pose_b, &error)) {
        return cli_fail_error(line->command, CLI_USAGE, &error);
    }
    int inputs = path_check_inputs(line, NULL);
    if (inputs) {
        return inputs;
    }
    q->names = line->operands;
    q->shapes = calloc((size_t)line->operand_count, sizeof *q->shapes);
    if (!q->shapes) {
        return cli_fail(line->command, CLI_FAILED, "no memory");
    }
    for (; q->shape_count < line->operand_count; q->shape_count++) {
        int32_t i = q->shape_count;
        abut_status status = read_shape(line, i, i == 0 ? pose_a : pose_b, &q->shapes[i], &error);
        if (status) {
            return cli_fail_error(line->command, cli_error_status(status), &error);
        }
    }
    return CLI_OK;
}

/* ---- the answer ---- */

static abut_status collide(collide_answer *q, int32_t capacity) {
    const abut_part *a = &q->shapes[0], *b = &q->shapes[1];
    if (q->shape_count > 2) {
        return abut_collide_meshes(a->shape, a->pose, b, q->shape_count - 1, &q->settings, q->contacts, capacity, &q->count);
    }
    return abut_collide(&(abut_pair){a->shape, a->pose, b->shape, b->pose}, &q->settings, NULL, q->contacts, capacity, &q->count);
}

static abut_status find_contacts(collide_answer *q) {
    int32_t capacity = 64;
    for (;;) {
        abut_contact *contacts = realloc(q->contacts, sizeof *contacts * (size_t)capacity);
        if (!contacts) {
            return ABUT_ERROR_OUT_OF_MEMORY;
        }
        q->contacts = contacts;
        abut_status status = collide(q, capacity);
        if (status != ABUT_ERROR_CAPACITY) {
            return status;
        }
        capacity = q->count;
    }
}

/* Finds the ranges of contacts with the same patch, and reduces each if that was asked for. The remaining contacts move together. */
static abut_status find_patches(collide_answer *q) {
    q->patches = calloc((size_t)q->count + 1, sizeof *q->patches);
    if (!q->patches) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    int32_t kept = 0;
    for (int32_t first = 0, end; first < q->count; first = end) {
        collide_patch *p = &q->patches[q->patch_count++];
        for (end = first; end < q->count && q->contacts[end].patch == q->contacts[first].patch; end++) {
            p->area += q->contacts[end].area;
        }
        p->found = p->count = end - first;
        p->first = kept;
        if (q->reduce > 0) {
            abut_reduction reduction;
            abut_status status = abut_reduce(q->contacts + first, p->found, (int32_t)q->reduce, q->contacts + first, &reduction);
            if (status) {
                return status;
            }
            p->count = reduction.kept;
            p->area_before = reduction.area_before;
            p->area_after = reduction.area_after;
        }
        memmove(q->contacts + kept, q->contacts + first, sizeof *q->contacts * (size_t)p->count);
        kept += p->count;
    }
    q->count = kept;
    return ABUT_OK;
}

static abut_status find_answer(collide_answer *q) {
    const abut_part *a = &q->shapes[0], *b = &q->shapes[1];
    abut_status status = find_contacts(q);
    status = status ? status : find_patches(q);
    q->growth_status = abut_growth_distance(&(abut_pair){a->shape, a->pose, b->shape, b->pose}, &q->settings, &q->growth);
    return status;
}

static const char *kind_name(const collide_answer *q, int32_t shape) { return abut_kind_name(abut_shape_kind(q->shapes[shape].shape)); }

/* Names the shapes that cannot be combined. */
static int refuse_kinds(const cli_command *command, const collide_answer *q) {
    for (int32_t i = 1; i < q->shape_count && q->shape_count > 2; i++) {
        if (abut_shape_kind(q->shapes[i].shape) != ABUT_SHAPE_TRIMESH) {
            return cli_fail(command, CLI_USAGE, "'%s' is a %s: behind A, several shapes must all be of the kind trimesh", q->names[i],
                            kind_name(q, i));
        }
    }
    return cli_fail(command, CLI_USAGE, "there are no contacts between a %s and a %s; 'abut help collide' says which shapes meet",
                    kind_name(q, 0), kind_name(q, 1));
}

static int print_answer(const cli_line *line, collide_answer *q) {
    abut_status found = find_answer(q);
    if (found == ABUT_ERROR_UNSUPPORTED_PAIR) {
        return refuse_kinds(line->command, q);
    }
    if (found == ABUT_ERROR_NOT_FINITE) {
        return cli_fail(line->command, CLI_USAGE, "'%s' and '%s': too large or too far from the origin to compute with; move or scale them",
                        q->names[0], q->names[1]);
    }
    if (found) {
        return cli_fail(line->command, CLI_FAILED, "'%s' and '%s': %s", q->names[0], q->names[1], abut_status_message(found));
    }
    if (line->values[OPTION_JSON]) {
        int status = collide_print_json(line->command, q);
        return status ? status : cli_finish_output(line->command);
    }
    collide_print_table(q);
    return cli_finish_output(line->command);
}

static int run(const cli_line *line) {
    collide_answer q = {0};
    int status = read_question(line, &q);
    status = status ? status : print_answer(line, &q);
    for (int32_t i = 0; i < q.shape_count; i++) {
        abut_shape_release(q.shapes[i].shape);
    }
    free(q.shapes);
    free(q.contacts);
    free(q.patches);
    return status;
}

static const char *const text[] = {
    "A and B are mesh files, or shapes written as KIND:NUMBERS:",
    shape_argument_help,
    "An implicit body is where the formula is not above 0. upper and lower (default -upper) are the corners of a box that contains it, and "
    "inside "
    "(default 0,0,0) is a point in it. The surface of a parametric body is given by three formulas, which cover it once. Names that are no "
    "settings are numbers for the formulas. A torus is not convex; a body with convex=no need not be. docs/use/formulas.md describes "
    "formulas.",
    "A mesh file (.obj, .stl, .ply, .gltf, .glb) alone is a solid: each of its groups, or each connected piece, must be convex, and is a "
    "part "
    "of the shape. The file '-' is the standard input; its contents tell its format.",
    "A trimesh is the surface of a mesh file: one shape of all its triangles. It need not be convex or closed, and it is touched from "
    "outside "
    "only. It meets every shape except a facetmesh. Settings stand before the file, each with a colon behind it: scale=S or scale=X,Y,Z (a "
    "mirrored surface keeps its outside), two-sided (touched from both sides), smooth=DEGREES (edges up to this angle are smooth for "
    "spheres; 0 to 60), piece=NAME (only the groups of this name) and "
    "at=X,Y,Z[,QX,QY,QZ,QW] (pose of the mesh in the frame that --pose or --pose-a places). Several trimeshes behind A are one surface; A "
    "must then be neither a plane nor a facetmesh.",
    "A facetmesh is a closed mesh file as a body of rounded triangles. Each triangle stands for a part of a sphere. The radius of "
    "curvature is "
    "estimated from the mesh, or given: radius=R for all triangles, or radius=flat. scale, piece and at are those of a trimesh. A "
    "facetmesh "
    "meets facetmeshes, spheres and planes. Every pair of triangles that touch is a contact; its area is that of their overlap.",
    "A contact is a pair of points, one on each shape, that face each other along the normal. The normal points from B into A. The gap is "
    "negative where the shapes overlap. Contacts with the same normal make a patch. Two convex shapes that are not planes also have a "
    "growth "
    "distance: the factor by which both must grow about their inner points until they touch; it is below 1 when they overlap. Shapes that "
    "are "
    "apart are a normal result: the exit status is 0.",
    NULL,
};

static const char *const examples[] = {"abut collide box:1,1,1 box:1,1,1 --pose 0.5,0.5,1.99",
                                       "abut collide implicit:upper=2,2,2:x^2/2+y^2+z^2-1 sphere:1",
                                       "abut collide sphere:1 part.obj --pose 0,0,0.9 --margin 0.1 --json",
                                       "abut collide trimesh:scenes/meshes/stairs.obj sphere:0.3 --pose 2.3,0,1.29",
                                       "abut collide sphere:1 trimesh:tile.obj trimesh:at=2,0,0:tile.obj -a 1,1,.9",
                                       "abut collide facetmesh:scenes/meshes/pear.obj sphere:.005 -p 0,0,.013",
                                       NULL};

const cli_command command_collide = {
    .name = "collide",
    .operands = "A B [MESH]...",
    .least_operands = 2,
    .most_operands = INT32_MAX,
    .summary = "find the contacts of two shapes, or of a shape with several meshes",
    .text = text,
    .examples = examples,
    .options = options,
    .option_count = OPTION_COUNT,
    .run = run,
};
