/* Islands, and in each an order that keeps the factor near the diagonal: the reverse Cuthill-McKee order ("Reducing the bandwidth of sparse
 * symmetric matrices", 1969), started at an end of the island found as by George and Liu. A stack of balls becomes a tridiagonal matrix. */
#include "solve/lcp/system.h"

/* If rows are coupled to more than this share of the island's rows, no order is better than another. */
static const double crowded = 0.5;

typedef struct graph {
    const int32_t *start, *next;
    const int32_t *degree;
    int32_t *mark; /* lcp_system.place during ordering: marks of visited rows */
} graph;

/* Breadth-first search from `root` over rows that do not have `mark` yet, into `queue`. Among the neighbours of a row, those with few
 * neighbours come first. Returns the number of rows. */
static int32_t search(const graph *g, int32_t root, int32_t mark, int32_t *queue) {
    int32_t count = 1;
    queue[0] = root;
    g->mark[root] = mark;
    for (int32_t k = 0; k < count; k++) {
        int32_t begin = count;
        for (int32_t e = g->start[queue[k]]; e < g->start[queue[k] + 1]; e++) {
            int32_t i = g->next[e], at = count;
            if (g->mark[i] == mark) {
                continue;
            }
            g->mark[i] = mark;
            for (; at > begin && g->degree[queue[at - 1]] > g->degree[i]; at--) {
                queue[at] = queue[at - 1];
            }
            queue[at] = i;
            count++;
        }
    }
    return count;
}

static void reverse(int32_t *list, int32_t count) {
    for (int32_t i = 0; i < count / 2; i++) {
        int32_t held = list[i];
        list[i] = list[count - 1 - i];
        list[count - 1 - i] = held;
    }
}

/* Shell sort, ascending. */
static void sort(int32_t *list, int32_t count) {
    int32_t gap = 1;
    while (gap < count / 3) {
        gap = 3 * gap + 1;
    }
    for (; gap > 0; gap /= 3) {
        for (int32_t i = gap; i < count; i++) {
            int32_t held = list[i], at = i;
            for (; at >= gap && list[at - gap] > held; at -= gap) {
                list[at] = list[at - gap];
            }
            list[at] = held;
        }
    }
}

void lcp_system_order(lcp_system *s, const int32_t *start, const int32_t *neighbours) {
    graph g = {start, neighbours, s->degree, s->place};
    for (int32_t i = 0; i < s->n; i++) {
        s->degree[i] = start[i + 1] - start[i];
        s->place[i] = -1;
    }
    int32_t done = 0, mark = 0;
    s->island_count = 0;
    s->island[0] = 0;
    for (int32_t i = 0; i < s->n; i++) {
        if (s->place[i] >= 0) {
            continue;
        }
        int32_t *list = s->index + done, count = search(&g, i, mark++, list);
        double entries = 0.0;
        for (int32_t k = 0; k < count; k++) {
            entries += s->degree[list[k]];
        }
        if (entries > crowded * count * count) {
            sort(list, count);
        } else {
            /* The last row found lies at one end of the island; the last one seen from there at the other end. */
            (void)search(&g, list[count - 1], mark++, s->queue);
            (void)search(&g, s->queue[count - 1], mark++, list);
            reverse(list, count);
        }
        done += count;
        s->island[++s->island_count] = done;
    }
    for (int32_t k = 0; k < s->n; k++) {
        s->place[s->index[k]] = k;
    }
}
