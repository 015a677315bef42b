/*
 * The functions of qhull that its users must write themselves (user_r.h), for a page: they print nothing. qhull's own user_r.c would add all of its printing
 * code.
 */
#ifdef ABUT_WITH_HULL

#include <setjmp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "qhull_quiet.h"

/* Sets the options that shape/hull.c gives. Replaces qh_initflags(), which knows two hundred options. False for any other option. */
static bool set_options(qhT *qh, const char *command) {
    char words[sizeof qh->qhull_command] = "";
    strncat(words, command, sizeof words - 1);
    strcpy(qh->qhull_command, words);
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " ")) {
        if (strcmp(word, "Q0") == 0) {
            qh->NOpremerge = True;
        } else if (strcmp(word, "Q5") == 0) {
            qh->SKIPcheckmax = True;
        } else if (strcmp(word, "Qt") == 0) {
            qh->TRIangulate = True;
        } else if (strcmp(word, "QJ") == 0) {
            qh->JOGGLEmax = 0.0;
        } else if (strcmp(word, "Pp") == 0) {
            qh->PRINTprecision = False;
        } else if (strcmp(word, "qhull") != 0) {
            return false;
        }
    }
    return true;
}

/* Like qhull's own function, without halfspaces, Delaunay triangulations and output. */
int qh_new_qhull(qhT *qh, int dim, int numpoints, coordT *points, boolT ismalloc, char *qhull_cmd, FILE *outfile, FILE *errfile) {
    (void)outfile;
    qh_meminit(qh, errfile);
    qh_initqhull_start(qh, NULL, NULL, errfile);
    int exitcode = setjmp(qh->errexit);
    if (exitcode == qh_ERRnone) {
        qh->NOerrexit = False;
        if (!set_options(qh, qhull_cmd)) {
            qh_errexit(qh, qh_ERRinput, NULL, NULL);
        }
        qh_init_B(qh, points, numpoints, dim, ismalloc);
        qh_qhull(qh);
        qh_check_output(qh);
        qh_prepare_output(qh);
        qh_check_points(qh);
    }
    qh->NOerrexit = True;
    return exitcode;
}

void qh_errexit(qhT *qh, int exitcode, facetT *facet, ridgeT *ridge) {
    (void)facet;
    (void)ridge;
    if (qh->NOerrexit) {
        exit(qh_ERRother); /* an error while another one is handled: qhull's own function also ends the program */
    }
    qh->NOerrexit = True;
    qh->ERREXITcalled = False;
    qh->ALLOWrestart = False;
    longjmp(qh->errexit, exitcode ? exitcode : qh_ERRother);
}

void qh_errprint(qhT *qh, const char *string, facetT *atfacet, facetT *otherfacet, ridgeT *atridge, vertexT *atvertex) {
    (void)qh, (void)string, (void)atfacet, (void)otherfacet, (void)atridge, (void)atvertex;
}

void qh_printfacetlist(qhT *qh, facetT *facetlist, setT *facets, boolT printall) {
    (void)qh, (void)facetlist, (void)facets, (void)printall;
}

void qh_printhelp_degenerate(qhT *qh, FILE *fp) { (void)qh, (void)fp; }
void qh_printhelp_internal(qhT *qh, FILE *fp) { (void)qh, (void)fp; }
void qh_printhelp_narrowhull(qhT *qh, FILE *fp, realT minangle) { (void)qh, (void)fp, (void)minangle; }
void qh_printhelp_singular(qhT *qh, FILE *fp) { (void)qh, (void)fp; }
void qh_printhelp_topology(qhT *qh, FILE *fp) { (void)qh, (void)fp; }
void qh_printhelp_wide(qhT *qh, FILE *fp) { (void)qh, (void)fp; }
void qh_user_memsizes(qhT *qh) { (void)qh; }

#else
typedef int module_has_no_qhull; /* a file must contain a declaration */
#endif
