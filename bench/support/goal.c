#include "support/goal.h"

void goal_put(goal_list *list, const char *name, double value, bool at_least, double limit) {
    bool pass = at_least ? value >= limit : value <= limit;
    fprintf(list->table != NULL ? list->table : stdout, "  %-*s %*.2f %2s %*.2f  %s\n", list->name_width, name, list->value_width, value,
            at_least ? ">=" : "<=", list->value_width - 2, limit, pass ? "pass" : "MISS");
    fprintf(list->json, "%s\n  {\"goal\": \"%s\", \"value\": %.4f, \"%s\": %.2f, \"pass\": %s}", list->shown++ > 0 ? "," : "", name, value,
            at_least ? "at_least" : "at_most", limit, pass ? "true" : "false");
}
