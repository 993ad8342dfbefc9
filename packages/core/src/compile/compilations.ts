import type { Device } from '@gradsim/kernel';
import { includesNone } from '@gradsim/kernel/internal';
import type { Model } from '../model/model.ts';
import { haveSameWeights } from './comparison/weights.ts';
import { allocate, compileModel } from './compile.ts';
import type { CompiledComparison, CompiledModel, CompileOptions } from './compiled-model.ts';

/** A compiled model without memory and without the targets of comparisons. */
interface Compilation extends Omit<CompiledModel, 'executor' | 'comparisons'> {
  readonly comparisons: readonly Omit<CompiledComparison, 'comparison'>[];
}

/** Number of compilations that are kept; an estimation has about as many kinds of simulations. */
const KEPT = 8;

/**
 * The latest compilations of a model. Simulations that differ in nothing but values and targets share one: a search
 * opens the same kinds of simulations again and again, and each takes as long to compile as several iterations. What is
 * kept has no memory on a device and no targets.
 *
 * ```ts
 * const compilations = new Compilations();
 * const { compile } = compilations;
 * const first = await openSimulation(model, options, { compile });
 * const second = await openSimulation(model, options, { compile }); // does not compile
 * ```
 */
export class Compilations {
  /** Least recently used first. */
  readonly #kept = new Map<string, Compilation>();

  /** Compiles a model, unless that was done for the same options, and allocates its memory. */
  readonly compile: typeof compileModel = async (model, options, device) => {
    const key = keyOf(model, options, device);
    const found = this.#kept.get(key);
    const compiled = found ? await reopened(found, options, device) : await compileModel(model, options, device);
    this.#kept.delete(key);
    this.#kept.set(key, found ?? withoutMemory(compiled));
    for (const oldest of this.#kept.keys()) if (this.#kept.size > KEPT) this.#kept.delete(oldest);
    return compiled;
  };
}

function withoutMemory({ executor, comparisons, ...compiled }: CompiledModel): Compilation {
  return { ...compiled, comparisons: comparisons.map(({ comparison, ...own }) => own) };
}

/** Returns a compiled model with memory of its own and the targets of these options. */
async function reopened(found: Compilation, options: CompileOptions, device: Device): Promise<CompiledModel> {
  const executor = await allocate(found.spec, found.tables, device);
  const comparisons = found.comparisons.map((own, k) => ({ ...own, comparison: options.comparisons!.of[k] }));
  return { ...found, executor, comparisons };
}

/** Numbers of models by which keys name them. */
const numbers = new WeakMap<Model, number>();
let models = 0;

/**
 * Returns a key that is equal for all simulations of a model that compile to the same. Of values, only those of index
 * fields decide what is compiled, by whether they contain `NO_ELEMENT`.
 */
function keyOf(model: Model, { comparisons, ...options }: CompileOptions, device: Device): string {
  if (!numbers.has(model)) numbers.set(model, models++);
  const { passes, fields, domains, declared, stepLimits, searchInterval, stages } = model;
  const size = [passes.length, fields.size, declared.size, stepLimits.size, searchInterval, stages];
  const sizes = [...domains.values()].map((domain) => domain.size);
  const withNone = [...fields.values()].filter((f) => f.scalar === 'u32' && includesNone(f.values)).map((f) => f.key);
  const compared = comparisons && {
    ...comparisons,
    of: comparisons.of.map(({ field, frames, instants, isRotation }) => ({
      field: model.keyOf(field),
      frames: frames.map(({ frame, target, rootWeights }) => [frame, target.length, rootWeights?.length]),
      haveSameWeights: haveSameWeights(frames),
      instants,
      isRotation,
    })),
  };
  const { kind, precision, scatters, lowers } = device;
  const of = [numbers.get(model), size, sizes, withNone];
  return JSON.stringify([of, options, compared, kind, precision, scatters, lowers]);
}
