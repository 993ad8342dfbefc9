import { describeValue, GradsimError } from '@gradsim/base';
import type { FieldRef, Kernel, Precision } from '@gradsim/kernel';
import type { Field } from './field.ts';
import type { FieldKey } from './references.ts';
import { keyOfField } from './references.ts';
import type { Tolerance } from './tolerance.ts';
import { formatTolerance, isTolerance, toleranceFor } from './tolerance.ts';

/**
 * Names of fields by the names that a kernel uses for them, `{ push: 'force' }`; other fields have the kernel's names.
 */
export type Names = Readonly<Record<string, string>>;
/** Fields by the names that a kernel uses for them, as references, `{ push: Particle.force }`, or names. */
export type Bindings = Readonly<Record<string, string | FieldRef>>;

/** A kernel with the fields that it is bound to. */
export interface KernelPass {
  readonly kind: 'kernel';
  readonly kernel: Kernel;
  readonly names: Names;
  /** True if the core derived it from another pass: as its tangent, its adjoint, or a copy over other fields. */
  readonly isDerived?: boolean;
}

/** Returns whether two passes run the same kernel over the same fields. */
export const isSameUse = (a: KernelPass, b: KernelPass): boolean =>
  a.kernel === b.kernel && JSON.stringify(a.names) === JSON.stringify(b.names);

/** Passes that run a fixed number of times, one round after another. */
export interface RepeatPass {
  readonly kind: 'repeat';
  readonly name: string;
  readonly times: number;
  readonly passes: readonly Pass[];
}

/** Passes that repeat until a value per world is below a tolerance. */
export interface IteratePass {
  readonly kind: 'iterate';
  readonly name: string;
  readonly passes: readonly Pass[];
  readonly until: Below;
  readonly maxRounds: number;
  readonly atLeast: 0 | 1;
  /** Relative tolerance from which the value in `until` was computed, if any. */
  readonly tolerance?: Tolerance;
  /**
   * Returns the message for an iteration that did not converge, given the remaining value and the precision of the
   * device.
   */
  readonly failure: (left: number, precision: Precision) => string;
}
/** Condition that a value per world is below a tolerance. */
export interface Below {
  /** Name of a scalar float field over the domain `world`. */
  readonly field: string;
  readonly below: Tolerance;
}

/** Pairs of fields; the first field of each pair is given by its key: `{ [Particle.position.key]: direction }`. */
export type FieldPairs = Readonly<Record<string, FieldKey>>;

/** Passes whose derivative is defined by other passes instead of being derived from their kernels. */
export interface BlockPass {
  readonly kind: 'block';
  readonly name: string;
  readonly passes: readonly Pass[];
  readonly vjp: readonly Pass[];
  readonly jvp: readonly Pass[];
  /** Keys of the fields that only the derivative reads and that exist when the block runs. */
  readonly reads: readonly string[];
  /** True if the derivative reads the block's results where these have overwritten its inputs. */
  readonly seesResults?: boolean;
}

/** Product of a vector with the Jacobian of the sum that passes add to a field. */
export interface ProductPass {
  readonly kind: 'product';
  readonly mode: 'jvp' | 'vjp';
  /** Key of the field to which the passes add, such as `particles.force`. */
  readonly sumKey: string;
  /**
   * For `jvp`, each field that the passes read, with the field of its vector. For `vjp`, each such field, with the
   * field that receives its product.
   */
  readonly fields: Names;
  /** `jvp`: the field that receives the product. `vjp`: the field with the vector. */
  readonly vectorOfSum: string;
  /** Passes to differentiate, in running order. Default: all passes of the model that add to the field. */
  readonly differentiatedPasses?: readonly KernelPass[];
  /** Returns kernels that compute it. A member of the product, so that programs without products have no code of them. */
  expand(model: ProductModel): KernelPass[];
}

/** Passes and fields that a product is computed from. */
export interface ProductModel {
  /** Passes of the cycle that the product is in, and of all cycles. */
  readonly ownCycle: readonly Pass[];
  readonly passes: readonly Pass[];
  /** Returns the type of a field; undefined for one that no pass has created yet. */
  find(key: string): FieldType | undefined;
  /** Returns the type of a field. @throws for one that neither exists nor is created by a kernel. */
  typeOf(key: string): FieldType;
  /** Creates a field, unless it exists. */
  createField(key: string, type: FieldType): void;
}

/** Type of a field's values. */
export type FieldType = Pick<Field, 'scalar' | 'components'>;

/** Step of a model: a kernel over fields, or a group of passes. */
export type Pass = KernelPass | RepeatPass | IteratePass | BlockPass | ProductPass;

const KINDS: readonly unknown[] = ['kernel', 'repeat', 'iterate', 'block', 'product'] satisfies Pass['kind'][];

const isKernel = (pass: Pass | Kernel): pass is Kernel => 'form' in pass;
/** Returns whether a value is a kernel or a pass. */
export const isPass = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && ('form' in value || ('kind' in value && KINDS.includes(value.kind)));

