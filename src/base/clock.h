#pragma once

/* Wall time in seconds since a fixed moment; 0 on a system without a clock. Only for the times in reports: no result depends on it. */
double clock_now(void);
