/** Facts, nodes and graphs for tests. */
import type { Fact, Graph, GraphNode } from '@/lib/memoryWire';

const FACT: Fact = {
  id: 'f1',
  group_id: 'team',
  subject: { id: 'n1', name: 'Ada' },
  relation: 'works_for',
  object: { id: 'n2', name: 'Acme' },
  object_text: null,
  statement: 'Ada works for Acme.',
  valid_at: '2024-05-01T00:00:00Z',
  invalid_at: null,
  known_at: '2024-06-01T00:00:00Z',
  expired_at: null,
  end_reason: null,
  ended_by: null,
  confidence: 0.7,
  episodes: ['e1'],
};

export function factOf(fields: Partial<Fact> = {}): Fact {
  return { ...FACT, ...fields };
}

export function nodeOf(id: string, fields: Partial<GraphNode> = {}): GraphNode {
  return { id, name: id, labels: [], degree: 1, community: null, ...fields };
}

/** A graph of named nodes and edges written as `a-b`. */
export function graphOf(nodes: readonly GraphNode[], edges: readonly string[] = []): Graph {
  return {
    nodes,
    edges: edges.map((edge) => {
      const [source = '', target = ''] = edge.split('-');
      return {
        id: edge,
        source,
        target,
        relation: 'knows',
        statement: `${source} knows ${target}.`,
        valid_at: null,
        invalid_at: null,
      };
    }),
    truncated: false,
  };
}
