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
export interface KernelOutput {
  readonly port: Port;
  readonly component: number;
  readonly index: Node | null;
  readonly value: Node;
  /** Block that it stands in: the root, or a loop body, which outputs it in every iteration. */
  readonly block: Block;
  /**
   * Index of this addition among the `rounds` additions of an element; null if there is only one, or if `rounds` is
   * unknown.
   */
  readonly round: Node | null;
  readonly rounds: number | null;
  /**
   * True for an addition hoisted out of a branch, and for the derivative of a read that may be in a branch: where the
   * value is 0, the index is meaningless.
   */
  readonly isConditional?: boolean;
  /**
   * For an output that stores the index of an addition: it stores `NO_ELEMENT` instead where the index is at least
   * `elements` and all of `values`, which are to be added there, are 0.
   */
  readonly fallback?: { readonly values: readonly Node[]; readonly elements: number };
  /**
   * For an addition to a private accumulator of `elements` elements: whether the index is known to be in range, else the
   * port that records one that is not. If `values` are given, it is recorded only where they are not all 0. Of several
   * components, only the first has a port.
   */
  readonly accumulator?: {
    readonly elements: number;
    readonly isWithin: boolean;
    readonly lost: Port | null;
    readonly values: readonly Node[] | null;
  };
}

export interface KernelForm {
  readonly name: string;
  readonly domain: string;
  readonly ports: readonly Port[];
  readonly root: RootBlock;
  readonly outputs: readonly KernelOutput[];
  /**
   * True for a derived adjoint. It reads at the indices at which the kernel that it is derived from reads, so they are
   * checked there.
   */
  readonly isDerived?: boolean;
}
