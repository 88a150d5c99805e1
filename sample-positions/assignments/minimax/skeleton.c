/* Minimax for tic-tac-toe. Build and run it, and plyscope grades what it did:
 *     cc skeleton.c -o search -lpthread
 *     PLYSCOPE_TRACE=search.plytrace ./search
 */
#define PLYSCOPE_TRACE
#define PLYSCOPE_TRACE_IMPLEMENTATION
#include "plyscope_trace.h"
#include <stdio.h>

/* The board, cell by cell; X is 1, O is -1, a free cell 0. */
static const char *CELLS[9] = {"a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"};
static int board[9] = {1, 0, -1, 0, 1, 0, 0, 0, -1};
static int best_move = -1; /* the best move at the root, as a cell */

/* Whether a side has three in a row. */
static int has_won(int side)
{
    static const int lines[8][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};
    for (int i = 0; i < 8; i++)
        if (board[lines[i][0]] == side && board[lines[i][1]] == side && board[lines[i][2]] == side) return 1;
    return 0;
}

/* The number of free cells. The game is over when somebody has won or no cell is free. */
static int free_cells(void)
{
    int count = 0;
    for (int cell = 0; cell < 9; cell++) count += board[cell] == 0;
    return count;
}

/* For plyscope, a move is the number of its cell, from 1; 0 is the root. */
static void name_of(uint32_t move, char text[65])
{
    snprintf(text, 65, "%s", CELLS[move - 1]);
}

/* ---- your search ---- */
/* What the board is worth for `side`, who is to move. `cell` is the one that led here, -1 at the root.
 *
 * Tell plyscope what you do: pt_enter(cell + 1, 0, 0, 0) when you come to a position (without a window or a depth), and
 * pt_leave(value) when you know its value. At the root, set best_move.
 */
static int search(int side, int ply, int cell)
{
    (void)side, (void)ply, (void)cell, (void)has_won, (void)free_cells;
    return PT_NO_VALUE; /* to do */
}
/* ---- end of your search ---- */

int main(void)
{
    static const pt_header header = {.engine = "my minimax", .game = "tic-tac-toe", .unit = "points", .infinite = 1000,
        .name = name_of};
    pt_start(&header);
    pt_search(NULL, "tictactoe x-o/-x-/--o", "\"side\":\"first\"");
    int value = search(1, 0, -1);
    pt_end(0, best_move + 1, value);
    printf("value %d, best move %s\n", value, best_move < 0 ? "none" : CELLS[best_move]);
    return 0;
}
