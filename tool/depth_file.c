/*
 * Output files of `abut depth`: meshes with arrays for each element, for ParaView, or a table of the pairs.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tool/depth_answer.h"
#include "io/file/output.h"
#include "io/tet/vtu.h"

/* ---- meshes ---- */

/* Arrays for the elements and vertices of one body. */
typedef struct columns {
    int32_t *body, *partners, *remaining; /* per element */
    int64_t *partner;
    double *depth, *rigid;
    abut_vec3 *normal, *displacement;
    abut_vec3 *moved; /* per vertex */
} columns;

static void release_columns(columns *c) {
    free(c->body);
    free(c->partners);
    free(c->remaining);
    free(c->partner);
    free(c->depth);
    free(c->rigid);
    free(c->normal);
    free(c->displacement);
    free(c->moved);
}

static bool make_columns(const depth_body *body, int number, columns *c) {
    size_t elements = (size_t)body->mesh.element_count, vertices = (size_t)body->mesh.vertex_count;
    *c = (columns){.body = calloc(elements, sizeof *c->body),
                   .partners = calloc(elements, sizeof *c->partners),
                   .remaining = calloc(elements, sizeof *c->remaining),
                   .partner = calloc(elements, sizeof *c->partner),
                   .depth = calloc(elements, sizeof *c->depth),
                   .rigid = calloc(elements, sizeof *c->rigid),
                   .normal = calloc(elements, sizeof *c->normal),
                   .displacement = calloc(elements, sizeof *c->displacement),
                   .moved = calloc(vertices, sizeof *c->moved)};
    if (!c->body || !c->partners || !c->remaining || !c->partner || !c->depth || !c->rigid || !c->normal || !c->displacement || !c->moved) {
        return false;
    }
    for (size_t e = 0; e < elements; e++) {
        c->body[e] = number;
        c->partner[e] = -1;
    }
    return true;
}

/* The mean displacement over a tetrahedron is the displacement of its centroid. */
static abut_vec3 mean_of(const abut_vec3 d[4]) { return abut_scale(0.25, abut_add(abut_add(d[0], d[1]), abut_add(d[2], d[3]))); }

/* Adds a pair to one of its elements. sign is 1 for A and -1 for B, so that the normal points from the partner into the element. */
static void note_pair(columns *c, int32_t element, int64_t partner, const abut_depth *d, double sign) {
    c->partners[element]++;
    if (c->partner[element] < 0 || d->depth > c->depth[element]) {
        c->partner[element] = partner;
        c->depth[element] = d->depth;
        c->rigid[element] = -d->rigid.gap;
        c->normal[element] = abut_scale(sign, d->normal);
        c->displacement[element] = mean_of(sign > 0.0 ? d->displacement_a : d->displacement_b);
    }
}

static void fill_columns(const depth_answer *q, columns c[2]) {
    int second = q->body_count - 1;
    for (int32_t i = 0; i < q->count; i++) {
        const abut_depth *d = &q->depths[i];
        abut_element_pair pair = q->pairs[i];
        if (!d->status && d->relation == ABUT_DEPTH_INTERSECTING) {
            note_pair(&c[0], pair.a, q->body[second].tags[pair.b], d, 1.0);
            note_pair(&c[second], pair.b, q->body[0].tags[pair.a], d, -1.0);
        }
    }
    const depth_separation *s = q->separation;
    for (int64_t i = 0; s && i < s->report.pairs_remaining; i++) {
        c[0].remaining[s->remaining[i].a]++;
        c[second].remaining[s->remaining[i].b]++;
    }
    for (int b = 0; s && b < q->body_count; b++) {
        for (int32_t v = 0; v < q->body[b].mesh.vertex_count; v++) {
            c[b].moved[v] = abut_sub(s->moved[b][v], q->body[b].vertices[v]);
        }
    }
}

static abut_status write_columns(const depth_answer *q, const char *path, columns c[2], abut_error *error) {
    const void *body[2] = {c[0].body, c[1].body}, *tag[2] = {q->body[0].tags, q->body[1].tags},
               *region[2] = {q->body[0].regions, q->body[1].regions};
    const void *partners[2] = {c[0].partners, c[1].partners}, *partner[2] = {c[0].partner, c[1].partner},
               *depth[2] = {c[0].depth, c[1].depth};
    const void *rigid[2] = {c[0].rigid, c[1].rigid}, *normal[2] = {c[0].normal, c[1].normal};
    const void *displacement[2] = {c[0].displacement, c[1].displacement}, *remaining[2] = {c[0].remaining, c[1].remaining};
    const void *moved[2] = {c[0].moved, c[1].moved};
    const void *ratio[2] = {q->separation ? q->separation->ratio[0] : NULL, q->separation ? q->separation->ratio[1] : NULL};
    const abut_vtu_array arrays[] = {
        {"depth", ABUT_VTU_CELLS, ABUT_VTU_DOUBLE, 1, depth},      {"rigid_depth", ABUT_VTU_CELLS, ABUT_VTU_DOUBLE, 1, rigid},
        {"normal", ABUT_VTU_CELLS, ABUT_VTU_DOUBLE, 3, normal},    {"displacement", ABUT_VTU_CELLS, ABUT_VTU_DOUBLE, 3, displacement},
        {"partners", ABUT_VTU_CELLS, ABUT_VTU_INT32, 1, partners}, {"partner", ABUT_VTU_CELLS, ABUT_VTU_INT64, 1, partner},
        {"body", ABUT_VTU_CELLS, ABUT_VTU_INT32, 1, body},         {"tag", ABUT_VTU_CELLS, ABUT_VTU_INT64, 1, tag},
        {"region", ABUT_VTU_CELLS, ABUT_VTU_INT32, 1, region},     {"remaining", ABUT_VTU_CELLS, ABUT_VTU_INT32, 1, remaining},
        {"moved", ABUT_VTU_POINTS, ABUT_VTU_DOUBLE, 3, moved},     {"volume_ratio", ABUT_VTU_CELLS, ABUT_VTU_DOUBLE, 1, ratio},
    };
    enum { ALWAYS = 9, WITH_SEPARATION = 11, WITH_RATIO = sizeof arrays / sizeof *arrays };
    abut_tetra_mesh mesh[2] = {q->body[0].mesh, q->body[1].mesh};
    for (int b = 0; q->separation && b < q->body_count; b++) {
        mesh[b].vertices = q->separation->moved[b];
    }
    int count = !q->separation ? ALWAYS : ratio[0] ? WITH_RATIO : WITH_SEPARATION;
    return abut_vtu_write(path, mesh, q->body_count, arrays, count, error);
}

