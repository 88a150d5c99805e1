/* Alpha-beta for a small tree. Build and run it, and plyscope grades what it did:
 *     cc skeleton.c -o search -lpthread
 *     PLYSCOPE_TRACE=search.plytrace ./search
 */
#define PLYSCOPE_TRACE
#define PLYSCOPE_TRACE_IMPLEMENTATION
#include "plyscope_trace.h"
#include <stdio.h>

enum { INFINITE = 1000 };

/* A node: the name of the move to it, the number of its first child, how many children it has, and the value of a leaf for Max.
 * Node 0 is the root. */
typedef struct { const char *name; int first, count, value; } Node;
static const Node TREE[] = {
    {"root", 1, 3, 0}, {"a", 4, 2, 0}, {"b", 6, 2, 0}, {"c", 8, 2, 0}, {"a1", 10, 3, 0}, {"a2", 13, 2, 0},
    {"b1", 15, 2, 0}, {"b2", 17, 2, 0}, {"c1", 19, 2, 0}, {"c2", 21, 2, 0}, {"a11", 23, 2, 0},
    {"a12", 25, 2, 0}, {"a13", 0, 0, 3}, {"a21", 27, 2, 0}, {"a22", 29, 2, 0}, {"b11", 31, 2, 0},
    {"b12", 33, 2, 0}, {"b21", 35, 2, 0}, {"b22", 37, 2, 0}, {"c11", 39, 3, 0}, {"c12", 42, 2, 0},
    {"c21", 44, 2, 0}, {"c22", 46, 2, 0}, {"a111", 0, 0, 4}, {"a112", 0, 0, 6}, {"a121", 0, 0, 5},
    {"a122", 0, 0, 7}, {"a211", 0, 0, 4}, {"a212", 0, 0, 9}, {"a221", 0, 0, 3}, {"a222", 0, 0, 4},
    {"b111", 0, 0, 2}, {"b112", 0, 0, 8}, {"b121", 0, 0, 4}, {"b122", 0, 0, 1}, {"b211", 0, 0, 6},
    {"b212", 0, 0, 6}, {"b221", 0, 0, 9}, {"b222", 0, 0, 5}, {"c111", 0, 0, 7}, {"c112", 0, 0, 4},
    {"c113", 0, 0, 5}, {"c121", 0, 0, 3}, {"c122", 0, 0, 2}, {"c211", 0, 0, 3}, {"c212", 0, 0, 8},
    {"c221", 0, 0, 1}, {"c222", 0, 0, 2},
};
static int best_move; /* the best move at the root, as the number of its node */

/* For plyscope, a move is the number of the node that it leads to; 0 is the root. */
static void name_of(uint32_t move, char text[65])
{
    snprintf(text, 65, "%s", TREE[move].name);
}

/* ---- your search ---- */
/* What a node is worth for `side`, who is to move: 1 is Max, -1 Min.
 *
 * Tell plyscope what you do: pt_enter(node, alpha, beta, 0) when you come to a node (0: no depth), and pt_leave(value) when you
 * know its value. At the root, set best_move.
 */
static int search(int node, int side, int alpha, int beta)
{
    (void)node, (void)side, (void)alpha, (void)beta;
    return PT_NO_VALUE; /* to do */
}
/* ---- end of your search ---- */

int main(void)
{
    static const pt_header header = {.engine = "my alpha-beta", .game = "tree", .unit = "points", .infinite = INFINITE,
        .name = name_of};
    pt_start(&header);
    pt_search(NULL, "position.tree", "\"side\":\"first\"");
    int value = search(0, 1, -INFINITE, INFINITE);
    pt_end(0, best_move, value);
    printf("value %d, best move %s\n", value, best_move ? TREE[best_move].name : "none");
    return 0;
}
