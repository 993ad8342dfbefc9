import type { Block, Node, RootBlock } from './nodes.ts';
import type { Port } from './port.ts';

/**
 * The kernel form: intermediate representation of a traced kernel. Scalar SSA with structured branches and loops.
 *
 * A kernel is a pure function of one element: it loads inputs, stores outputs at its end, and writes nothing in
 * between. That is why common subexpressions, dead code and both derivatives are simple walks over this form. Vectors,
 * matrices and quaternions exist only while tracing; here they are scalars.
 */

/** An output value of a kernel. `index` is the element to add to; null is the own element. */
export interface Output {
  readonly port: Port;
  readonly component: number;
  readonly index: Node | null;
  readonly value: Node;
  /** Block that it stands in: the root, or a loop body, which outputs it in every iteration. */
  readonly block: Block;
  /** Number of this addition among the `rounds` of an element; null for the only one, or if their number is unknown. */
  readonly round: Node | null;
  readonly rounds: number | null;
  /**
   * True if it came out of a branch, or is the derivative of a read that may stand in one: where it is 0, its index is
   * meaningless.
   */
  readonly isConditional?: boolean;
  /**
   * For the index of an addition that others refer to: it becomes `NO_ELEMENT` where it is not below `elements` and
   * these values are all 0.
   */
  readonly fallback?: { readonly values: readonly Node[]; readonly elements: number };
  /**
   * For an addition to a private accumulator of `elements` elements: where an index beyond them is recorded; with
   * values, only if these are not all 0. With several components, only the first has this.
   */
  readonly accumulator?: {
    readonly elements: number;
    readonly lost: Port | null;
    readonly values: readonly Node[] | null;
  };
}

export interface KernelForm {
  readonly name: string;
  readonly domain: string;
  readonly ports: readonly Port[];
  readonly root: RootBlock;
  readonly outputs: readonly Output[];
  /** True for a derived adjoint: it reads only where its kernel does, so indices are checked there. */
  readonly isDerived?: boolean;
}
