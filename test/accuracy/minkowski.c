/* The least depth of two polytopes with 200 bits: see minkowski.h. Directions run from A to B, which is out of A - B. */
#include "accuracy/minkowski.h"

#include <stdlib.h>

#include "support/check.h"

enum { BITS = 200, MOST_CLOSE = 24 };

/* ---- vectors of 200 bits ---- */

typedef struct vector {
    mpfr_t x[3];
} vector;

static void begin(vector *v) {
    for (int i = 0; i < 3; ++i) {
        mpfr_init2(v->x[i], BITS);
        mpfr_set_zero(v->x[i], 1);
    }
}

static void end(vector *v) {
    for (int i = 0; i < 3; ++i) {
        mpfr_clear(v->x[i]);
    }
}

static void set(vector *v, abut_vec3 from) {
    mpfr_set_d(v->x[0], from.x, MPFR_RNDN);
    mpfr_set_d(v->x[1], from.y, MPFR_RNDN);
    mpfr_set_d(v->x[2], from.z, MPFR_RNDN);
}

static abut_vec3 rounded(const vector *v) {
    return abut_vec3_make(mpfr_get_d(v->x[0], MPFR_RNDN), mpfr_get_d(v->x[1], MPFR_RNDN), mpfr_get_d(v->x[2], MPFR_RNDN));
}

static void subtract(vector *d, const vector *p, const vector *q) {
    for (int i = 0; i < 3; ++i) {
        mpfr_sub(d->x[i], p->x[i], q->x[i], MPFR_RNDN);
    }
}

static void dot(mpfr_t d, const vector *p, const vector *q, mpfr_t scratch) {
    mpfr_mul(d, p->x[0], q->x[0], MPFR_RNDN);
    mpfr_mul(scratch, p->x[1], q->x[1], MPFR_RNDN);
    mpfr_add(d, d, scratch, MPFR_RNDN);
    mpfr_mul(scratch, p->x[2], q->x[2], MPFR_RNDN);
    mpfr_add(d, d, scratch, MPFR_RNDN);
}

static void cross(vector *c, const vector *p, const vector *q, mpfr_t scratch) {
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        mpfr_mul(c->x[i], p->x[j], q->x[k], MPFR_RNDN);
        mpfr_mul(scratch, p->x[k], q->x[j], MPFR_RNDN);
        mpfr_sub(c->x[i], c->x[i], scratch, MPFR_RNDN);
    }
}

/* ---- bodies ---- */

void minkowski_body_free(minkowski_body *body) {
    free(body->vertices);
    free(body->faces);
    free(body->edges);
}

/* A body turned into the world about its origin. */
typedef struct turned {
    const minkowski_body *body;
    vector *exact;
    abut_vec3 *vertices; /* the same, rounded */
    double reach;
} turned;

/* The columns of the rotation of q / |q|, whose entries are quotients of polynomials in q. */
static void set_rotation(vector column[3], abut_quat q) {
    const double part[4] = {q.x, q.y, q.z, q.w};
    mpfr_t product[4][4], square;
    mpfr_init2(square, BITS);
    mpfr_set_zero(square, 1);
    for (int i = 0; i < 4; ++i) {
        for (int k = 0; k < 4; ++k) {
            mpfr_init2(product[i][k], BITS);
            mpfr_set_d(product[i][k], part[i], MPFR_RNDN);
            mpfr_mul_d(product[i][k], product[i][k], part[k], MPFR_RNDN);
        }
        mpfr_add(square, square, product[i][i], MPFR_RNDN);
    }
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        mpfr_ptr along = column[i].x[i], next = column[i].x[j], last = column[i].x[k];
        mpfr_add(along, product[j][j], product[k][k], MPFR_RNDN);
        mpfr_add(next, product[i][j], product[3][k], MPFR_RNDN);
        mpfr_sub(last, product[i][k], product[3][j], MPFR_RNDN);
        for (int m = 0; m < 3; ++m) {
            mpfr_mul_2ui(column[i].x[m], column[i].x[m], 1, MPFR_RNDN);
            mpfr_div(column[i].x[m], column[i].x[m], square, MPFR_RNDN);
        }
        mpfr_ui_sub(along, 1, along, MPFR_RNDN);
    }
    mpfr_clear(square);
    for (int i = 0; i < 16; ++i) {
        mpfr_clear(product[i / 4][i % 4]);
    }
}

