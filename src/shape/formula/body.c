/* Bodies given by formulas: checks of their parameters, and the functions that the shapes of implicit.c and parametric.c call. Shape frame. */
#include "shape/formula/body.h"

#include <stdio.h>
#include <string.h>

#include "base/argument.h"
#include "base/digest.h"
#include "base/memory.h"
#include "shape/formula/parse.h"
#include "shape/user.h"

enum { MOST_FORMULAS = 3 };

struct formula {
    int32_t first[MOST_FORMULAS + 1]; /* the steps of formula i are first[i] to first[i + 1] - 1 */
    program_step steps[];
};

static void run(const struct formula *f, int i, const double *variables, int count, jet *result) {
    program_run(f->steps + f->first[i], f->first[i + 1] - f->first[i], variables, count, result);
}

static void implicit_value(void *context, abut_vec3 point, abut_implicit_point *at) {
    const double variables[] = {point.x, point.y, point.z};
    jet f;
    run(context, 0, variables, 3, &f);
    at->value = f.value;
    at->gradient = abut_vec3_make(f.first[0], f.first[1], f.first[2]);
    at->hessian =
        abut_mat3_make(abut_vec3_make(f.second[0], f.second[1], f.second[3]), abut_vec3_make(f.second[1], f.second[2], f.second[4]),
                       abut_vec3_make(f.second[3], f.second[4], f.second[5]));
}

bool formula_defines(const abut_implicit_def *def) { return def->function == implicit_value; }

double formula_value(const abut_implicit_def *def, abut_vec3 point) {
    const double variables[] = {point.x, point.y, point.z};
    jet f;
    run(def->context, 0, variables, 0, &f);
    return f.value;
}

static void parametric_value(void *context, double u, double v, abut_parametric_point *at) {
    const double variables[] = {u, v};
    jet s[3];
    for (int i = 0; i < 3; ++i) {
        run(context, i, variables, 2, &s[i]);
    }
    at->s = abut_vec3_make(s[0].value, s[1].value, s[2].value);
    at->su = abut_vec3_make(s[0].first[0], s[1].first[0], s[2].first[0]);
    at->sv = abut_vec3_make(s[0].first[1], s[1].first[1], s[2].first[1]);
    at->suu = abut_vec3_make(s[0].second[0], s[1].second[0], s[2].second[0]);
    at->suv = abut_vec3_make(s[0].second[1], s[1].second[1], s[2].second[1]);
    at->svv = abut_vec3_make(s[0].second[2], s[1].second[2], s[2].second[2]);
}

uint64_t formula_digest(uint64_t digest, const struct formula *formula) {
    digest = digest_integers(digest, formula->first, MOST_FORMULAS + 1);
    for (int32_t i = 0; i < formula->first[MOST_FORMULAS]; ++i) {
        const program_step *step = &formula->steps[i];
        const int32_t integers[] = {step->operation, step->index};
        digest = digest_real(digest_integers(digest, integers, 2), step->number);
    }
    return digest;
}

/* ---- checks ---- */

