import type { Kernel } from '@gradsim/kernel';
import { adjointOf, f32, field, kernel, tangentOf } from '@gradsim/kernel';
import type { KernelForm } from '@gradsim/kernel/compiler';
import { adjoint, tangent, withPorts } from '@gradsim/kernel/compiler';
import type { BlockPass, KernelPass, Names, Pass } from '../model/pass.ts';
import { asPass, bind, iterate, jacobianProduct, transposedProduct } from '../model/pass.ts';
import { keyOf } from '../model/uses.ts';
import type { VectorRef } from './conjugate-gradients.ts';
import { conjugateGradients, product } from './conjugate-gradients.ts';

export interface ImplicitOptions {
  /** What is solved for: what the passes leave there makes the residual zero. */
  readonly unknown: VectorRef;
  /** What is to be zero: a field like the unknown that `equations` add to. */
  readonly residual: VectorRef;
  /** Kernels that add to the residual; they read the unknown and whatever it depends on. */
  readonly equations: readonly (KernelPass | Kernel)[];
  /**
   * The size of the residual, over all elements of a world, that is taken for zero, in the residual's unit. A run whose
   * passes leave more is refused.
   */
  readonly residualTolerance: number;
  /** Whether the derivative of the residual with respect to the unknown is a symmetric positive definite matrix. */
  readonly symmetric?: boolean;
  /** Of the linear solve of the derivative; see {@link conjugateGradients}. */
  readonly tolerance?: number;
  readonly most?: number;
  /** Unlike that of every other block of the model; in messages. */
  readonly name: string;
}

/**
 * Passes that find y with g(y, x) = 0, by whatever means. The derivative is that of the equation, not of the way to its
 * solution: on the way back one linear solve (dg/dy)^T w = y_bar and x_bar -= (dg/dx)^T w, with products that come from
 * the kernels of g. Nothing of the iterations is kept.
 *
 * Source: the implicit function theorem; M. Blondel et al., Efficient and modular implicit differentiation, 2022.
 *
 * ```ts
 * model.addPass('integrate', implicit([newton], {
 *   ...{ unknown: next, residual: imbalance, equations: [inertia, pull], residualTolerance: 1e-6, symmetric: true, name: 'step' },
 * }));
 * ```
 * @throws when an equation is no kernel that adds to the residual, or none of them reads the unknown; a run, where the
 * passes leave more of the residual than `residualTolerance`.
 */
export function implicit(passes: readonly (Pass | Kernel)[], options: ImplicitOptions): BlockPass {
  const { unknown, residual, equations, symmetric = false, tolerance, most, name } = options;
  const from = equations.map((one): KernelPass => {
    const pass = asPass(one);
    if (pass.kind !== 'kernel') throw new Error(`${name}: its equations are kernels, not ${pass.kind}.`);
    return pass;
  });
  checkEquations(from, options);
  const vector = (what: string): VectorRef => field(unknown.domain, `${name}${what}`, unknown.type);
  const along = (direction: VectorRef, into: VectorRef): Pass =>
    jacobianProduct(residual, { along: { [unknown.key]: direction }, into, from });
  const back = (weights: VectorRef, into: VectorRef): Pass =>
    transposedProduct(residual, { weights, into: { [unknown.key]: into }, from });
  const solve = (mode: 'Back' | 'Along', product: typeof along, transposed: typeof along): Pass[] =>
    conjugateGradients({
      ...{ tolerance, most, name: `${name}${mode}` },
      ...{ rightSide: vector(`${mode}Side`), solution: vector(`${mode}Solution`), product },
      ...(symmetric ? {} : { transposed }),
      advice: `The derivative of ${residual.key} with respect to ${unknown.key} is singular, or nearly so, where ${name} ended: what is looked for is not determined there.${symmetric ? ' Or it is not symmetric and positive definite, as `symmetric` says.' : ''}`,
    });
  const { domain } = unknown;
  const [side, solution] = [vector('BackSide'), vector('AlongSolution')];
  const take = kernel(
    `${name}Take`,
    { domain, reads: { from: adjointOf(unknown) }, writes: { side } },
    ({ from: bar }) => ({ side: bar }),
  );
  const give = kernel(
    `${name}Give`,
    { domain, reads: { solution }, writes: { to: tangentOf(unknown) } },
    (s) => ({ to: s.solution }),
  );
  const vjp = [
    bind(take),
    ...solve('Back', back, along),
    ...from.flatMap((one) => adjointOfEquation(one, unknown.key, residual.key, vector('BackSolution'))),
  ];
  const jvp = [
    ...from.flatMap((one) => tangentOfEquation(one, unknown.key, residual.key, vector('AlongSide'))),
    ...solve('Along', along, back),
    bind(give),
  ];
  const reads = new Set(
    from.flatMap(({ kernel, names }) =>
      kernel.form.ports.filter((p) => p.access === 'read').map(keyOf(kernel.form, names)),
    ),
  );
  reads.delete(unknown.key);
  const group = [...passes.map(asPass), remains(from, options)];
  return { kind: 'block', name, passes: group, vjp, jvp, reads: [...reads], seesResults: true };
}

