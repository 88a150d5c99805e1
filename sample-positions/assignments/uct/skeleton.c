/* Monte Carlo tree search for tic-tac-toe. Build and run it, and plyscope grades what it did:
 *     cc skeleton.c -o search -lpthread -lm
 *     PLYSCOPE_TRACE=search.plytrace ./search
 */
#define PLYSCOPE_TRACE
#define PLYSCOPE_TRACE_IMPLEMENTATION
#include "plyscope_trace.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIMULATIONS = 400, MOST = 4000 };
static const double C = 1.4;
static const char *CELLS[9] = {"a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"};

/* Values are told in millionths. */
#define TOLD(value) ((int)floor((value) * 1e6 + 0.5))

/* A node of the tree. Its number, from 0, is what plyscope calls it by. */
typedef struct {
    int board[9];     /* cell by cell; X is 1, O is -1, a free cell 0 */
    int side;         /* who is to move */
    int parent;       /* the number of the node above, -1 at the root */
    int first, count; /* its children, once it is expanded: one for each free cell, in their order */
    int visits;
    double total;     /* the sum of the values for the side to move here */
} Node;
static Node nodes[MOST];
static int node_count = 1;

/* Whether a side has three in a row. */
static int has_won(const int board[9], int side)
{
    static const int lines[8][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};
    for (int i = 0; i < 8; i++)
        if (board[lines[i][0]] == side && board[lines[i][1]] == side && board[lines[i][2]] == side) return 1;
    return 0;
}

/* Lists the free cells, none when the game is over. Returns their number. */
static int moves(const int board[9], int cells[9])
{
    int count = 0;
    if (has_won(board, 1) || has_won(board, -1)) return 0;
    for (int cell = 0; cell < 9; cell++)
        if (board[cell] == 0) cells[count++] = cell;
    return count;
}

/* What a finished game is worth for a side. */
static int result(const int board[9], int side)
{
    return has_won(board, side) ? 1 : has_won(board, -side) ? -1 : 0;
}

/* For plyscope, a move is the number of its cell, from 1. */
static void name_of(uint32_t move, char text[65])
{
    snprintf(text, 65, "%s", CELLS[move - 1]);
}

/* ---- your search ---- */
/* Makes one simulation.
 *
 * Tell plyscope what you do: pt_expand(node, first child, count, moves, NULL) when a node gets its children, with their moves as
 * numbers of cells from 1, and pt_visit(leaf, TOLD(value), 1) at the node where the simulation ends, with the value for the side to
 * move there.
 */
static void simulate(void)
{
    (void)C, (void)moves, (void)result; /* to do */
}
/* ---- end of your search ---- */

int main(void)
{
    static const pt_header header = {.engine = "my UCT", .game = "tic-tac-toe", .order = "best-first", .unit = "expected",
        .view = "node", .step = 1e-6, .lowest = -1, .highest = 1, .name = name_of};
    static const int board[9] = {1, 0, 0, 0, -1, 0, 0, 0, 0};
    int cells[9], best = -1;
    srand(1);
    pt_start(&header);
    pt_search(NULL, "tictactoe x--/-o-/---", "\"side\":\"first\",\"seed\":\"1\"");
    memcpy(nodes[0].board, board, sizeof board);
    nodes[0].side = 1;
    nodes[0].parent = -1;
    for (int i = 0; i < SIMULATIONS; i++) simulate();
    for (int i = 0; i < node_count; i++)
        if (nodes[i].visits) pt_update(i, nodes[i].visits, TOLD(nodes[i].total / nodes[i].visits), 0);
    moves(board, cells);
    for (int i = 0; i < nodes[0].count; i++)
        if (best < 0 || nodes[nodes[0].first + i].visits > nodes[nodes[0].first + best].visits) best = i;
    pt_end(node_count, best < 0 ? 0 : cells[best] + 1, PT_NO_VALUE);
    printf("%d nodes, best move %s\n", node_count, best < 0 ? "none" : CELLS[cells[best]]);
    return 0;
}
