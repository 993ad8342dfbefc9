import { GradsimError } from '@gradsim/base';
import type { Kernel } from '@gradsim/kernel';
import { adjointOf, f32, field, kernel, tangentOf } from '@gradsim/kernel';
import type { Chain } from '../model/derived-passes.ts';
import {
  adjointPasses,
  foundBy,
  leadingTo,
  madeIn,
  nameIn,
  OWN_DERIVATIVE,
  tangentPasses,
  withResultsIn,
} from '../model/derived-passes.ts';
import type { BlockPass, KernelPass, Pass } from '../model/pass.ts';
import { asPass, bind, iterate } from '../model/pass.ts';
import { jacobianProduct, transposedProduct } from '../model/products.ts';
import type { Tolerance } from '../model/tolerance.ts';
import { formatTolerance, isTolerance, toleranceFor } from '../model/tolerance.ts';
import { keyOf, usesOfPass } from '../model/uses.ts';
import type { LinearOptions } from './conjugate-gradients.ts';
import { conjugateGradients } from './conjugate-gradients.ts';
import type { VectorRef } from './vectors.ts';
import { product, times } from './vectors.ts';

export interface ImplicitOptions {
  /** Field of the unknown y: the passes leave a value in it that makes the residual zero. */
  readonly unknown: VectorRef;
  /** Field of the residual g, of the type and domain of the unknown; `equations` add to it. */
  readonly residual: VectorRef;
  /**
   * Kernels that add to the residual; they read the unknown and fields that depend on it. In running order: later ones
   * may read fields that earlier ones write.
   */
  readonly equations: readonly (KernelPass | Kernel)[];
  /**
   * Norm of the residual over all elements of a world below which it counts as zero, in the residual's unit, for every
   * device or for each precision. A run whose passes leave a larger one fails. May be omitted only by passes that check
   * convergence themselves, with an alarm.
   */
  readonly residualTolerance?: Tolerance;
  /** True if the derivative of the residual with respect to the unknown is a symmetric positive definite matrix. */
  readonly symmetric?: boolean;
  /**
   * Solver of the derivative's linear systems. It returns passes that write the solution for a matrix and right side,
   * or raise an alarm. Default: {@link conjugateGradients}.
   */
  readonly solve?: (system: LinearOptions) => readonly Pass[];
  /** Relative tolerance of the derivative's linear solve; see {@link conjugateGradients}. */
  readonly tolerance?: Tolerance;
  readonly maxRounds?: number;
  /** Name unique among the blocks of the model, for messages. */
  readonly name: string;
}

/**
 * Declares passes that solve g(y, x) = 0 for y, by whatever method. The derivative is that of the equation, not of the
 * iterations: the backward pass does one linear solve (dg/dy)^T w = y_bar and x_bar -= (dg/dx)^T w, with products
 * derived from the kernels of g. No iteration is stored.
 *
 * Source: the implicit function theorem; M. Blondel et al., Efficient and modular implicit differentiation, 2022.
 *
 * ```ts
 * model.addPass('integrate', implicit([newton], {
 *   unknown: next, residual: imbalance, equations: [inertia, pull], residualTolerance: { f32: 1e-5, f64: 1e-11 }, symmetric: true,
 *   name: 'step',
 * }));
 * ```
 * @throws when an equation is not a kernel that adds to the residual, or none of them reads the unknown. A run throws
 * where the passes leave a residual above `residualTolerance`.
 */
