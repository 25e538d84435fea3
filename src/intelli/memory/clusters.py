"""Cluster nodes with the Leiden algorithm over the facts between them: deterministic, and stable as the graph grows."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

_SEED = 7
_RESOLUTION = 1.0
_RANDOMNESS = 0.001
_LEAST_MEMBERS = 2

Edge = tuple[UUID, UUID]


def find_clusters(edges: Sequence[Edge], before: Mapping[UUID, UUID]) -> list[frozenset[UUID]]:
    """Return the clusters of a graph, the largest first.

    The search starts from `before`, the community that each node was in, so that few nodes move.
    """
    import graspologic_native

    weights = Counter(tuple(sorted(edge, key=str)) for edge in edges if edge[0] != edge[1])
    if not weights:
        return []
    weighted = [(str(one), str(other), float(weight)) for (one, other), weight in sorted(weights.items(), key=str)]
    _, found = graspologic_native.leiden(
        edges=weighted,
        starting_communities=_initial_communities({node for edge in weights for node in edge}, before),
        resolution=_RESOLUTION,
        randomness=_RANDOMNESS,
        iterations=2,
        use_modularity=True,
        seed=_SEED,
        trials=1,
    )
    members: dict[int, set[UUID]] = defaultdict(set)
    for node, number in found.items():
        members[number].add(UUID(node))
    clusters = [frozenset(each) for each in members.values() if len(each) >= _LEAST_MEMBERS]
    return sorted(clusters, key=lambda each: (-len(each), min(map(str, each))))


def match_communities(clusters: Sequence[frozenset[UUID]], before: Mapping[UUID, UUID]) -> list[UUID | None]:
    """Return for each cluster the community it continues, each used once: that of most of its nodes, or None."""
    shares = [Counter(before[node] for node in cluster if node in before) for cluster in clusters]
    pairs = [(number, community) for number, share in enumerate(shares) for community in share]
    carried: dict[int, UUID] = {}
    for number, community in sorted(pairs, key=lambda pair: (-shares[pair[0]][pair[1]], pair[0], str(pair[1]))):
        if number not in carried and community not in carried.values():
            carried[number] = community
    return [carried.get(number) for number in range(len(clusters))]


def _initial_communities(nodes: Iterable[UUID], before: Mapping[UUID, UUID]) -> dict[str, int] | None:
    if not before:
        return None
    numbers: dict[UUID, int] = {}
    return {str(node): numbers.setdefault(before.get(node, node), len(numbers)) for node in sorted(nodes, key=str)}
