import type { Block, Node, RootBlock } from './nodes.ts';
import type { Port } from './port.ts';

/**
 * The kernel form: what a traced kernel is. Scalar SSA with structured branches and loops.
 *
 * A kernel is a pure function of one element: loads come in, outputs go out at its end, and nothing is written
 * in between. That is why common subexpressions, dead code and both derivatives are simple walks over this form.
 * Vectors, matrices and quaternions exist only while tracing; here they are scalars.
 */

/** A value that a kernel gives. `index` names the element that an addition goes to; null is the own element. */
export interface Output {
  readonly port: Port;
  readonly component: number;
  readonly index: Node | null;
  readonly value: Node;
  /** Block that it stands in: the root, or the body of a loop, which gives it in every round. */
  readonly block: Block;
  /**
   * Which of `rounds` additions of an element it is; null for the only one, or where nobody knows how many there are.
   */
  readonly round: Node | null;
  readonly rounds: number | null;
  /**
   * Whether it came out of a branch, or is the derivative of a read that may stand in one: where it is 0, its index
   * means nothing.
   */
  readonly isConditional?: boolean;
  /**
   * For an index that says where others are added: it becomes `NO_ELEMENT` where it is not below `elements` and these
   * values are all 0.
   */
  readonly fallback?: { readonly values: readonly Node[]; readonly elements: number };
  /**
   * For what is added to a private accumulator of so many elements: where an index beyond them is recorded; with
   * values, only if these are not all 0. With several components, the first says so.
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
  /** Whether it is an adjoint that was derived: it reads where its kernel does, and where that does not. */
  readonly isDerived?: boolean;
}