export function implicit(passes: readonly (Pass | Kernel)[], options: ImplicitOptions): BlockPass {
  const { unknown, residual, symmetric = false, tolerance, maxRounds, name, residualTolerance } = options;
  const { solve = conjugateGradients } = options;
  const equations = options.equations.map((one): KernelPass => {
    const pass = asPass(one);
    if (pass.kind !== 'kernel')
      throw new GradsimError('core/wrong-equation', `${name}: its equations are kernels, not ${pass.kind}.`);
    return pass;
  });
  checkEquations(equations, options);
  const vector = (what: string): VectorRef => field(unknown.domain, `${name}${what}`, unknown.type);
  const { domain } = unknown;
  const derivative = (mode: 'Back' | 'Along'): { before: Pass[]; from: KernelPass[]; solution: Pass[] } => {
    // Intermediate fields of the equations are not kept: they are recomputed, under names of their own.
    const from = withResultsIn(equations, (key) =>
      key === residual.key ? residual.name : `${name}${mode} of ${nameIn(key)}`,
    );
    const before = from.filter((pass) => [...madeIn([pass])].some((key) => key !== residual.key));
    const along = (direction: VectorRef, into: VectorRef): Pass =>
      jacobianProduct(residual, { along: { [unknown.key]: direction }, into, differentiatedPasses: from });
    const back = (weights: VectorRef, into: VectorRef): Pass =>
      transposedProduct(residual, { weights, into: { [unknown.key]: into }, differentiatedPasses: from });
    const [product, transposed] = mode === 'Along' ? [along, back] : [back, along];
    const solution = solve({
      tolerance,
      maxRounds,
      name: `${name}${mode}`,
      product,
      rightSide: vector(`${mode}Side`),
      solution: vector(`${mode}Solution`),
      ...(symmetric ? {} : { transposed }),
      advice: `The derivative of ${residual.key} with respect to ${unknown.key} is singular, or nearly so, where ${name} ended: what is looked for is not determined there.${symmetric ? ' Or it is not symmetric and positive definite, as `symmetric` says.' : ''}`,
    });
    return { before, from, solution: [...solution] };
  };
  const [side, weights] = [vector('BackSide'), vector('BackWeights')];
  // (dg/dy)^T w = y_bar, then x_bar -= (dg/dx)^T w.
  const take = kernel(
    `${name}Take`,
    { domain, reads: { from: adjointOf(unknown) }, writes: { side } },
    ({ from: bar }) => ({ side: bar }),
  );
  const turn = kernel(
    `${name}Turn`,
    { domain, reads: { solution: vector('BackSolution') }, writes: { weights } },
    (s) => ({ weights: times(s.solution, f32(-1)) }),
  );
  // dg/dy y_dot = -dg/dx x_dot.
  const give = kernel(
    `${name}Give`,
    { domain, reads: { solution: vector('AlongSolution') }, writes: { to: tangentOf(unknown) } },
    (s) => ({ to: times(s.solution, f32(-1)) }),
  );
  const others = (key: string): typeof OWN_DERIVATIVE | null => (key === unknown.key ? null : OWN_DERIVATIVE);
  const [back, along] = [derivative('Back'), derivative('Along')];
  const vjp = [
    ...[bind(take), ...back.before, ...back.solution, bind(turn)],
    ...adjointPasses(back.from, {
      of: residual.key,
      weights: weights.key,
      into: others,
      name: `${name}BackWeights`,
    }),
  ];
  const jvp = [
    ...along.before,
    ...tangentPasses(along.from, {
      of: residual.key,
      along: others,
      into: vector('AlongSide').key,
      name: `${name}AlongSide`,
    }),
    ...[...along.solution, bind(give)],
  ];
  const reads = foundBy(equations);
  reads.delete(unknown.key);
  const group = passes.map((pass) => asPass(pass, name));
  if (residualTolerance !== undefined) group.push(remains(equations, options, residualTolerance));
  return { kind: 'block', name, passes: group, vjp, jvp, reads: [...reads], seesResults: true };
}

function checkEquations(
  equations: readonly KernelPass[],
  { name, unknown, residual, residualTolerance }: ImplicitOptions,
): void {
  if (residualTolerance !== undefined && !isTolerance(residualTolerance))
    throw new GradsimError(
      'core/option-out-of-range',
      `${name}: residualTolerance is ${formatTolerance(residualTolerance)}.`,
      { field: residual.key, hint: `It must be positive, in the unit of ${residual.key}.` },
    );
  equations.forEach((pass, k) => {
    const { reads, writes, adds } = usesOfPass(pass);
    const leading = leadingTo(equations.slice(k + 1), residual.key);
    const given = [...writes, ...adds];
    if (!given.some((key) => leading.has(key)) || writes.has(residual.key))
      throw new GradsimError(
        'core/wrong-equation',
        `${name}: kernel ${pass.kernel.name} is one of its equations, and does not add to ${residual.key}, nor does it make what a later one of them reads.`,
        { field: residual.key },
      );
    const twice = [...writes].find((key) => reads.has(key) || madeIn(equations.slice(0, k)).has(key));
    if (twice !== undefined)
      throw new GradsimError(
        'core/wrong-equation',
        `${name}: kernel ${pass.kernel.name} is one of its equations, and changes ${twice}, which is there already.`,
        { hint: 'Let it make a field of its own.' },
      );
  });
  const isRead = equations.some(({ kernel, names }) =>
    kernel.form.ports.some((p) => p.access === 'read' && keyOf(kernel.form, names)(p) === unknown.key),
  );
  if (!isRead)
    throw new GradsimError(
      'core/wrong-equation',
      `${name}: none of its equations reads ${unknown.key}, so nothing determines it.`,
      { field: unknown.key },
    );
}

/** Returns the passes that check that the residual is zero after the solve. */
function remains(equations: Chain, { name, residual }: ImplicitOptions, residualTolerance: Tolerance): Pass {
  const remainder = field(residual.domain, `${name}Remainder`, residual.type);
  const size = field('world', `${name}Remains`, f32);
  const again = withResultsIn(equations, (key) =>
    key === residual.key ? remainder.name : `${name}Remainder of ${nameIn(key)}`,
  );
  const measure = kernel(`${name}Measure`, { domain: residual.domain, reads: { remainder }, adds: { size } }, (s) =>
    s.size.add(product(s.remainder, s.remainder)),
  );
  // Squared, like the measured norm.
  const below =
    typeof residualTolerance === 'number'
      ? residualTolerance ** 2
      : { f32: residualTolerance.f32 ** 2, f64: residualTolerance.f64 ** 2 };
  return {
    ...iterate([...again, measure], { until: { field: size, below }, maxRounds: 1, name }),
    failure: (left, precision) =>
      `${name} leaves ${residual.key} at ${Math.sqrt(left).toPrecision(3)} (the root of the sum of squares over a world), not below residualTolerance ${toleranceFor(residualTolerance, precision)}: its equation does not hold, so its derivative would be that of something else. Have the passes of ${name} go on until it does (iterate in place of repeat), or begin nearer to the solution; what rounding leaves is for residualTolerance.`,
  };
}
