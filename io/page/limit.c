/*
 * Checks the limit of a page's size and gives advice. The final size is extrapolated from the present one: blocks grow with the frames.
 */
#include "io/page/limit.h"

#include <math.h>
#include <stdio.h>

#include "io/file/base64.h"

/* Size of the tags around a block and of its row in the head. */
enum { BLOCK_MARKUP = 150 };

/* Frames that are further apart are predicted less well, so they take more bytes. */
static const double thinning_loss = 1.25;

int64_t page_limit_block(const page_block *block) { return (int64_t)base64_size(block->size) + BLOCK_MARKUP; }

/* Bytes by kind of block. Doubles, because estimates may be large. */
typedef struct sizes {
    double kinds[PAGE_KINDS];
    double all;     /* including the template and the heads */
    double growing; /* the part that grows with the frames */
} sizes;

static sizes measure(const page_limit *limit) {
    sizes made = {.all = (double)limit->around};
    double guessed = 0.0, measured_states = 0.0;
    for (int32_t r = 0; r < limit->count; r++) {
        const page_run *run = &limit->runs[r];
        double states = (double)run->frame_count * ((double)run->info.body_count + 1.0);
        double grown = r + 1 < limit->begun ? 1.0 : (double)run->frame_count / fmax((double)limit->done, 1.0);
        for (size_t i = 0; i < run->block_count; i++) {
            page_kind kind = run->blocks[i].kind;
            double size = (double)page_limit_block(&run->blocks[i]) * (kind >= PAGE_POSES ? grown : 1.0);
            made.kinds[kind] += size;
            made.all += size;
            made.growing += kind >= PAGE_POSES ? size : 0.0;
        }
        if (r < limit->begun) {
            measured_states += states;
        } else {
            guessed += states;
        }
    }
    double more = measured_states > 0.0 ? made.growing * guessed / measured_states : 0.0;
    made.all += more;
    made.growing += more;
    return made;
}

static double mebibytes(double bytes) { return bytes / (1 << 20); }

/* Whole mebibytes, or two digits below 10. */
static void format_size(double bytes, char *text, size_t size) {
    double number = mebibytes(bytes);
    snprintf(text, size, number < 10.0 ? "%.2g" : "%.0f", number);
}

/* Rounds up to a whole number with two significant digits. */
static double round_up(double number) {
    double unit = pow(10.0, fmax(floor(log10(fmax(number, 1.0))) - 1.0, 0.0));
    return ceil(number / unit) * unit;
}

/* The value of --every that makes the page small enough; 0 when none does. */
static int64_t advise_every(const page_limit *limit, const sizes *s) {
    double room = (double)limit->limit - (s->all - s->growing);
    double factor = room > 0.0 ? fmax(ceil(thinning_loss * s->growing / room), 2.0) : INFINITY;
    const page_run *run = &limit->runs[limit->begun - 1];
    double every = factor * run->every;
    return every < (double)run->info.frame_count ? (int64_t)every : 0;
}

/* The data to leave out so that the page fits, least important first; NULL when that is not enough. */
static const char *advise_leaving(const page_limit *limit, const sizes *s) {
    const double most = (double)limit->limit, contacts = s->kinds[PAGE_CONTACTS], velocities = s->kinds[PAGE_VELOCITIES];
    return velocities > 0.0 && s->all - velocities < most ? "velocities out with '--no-velocities'"
           : contacts > 0.0 && s->all - contacts < most   ? "contacts out with '--no-contacts'"
           : contacts > 0.0 && s->all - contacts - velocities < most
               ? "both contacts and velocities out with '--no-contacts --no-velocities'"
               : NULL;
}

static abut_status explain(const page_limit *limit, abut_error *error) {
    const page_run *run = &limit->runs[limit->begun - 1];
    const sizes s = measure(limit);
    const char *leaving = advise_leaving(limit, &s);
    int64_t every = advise_every(limit, &s);
    char most[40], all[40], part[40], of_which[80] = "", thin[80] = "", leave[120] = "";
    format_size((double)limit->limit, most, sizeof most);
    format_size(s.all, all, sizeof all);
    format_size(s.kinds[PAGE_CONTACTS], part, sizeof part);
    if (run->contacts) {
        snprintf(of_which, sizeof of_which, ", contacts %s", part);
    }
    if (every > 0) {
        snprintf(thin, sizeof thin, "reduce the frames with '--every %lld', ", (long long)every);
    }
    if (leaving) {
        snprintf(leave, sizeof leave, "leave %s, ", leaving);
    }
    return abut_fail(error, ABUT_ERROR_CAPACITY,
                     "%s: the page would be larger than %s MiB after %lld of %lld frames (about %s MiB in all%s): %s%s%sallow more with "
                     "'--limit %.0f'",
                     run->info.path, most, (long long)limit->done, (long long)run->frame_count, all, of_which, thin, leave,
                     every > 0 || leaving ? "or " : "", round_up(mebibytes(fmax(1.05 * s.all, (double)limit->limit))));
}

abut_status page_limit_check(const page_limit *limit, abut_error *error) {
    int64_t size = limit->around;
    for (int32_t r = 0; r < limit->count; r++) {
        for (size_t i = 0; i < limit->runs[r].block_count; i++) {
            size += page_limit_block(&limit->runs[r].blocks[i]);
        }
    }
    return size > limit->limit ? explain(limit, error) : ABUT_OK;
}