/**
 * Converts a kernel to a pass. @throws for what is neither a kernel nor a pass.
 * @param caller name of the caller for messages.
 */
export function asPass(pass: Pass | Kernel, caller = 'addPass'): Pass {
  if (!isPass(pass))
    throw new GradsimError(
      'core/not-a-pass',
      `${caller} takes kernels and passes (bind, repeat, iterate, block, jacobianProduct, transposedProduct), got ${Array.isArray(pass) ? 'an array' : String(pass)}.`,
    );
  return isKernel(pass) ? bind(pass) : pass;
}
function asPasses(passes: readonly (Pass | Kernel)[], whose: string): Pass[] {
  if (!Array.isArray(passes))
    throw new GradsimError('core/not-a-pass', `${whose} takes an array of kernels and passes, got ${String(passes)}.`);
  return passes.map((pass) => asPass(pass, whose));
}

/**
 * Returns a pass of a kernel with some of its field names bound to other fields.
 *
 * ```ts
 * model.addPass('force', bind(pushParticle, { push: force }));
 * ```
 * @throws when a field is over another domain, or of another type, than the one that it replaces.
 */
export function bind(kernel: Kernel, bindings: Bindings = {}): KernelPass {
  const names = Object.entries(bindings).map(([name, field]): [string, string] => {
    if (typeof field === 'string') return [name, field];
    checkBinding(kernel, name, field);
    return [name, field.name];
  });
  return { kind: 'kernel', kernel, names: Object.fromEntries(names) };
}

function checkBinding({ name: kernelName, form }: Kernel, name: string, { key, domain, type }: FieldRef): void {
  for (const port of form.ports.filter((p) => p.name === name)) {
    const over = port.domain || form.domain;
    if (over !== domain)
      throw new GradsimError('core/wrong-type', `"${name}" lies over ${over}, and cannot stand for ${key}.`, {
        kernel: kernelName,
        field: key,
      });
    const isIndex = 'kind' in type;
    const components = isIndex ? type.count : type.components;
    const scalar = isIndex ? 'u32' : type.scalar;
    if (!port.isSeveral && (port.components !== components || port.scalar !== scalar))
      throw new GradsimError(
        'core/wrong-type',
        `"${name}" is of ${port.components} x ${port.scalar}, but ${key} of ${components} x ${scalar}.`,
        { kernel: kernelName, field: key },
      );
  }
}

/**
 * Runs passes `times` times, one round after another. A field that a round writes, and a later round or pass reads, is
 * kept twice and swapped: a kernel may read it at other elements while it is written.
 *
 * ```ts
 * model.addPass('integrate', repeat(20, [jacobiSweep]));
 * ```
 * @throws when `times` is not a whole number of at least 1, or there are no passes.
 */
export function repeat(times: number, passes: readonly (Pass | Kernel)[], name = 'repeat'): RepeatPass {
  if (!Number.isInteger(times) || times < 1)
    throw new GradsimError(
      'core/option-out-of-range',
      `${name}: repeat takes a whole number of rounds of at least 1, got ${describeValue(times)}.`,
    );
  const all = asPasses(passes, name);
  if (all.length === 0)
    throw new GradsimError('core/no-passes', `${name}: there is nothing to repeat.`, { hint: 'Give it passes.' });
  return { kind: 'repeat', name, times, passes: all };
}

/** Options of {@link iterate}: its stopping rule. */
export interface IterateOptions {
  /** Field with one value per world, and the tolerance below which it must fall, which may differ by precision. */
  readonly until: { readonly field: FieldKey; readonly below: Tolerance };
  /** Maximum number of rounds; reaching it is an error that names the substep and the remaining value. */
  readonly maxRounds: number;
  /**
   * Minimum number of rounds: with 0, none runs if the value, written by earlier passes, is already below the
   * tolerance. Default 1.
   */
  readonly atLeast?: 0 | 1;
  /**
   * Relative tolerance from which the tolerance in `until` was computed, if that has other units. One that the
   * precision of the device cannot resolve is refused before anything runs.
   */
  readonly tolerance?: Tolerance;
  /** Name of the iteration, for messages. */
  readonly name?: string;
  /** Advice for the message of an iteration that does not converge. */
  readonly advice?: string;
}

/**
 * Runs passes until a value that they write per world falls below a tolerance. Each world ends independently and then
 * keeps its values while others continue. The derivative is that of the rounds that ran.
 *
 * ```ts
 * model.addPass('integrate', iterate([sweep, residual], { until: { field: 'residual', below: 1e-6 }, maxRounds: 100 }));
 * ```
 * @throws when `maxRounds` is not a whole number of at least 1, the tolerance is not positive, or there are no passes.
 */