static bool is_variable(const formula_names *names, const char *name) {
    for (int i = 0; i < names->variable_count; ++i) {
        if (strcmp(name, names->variables[i]) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_repeated(const formula_names *names, int32_t index) {
    for (int32_t i = 0; i < index; ++i) {
        if (strcmp(names->parameters[i].name, names->parameters[index].name) == 0) {
            return true;
        }
    }
    return false;
}

static abut_status check_parameter(const user_call *call, const formula_names *names, int32_t index) {
    const abut_formula_parameter *p = &names->parameters[index];
    if (p->name == NULL) {
        return user_refuse(ABUT_ERROR_INVALID_ARGUMENT, call, "def->parameters[%d].name is NULL", (int)index);
    }
    if (!formula_is_name(p->name)) {
        return user_refuse(ABUT_ERROR_INVALID_ARGUMENT, call, "the parameter '%.32s' has no name of a letter, then letters, digits and _",
                           p->name);
    }
    if (formula_has_name(p->name) || is_variable(names, p->name)) {
        return user_refuse(ABUT_ERROR_INVALID_ARGUMENT, call, "the parameter '%.32s' has the name of a function, a variable or pi",
                           p->name);
    }
    if (is_repeated(names, index)) {
        return user_refuse(ABUT_ERROR_INVALID_ARGUMENT, call, "there are two parameters '%.32s'", p->name);
    }
    return isfinite(p->value) ? ABUT_OK : user_refuse(ABUT_ERROR_NOT_FINITE, call, "the parameter '%.32s' is not finite", p->name);
}

static abut_status check_parameters(const user_call *call, const formula_names *names) {
    if (names->parameter_count < 0 || names->parameter_count > ABUT_FORMULA_MOST_PARAMETERS) {
        return user_refuse(ABUT_ERROR_INVALID_ARGUMENT, call, "def->parameter_count is %d: it must be from 0 to %d",
                           (int)names->parameter_count, ABUT_FORMULA_MOST_PARAMETERS);
    }
    if (names->parameter_count > 0 && names->parameters == NULL) {
        return user_refuse(ABUT_ERROR_INVALID_ARGUMENT, call, "def->parameters is NULL");
    }
    abut_status status = ABUT_OK;
    for (int32_t i = 0; i < names->parameter_count && status == ABUT_OK; ++i) {
        status = check_parameter(call, names, i);
    }
    return status;
}

static abut_status check_uses(const user_call *call, const formula_names *names) {
    for (int32_t i = 0; i < names->parameter_count; ++i) {
        if (!names->used[i]) {
            return user_refuse(ABUT_ERROR_INVALID_ARGUMENT, call, "the parameter '%.32s' is in no formula", names->parameters[i].name);
        }
    }
    return ABUT_OK;
}

/* ---- formulas ---- */

typedef struct formula_text {
    const char *argument, *text;
} formula_text;

static abut_status parse_text(const user_call *call, const formula_text *t, int index, const formula_names *names, formula_steps *made) {
    abut_formula_error found = {.formula = index};
    if (t->text == NULL) {
        return user_refuse(ABUT_ERROR_INVALID_ARGUMENT, call, "def->%s is NULL", t->argument);
    }
    abut_status status = formula_parse(t->text, names, made, &found);
    if (status == ABUT_ERROR_INVALID_ARGUMENT) {
        (void)refused(call->name, "def->%s: column %d: %s", t->argument, (int)found.column, found.message);
        if (call->error != NULL) {
            *call->error = found;
        }
    }
    return status;
}

static struct formula *pack(const formula_steps *made, const int32_t first[MOST_FORMULAS + 1]) {
    size_t size = sizeof(struct formula) + sizeof(program_step) * (size_t)made->count;
    struct formula *f = memory_allocate(1, size);
    if (f != NULL) {
        memcpy(f->first, first, sizeof f->first);
        memcpy(f->steps, made->steps, sizeof *f->steps * (size_t)made->count);
    }
    return f;
}

static abut_status compile(const user_call *call, const formula_text *texts, int count, const formula_names *names, struct formula **made) {
    formula_steps steps = {NULL, 0, 0};
    int32_t first[MOST_FORMULAS + 1] = {0};
    abut_status status = check_parameters(call, names);
    for (int i = 0; i < MOST_FORMULAS && status == ABUT_OK; ++i) {
        status = i < count ? parse_text(call, &texts[i], i, names, &steps) : ABUT_OK;
        first[i + 1] = steps.count;
    }
    status = status == ABUT_OK ? check_uses(call, names) : status;
    if (status == ABUT_OK) {
        *made = pack(&steps, first);
        status = *made == NULL ? ABUT_ERROR_OUT_OF_MEMORY : ABUT_OK;
    }
    memory_release(steps.steps);
    return status;
}

/* ---- shapes ---- */

/* Ends a call: tells failures that have no words yet, and frees a formula that no shape owns. */
static abut_status end(const user_call *call, abut_status status, struct formula *formula) {
    if (status != ABUT_OK) {
        memory_release(formula);
        if (call->error != NULL && call->error->message[0] == '\0') {
            (void)snprintf(call->error->message, sizeof call->error->message, "%s", abut_status_message(status));
        }
    }
    return status;
}

static bool lacks_argument(const user_call *call, const void *def, const void *shape) {
    if (call->error != NULL) {
        *call->error = (abut_formula_error){.formula = 0};
    }
    return argument_is_null(call->name, "def", def) || argument_is_null(call->name, "shape", shape);
}

abut_status abut_shape_create_implicit_formula(const abut_implicit_formula_def *def, abut_formula_error *error, abut_shape **shape) {
    static const char *const variables[] = {"x", "y", "z"};
    const user_call call = {CALL_NAME, error};
    bool used[ABUT_FORMULA_MOST_PARAMETERS] = {false};
    struct formula *formula = NULL;
    if (lacks_argument(&call, def, shape)) {
        return end(&call, ABUT_ERROR_INVALID_ARGUMENT, NULL);
    }
    const formula_names names = {variables, 3, def->parameters, def->parameter_count, used};
    abut_status status = compile(&call, &(formula_text){"formula", def->formula}, 1, &names, &formula);
    if (status == ABUT_OK) {
        const abut_implicit_def own = {implicit_value, formula, def->bounds, def->inside, def->convex};
        status = implicit_create(&call, &own, formula, shape);
    }
    return end(&call, status, formula);
}

abut_status abut_shape_create_parametric_formula(const abut_parametric_formula_def *def, abut_formula_error *error, abut_shape **shape) {
    static const char *const variables[] = {"u", "v"};
    const user_call call = {CALL_NAME, error};
    bool used[ABUT_FORMULA_MOST_PARAMETERS] = {false};
    struct formula *formula = NULL;
    if (lacks_argument(&call, def, shape)) {
        return end(&call, ABUT_ERROR_INVALID_ARGUMENT, NULL);
    }
    const formula_text texts[] = {{"x", def->x}, {"y", def->y}, {"z", def->z}};
    const formula_names names = {variables, 2, def->parameters, def->parameter_count, used};
    abut_status status = compile(&call, texts, 3, &names, &formula);
    if (status == ABUT_OK) {
        const abut_parametric_def own = {
            parametric_value, formula,    {def->u_range[0], def->u_range[1]}, {def->v_range[0], def->v_range[1]}, def->u_periodic,
            def->v_periodic,  def->convex};
        status = parametric_create(&call, &own, formula, formula, shape);
    }
    return end(&call, status, formula);
}
