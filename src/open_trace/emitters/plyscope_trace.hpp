/* plyscope_trace.hpp: the same for C++17 programs, in one file with the C part. A scope closes its node however it is left:
 *
 *     int search(...) {
 *         plyscope::Node node(move, alpha, beta, depth);
 *         return node.leave(search_inner(...));          // an exception leaves the node by `unwind`
 *     }
 *
 * SPDX-License-Identifier: 0BSD */
#ifndef PLYSCOPE_TRACE_HPP
#define PLYSCOPE_TRACE_HPP
#ifndef PLYSCOPE_TRACE_H
#include "plyscope_trace.h"
#endif

namespace plyscope {

class Node {
public:
#ifdef PLYSCOPE_TRACE
    template <class Value> Node(uint32_t move, Value alpha, Value beta, int depth) : Node(-1, move, alpha, beta, depth) {}
    /* With the engine's ply. */
    template <class Value> Node(int ply, uint32_t move, Value alpha, Value beta, int depth) : open(pt_active())
    {
        if (!open) return;
        pt_enter_(move, ply, static_cast<int>(alpha), static_cast<int>(beta), depth);
        level = pt_open();
    }
    ~Node() { if (open) pt_unwind(level - 1); }
    template <class Value> Value leave(Value value)
    {
        if (open) { open = false; pt_leave(static_cast<int>(value)); }
        return value;
    }
    template <class Value> Value leave(Value value, int bound, uint32_t best, uint64_t nodes)
    {
        if (open) { open = false; pt_leave_more(static_cast<int>(value), bound, best, static_cast<int64_t>(nodes)); }
        return value;
    }

private:
    bool open;
    int level = 0;
#else
    template <class Value> Node(uint32_t, Value, Value, int) {}
    template <class Value> Node(int, uint32_t, Value, Value, int) {}
    template <class Value> Value leave(Value value) { return value; }
    template <class Value> Value leave(Value value, int, uint32_t, uint64_t) { return value; }
#endif
    Node(const Node &) = delete;
    Node &operator=(const Node &) = delete;
};

}
#endif