static turned turn(const minkowski_body *body, abut_quat rotation) {
    turned t = {body, check_memory((size_t)body->vertex_count, sizeof(vector)), check_memory((size_t)body->vertex_count, sizeof(abut_vec3)),
                0.0};
    vector column[3];
    mpfr_t scratch;
    mpfr_init2(scratch, BITS);
    for (int i = 0; i < 3; ++i) {
        begin(&column[i]);
    }
    set_rotation(column, rotation);
    for (int32_t v = 0; v < body->vertex_count; ++v) {
        const double local[3] = {body->vertices[v].x, body->vertices[v].y, body->vertices[v].z};
        begin(&t.exact[v]);
        for (int i = 0; i < 9; ++i) {
            mpfr_mul_d(scratch, column[i / 3].x[i % 3], local[i / 3], MPFR_RNDN);
            mpfr_add(t.exact[v].x[i % 3], t.exact[v].x[i % 3], scratch, MPFR_RNDN);
        }
        t.vertices[v] = rounded(&t.exact[v]);
        t.reach = fmax(t.reach, abut_length(t.vertices[v]));
    }
    for (int i = 0; i < 3; ++i) {
        end(&column[i]);
    }
    mpfr_clear(scratch);
    return t;
}

static void turned_free(turned *t) {
    for (int32_t v = 0; v < t->body->vertex_count; ++v) {
        end(&t->exact[v]);
    }
    free(t->exact);
    free(t->vertices);
}

static double support(const turned *t, abut_vec3 direction) {
    double most = -INFINITY;
    for (int32_t v = 0; v < t->body->vertex_count; ++v) {
        most = fmax(most, abut_dot(direction, t->vertices[v]));
    }
    return most;
}

static void exact_support(mpfr_t most, const turned *t, const vector *direction, double sign) {
    mpfr_t value, scratch;
    mpfr_inits2(BITS, value, scratch, (mpfr_ptr)0);
    for (int32_t v = 0; v < t->body->vertex_count; ++v) {
        dot(value, direction, &t->exact[v], scratch);
        mpfr_mul_d(value, value, sign, MPFR_RNDN);
        if (v == 0 || mpfr_greater_p(value, most)) {
            mpfr_set(most, value, MPFR_RNDN);
        }
    }
    mpfr_clears(value, scratch, (mpfr_ptr)0);
}

/* ---- directions ---- */

/* A face of A (first < 0: no edge), of B, or two edges; and the direction from A to B, rounded, with the depth for coinciding origins. */
typedef struct direction {
    enum { OF_A, OF_B, OF_EDGES } kind;
    int32_t first, second;
    double sign;
    abut_vec3 rounded;
    double offset;
} direction;

struct minkowski {
    turned a, b;
    direction *list;
    int32_t count, room;
};

static void face_normal(vector *n, const turned *t, int32_t face, mpfr_t scratch) {
    const int32_t *corner = t->body->faces[face];
    vector p, q;
    begin(&p);
    begin(&q);
    subtract(&p, &t->exact[corner[1]], &t->exact[corner[0]]);
    subtract(&q, &t->exact[corner[2]], &t->exact[corner[0]]);
    cross(n, &p, &q, scratch);
    end(&p);
    end(&q);
}

static void edge_normal(vector *n, const turned *a, int32_t edge_a, const turned *b, int32_t edge_b, mpfr_t scratch) {
    vector p, q;
    begin(&p);
    begin(&q);
    subtract(&p, &a->exact[a->body->edges[edge_a][1]], &a->exact[a->body->edges[edge_a][0]]);
    subtract(&q, &b->exact[b->body->edges[edge_b][1]], &b->exact[b->body->edges[edge_b][0]]);
    cross(n, &p, &q, scratch);
    end(&p);
    end(&q);
}