abut_status depth_write_vtu(const depth_answer *q, const char *path, abut_error *error) {
    columns c[2] = {{0}, {0}};
    bool made = true;
    for (int b = 0; b < q->body_count; b++) {
        made = make_columns(&q->body[b], b, &c[b]) && made;
    }
    abut_status status;
    if (made) {
        fill_columns(q, c);
        status = write_columns(q, path, c, error);
    } else {
        status = abut_fail(error, ABUT_ERROR_OUT_OF_MEMORY, "cannot write '%s': no memory", path);
    }
    release_columns(&c[0]);
    release_columns(&c[1]);
    return status;
}

/* ---- a table ---- */

static const char head[] = "a,b,relation,depth,rigid_depth,sigma_a,sigma_b,normal_x,normal_y,normal_z,offset,direction,feature_a,feature_b,"
                           "certified,rigid_normal_x,rigid_normal_y,rigid_normal_z,rigid_direction,rigid_feature_a,rigid_feature_b";

static abut_status print_vec3(output_file *file, abut_vec3 v, abut_error *error) {
    return output_print(file, error, ",%.17g,%.17g,%.17g", v.x, v.y, v.z);
}

static abut_status print_head(output_file *file, abut_error *error) {
    abut_status status = output_write(file, head, sizeof head - 1, error);
    for (int i = 0; i < 24 && !status; i++) {
        status = output_print(file, error, ",displacement_%c%d_%c", i < 12 ? 'a' : 'b', i / 3 % 4, "xyz"[i % 3]);
    }
    return status ? status : output_print(file, error, ",problem\n");
}

/* The cells of a pair without an answer are empty. */
static abut_status print_failed(output_file *file, const abut_depth *d, abut_error *error) {
    enum { EMPTY = 18 + 24 };
    char commas[EMPTY + 2];
    memset(commas, ',', EMPTY + 1);
    commas[EMPTY + 1] = '\0';
    return output_print(file, error, ",%s%s\"%s\"\n", depth_relation_name(d->relation), commas, abut_status_message(d->status));
}

static abut_status print_pair(output_file *file, const abut_depth *d, abut_error *error) {
    const abut_rigid_depth *r = &d->rigid;
    abut_status status = output_print(file, error, ",%s,%.17g,%.17g,%.17g,%.17g", depth_relation_name(d->relation), d->depth, -r->gap,
                                      d->sigma_a, d->sigma_b);
    status = status ? status : print_vec3(file, d->normal, error);
    status = status ? status
                    : output_print(file, error, ",%.17g,%s,%d,%d,%d", d->offset, depth_direction_name(d->direction), (int)d->feature_a,
                                   (int)d->feature_b, (int)d->certified);
    status = status ? status : print_vec3(file, r->normal, error);
    status =
        status ? status : output_print(file, error, ",%s,%d,%d", depth_direction_name(r->direction), (int)r->feature_a, (int)r->feature_b);
    for (int i = 0; i < 8 && !status; i++) {
        status = print_vec3(file, i < 4 ? d->displacement_a[i] : d->displacement_b[i - 4], error);
    }
    return status ? status : output_print(file, error, ",\n");
}

static abut_status print_row(const depth_answer *q, int32_t i, output_file *file, abut_error *error) {
    const abut_depth *d = &q->depths[i];
    abut_status status =
        output_print(file, error, "%" PRId64 ",%" PRId64, q->body[0].tags[q->pairs[i].a], depth_second(q)->tags[q->pairs[i].b]);
    if (status) {
        return status;
    }
    return d->status ? print_failed(file, d, error) : print_pair(file, d, error);
}

abut_status depth_write_csv(const depth_answer *q, const char *path, abut_error *error) {
    output_file *file = NULL;
    abut_status status = output_open(path, OUTPUT_STREAM, &file, error);
    if (status) {
        return status;
    }
    status = print_head(file, error);
    for (int32_t i = 0; i < q->count && !status; i++) {
        status = print_row(q, i, file, error);
    }
    if (status) {
        output_discard(file);
        return status;
    }
    return output_commit(file, error);
}
