"""Errors of memory. Their texts are stored with dead letters, so they never quote a message."""

from intelli.kit.errors import Conflict, Forbidden, Invalid, NotFound


class GroupNotFound(NotFound):
    """There is no such group, or it is another person's own."""

    code = "memory_group_not_found"


class GroupNotYours(Forbidden):
    """A person's own group takes messages from that person alone."""

    code = "memory_group_not_yours"


class GroupNameInvalid(Invalid):
    """A group's name is made of letters, digits and a few marks."""

    code = "memory_group_name_invalid"


class SchemaInconsistent(Invalid):
    """The declared types do not fit together."""

    code = "memory_schema_inconsistent"


class EpisodeNotFound(NotFound):
    """There is no such episode in the group."""

    code = "memory_episode_not_found"


class MessageWithdrawn(Conflict):
    """The message was forgotten while it was read."""

    code = "memory_message_withdrawn"


class EpisodeElsewhere(Conflict):
    """The episode belongs to another group."""

    code = "memory_episode_elsewhere"


class NodeNotFound(NotFound):
    """There is no such node, or it is in another person's own group."""

    code = "memory_node_not_found"


class FactNotFound(NotFound):
    """There is no such fact, or it is in another person's own group."""

    code = "memory_fact_not_found"


class FactOutlived(Conflict):
    """Another fact took the place of this one."""

    code = "memory_fact_outlived"


class NodesApart(Conflict):
    """Only two different nodes of one group can be merged, and only what was merged can be split."""

    code = "memory_nodes_apart"
