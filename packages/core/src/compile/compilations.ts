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

/** Number of compilations of a model that are kept; an estimation has about as many kinds of simulations. */
const MAX_KEPT = 8;

/** Compilations of each model, least recently used first. */
const keptOf = new WeakMap<Model, Map<string, Compilation>>();

/**
 * Compiles a model, unless that was done lately for the same options, and allocates its memory. Simulations that differ
 * in nothing but values and targets share a compilation: a search opens the same kinds of simulations again and again,
 * and each takes as long to compile as several iterations. What is kept has no memory on a device and no targets.
 *
 * ```ts
 * const first = await openSimulation(model, options, { compile: compileShared });
 * const second = await openSimulation(model, options, { compile: compileShared }); // does not compile
 * ```
 */
export const compileShared: typeof compileModel = async (model, options, device) => {
  const kept = keptOf.get(model) ?? new Map<string, Compilation>();
  keptOf.set(model, kept);
  const key = keyOf(model, options, device);
  const found = kept.get(key);
  const compiled = found ? await reopened(found, options, device) : await compileModel(model, options, device);
  kept.delete(key);
  kept.set(key, found ?? withoutMemory(compiled));
  for (const oldest of kept.keys()) if (kept.size > MAX_KEPT) kept.delete(oldest);
  return compiled;
};

function withoutMemory({ executor, comparisons, ...compiled }: CompiledModel): Compilation {
  return { ...compiled, comparisons: comparisons.map(({ comparison, ...own }) => own) };
}

/** Returns a compiled model with memory of its own and the targets of these options. */
async function reopened(found: Compilation, options: CompileOptions, device: Device): Promise<CompiledModel> {
  const executor = await allocate(found.spec, found.tables, device);
  const comparisons = found.comparisons.map((own, k) => ({ ...own, comparison: options.comparisons!.list[k] }));
  return { ...found, executor, comparisons };
}

/**
 * Returns a key that is equal for all simulations of a model that compile to the same. Of values, only those of index
 * fields decide what is compiled, by whether they contain `NO_ELEMENT`.
 */
function keyOf(model: Model, { comparisons, ...options }: CompileOptions, device: Device): string {
  const { passes, fields, domains, declared, stepLimits, searchInterval, stages } = model;
  const size = [passes.length, fields.size, declared.size, stepLimits.size, searchInterval, stages];
  const sizes = [...domains.values()].map((domain) => domain.size);
  const withNone = [...fields.values()].filter((f) => f.scalar === 'u32' && includesNone(f.values)).map((f) => f.key);
  const compared = comparisons && {
    ...comparisons,
    list: comparisons.list.map(({ field, frames, instants, isRotation, components }) => ({
      field: model.keyOf(field),
      frames: frames.map(({ frame, target, rootWeights }) => [frame, target.length, rootWeights?.length]),
      haveSameWeights: haveSameWeights(frames),
      instants,
      isRotation,
      components,
    })),
  };
  const { kind, precision, scatters, accumulatorWords, lowers } = device;
  return JSON.stringify([
    size,
    sizes,
    withNone,
    options,
    compared,
    kind,
    precision,
    scatters,
    accumulatorWords,
    lowers,
  ]);
}
