/* Runs programs: each step takes its operands from the top of a stack of numbers with derivatives. */
#include "shape/formula/program.h"

#include "shape/formula/functions.h"

int program_operands(const program_step *step) {
    switch ((program_operation)step->operation) {
    case PROGRAM_CONSTANT:
    case PROGRAM_VARIABLE:
        return 0;
    case PROGRAM_NEGATE:
    case PROGRAM_INCREASE:
    case PROGRAM_SCALE:
    case PROGRAM_SHARE:
    case PROGRAM_POWER:
    case PROGRAM_ONE:
        return 1;
    default:
        return 2;
    }
}

/* a is the only operand, or the first of two; b the second one. */
static void compute(const program_step *step, jet *a, const jet *b, int count) {
    switch ((program_operation)step->operation) {
    case PROGRAM_NEGATE:
        jet_negate(a, count);
        break;
    case PROGRAM_ADD:
        jet_add(a, b, count);
        break;
    case PROGRAM_SUBTRACT:
        jet_subtract(a, b, count);
        break;
    case PROGRAM_MULTIPLY:
        jet_multiply(a, b, count);
        break;
    case PROGRAM_DIVIDE:
        jet_divide(a, b, count);
        break;
    case PROGRAM_INCREASE:
        a->value += step->number;
        break;
    case PROGRAM_SCALE:
        jet_scale(a, step->number, count);
        break;
    case PROGRAM_SHARE:
        jet_share(a, step->number, count);
        break;
    case PROGRAM_POWER: {
        const jet_slope s = formula_power(a->value, step->number);
        jet_apply(a, &s, count);
        break;
    }
    case PROGRAM_ONE: {
        const jet_slope s = formula_functions[step->index].one(a->value);
        jet_apply(a, &s, count);
        break;
    }
    default: {
        const jet_slopes s = formula_functions[step->index].two(a->value, b->value);
        jet_apply_two(a, b, &s, count);
        break;
    }
    }
}

void program_run(const program_step *steps, int32_t length, const double *variables, int count, jet *result) {
    jet stack[PROGRAM_DEEPEST];
    int used = 0;
    for (int32_t i = 0; i < length; ++i) {
        const program_step *step = &steps[i];
        if (step->operation == PROGRAM_CONSTANT) {
            jet_set_constant(&stack[used++], step->number, count);
        } else if (step->operation == PROGRAM_VARIABLE) {
            jet_set_variable(&stack[used++], variables[step->index], step->index, count);
        } else {
            used -= program_operands(step) - 1;
            compute(step, &stack[used - 1], &stack[used], count);
        }
    }
    *result = stack[0];
}
