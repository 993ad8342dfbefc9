import type { Node } from '../form/nodes.ts';

/** Something known of each node of one kernel. It is found by the node's number: to hash nodes takes several times as long. */
export class NodeMap<T> {
  /** In the order in which they came. */
  readonly nodes: Node[] = [];
  readonly #values: T[] = [];

  get(node: Node): T | undefined {
    return this.#values[node.id];
  }
  set(node: Node, value: T): void {
    if (this.#values[node.id] === undefined) this.nodes.push(node);
    this.#values[node.id] = value;
  }
}
