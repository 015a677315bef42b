/* Hashes the numbers that define a shape (base/digest.h). */
#include "shape/digest.h"

#include "base/digest.h"
#include "shape/given/contraction.h"
#include "shape/facet/mesh.h"
#include "shape/edges/mesh_smooth.h"
#include "shape/formula/body.h"
#include "shape/shape.h"
#include "shape/trimesh.h"
#include "shape/user.h"

static uint64_t add_vectors(uint64_t digest, const abut_vec3 *vectors, int32_t count) {
    for (int32_t i = 0; i < count; ++i) {
        const double xyz[] = {vectors[i].x, vectors[i].y, vectors[i].z};
        digest = digest_reals(digest, xyz, 3);
    }
    return digest;
}

static uint64_t add_pose(uint64_t digest, abut_pose pose) {
    const double q[] = {pose.rotation.x, pose.rotation.y, pose.rotation.z, pose.rotation.w};
    return digest_reals(add_vectors(digest, &pose.position, 1), q, 4);
}

static uint64_t add_polytope(uint64_t digest, const polytope *p) {
    digest = digest_integers(digest, &p->vertex_count, 1);
    digest = digest_integers(digest, &p->face_count, 1);
    digest = add_vectors(digest, p->vertices, p->vertex_count);
    digest = digest_integers(digest, p->face_first, (size_t)p->face_count + 1);
    return digest_integers(digest, p->face_vertices, (size_t)p->face_first[p->face_count]);
}

static uint64_t add_trimesh(uint64_t digest, const trimesh *m) {
    const int32_t integers[] = {m->columns, m->rows, m->vertex_count, m->triangle_count, m->two_sided, m->closed};
    const double reals[] = {m->spacing_x, m->spacing_y, m->flat};
    digest = digest_integers(digest, integers, sizeof integers / sizeof *integers);
    digest = digest_reals(digest, reals, sizeof reals / sizeof *reals);
    if (m->heights != NULL) {
        return digest_reals(digest, m->heights, (size_t)m->columns * (size_t)m->rows);
    }
    digest = add_vectors(digest, m->vertices, m->vertex_count);
    digest = m->smooth != NULL ? add_vectors(digest, m->smooth->normal, 3 * m->triangle_count) : digest;
    return digest_integers(digest, m->corners, 3 * (size_t)m->triangle_count);
}

static uint64_t add_facets(uint64_t digest, const facetmesh *f) {
    size_t count = (size_t)f->topology->triangle_count;
    digest = digest_word(digest, f->estimated);
    digest = digest_integers(digest, f->topology->corners, 3 * count);
    digest = digest_integers(digest, f->topology->order,
                             count); /* for a body that was made by moving another one, the hierarchy of the original */
    digest = f->saddle != NULL ? add_vectors(digest, f->saddle, f->topology->triangle_count) : digest;
    return digest_reals(digest, f->radius, count);
}

static uint64_t add_user(uint64_t digest, const smooth_user *user) {
    digest = digest_word(digest, user->implicit.function != NULL);
    digest = digest_real(digest, user->sign);
    digest = user->formula != NULL ? formula_digest(digest, user->formula) : digest;
    for (int32_t i = 0; i < user->count; ++i) {
        digest = add_vectors(digest, &user->samples[i].point, 1);
        digest = add_vectors(digest, &user->samples[i].normal, 1);
    }
    return digest;
}

static uint64_t add_numbers(uint64_t digest, const abut_shape *s) {
    const abut_vec3 vectors[] = {
        s->half,         s->normal,      s->unit_mass.centre, s->unit_mass.inertia.x, s->unit_mass.inertia.y, s->unit_mass.inertia.z,
        s->bounds.lower, s->bounds.upper};
    const double reals[] = {s->size,    s->radius,       s->half_length,  s->exponent[0], s->exponent[1],    s->dual[0],
                            s->dual[1], s->inner_radius, s->least_radius, s->offset,      s->unit_mass.mass, s->unit_mass.volume};
    digest = digest_word(digest, (uint64_t)s->kind);
    digest = digest_word(digest, s->convex);
    digest = add_vectors(digest, vectors, sizeof vectors / sizeof *vectors);
    return digest_reals(digest, reals, sizeof reals / sizeof *reals);
}

uint64_t shape_digest(const abut_shape *shape) {
    uint64_t digest = add_numbers(digest_begin(), shape);
    if (shape->kind == ABUT_SHAPE_BOX || shape->kind == ABUT_SHAPE_POLYTOPE) {
        digest = add_polytope(digest, &shape->surface);
    }
    if (shape_is_frustum(shape)) {
        const double sizes[] = {shape->round.radius[0], shape->round.radius[1], shape->round.height};
        digest = digest_reals(digest, sizes, 3);
    }
    if (shape->mesh != NULL) {
        digest = add_trimesh(digest, shape->mesh);
    }
    if (shape->facets != NULL) {
        digest = add_facets(digest, shape->facets);
    }
    if (shape->user != NULL) {
        digest = add_user(digest, shape->user);
    }
    if (shape_has_contraction(shape)) {
        digest = add_vectors(digest_word(digest, 1), &shape->contraction, 1);
    }
    for (int32_t i = 0; i < shape->part_count; ++i) {
        digest = add_pose(digest, shape->parts[i].pose);
        digest = digest_word(digest, shape_digest(shape->parts[i].shape));
    }
    return digest;
}
