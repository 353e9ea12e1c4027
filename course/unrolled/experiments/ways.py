"""How far it is from what goes into a net to what comes out: its computation as a graph, walked through.

    ways_of(graph, n, m)        # Ways(longest=…, steps=…) between ("x", 0) … ("x", n − 1) and ("y", 0) … ("y", m − 1)

A graph says for each state which others are computed from it. A gradient goes the same ways backwards, so that what is
far away is also hard to learn from. Left out on purpose: graphs in a circle, and numbers on the edges.
"""

from collections import deque
from typing import NamedTuple

Node = tuple[str | int, int]
Graph = dict[Node, list[Node]]  # from what is computed first to what is computed from it


class Ways(NamedTuple):
    """Counted in steps from one state to the next."""

    longest: int  # the shortest way from a source word to a target word, for those two that are farthest apart
    steps: int  # which must be taken one after another, whatever the machine


def ways_of(graph: Graph, n: int, m: int) -> Ways:
    """Of a graph with nodes ("x", 0) … ("x", n − 1) for what is read, and ("y", 0) … ("y", m − 1) for what is said."""
    far = [_distances(graph, ("x", i)) for i in range(n)]
    return Ways(max(of["y", j] for of in far for j in range(m)), _depth(graph))


def graph_of(edges: list[tuple[Node, Node]]) -> Graph:
    """A graph from pairs: what is computed first, what is computed from it."""
    graph: Graph = {}
    for tail, head in edges:
        graph.setdefault(tail, []).append(head)
        graph.setdefault(head, [])
    return graph


def _distances(graph: Graph, tail: Node) -> dict[Node, int]:
    """Edges from one node to each that it reaches, by the shortest way."""
    waiting, far = deque([tail]), {tail: 0}
    while waiting:
        node = waiting.popleft()
        for after in graph[node]:
            if after not in far:
                far[after] = far[node] + 1
                waiting.append(after)
    return far


def _depth(graph: Graph) -> int:
    """The longest chain of edges, by Kahn's order."""
    open_in = dict.fromkeys(graph, 0)
    for heads in graph.values():
        for head in heads:
            open_in[head] += 1
    ready, depth = deque(node for node, count in open_in.items() if not count), dict.fromkeys(graph, 0)
    while ready:
        node = ready.popleft()
        for head in graph[node]:
            depth[head] = max(depth[head], depth[node] + 1)
            open_in[head] -= 1
            if not open_in[head]:
                ready.append(head)
    return max(depth.values())
