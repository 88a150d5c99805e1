/* plyscope_trace.h: lets a program that searches a game tree show its search to plyscope. One file, C99, no dependency.
 *
 * SPDX-License-Identifier: 0BSD
 * Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted.
 * THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE.
 *
 * Include it where you search. Compile with -DPLYSCOPE_TRACE to trace; without that every call vanishes. In exactly one C file
 * write `#define PLYSCOPE_TRACE_IMPLEMENTATION` before including it. On old systems link with -lpthread.
 *
 *     int search(...) {                                  // wrap the search function
 *         pt_enter(move, alpha, beta, depth);            // `move` led here; 0 at the root, or for the same position again
 *         int value = search_inner(...);
 *         pt_leave(value);
 *         return value;
 *     }
 *     if (...) return pt_why(FUTILITY, eval, margin), eval;   // the reason for a return
 *     if (...) { pt_prune(move, LATE_MOVE, depth); continue; }   // the reason for a move that is not searched
 *
 * Call pt_start() once at the start of the program, pt_search() when a search begins and pt_end() when it is over. Nothing is written unless
 * the environment variable PLYSCOPE_TRACE names a destination: `fd:3`, `fd:3,4`, `unix:PATH`, `tcp:127.0.0.1:PORT/TOKEN` or a
 * file. Values are whole numbers in units of the header's `step`. A move is any number from 1 to 2^32 - 1; `name` gives its text. */
#ifndef PLYSCOPE_TRACE_H
#define PLYSCOPE_TRACE_H
#if defined PLYSCOPE_TRACE && defined PLYSCOPE_TRACE_IMPLEMENTATION && !defined _GNU_SOURCE
#define _GNU_SOURCE   /* with -std=c99, include this file first */
#endif
#include <stdint.h>

typedef struct { /* a reason for a node or for a move that is not searched; declared once, in pt_header */
    int n;                /* 1 to 255 */
    const char *name;     /* with the name of one of plyscope's fates ("futility", "null-move") it is shown like that fate */
    const char *class_;   /* "known", "cut", "cutoff", "skip", "try" or "info" */
    const char *numbers;  /* "static:value margin:difference depth:plies": what follows the reason in the calls */
    const char *text;     /* "static {static} + {margin} does not beat alpha", or NULL */
} pt_reason;
typedef struct { /* all may be left out (0) */
    const char *engine, *game;              /* "toy 1.0"; "chess" if moves are UCI moves */
    const char *order;                      /* "depth-first" (default) or "best-first" */
    const char *unit, *view, *distance;     /* "cp", "win", "expected" or a name; "node", "parent", "root", "first"; "root", "node" */
    const char *fail, *backup;              /* "soft", "hard"; how a visit is backed up */
    double step, lowest, highest;           /* one unit of a value (1); the range of values, if there is one */
    int infinite, win, depth_step;          /* the open window; the value of a win at distance 0; one ply in units of depth (1) */
    const pt_reason *reasons; int reason_count;
    void (*name)(uint32_t move, char text[65]);  /* writes the name of a move, at most 64 bytes of UTF-8 */
} pt_header;
enum { PT_NONE, PT_LOWER, PT_UPPER, PT_EXACT };     /* bounds */
enum { PT_FIRST = 1, PT_SECOND, PT_CHANCE };        /* sides */
#define PT_NO_VALUE INT32_MIN                       /* a value that is not known */

#ifndef PLYSCOPE_TRACE
#define pt_active() 0
#define pt_open() 0
#define pt_call_(...) ((void)0)
#define pt_list_call_(kind, ...) ((void)0)
#define pt_start(header) ((void)0)
#else
#define pt_active() __builtin_expect(pt_on, 0)
#define pt_call_(...) (pt_active() ? (__VA_ARGS__) : (void)0)
#ifdef __cplusplus
#define pt_list_call_(kind, ...) pt_call_(pt_values_(kind, __VA_ARGS__))
#else
#define pt_list_call_(kind, ...) pt_call_(pt_list_(kind, (const int64_t[]){__VA_ARGS__}, \
    (int)(sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t))))
#endif
#if !defined __GNUC__ && !defined __clang__
#define __builtin_expect(value, expected) (value)
#endif
#ifdef __cplusplus
extern "C" {
#endif
extern int pt_on;
void pt_start(const pt_header *header);
void pt_search_(const char *fen, const char *root, const char *more), pt_text_(const char *kind, const char *text);
void pt_enter_(uint32_t move, int ply, int alpha, int beta, int depth), pt_leave_(int value), pt_value_(int kind, int value);
void pt_record_(int kind, int64_t a, int64_t b, int64_t c, int64_t d), pt_list_(int kind, const int64_t *values, int count);
void pt_expand_(uint32_t node, uint32_t first, int count, const uint32_t *moves, const double *priors);
void pt_key_(uint64_t key), pt_name_(uint32_t move, const char *text), pt_side_(int side), pt_thread_(int n), pt_flush_(void);
int pt_open(void);   /* how many nodes are open */
#ifdef __cplusplus
}
template <class... Values> void pt_values_(int kind, Values... values)
{
    const int64_t list[] = {static_cast<int64_t>(values)...};
    pt_list_(kind, list, static_cast<int>(sizeof...(values)));
}
#endif
#endif

