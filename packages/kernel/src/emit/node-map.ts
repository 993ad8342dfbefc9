import type { Node } from '../form/nodes.ts';

/** Map from the nodes of one kernel to values, keyed by node number: hashing nodes takes several times as long. */
export class NodeMap<T> {
  /** Keys in insertion order. */
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
