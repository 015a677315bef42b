/*
 * The metric exactly as printed (J. Kim, Y. J. Kim, section V). Equalities bring the features of a direction onto the plane. On A's side
 * only the sense in which A lies behind its feature counts; both senses count where an edge of A does not bound A ("undecidable"). If A is
 * static, such an edge is not feasible. Equalities can only enlarge a displacement, so the costs with inequalities are lower bounds, and
 * few directions must be solved. A static body takes the role of the paper's first body.
 */
#include "tetra/paper.h"

#include "base/real.h"
#include "tetra/rigid.h"

typedef struct lane_sets {
    along_forced forced;
    int deciding; /* the body whose side determines the sense */
} lane_sets;

static unsigned face_set(const pair_body *body, int face) {
    int corner[3], count = lanes_face(body, face, corner);
    unsigned set = 0u;
    for (int i = 0; i < count; ++i) {
        set |= 1u << corner[i];
    }
    return set;
}

static unsigned edge_set(int edge) { return 1u << pair_edge_ends[edge][0] | 1u << pair_edge_ends[edge][1]; }

static lane_sets sets_of(const pair *p, int lane) {
    int a, b;
    lane_sets sets = {{{0u, 0u}}, p->cost[PAIR_B].share > 0.0 ? PAIR_A : PAIR_B};
    switch (rigid_direction_of(lane, &a, &b)) {
    case ABUT_DEPTH_BY_FACE_A:
        sets.forced.vertices[PAIR_A] = face_set(&p->body[PAIR_A], a);
        sets.deciding = PAIR_A;
        break;
    case ABUT_DEPTH_BY_FACE_B:
        sets.forced.vertices[PAIR_B] = face_set(&p->body[PAIR_B], b);
        sets.deciding = PAIR_B;
        break;
    default:
        sets.forced.vertices[PAIR_A] = edge_set(a);
        sets.forced.vertices[PAIR_B] = edge_set(b);
    }
    return sets;
}

/* The feasible senses of the direction. For an edge that does not bound the body: both, or none if the body is static. */
static void find_senses(const pair *p, const lanes *l, int lane, const lane_sets *sets, bool has[LANES_SENSES]) {
    int b = sets->deciding;
    double edge = 0.0, least = INFINITY, most = -INFINITY;
    for (int i = 0; i < p->body[b].count; ++i) {
        double height = l->height[b][i][lane];
        if ((sets->forced.vertices[b] >> i & 1u) != 0u) {
            edge = height;
        } else {
            least = real_min_number(least, height);
            most = real_max_number(most, height);
        }
    }
    /* In sense 0, A is above: its other vertices have larger heights. */
    bool above = least >= edge, below = most <= edge, open = !above && !below;
    bool both = open && p->cost[b].share > 0.0;
    has[0] = both || (b == PAIR_A ? above : below);
    has[1] = both || (b == PAIR_A ? below : above);
}

paper_choice paper_least(const pair *p, lanes *l) {
    paper_choice best = {{-1, 0}, {{0u, 0u}}};
    double cost = INFINITY;
    for (;;) {
        lane_choice next = lanes_least((const double(*)[LANES])l->cost);
        if (next.lane < 0 || l->cost[next.sense][next.lane] * (1.0 - 1e-9) > cost) {
            return best;
        }
        l->cost[next.sense][next.lane] = INFINITY;
        lane_sets sets = sets_of(p, next.lane);
        bool has[LANES_SENSES];
        find_senses(p, l, next.lane, &sets, has);
        if (has[next.sense]) {
            double other = along_solve(p, abut_unit(lanes_direction(l, next)), &sets.forced).cost;
            if (other < cost) {
                best = (paper_choice){next, sets.forced};
                cost = other;
            }
        }
    }
}