export function iterate(
  passes: readonly (Pass | Kernel)[],
  { until, maxRounds, atLeast = 1, tolerance, name = 'iterate', advice = DEFAULT_ADVICE }: IterateOptions,
): IteratePass {
  if (!Number.isInteger(maxRounds) || maxRounds < 1)
    throw new GradsimError(
      'core/option-out-of-range',
      `${name}: \`maxRounds\` must be a whole number of rounds of at least 1, got ${describeValue(maxRounds)}.`,
    );
  if (!isTolerance(until.below))
    throw new GradsimError(
      'core/option-out-of-range',
      `${name}: iterates until ${keyOfField(until.field)} is below ${formatTolerance(until.below)}, which must be positive.`,
    );
  const all = asPasses(passes, name);
  if (all.length === 0)
    throw new GradsimError('core/no-passes', `${name}: there is nothing to iterate.`, { hint: 'Give it passes.' });
  const field = typeof until.field === 'string' ? until.field : until.field.name;
  const { below } = until;
  return {
    kind: 'iterate',
    name,
    passes: all,
    until: { field, below },
    maxRounds,
    atLeast,
    tolerance,
    failure: (left, precision) =>
      `${name} did not reach its tolerance: after ${maxRounds} rounds world.${field} is ${left.toPrecision(3)}, not below ${toleranceFor(below, precision)}. ${advice}`,
  };
}

const DEFAULT_ADVICE =
  'Allow more rounds, begin nearer to the end (with smaller substeps, say), or see whether what is iterated has a solution.';

/** Options of {@link block}: the passes of its derivative. */
export interface BlockOptions {
  /**
   * Passes of the backward pass: their kernels read the adjoints of the block's outputs and add to those of its inputs
   * (`adjointOf`), and may write intermediate fields of their own.
   */
  readonly vjp: readonly (Pass | Kernel)[];
  /**
   * Passes of forward mode: they read the tangents of the block's inputs and write those of its outputs (`tangentOf`).
   */
  readonly jvp?: readonly (Pass | Kernel)[];
  /** Keys or references of the fields that only the derivative reads. */
  readonly reads?: readonly FieldKey[];
  /** Name of the block, for messages. */
  readonly name?: string;
}

/**
 * Groups passes and defines their derivative by other passes.
 *
 * ```ts
 * model.addPass('integrate', block([factorise, solve], { vjp: [solveTransposed] }));
 * ```
 */
export function block(
  passes: readonly (Pass | Kernel)[],
  { vjp, jvp = [], reads = [], name = 'block' }: BlockOptions,
): BlockPass {
  return {
    kind: 'block',
    name,
    passes: asPasses(passes, name),
    vjp: asPasses(vjp, `\`vjp\` of ${name}`),
    jvp: asPasses(jvp, `\`jvp\` of ${name}`),
    reads: reads.map(keyOfField),
  };
}

/** Returns the display name of a pass, for messages. */
export function nameOf(pass: Pass): string {
  if (pass.kind === 'kernel') return pass.kernel.name;
  if (pass.kind === 'product') return `the product with the Jacobian of ${pass.sumKey}`;
  return pass.name;
}

/** Returns a pass with its kernels replaced by others. */
export function withKernels<P extends Pass>(pass: P, replace: (kernel: Kernel) => Kernel): P {
  const all = (passes: readonly Pass[]): Pass[] => passes.map((p) => withKernels(p, replace));
  const one: Pass = pass;
  switch (one.kind) {
    case 'kernel':
      return { ...one, kernel: replace(one.kernel) } as Pass as P;
    case 'product':
      return pass;
    case 'block':
      return { ...one, passes: all(one.passes), vjp: all(one.vjp), jvp: all(one.jvp) } as Pass as P;
    default:
      return { ...one, passes: all(one.passes) } as Pass as P;
  }
}

/** Returns the kernel passes within a pass, including those of derivatives. */
export function kernelsIn(pass: Pass): KernelPass[] {
  switch (pass.kind) {
    case 'kernel':
      return [pass];
    case 'block':
      return [...pass.passes, ...pass.vjp, ...pass.jvp].flatMap(kernelsIn);
    case 'product':
      return [...(pass.differentiatedPasses ?? [])];
    default:
      return pass.passes.flatMap(kernelsIn);
  }
}

/** Returns the products with Jacobians in a pass, and in the derivatives of its blocks. */
export function productsIn(pass: Pass): ProductPass[] {
  switch (pass.kind) {
    case 'kernel':
      return [];
    case 'product':
      return [pass];
    case 'block':
      return [...pass.passes, ...pass.vjp, ...pass.jvp].flatMap(productsIn);
    default:
      return pass.passes.flatMap(productsIn);
  }
}

/**
 * Returns the kernel passes within a pass that compute values: neither those of derivatives nor those that products
 * differentiate.
 */
export function kernelsOfValues(pass: Pass): KernelPass[] {
  switch (pass.kind) {
    case 'kernel':
      return [pass];
    case 'product':
      return [];
    default:
      return pass.passes.flatMap(kernelsOfValues);
  }
}
