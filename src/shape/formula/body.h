#pragma once

#include <stdint.h>

/* The formulas of a body: one block of memory that belongs to its shape. */
struct formula;

/* Adds the programs to a digest (base/digest.h). */
uint64_t formula_digest(uint64_t digest, const struct formula *formula);
