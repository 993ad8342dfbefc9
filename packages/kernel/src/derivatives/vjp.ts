import { GradsimError } from '@gradsim/base';
import type { Node } from '../form/nodes.ts';
import { ARGUMENT_PORT } from '../form/port.ts';
import { Builder } from '../language/builder.ts';
import type { ClonedNodes } from '../language/clone.ts';
import { cloneBlock } from '../language/clone.ts';
import type { LoopVariables } from '../language/control.ts';
import { flatten, rebuild } from '../language/control.ts';
import { currentBuilder, refuseUnusedComparisons, trace, use } from '../language/scalar.ts';
import { AdjointPorts, accumulate, reverseBlock } from './adjoint.ts';

/**
 * The product of a cotangent and the Jacobian of a function, within a kernel: (dy/dx)^T y_bar, in the shape of x. For
 * hand-written adjoint kernels that iterate over other elements than their kernel, yet need the derivative of the same
 * formula.
 *
 * ```ts
 * const { x } = vjp(({ x }) => ({ y: x.mul(x).mul(x) }), { x }, { y: yBar }); // 3 x^2 yBar
 * ```
 * @param f gets all its values, floats only, from its argument; traced values of the enclosing scope are refused.
 */
export function vjp<I extends LoopVariables, O extends LoopVariables>(
  f: (inputs: I) => O,
  inputs: I,
  cotangents: NoInfer<O>,
): I {
  const b = currentBuilder();
  const [given, bars] = [flatten(inputs).map(use), flatten(cotangents).map(use)];
  if ([...given, ...bars].some((node) => node.type !== 'f32'))
    throw new GradsimError('base/wrong-type', 'vjp takes floats, and cotangents that are floats.', {
      kernel: b.kernelName,
    });
  const inner = new Builder(b.kernelName);
  const leaves = given.map((_, k) => inner.load(ARGUMENT_PORT, k, null));
  const results = trace(inner, () => flatten(f(rebuild(inputs, leaves))).map(use));
  refuseUnusedComparisons(inner);
  if (results.length !== bars.length) {
    throw new GradsimError(
      'kernel/wrong-size',
      `vjp was given ${bars.length} cotangents for a function of ${results.length} values.`,
      { kernel: b.kernelName },
    );
  }
  const map: ClonedNodes = new Map(leaves.map((leaf, k) => [leaf, given[k]]));
  cloneBlock(b, inner.root, map);
  const adjoints = new Map<Node, Node>();
  results.forEach((result, k) => accumulate(b, adjoints, result, bars[k]));
  reverseBlock(b, inner.root, map, adjoints, new AdjointPorts(b, inner, new Set(), new Set()));
  return rebuild(
    inputs,
    leaves.map((leaf) => adjoints.get(leaf) ?? b.const(0)),
  );
}