function checkEquations(
  equations: readonly KernelPass[],
  { name, unknown, residual, residualTolerance }: ImplicitOptions,
): void {
  if (!(residualTolerance > 0))
    throw new Error(
      `${name}: residualTolerance is ${residualTolerance}; it must be positive, in the unit of ${residual.key}.`,
    );
  for (const { kernel, names } of equations) {
    const key = keyOf(kernel.form, names);
    if (!kernel.form.ports.some((p) => p.access === 'add' && key(p) === residual.key))
      throw new Error(
        `${name}: kernel ${kernel.name} is one of its equations, and does not add to ${residual.key}.`,
      );
  }
  const isRead = equations.some(({ kernel, names }) =>
    kernel.form.ports.some((p) => p.access === 'read' && keyOf(kernel.form, names)(p) === unknown.key),
  );
  if (!isRead)
    throw new Error(`${name}: none of its equations reads ${unknown.key}, so nothing determines it.`);
}

/** Sees to it that the residual is zero where the passes end. */
function remains(
  equations: readonly KernelPass[],
  { name, residual, residualTolerance }: ImplicitOptions,
): Pass {
  const remainder = field(residual.domain, `${name}Remainder`, residual.type);
  const size = field('world', `${name}Remains`, f32);
  const again = equations.map(({ kernel, names }): KernelPass => {
    const key = keyOf(kernel.form, names);
    const form = withPorts(kernel.form, (port) => {
      if (port.access === 'read') return port;
      return port.shade === 'primal' && key(port) === residual.key ? { ...port, name: 'remainder' } : null;
    });
    return bound(form, `${kernel.name}_remainder`, { ...names, remainder: remainder.name });
  });
  const measure = kernel(
    `${name}Measure`,
    { domain: residual.domain, reads: { remainder }, adds: { size } },
    (s) => s.size.add(product(s.remainder, s.remainder)),
  );
  return {
    ...iterate([...again, measure], { until: { field: size, below: residualTolerance ** 2 }, most: 1, name }),
    failure: (left) =>
      `${name} leaves ${residual.key} at ${Math.sqrt(left).toPrecision(3)} (the root of the sum of squares over a world), not below residualTolerance ${residualTolerance}: its equation does not hold, so its derivative would be that of something else. Have the passes of ${name} go on until it does (iterate in place of repeat), or begin nearer to the solution; what rounding leaves is for residualTolerance.`,
  };
}

/** The ports of an equation for what it depends on beside the unknown, by name. */
function others({ kernel, names }: KernelPass, unknown: string): Set<string> {
  const key = keyOf(kernel.form, names);
  const ports = kernel.form.ports.filter(
    (p) => p.access === 'read' && p.scalar === 'f32' && key(p) !== unknown,
  );
  return new Set(ports.map((p) => p.name));
}

/** x_bar -= (dg/dx)^T w */
function adjointOfEquation(pass: KernelPass, unknown: string, residual: string, w: VectorRef): Pass[] {
  const { kernel, names } = pass;
  const wrt = others(pass, unknown);
  if (wrt.size === 0) return [];
  const key = keyOf(kernel.form, names);
  const seeds = kernel.form.ports.filter((p) => p.access === 'add' && key(p) === residual).map((p) => p.name);
  const forms = kernel.adjoint
    ? kernel.adjoint().map((k) => k.form)
    : [adjoint(kernel.form, { wrt, seeds: new Set(seeds) })];
  return forms.flatMap((whole): Pass[] => {
    const here = keyOf(whole, names);
    const renamed: Record<string, string> = { ...names };
    const form = withPorts(whole, (port) => {
      if (port.shade !== 'adjoint') return port;
      if (port.access !== 'read') return here(port) === unknown ? null : port;
      renamed.weights = w.name;
      return { ...port, shade: 'primal', name: 'weights' };
    });
    return form.outputs.length > 0 ? [bound(negated(form), `${kernel.name}_implicit`, renamed)] : [];
  });
}

/** right side -= (dg/dx) x_dot */
function tangentOfEquation(pass: KernelPass, unknown: string, residual: string, side: VectorRef): Pass[] {
  const { kernel, names } = pass;
  const wrt = others(pass, unknown);
  if (wrt.size === 0) return [];
  const key = keyOf(kernel.form, names);
  const form = withPorts(tangent(kernel.form, { wrt }), (port) => {
    if (port.access === 'read') return port;
    if (port.shade !== 'tangent' || key(port) !== residual) return null;
    return { ...port, shade: 'primal', name: 'side' };
  });
  return form.outputs.length > 0
    ? [bound(negated(form), `${kernel.name}_along`, { ...names, side: side.name })]
    : [];
}

const negated = (form: KernelForm): KernelForm =>
  withPorts(
    form,
    (port) => port,
    (b, value) => b.neg(value),
  );

function bound(form: KernelForm, name: string, names: Names): KernelPass {
  const used = new Set(form.ports.map((p) => p.name));
  const given = Object.entries(names).filter(([from]) => used.has(from));
  return bind({ name, form: { ...form, name } }, Object.fromEntries(given));
}
