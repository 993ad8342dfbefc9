/** Directed graph: number of edges from each node to each other node. */
export type Graph = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** Builds the graph of `arrows`, with nodes named by `nameOf` of their ends; edges within one node are left out. */
export function graphOf(
  arrows: Iterable<{ readonly from: string; readonly to: string }>,
  nameOf: (file: string) => string = (file) => file,
): Graph {
  const graph = new Map<string, Map<string, number>>();
  for (const arrow of arrows) {
    const [from, to] = [nameOf(arrow.from), nameOf(arrow.to)];
    for (const node of [from, to]) if (!graph.has(node)) graph.set(node, new Map());
    if (from !== to) graph.get(from)!.set(to, (graph.get(from)!.get(to) ?? 0) + 1);
  }
  return graph;
}

/** Strongly connected components of more than one node (Tarjan 1972): sets of nodes that reach each other. */
export function cyclesOf(graph: Graph): readonly (readonly string[])[] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const open = new Set<string>();
  const found: string[][] = [];
  const visit = (node: string): void => {
    order.set(node, order.size);
    lowest.set(node, order.get(node)!);
    stack.push(node);
    open.add(node);
    for (const next of graph.get(node)!.keys()) {
      if (!order.has(next)) visit(next);
      if (open.has(next)) lowest.set(node, Math.min(lowest.get(node)!, lowest.get(next)!));
    }
    if (lowest.get(node) !== order.get(node)) return;
    const component = stack.splice(stack.indexOf(node));
    for (const member of component) open.delete(member);
    if (component.length > 1) found.push(component.sort());
  };
  for (const node of graph.keys()) if (!order.has(node)) visit(node);
  return found;
}

/**
 * Edges that point from a lower to a higher layer, for an order of the nodes with as few of them as possible: a minimum
 * feedback arc set. It is exact for strongly connected components of up to ten nodes, by dynamic programming over
 * subsets; larger ones use the greedy order of Eades, Lin and Smyth 1993.
 */
export function arrowsUp(
  graph: Graph,
): readonly { readonly from: string; readonly to: string; readonly count: number }[] {
  return cyclesOf(graph).flatMap((nodes) => {
    const floors = nodes.length <= 10 ? bestOrder(graph, nodes) : greedyOrder(graph, nodes);
    const place = new Map(floors.map((node, k) => [node, k]));
    return nodes.flatMap((from) =>
      [...graph.get(from)!].flatMap(([to, count]) =>
        place.has(to) && place.get(to)! > place.get(from)! ? [{ from, to, count }] : [],
      ),
    );
  });
}

/** Order of the nodes, lowest layer first, with the fewest edges from lower to higher layers. */
function bestOrder(graph: Graph, nodes: readonly string[]): readonly string[] {
  const full = 2 ** nodes.length;
  const cost = new Array<number>(full).fill(Number.POSITIVE_INFINITY);
  const last = new Array<number>(full).fill(-1);
  cost[0] = 0;
  for (let below = 0; below < full; below++) {
    nodes.forEach((node, k) => {
      if (below & (1 << k)) return;
      // What lies below and imports the node, which comes above it, points up.
      const up = nodes.reduce(
        (sum, other, o) => (below & (1 << o) ? sum + (graph.get(other)!.get(node) ?? 0) : sum),
        0,
      );
      const above = below | (1 << k);
      if (cost[below] + up < cost[above]) [cost[above], last[above]] = [cost[below] + up, k];
    });
  }
  const order: string[] = [];
  for (let at = full - 1; at > 0; at &= ~(1 << last[at])) order.unshift(nodes[last[at]]);
  return order;
}

function greedyOrder(graph: Graph, nodes: readonly string[]): readonly string[] {
  const left = new Set(nodes);
  const weigh = (node: string): number => {
    let sum = 0;
    for (const other of left) sum += (graph.get(node)!.get(other) ?? 0) - (graph.get(other)!.get(node) ?? 0);
    return sum;
  };
  const fromTop: string[] = [];
  while (left.size) {
    const top = [...left].reduce((a, b) => (weigh(b) > weigh(a) ? b : a));
    left.delete(top);
    fromTop.push(top);
  }
  return fromTop.reverse();
}