/* The search. `fen` or `root` names the position; `more` holds further JSON fields of the record: "\"limits\":\"depth 8\"". All may be NULL. */
#define pt_search(fen, root, more) pt_call_(pt_search_(fen, root, more))
#define pt_iteration(depth) pt_call_(pt_record_(8, depth, 0, 0, 0))
#define pt_iteration_done(best, value) pt_call_(pt_record_(9, best, value, 0, 0))
#define pt_pass(alpha, beta, depth) pt_call_(pt_record_(10, alpha, beta, depth, 0))    /* one window over the root */
#define pt_pass_done(value) pt_call_(pt_value_(11, value))
#define pt_best_change(move) pt_call_(pt_record_(27, move, 0, 0, 0))
#define pt_end(nodes, best, value) pt_call_(pt_record_(29, nodes, best, value, 0))    /* the program's own figures */
#define pt_thread(n) pt_call_(pt_thread_(n))      /* the number of the calling thread; without it threads are numbered as they come */
#define pt_flush() pt_call_(pt_flush_())          /* when a helper thread of a best-first search is done */
/* Nodes. `alpha` and `beta` are both 0 where there is no window; any other window is told as it is, even one whose beta is not above its alpha. With the engine's ply, the same position entered again and nodes left by longjmp are recognised. */
#define pt_enter(move, alpha, beta, depth) pt_call_(pt_enter_(move, -1, alpha, beta, depth))
#define pt_enter_ply(ply, move, alpha, beta, depth) pt_call_(pt_enter_(move, ply, alpha, beta, depth))
#define pt_leave(value) pt_call_(pt_leave_(value))
#define pt_leave_more(value, bound, best, nodes) pt_call_(pt_record_(21, value, bound, best, nodes))
#define pt_leave_without_value() pt_call_(pt_record_(20, 0, 0, 0, 0))
#define pt_side(side) pt_call_(pt_side_(side))    /* of the next node entered, where sides do not alternate */
#define pt_unwind(open) pt_call_(pt_record_(17, open, 0, 0, 0))
#define pt_evaluate(value) pt_call_(pt_value_(3, value))
#define pt_stand(value) pt_call_(pt_value_(4, value))
#define pt_moves(count) pt_call_(pt_record_(14, count, 0, 0, 0))
#define pt_back_up(move, worth) pt_call_(pt_record_(15, move, worth, 0, 0))
#define pt_key(key) pt_call_(pt_key_(key))        /* the position's key, after pt_enter() */
#define pt_note(text) pt_call_(pt_text_("note", text))
#define pt_render(text) pt_call_(pt_text_("render", text))
#define pt_name(move, text) pt_call_(pt_name_(move, text))  /* before the move's first use, where the header has no `name` */
/* Reasons: the number of the reason, then its numbers. A `move` of 0 in pt_prune: all later moves. */
#define pt_why(...) pt_list_call_(6, __VA_ARGS__)
#define pt_prune(...) pt_list_call_(5, __VA_ARGS__)          /* move, reason, numbers */
#define pt_try(...) pt_list_call_(7, __VA_ARGS__)
#define pt_tried(value) pt_call_(pt_value_(13, value))
#define pt_depth_change(plies, reason) pt_call_(pt_record_(12, plies, reason, 0, 0))  /* before the pt_enter() it changes */
/* Best-first: ids of nodes are the program's; the root is 0. At most 4,095 children. `priors` may be NULL. */
#define pt_expand(node, first, count, moves, priors) pt_call_(pt_expand_(node, first, count, moves, priors))
#define pt_visit(node, value, weight) pt_call_(pt_record_(24, node, value, weight, 0))
#define pt_update(node, visits, value, sd) pt_call_(pt_record_(25, node, visits, value, sd))
#define pt_prove(node, lower, upper) pt_call_(pt_record_(26, node, lower, upper, 0))
#define pt_at(node) pt_call_(pt_record_(22, node, 0, 0, 0))
#define pt_edge(node, move, to) pt_call_(pt_record_(30, node, move, to, 0))
#endif

#if defined PLYSCOPE_TRACE && defined PLYSCOPE_TRACE_IMPLEMENTATION
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _WIN32
#include <winsock2.h>
#define pt_lock_(lock) AcquireSRWLockExclusive(&lock)
#define pt_unlock_(lock) ReleaseSRWLockExclusive(&lock)
#define pt_try_lock_(lock) TryAcquireSRWLockExclusive(&lock)
static SRWLOCK pt_writing = SRWLOCK_INIT, pt_reading = SRWLOCK_INIT;
#define pt_own_process() 0
#define PT_THREAD_LOCAL __declspec(thread)
static FILE *pt_file;
#else
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>
#define pt_lock_(lock) pthread_mutex_lock(&lock)
#define pt_unlock_(lock) pthread_mutex_unlock(&lock)
#define pt_try_lock_(lock) (!pthread_mutex_trylock(&lock))
static pthread_mutex_t pt_writing = PTHREAD_MUTEX_INITIALIZER, pt_reading = PTHREAD_MUTEX_INITIALIZER;
#define pt_own_process() ((long)getpid())
#define PT_THREAD_LOCAL __thread
#endif
#define PT_ROOM 65536u    /* bytes of events in a chunk, at most */
#define PT_MARK 4096u     /* events between two marks, at most; a short trace has more of them: see pt_mark_after() */
#define PT_DEEPEST 1023   /* open nodes; what is deeper is only counted */
#if defined __GNUC__ || defined __clang__
#define PT_RARE static __attribute__((noinline, cold))
#else
#define PT_RARE static
#endif