static void exact_direction(vector *n, const minkowski *of, const direction *d, mpfr_t scratch) {
    if (d->kind == OF_EDGES) {
        edge_normal(n, &of->a, d->first, &of->b, d->second, scratch);
    } else {
        face_normal(n, d->kind == OF_A ? &of->a : &of->b, d->first, scratch);
    }
    for (int i = 0; i < 3 && d->sign < 0.0; ++i) {
        mpfr_neg(n->x[i], n->x[i], MPFR_RNDN);
    }
}

/* A unit vector, from a vector that may be too short to be squared. */
static abut_vec3 unit_of(const vector *n) {
    vector scaled;
    begin(&scaled);
    mpfr_exp_t most = mpfr_get_emin();
    for (int i = 0; i < 3; ++i) {
        most = mpfr_zero_p(n->x[i]) || mpfr_get_exp(n->x[i]) < most ? most : mpfr_get_exp(n->x[i]);
    }
    for (int i = 0; i < 3; ++i) {
        mpfr_mul_2si(scaled.x[i], n->x[i], -most, MPFR_RNDN);
    }
    abut_vec3 v = rounded(&scaled);
    end(&scaled);
    return abut_scale(1.0 / abut_length(v), v);
}

static void add(minkowski *of, const direction *d) {
    if (of->count == of->room) {
        of->room = 2 * of->room + 64;
        of->list = realloc(of->list, (size_t)of->room * sizeof *of->list);
        assert_non_null(of->list);
    }
    of->list[of->count++] = *d;
}

static void add_faces(minkowski *of, const turned *t, int kind, mpfr_t scratch) {
    vector n;
    begin(&n);
    for (int32_t f = 0; f < t->body->face_count; ++f) {
        direction d = {kind == OF_A ? OF_A : OF_B, f, -1, kind == OF_A ? 1.0 : -1.0, {0, 0, 0}, 0.0};
        exact_direction(&n, of, &d, scratch);
        d.rounded = unit_of(&n);
        d.offset = support(&of->a, d.rounded) + support(&of->b, abut_neg(d.rounded));
        add(of, &d);
    }
    end(&n);
}

static abut_vec3 along(const turned *t, int32_t edge) {
    return abut_sub(t->vertices[t->body->edges[edge][1]], t->vertices[t->body->edges[edge][0]]);
}

/* Both senses of two edges, if the edges reach as far as the bodies. Others are not facets; a direction that rounding leaves here does no harm. */
static void add_edges(minkowski *of, int32_t i, int32_t k, mpfr_t scratch) {
    const double nearly = 1e-4, parallel = 1e-40, slack = 1e-8;
    abut_vec3 p = along(&of->a, i), q = along(&of->b, k), across = abut_cross(p, q);
    double length = abut_length(across), both = abut_length(p) * abut_length(q);
    if (length > nearly * both) {
        across = abut_scale(1.0 / length, across);
    } else {
        vector n;
        begin(&n);
        edge_normal(&n, &of->a, i, &of->b, k, scratch);
        length = abut_length(rounded(&n));
        across = length > parallel * both ? unit_of(&n) : abut_vec3_make(0, 0, 0);
        end(&n);
    }
    for (double sign = -1.0; sign <= 1.0 && length > parallel * both; sign += 2.0) {
        direction d = {OF_EDGES, i, k, sign, abut_scale(sign, across), 0.0};
        double reach_a = support(&of->a, d.rounded), reach_b = support(&of->b, abut_neg(d.rounded));
        double at_a = abut_dot(d.rounded, of->a.vertices[of->a.body->edges[i][0]]),
               at_b = -abut_dot(d.rounded, of->b.vertices[of->b.body->edges[k][0]]);
        d.offset = reach_a + reach_b;
        if (reach_a - at_a <= slack * of->a.reach && reach_b - at_b <= slack * of->b.reach) {
            add(of, &d);
        }
    }
}

minkowski *minkowski_open(const minkowski_body *a, abut_quat rotation_a, const minkowski_body *b, abut_quat rotation_b) {
    minkowski *of = check_memory(1, sizeof *of);
    mpfr_t scratch;
    mpfr_init2(scratch, BITS);
    of->a = turn(a, rotation_a);
    of->b = turn(b, rotation_b);
    add_faces(of, &of->a, OF_A, scratch);
    add_faces(of, &of->b, OF_B, scratch);
    for (int32_t i = 0; i < a->edge_count; ++i) {
        for (int32_t k = 0; k < b->edge_count; ++k) {
            add_edges(of, i, k, scratch);
        }
    }
    mpfr_clear(scratch);
    return of;
}

