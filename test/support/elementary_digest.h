#pragma once

#include <stdint.h>

/* The bits of 100000 values of each function of base/elementary.h, as one number: what every build must give. */
uint64_t elementary_digest(void);