struct pt_level { uint64_t n, nodes; int length; uint32_t move; unsigned char bytes[40]; };   /* the `enter` of an open node */
struct pt_context {
    uint64_t n, next, hash, nodes, skipped, skipped_nodes;  /* events made; when to look up; their hash; not sent and not yet accounted for */
    uint64_t chunk, mark, written;                  /* events before the chunk; when the next mark is due; when the last chunk was written */
    unsigned char *at;                              /* where the next record goes, in `bytes` after room for the chunk's header */
    int open, passed, sent, keep;                   /* open nodes; those that pass the filters; those in the stream; the level of the key */
    int iteration, side, number; unsigned search;
    int plain;                                      /* nothing is filtered, and what is open is in the stream: `passed` and `sent` are not kept up to date */
    uint32_t named[4096];                           /* moves named lately */
    int plies[PT_DEEPEST + 1];                      /* of the open nodes */
    struct pt_level levels[PT_DEEPEST + 1];         /* of the open nodes; used with a filter by key */
    unsigned char bytes[32 + 5 * PT_ROOM];          /* behind PT_ROOM there is room for small events up to the next mark, and for all open nodes */
};
int pt_on;
static const pt_header *pt_h;
static struct pt_context pt_spare;                  /* of no thread */
static PT_THREAD_LOCAL struct pt_context *pt_mine = &pt_spare;
static PT_THREAD_LOCAL int pt_number = -1;
static int pt_out = -1, pt_in = -1, pt_threads, pt_filtered, pt_path_length;
static volatile unsigned pt_searches = 1;
static volatile uint64_t pt_limit = UINT64_MAX;     /* how far the program may run */
static uint64_t pt_trap = UINT64_MAX, pt_trap_search, pt_most = UINT64_MAX, pt_wanted;
static int pt_from, pt_deepest, pt_keyed; static long pt_process;
static char pt_path[64][65], pt_line[4096]; static size_t pt_line_used;

/* The transport. */
static void pt_write(const void *bytes, size_t length)
{
    const char *p = (const char *)bytes;
    while (length && pt_out >= 0) {
#ifdef _WIN32
        int done = pt_file ? (int)fwrite(p, 1, length, pt_file) : send((SOCKET)pt_out, p, (int)length, 0);
#else
        ssize_t done = write(pt_out, p, length);
        if (done < 0 && errno == EINTR) continue;
#endif
        if (done <= 0) { pt_out = -1; pt_on = 0; return; }   /* nobody reads any more: the search goes on untraced */
        p += done; length -= (size_t)done;
    }
}
static uint64_t pt_now(void)
{   /* milliseconds, where somebody watches */
#ifndef _WIN32
    struct timespec t;
    if (pt_in >= 0 && !clock_gettime(CLOCK_MONOTONIC, &t)) return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
#endif
    return 0;
}
static void pt_little(unsigned char *p, uint64_t value, int bytes) { for (; bytes--; value >>= 8) *p++ = (unsigned char)value; }
static void pt_chunk(struct pt_context *c, int type, const unsigned char *more, size_t length)
{   /* writes a chunk; without `more` it is that of the context, whose first 32 bytes are free for the header */
    unsigned char head[32], *h = more ? head : c->bytes;
    pt_little(h, length, 4); pt_little(h + 4, (uint64_t)c->number, 2); h[6] = (unsigned char)type; h[7] = 0;
    pt_little(h + 8, c->chunk, 8); pt_little(h + 16, c->n, 8); pt_little(h + 24, c->hash, 8);
    pt_lock_(pt_writing);
    pt_write(h, more ? 32 : 32 + length);
    if (more) pt_write(more, length);
    pt_unlock_(pt_writing);
    c->chunk = c->n; c->written = pt_now();
}

/* An event being written: its bytes go into the hash as they are put. Numbers are in base 128; signed ones alternate around 0. */
struct pt_event { unsigned char *at; uint64_t hash; };
static inline void pt_byte(struct pt_event *e, unsigned byte) { *e->at++ = (unsigned char)byte; e->hash = (e->hash ^ byte) * 1099511628211ull; }
static inline void pt_u(struct pt_event *e, uint64_t v) { for (; v > 127; v >>= 7) pt_byte(e, (unsigned)(v & 127) | 128); pt_byte(e, (unsigned)v); }
static inline void pt_s(struct pt_event *e, int64_t v) { pt_u(e, ((uint64_t)v << 1) ^ (uint64_t)(v >> 63)); }
static unsigned char *pt_unhashed(unsigned char *p, uint64_t v) { struct pt_event e = {p, 0}; pt_u(&e, v); return e.at; }