void minkowski_close(minkowski *of) {
    turned_free(&of->a);
    turned_free(&of->b);
    free(of->list);
    free(of);
}

double minkowski_size(const minkowski *of) { return of->a.reach + of->b.reach; }

/* ---- depths ---- */

/* (h_A(n) + h_B(-n) - n . shift) / |n|. */
static void exact_depth(mpfr_t depth, const minkowski *of, const vector *n, const vector *shift) {
    mpfr_t part, scratch;
    mpfr_inits2(BITS, part, scratch, (mpfr_ptr)0);
    exact_support(depth, &of->a, n, 1.0);
    exact_support(part, &of->b, n, -1.0);
    mpfr_add(depth, depth, part, MPFR_RNDN);
    dot(part, n, shift, scratch);
    mpfr_sub(depth, depth, part, MPFR_RNDN);
    dot(part, n, n, scratch);
    mpfr_sqrt(part, part, MPFR_RNDN);
    mpfr_div(depth, depth, part, MPFR_RNDN);
    mpfr_clears(part, scratch, (mpfr_ptr)0);
}

static void set_shift(vector *shift, abut_vec3 place_a, abut_vec3 place_b) {
    vector from;
    begin(&from);
    begin(shift);
    set(&from, place_a);
    set(shift, place_b);
    subtract(shift, shift, &from);
    end(&from);
}

static double rough(const direction *d, abut_vec3 shift) { return d->offset - abut_dot(d->rounded, shift); }

double minkowski_rough_depth(const minkowski *of, abut_vec3 shift) {
    double least = INFINITY;
    for (int32_t i = 0; i < of->count; ++i) {
        least = fmin(least, rough(&of->list[i], shift));
    }
    return least;
}

/* The directions whose rough depths are least, those within rounding of the least first. */
static int32_t closest(const minkowski *of, abut_vec3 shift, int32_t close[MOST_CLOSE]) {
    double least = minkowski_rough_depth(of, shift),
           enough = least + 1e-9 * fabs(least) + 1e-13 * (minkowski_size(of) + abut_length(shift));
    int32_t count = 0;
    for (int32_t i = 0; i < of->count; ++i) {
        double depth = rough(&of->list[i], shift);
        if (!(depth <= enough)) {
            continue;
        }
        int32_t at = count < MOST_CLOSE ? count++ : MOST_CLOSE;
        for (; at > 0 && rough(&of->list[close[at - 1]], shift) > depth; --at) {
            if (at < MOST_CLOSE) {
                close[at] = close[at - 1];
            }
        }
        if (at < MOST_CLOSE) {
            close[at] = i;
        }
    }
    return count;
}

double minkowski_depth(const minkowski *of, abut_vec3 place_a, abut_vec3 place_b) {
    int32_t close[MOST_CLOSE], count = closest(of, abut_sub(place_b, place_a), close);
    double least = INFINITY;
    vector n, shift;
    mpfr_t depth, scratch;
    mpfr_inits2(BITS, depth, scratch, (mpfr_ptr)0);
    begin(&n);
    set_shift(&shift, place_a, place_b);
    for (int32_t i = 0; i < count; ++i) {
        exact_direction(&n, of, &of->list[close[i]], scratch);
        exact_depth(depth, of, &n, &shift);
        least = fmin(least, mpfr_get_d(depth, MPFR_RNDN));
    }
    end(&n);
    end(&shift);
    mpfr_clears(depth, scratch, (mpfr_ptr)0);
    return least;
}

double minkowski_depth_along(const minkowski *of, abut_vec3 place_a, abut_vec3 place_b, abut_vec3 normal) {
    vector n, shift;
    mpfr_t depth;
    mpfr_init2(depth, BITS);
    begin(&n);
    set(&n, abut_neg(normal));
    set_shift(&shift, place_a, place_b);
    exact_depth(depth, of, &n, &shift);
    double rounded_depth = mpfr_get_d(depth, MPFR_RNDN);
    end(&n);
    end(&shift);
    mpfr_clear(depth);
    return rounded_depth;
}