PT_RARE void pt_skip(struct pt_context *c, uint64_t n, uint64_t nodes)
{   /* accounts for the events up to `n` that were not sent */
    n -= c->n - c->skipped; nodes -= c->nodes - c->skipped_nodes;
    if (!n) return;
    *c->at++ = 18; c->at = pt_unhashed(pt_unhashed(c->at, n), nodes);
    c->skipped -= n; c->skipped_nodes -= nodes;
}
static void pt_spine(struct pt_context *c);
PT_RARE void pt_skip_all(struct pt_context *c) { pt_spine(c); pt_skip(c, c->n, c->nodes); }
static inline void pt_account(struct pt_context *c) { if (__builtin_expect(c->skipped != 0, 0)) pt_skip_all(c); }
static void pt_send(struct pt_context *c)
{
    pt_account(c);
    if (c->at != c->bytes + 32) pt_chunk(c, 0, NULL, (size_t)(c->at - c->bytes) - 32);
    c->at = c->bytes + 32;
}
static inline void pt_room(struct pt_context *c) { if (c->at > c->bytes + PT_ROOM && !c->skipped) pt_send(c); }
static void pt_name_as(struct pt_context *c, uint32_t move, const char *text)
{
    size_t length = strlen(text);
    if (length > 64) for (length = 64; length && (text[length] & 0xC0) == 0x80;) length--;
    *c->at++ = 16; c->at = pt_unhashed(pt_unhashed(c->at, move), length);
    memcpy(c->at, text, length); c->at += length;
    c->named[(move ^ move >> 12) & 4095] = move;
    pt_room(c);
}
static void pt_text_of(uint32_t move, char text[65]) { text[0] = 0; if (move && pt_h->name) pt_h->name(move, text); text[64] = 0; }
PT_RARE void pt_name_move(struct pt_context *c, uint32_t move)
{
    char text[65];
    if (move && pt_h->name) { pt_text_of(move, text); pt_name_as(c, move, text); }
}
static inline void pt_named(struct pt_context *c, uint32_t move)
{
    if (__builtin_expect(c->named[(move ^ move >> 12) & 4095] != move, 0)) pt_name_move(c, move);
}
static void pt_spine(struct pt_context *c)
{   /* with a filter by key, nodes are sent when it becomes known that something below them is, or when a mark is due */
    while (!c->plain && c->sent < c->passed) {
        struct pt_level *l = &c->levels[++c->sent];
        pt_skip(c, l->n - 1, l->nodes - 1);
        pt_named(c, l->move);
        memcpy(c->at, l->bytes, (size_t)l->length); c->at += l->length;
        c->skipped--; c->skipped_nodes--;
    }
}

/* The control channel: lines of words. */
static char *pt_word(char **at)
{   /* the next word, or NULL */
    char *word = *at += strspn(*at, " \t\r;\n");
    if (!*word) return NULL;
    *at += strcspn(word, " \t\r;\n");
    if (**at) *(*at)++ = 0;
    return word;
}
static uint64_t pt_count(char **at, uint64_t otherwise, int base)
{   /* the next word if it is a number */
    char *p = *at + strspn(*at, " \t"), *end;
    uint64_t n = strtoull(p, &end, base);
    if (end == p || *p == '-' || (*end && !strchr(" \t\r;\n", *end))) return otherwise;
    *at = end;
    return n;
}
static void pt_control(char *at)
{   /* words such as `ply 3 from 2 path e2e4 e7e5`; a path takes all that follows. A filter without a number ends. */
    for (char *word; (word = pt_word(&at));) {
        if (!strcmp(word, "go")) pt_limit = pt_count(&at, UINT64_MAX, 10);
        else if (!strcmp(word, "stop")) pt_limit = 0;
        else if (!strcmp(word, "quit")) { pt_lock_(pt_writing); _Exit(0); }
        else if (!strcmp(word, "nodes")) pt_most = pt_count(&at, UINT64_MAX, 10);
        else if (!strcmp(word, "from")) pt_from = (int)pt_count(&at, 0, 10);
        else if (!strcmp(word, "ply")) pt_deepest = (int)pt_count(&at, UINT64_MAX, 10) + 1;
        else if (!strcmp(word, "key")) { char *before = at; pt_wanted = pt_count(&at, 0, 16); pt_keyed = at != before; }
        else if (!strcmp(word, "path"))
            for (pt_path_length = 0; pt_path_length < 64 && (word = pt_word(&at)); pt_path[pt_path_length++][64] = 0)
                strncpy(pt_path[pt_path_length], word, 64);
    }
    pt_filtered = pt_most != UINT64_MAX || pt_from || pt_deepest || pt_keyed || pt_path_length;
}
static int pt_send_waiting(struct pt_context *c) { pt_spine(c); pt_send(c); pt_chunk(c, 2, (const unsigned char *)"", 0); return 1; }
static void pt_listen(struct pt_context *c)
{   /* takes what has come; waits, and says so, while the program may not run further */
    int waits = c->n >= pt_limit && pt_send_waiting(c);
    if (waits) pt_lock_(pt_reading);
    else if (!pt_try_lock_(pt_reading)) return;   /* another thread waits for words; this one need not */
    while (pt_in >= 0) {
        char *end = (char *)memchr(pt_line, '\n', pt_line_used);
        if (end) {
            char line[sizeof pt_line]; size_t length = (size_t)(end - pt_line);
            memcpy(line, pt_line, length); line[length] = 0;
            memmove(pt_line, end + 1, pt_line_used -= length + 1);
            pt_control(line);
            continue;
        }
        if (pt_line_used == sizeof pt_line) pt_line_used = 0;
        if (c->n >= pt_limit && !waits) waits = pt_send_waiting(c);   /* it was told to just now */
#ifdef _WIN32
        { fd_set set; struct timeval now = {0, 0}; FD_ZERO(&set); FD_SET((SOCKET)pt_in, &set);
          if (c->n < pt_limit && select(0, &set, NULL, NULL, &now) <= 0) break; }
        int got = recv((SOCKET)pt_in, pt_line + pt_line_used, (int)(sizeof pt_line - pt_line_used), 0);
#else
        struct pollfd ready = {pt_in, POLLIN, 0};
        if (c->n < pt_limit && poll(&ready, 1, 0) <= 0) break;
        ssize_t got = read(pt_in, pt_line + pt_line_used, sizeof pt_line - pt_line_used);
        if (got < 0 && errno == EINTR) continue;
#endif
        if (got <= 0) { pt_in = -1; pt_limit = UINT64_MAX; } else pt_line_used += (size_t)got;   /* nobody to wait for */
    }
    pt_unlock_(pt_reading);
}
static void pt_not_plain(struct pt_context *c) { if (c->plain) { c->sent = c->passed = c->open; c->plain = 0; } }
static uint64_t pt_mark_after(uint64_t n)
{   /* Every mark is written at once, so that a program that crashes loses an eighth of its trace at most, and no more than PT_MARK events. */
    uint64_t step = 1;
    while (step < PT_MARK && step * 16 <= n) step *= 2;
    return (n / step + 1) * step;
}
PT_RARE void pt_look(struct pt_context *c)
{   /* every mark, and where the program has to wait or to stop in a debugger */
    int trap = c->n == pt_trap && (!pt_trap_search || pt_trap_search == pt_searches - 1);
    if (c->n >= c->mark || trap) { pt_spine(c); pt_send(c); }
    c->mark = pt_mark_after(c->n);
#ifdef SIGTRAP
    if (trap) raise(SIGTRAP);
#endif
    if (pt_in >= 0) pt_listen(c);
    pt_not_plain(c);
    c->plain = !pt_filtered && !c->skipped && c->sent == c->open;
    c->next = c->mark < pt_limit ? c->mark : pt_limit;
    if (pt_trap > c->n && pt_trap < c->next) c->next = pt_trap;
}

/* Events. */
PT_RARE struct pt_context *pt_begin_search(struct pt_context *c)
{   /* the first event of this thread in this search */
    if (c == &pt_spare) {
        if (!(c = (struct pt_context *)calloc(1, sizeof *c))) { pt_on = 0; pt_out = -1; c = &pt_spare; }
        pt_mine = c;
        pt_lock_(pt_writing);
        if (pt_number < 0) pt_number = pt_threads;
        if (pt_number >= pt_threads) pt_threads = pt_number + 1;
        pt_unlock_(pt_writing);
        c->number = pt_number; c->at = c->bytes + 32;
    }
    if (c->n) { pt_not_plain(c); pt_send(c); }
    c->n = c->nodes = c->skipped = c->skipped_nodes = c->chunk = 0;
    c->open = c->passed = c->sent = c->keep = c->iteration = 0;
    c->hash = 14695981039346656037ull; c->search = pt_searches; c->plain = 0; c->side = 0; c->plies[0] = -1;
    pt_look(c);
    return c;
}
static inline struct pt_context *pt_get(void)
{
    struct pt_context *c = pt_mine;
    return __builtin_expect(c->search == pt_searches, 1) ? c : pt_begin_search(c);
}
static inline int pt_inside(const struct pt_context *c)
{   /* whether what happens in the innermost node is sent */
    return c->plain || (c->sent == c->open && (!pt_filtered || ((!pt_keyed || c->keep || !c->open)
        && (c->iteration >= pt_from || c->open || !c->iteration) && (c->nodes <= pt_most || c->open))));
}
static inline struct pt_event pt_new(const struct pt_context *c, int kind) { struct pt_event e = {c->at, c->hash}; pt_byte(&e, (unsigned)kind); return e; }
static inline void pt_done(struct pt_context *c, struct pt_event e, int send)
{   /* an event counts and goes into the hash whether it is sent or not; then a mark may be due */
    c->hash = e.hash;
    if (send) c->at = e.at; else c->skipped++;
    if (__builtin_expect(++c->n >= c->next, 0)) pt_look(c);
}
static inline int pt_muted(const struct pt_context *c) { return !c->plain && c->passed < c->open; }   /* it is inside a node that does not pass the filters */
PT_RARE int pt_passes(struct pt_context *c, uint32_t move, int ply)
{   /* whether the filters let a node pass that is about to be entered; it is open afterwards */
    char text[65] = "";
    int send, passes = (pt_not_plain(c), c->passed == c->open) && c->open < PT_DEEPEST && c->nodes < pt_most && !(pt_deepest && ply >= pt_deepest)
        && !(c->iteration && c->iteration < pt_from);
    if (passes && move && ply >= 1 && ply <= pt_path_length) { pt_text_of(move, text); passes = !strcmp(text, pt_path[ply - 1]); }
    send = passes && (!pt_keyed || c->keep);
    if (send) pt_account(c);
    if (++c->open <= PT_DEEPEST) c->plies[c->open] = ply;
    c->passed += passes;
    return send;
}
PT_RARE void pt_remember(struct pt_context *c, uint32_t move, const unsigned char *end)
{
    struct pt_level *l = &c->levels[c->open < PT_DEEPEST ? c->open : PT_DEEPEST];
    l->n = c->n + 1; l->nodes = c->nodes; l->move = move; l->length = (int)(end - c->at); memcpy(l->bytes, c->at, (size_t)l->length);
}
PT_RARE void pt_left_behind(struct pt_context *c, int ply)
{   /* what is open at this ply and below was left by longjmp or an exception */
    int open = c->open;
    while (open && c->plies[open < PT_DEEPEST ? open : PT_DEEPEST] >= ply) open--;
    pt_record_(17, open, 0, 0, 0);
}
void pt_enter_(uint32_t move, int ply, int alpha, int beta, int depth)
{
    struct pt_context *c = pt_get();
    struct pt_event e;
    int send = 1, same = c->plies[c->open < PT_DEEPEST ? c->open : PT_DEEPEST];   /* that of no node is -1 */
    if (ply < 0) ply = same + (move || !c->open);
    else if (ply < same) pt_left_behind(c, ply);
    else if (ply == same) move = 0;
    if (__builtin_expect(c->plain && c->open < PT_DEEPEST, 1)) { pt_named(c, move); c->plies[++c->open] = ply; }
    else if (pt_muted(c) && c->open < PT_DEEPEST) { send = 0; c->plies[++c->open] = ply; c->skipped_nodes++; }
    else if ((send = pt_passes(c, move, ply))) { pt_named(c, move); c->sent = c->open; }
    else c->skipped_nodes++;
    c->nodes++;
    e.at = c->at; e.hash = c->hash;
    if (__builtin_expect(c->side, 0)) { pt_byte(&e, 31); pt_byte(&e, (unsigned)c->side); c->side = 0; }
    pt_byte(&e, alpha || beta ? 1 : 34); pt_u(&e, move);
    if (__builtin_expect(alpha || beta, 1)) { pt_s(&e, alpha); pt_u(&e, (uint64_t)((int64_t)beta - alpha)); }
    pt_s(&e, depth);
    if (__builtin_expect(pt_keyed && c->passed == c->open, 0)) pt_remember(c, move, e.at);
    pt_done(c, e, send);
}
static int pt_close(struct pt_context *c, int open)
{   /* closes all but `open` nodes; returns whether one of them is in the stream */
    int sent = c->plain || open < c->sent;
    if (open < c->passed) c->passed = open;
    if (open < c->keep) c->keep = 0;
    c->open = open;
    if (sent) { c->sent = open; pt_account(c); }
    return sent;
}
PT_RARE void pt_root_left(struct pt_context *c) { if (c->number) pt_send(c); }   /* a helper's last words must come before the next search */
static inline void pt_tell(struct pt_context *c, int kind, int value, int send)
{
    struct pt_event e = pt_new(c, kind);
    pt_s(&e, value); pt_done(c, e, send);
}
void pt_leave_(int value)
{
    struct pt_context *c = pt_mine;
    if (__builtin_expect(c->plain && c->open, 1)) {
        c->open--; pt_tell(c, 2, value, 1);
        if (__builtin_expect(!c->open, 0)) pt_root_left(c);
    } else if (pt_muted(c) && c->open > 1) { c->open--; pt_tell(c, 2, value, 0); }
    else pt_record_(2, value, 0, 0, 0);
}
void pt_value_(int kind, int value)
{
    struct pt_context *c = pt_mine;
    if (__builtin_expect(c->plain, 1)) pt_tell(c, kind, value, 1);
    else if (pt_muted(c)) pt_tell(c, kind, value, 0);
    else pt_record_(kind, value, 0, 0, 0);
}
/* The fields of the records: m a move, u unsigned, s signed, w the width from the field before. */
static const char *const pt_formats[] = {"", "", "s", "s", "s", "", "", "", "s", "ms", "sws", "s", "su", "s", "u", "ms", "", "u", "", "", "",
    "sumu", "u", "", "usu", "uusu", "uss", "m", "", "ums", "umu"};
void pt_record_(int kind, int64_t a, int64_t b, int64_t v, int64_t d)
{
    struct pt_context *c = pt_get();
    const int64_t values[] = {a, b, v, d};
    const char *format = pt_formats[kind];
    int closes = kind == 2 || kind == 17 || kind == 20 || kind == 21, best_first = kind == 22 || (kind > 23 && kind < 27) || kind == 30, send, i;
    struct pt_event e;
    if (closes) {
        int open = kind == 17 ? (int)a : c->open - 1;
        if (open < 0 || open >= c->open) return;
        send = pt_close(c, open);
    } else if (kind == 8 || kind == 9 || kind == 27 || kind == 29) {
        if (kind != 27) pt_record_(17, 0, 0, 0, 0);   /* what is still open was left by longjmp */
        if (kind == 8) c->iteration = (int)a;
        send = 1;
    } else send = best_first ? c->nodes <= pt_most : pt_inside(c);
    if (send) {
        pt_account(c);
        for (i = 0; format[i]; i++) if (format[i] == 'm') pt_named(c, (uint32_t)values[i]);
    }
    e = pt_new(c, kind);
    for (i = 0; format[i]; i++)
        if (format[i] == 's') pt_s(&e, values[i]); else pt_u(&e, (uint64_t)(format[i] != 'w' ? values[i] : b - a));
    pt_done(c, e, send);
    if (closes && !c->open) pt_root_left(c);
    if (kind == 9 || kind == 29 || (best_first && pt_in >= 0 && pt_now() > c->written + 100)) pt_send(c);
}
void pt_list_(int kind, const int64_t *v, int count)
{
    struct pt_context *c = pt_mine->plain ? pt_mine : pt_get();
    struct pt_event e;
    int send = pt_inside(c), first = kind == 5, i;
    if (count > first + 9) count = first + 9;
    if (send) { pt_account(c); if (first) pt_named(c, (uint32_t)v[0]); }
    e = pt_new(c, kind);
    for (i = 0; i <= first; i++) pt_u(&e, (uint64_t)v[i]);
    pt_byte(&e, (unsigned)(count - i));
    for (; i < count; i++) pt_s(&e, v[i]);
    pt_done(c, e, send);
    pt_room(c);
}
void pt_expand_(uint32_t node, uint32_t first, int count, const uint32_t *moves, const double *priors)
{
    struct pt_context *c = pt_get();
    struct pt_event e;
    int send, i;
    if (count > 4095) count = 4095;
    if ((send = c->nodes + (uint64_t)count <= pt_most)) {
        pt_account(c);
        for (i = 0; i < count; i++) pt_named(c, moves[i]);
    } else c->skipped_nodes += (uint64_t)count;
    c->nodes += (uint64_t)count;
    e = pt_new(c, 23); pt_u(&e, node); pt_u(&e, first); pt_u(&e, (uint64_t)count);
    for (i = 0; i < count; i++) {
        double prior = priors ? priors[i] * 65535 + 0.5 : 65536;
        pt_u(&e, moves[i]); pt_u(&e, prior >= 0 && prior <= 65536 ? (uint64_t)prior : 65536);
    }
    pt_done(c, e, send);
    pt_room(c);
}
void pt_key_(uint64_t key)
{
    struct pt_context *c = pt_get();
    if (pt_keyed && !c->keep && key == pt_wanted && c->passed == c->open) { pt_spine(c); c->keep = c->open; }
    if (!pt_inside(c)) return;
    pt_account(c);
    *c->at++ = 28; pt_little(c->at, key, 8); c->at += 8;
}
int pt_open(void) { return pt_get()->open; }
void pt_side_(int side) { pt_get()->side = side; }
void pt_name_(uint32_t move, const char *text) { pt_name_as(pt_get(), move, text); }
void pt_flush_(void) { pt_send(pt_get()); }
void pt_thread_(int n) { if (pt_mine == &pt_spare) pt_number = n; else { pt_flush_(); pt_mine->number = pt_number = n; } }

/* JSON: the header and the records that are rare. */
struct pt_json { char *bytes; size_t used, room; };
static void pt_put(struct pt_json *j, const char *text)
{
    size_t length = strlen(text);
    if (j->used + length + 1 > j->room) {
        char *more = (char *)realloc(j->bytes, 2 * (j->used + length + 1));
        if (!more) return;
        j->bytes = more; j->room = 2 * (j->used + length + 1);
    }
    memcpy(j->bytes + j->used, text, length + 1); j->used += length;
}
static void pt_quote(struct pt_json *j, const char *text, size_t length)
{
    char one[8];
    pt_put(j, "\"");
    for (; length--; text++) {
        snprintf(one, sizeof one, (unsigned char)*text < 32 ? "\\u%04x" : *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
        pt_put(j, one);
    }
    pt_put(j, "\"");
}
static void pt_field(struct pt_json *j, const char *name, const char *text)
{
    if (!text) return;
    pt_put(j, j->bytes[j->used - 1] == '{' ? "\"" : ",\""); pt_put(j, name); pt_put(j, "\":"); pt_quote(j, text, strlen(text));
}
static void pt_number_field(struct pt_json *j, const char *name, double value)
{
    char text[80];
    snprintf(text, sizeof text, "%s\"%s\":%.10g", j->bytes[j->used - 1] == '{' ? "" : ",", name, value);
    pt_put(j, text);
}
static void pt_line_out(struct pt_context *c, struct pt_json *j)
{
    pt_put(j, "}\n");
    if (j->used <= 1 << 20) pt_chunk(c, 1, (const unsigned char *)j->bytes, j->used);
    free(j->bytes);
}
void pt_text_(const char *kind, const char *text)
{
    struct pt_context *c = pt_get();
    struct pt_json j = {NULL, 0, 0};
    if (!pt_inside(c)) return;
    pt_send(c);
    pt_put(&j, "{"); pt_field(&j, "kind", kind); pt_field(&j, "text", text);
    if (c->number) pt_number_field(&j, "t", c->number);
    pt_line_out(c, &j);
}
void pt_search_(const char *fen, const char *root, const char *more)
{
    struct pt_json j = {NULL, 0, 0};
    if (pt_mine->n) { pt_record_(17, 0, 0, 0, 0); pt_flush_(); }
    pt_spare.number = pt_mine->number;
    pt_put(&j, "{"); pt_field(&j, "kind", "search"); pt_field(&j, "fen", fen); pt_field(&j, "root", root);
    if (more) { pt_put(&j, ","); pt_put(&j, more); }
    pt_line_out(&pt_spare, &j);
    pt_searches = pt_searches + 1;
    pt_get();
}
static void pt_write_header(void)
{
    struct pt_json j = {NULL, 0, 0};
    const pt_header *h = pt_h;
    pt_put(&j, "{\"plyscope-trace\":1");
    pt_field(&j, "engine", h->engine); pt_field(&j, "game", h->game); pt_field(&j, "order", h->order); pt_field(&j, "backup", h->backup);
    pt_put(&j, ",\"value\":{");
    pt_field(&j, "unit", h->unit); pt_field(&j, "view", h->view); pt_field(&j, "distance", h->distance); pt_field(&j, "fail", h->fail);
    if (h->step > 0) pt_number_field(&j, "step", h->step);
    if (h->infinite) pt_number_field(&j, "infinite", h->infinite * (h->step > 0 ? h->step : 1));
    if (h->win) pt_number_field(&j, "win", h->win * (h->step > 0 ? h->step : 1));
    if (h->lowest < h->highest) {
        char range[80];
        snprintf(range, sizeof range, "%s\"range\":[%.10g,%.10g]", j.bytes[j.used - 1] == '{' ? "" : ",", h->lowest, h->highest);
        pt_put(&j, range);
    }
    pt_put(&j, "}");
    if (h->depth_step > 1) pt_number_field(&j, "depth-step", h->depth_step);
    if (pt_in >= 0) pt_put(&j, ",\"control\":true");
    for (int i = 0; i < h->reason_count; i++) {
        const pt_reason *r = &h->reasons[i];
        const char *p = r->numbers ? r->numbers : "";
        pt_put(&j, i ? ",{" : ",\"reasons\":[{");
        pt_number_field(&j, "n", r->n); pt_field(&j, "name", r->name); pt_field(&j, "class", r->class_);
        pt_put(&j, ",\"numbers\":[");
        while (*p) {
            size_t name = strcspn(p, ":"), unit = strcspn(p, " ");
            pt_put(&j, p == r->numbers ? "[" : ",["); pt_quote(&j, p, name < unit ? name : unit); pt_put(&j, ",");
            if (name < unit) pt_quote(&j, p + name + 1, unit - name - 1); else pt_quote(&j, "number", 6);
            pt_put(&j, "]");
            for (p += unit; *p == ' ';) p++;
        }
        pt_put(&j, "]"); pt_field(&j, "text", r->text); pt_put(&j, "}");
    }
    if (h->reason_count) pt_put(&j, "]");
    pt_write("\x89PLYTR\r\n", 8);
    pt_line_out(&pt_spare, &j);
}
static int pt_connect(const char *where, const char **token)
{
    int s = -1;
    if (!strncmp(where, "tcp:127.0.0.1:", 14)) {
        struct sockaddr_in to;
        memset(&to, 0, sizeof to);
#ifdef _WIN32
        WSADATA data; WSAStartup(MAKEWORD(2, 2), &data);
#endif
        to.sin_family = AF_INET; to.sin_addr.s_addr = htonl(INADDR_LOOPBACK); to.sin_port = htons((uint16_t)atoi(where + 14));
        s = (int)socket(AF_INET, SOCK_STREAM, 0);
        if (s >= 0 && connect(s, (struct sockaddr *)&to, sizeof to)) s = -1;
        *token = strchr(where + 14, '/');
    }
#ifndef _WIN32
    else if (!strncmp(where, "unix:", 5)) {
        struct sockaddr_un to;
        memset(&to, 0, sizeof to);
        to.sun_family = AF_UNIX; strncpy(to.sun_path, where + 5, sizeof to.sun_path - 1);
        s = socket(AF_UNIX, SOCK_STREAM, 0);
        if (s >= 0 && connect(s, (struct sockaddr *)&to, sizeof to)) s = -1;
    }
#endif
    return s;
}
static void pt_at_exit(void)
{   /* A program may end inside the search. A child that was forked leaves what its parent has not yet written alone. */
    if (!pt_on || pt_mine == &pt_spare || pt_process != pt_own_process()) return;
    if (!pt_try_lock_(pt_writing)) return;   /* exit() was called by a signal handler, while a chunk was written */
    pt_unlock_(pt_writing);
    pt_send(pt_mine);
}
void pt_start(const pt_header *header)
{
    const char *where = getenv("PLYSCOPE_TRACE"), *limit = getenv("PLYSCOPE_TRACE_LIMIT"), *trap = getenv("PLYSCOPE_TRACE_TRAP"), *token = NULL;
    if (pt_on || !where || !*where) return;
    pt_h = header;
    if (!strncmp(where, "tcp:", 4) || !strncmp(where, "unix:", 5)) pt_out = pt_in = pt_connect(where, &token);
#ifdef _WIN32
    else if ((pt_file = fopen(where, "wb"))) { setvbuf(pt_file, NULL, _IONBF, 0); pt_out = 0; }
#else
    else if (!strncmp(where, "fd:", 3)) {
        const char *control = strchr(where, ',');
        pt_out = atoi(where + 3);
        if (control) pt_in = atoi(control + 1);
    } else pt_out = open(where, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (pt_out >= 0) {
        struct sigaction old;
        fcntl(pt_out, F_SETFD, FD_CLOEXEC);
        if (pt_in >= 0) fcntl(pt_in, F_SETFD, FD_CLOEXEC);
        if (!sigaction(SIGPIPE, NULL, &old) && old.sa_handler == SIG_DFL) signal(SIGPIPE, SIG_IGN);   /* a reader that goes away ends the trace only */
    }
#endif
    if (pt_out < 0) { fprintf(stderr, "plyscope trace: cannot write to %s\n", where); return; }
    pt_on = 1; pt_process = pt_own_process();
    atexit(pt_at_exit);
    if (token) { pt_write(token + 1, strlen(token + 1)); pt_write("\n", 1); }
    if (pt_in >= 0) pt_limit = 0;   /* somebody steers: wait for the first word */
    if (limit) {
        char copy[4096];
        strncpy(copy, limit, sizeof copy - 1); copy[sizeof copy - 1] = 0;
        for (char *at = copy, *end; at; at = end) { if ((end = strchr(at, ';'))) *end++ = 0; pt_control(at); }
    }
    if (trap) { const char *n = strchr(trap, ':'); pt_trap = strtoull(n ? n + 1 : trap, NULL, 10); pt_trap_search = n ? strtoull(trap, NULL, 10) : 0; }
    pt_write_header();
}
#endif
