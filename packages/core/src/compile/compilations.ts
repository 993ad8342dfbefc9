import type { Device } from '@gradsim/kernel';
import { includesNone, sizeOfStepTable } from '@gradsim/kernel/internal';
import type { Model } from '../model/model.ts';
import { copiesOfWeights } from './comparison/weights.ts';
import { allocate, compileModel } from './compile.ts';
import type { CompiledComparison, CompiledModel, CompileOptions } from './compiled-model.ts';

/** A compiled model without memory and without the targets of comparisons. */
interface Compilation extends Omit<CompiledModel, 'executor' | 'comparisons'> {
  readonly comparisons: readonly Omit<CompiledComparison, 'comparison'>[];
  /** Numbers for which it has memory: of frames of the run, then of frames and copies of weights of each comparison. */
  readonly room: readonly number[];
}

/** Number of compilations of a model that are kept; an estimation has about as many kinds of simulations. */
const MAX_KEPT = 8;

/** Compilations of each model, least recently used first. */
const keptOf = new WeakMap<Model, Map<string, Compilation>>();

/**
 * Compiles a model, unless that was done lately for the same options, and allocates its memory. Simulations that differ
 * in nothing but values, targets, clocks and numbers of frames share a compilation, that of the most frames: a search opens
 * the same kinds of simulations again and again, and each takes as long to compile as several iterations. What is kept has
 * no memory on a device and no targets.
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
  const room = roomOf(options);
  const known = kept.get(key);
  const found = known && room.every((count, k) => count <= known.room[k]) ? known : undefined;
  const compiled = found ? await reopened(found, options, device) : await compileModel(model, options, device);
  kept.delete(key);
  kept.set(key, found ?? withoutMemory(compiled, room));
  for (const oldest of kept.keys()) if (kept.size > MAX_KEPT) kept.delete(oldest);
  return compiled;
};

const roomOf = ({ frames, comparisons }: CompileOptions): number[] => [
  frames,
  ...(comparisons?.list ?? []).flatMap(({ frames: compared }) => [compared.length, copiesOfWeights(compared)]),
];

function withoutMemory({ executor, comparisons, ...compiled }: CompiledModel, room: Compilation['room']): Compilation {
  return { ...compiled, room, comparisons: comparisons.map(({ comparison, ...own }) => own) };
}

/** Returns a compiled model with memory of its own, and the clock and targets of these options. */
async function reopened(found: Compilation, options: CompileOptions, device: Device): Promise<CompiledModel> {
  if (options.comparisons)
    (await import('./comparison/comparing.ts')).checkComparisons(found.fields, options.comparisons, options);
  const executor = await allocate(found, options.clock, device);
  const comparisons = found.comparisons.map((own, k) => ({ ...own, comparison: options.comparisons!.list[k] }));
  return { ...found, executor, comparisons };
}

/**
 * Returns a key that is equal for all simulations of a model that compile to the same, with enough room. Of values, only
 * those of index fields decide what is compiled, by whether they contain `NO_ELEMENT`; of frames, which are compared alike.
 * Only adjoints and values for every substep depend on the number of substeps, and adjoints on that of the frames.
 */
function keyOf(
  model: Model,
  { comparisons, clock, frames, substepsInAll, ...options }: CompileOptions,
  device: Device,
): string {
  const { passes, fields, domains, declared, stepLimits, searchInterval, stages } = model;
  const size = [passes.length, fields.size, declared.size, stepLimits.size, searchInterval, stages];
  const sizes = [...domains.values()].map((domain) => domain.size);
  const all = [...fields.values()];
  const withNone = all.filter((f) => f.scalar === 'u32' && includesNone(f.values)).map((f) => f.key);
  const length = [
    options.derivative === 'adjoint' && frames,
    (options.derivative === 'adjoint' || all.some(({ variesBy }) => variesBy === 'substep')) && substepsInAll,
  ];
  const compared = comparisons && {
    ...comparisons,
    list: comparisons.list.map(({ field, frames, instants, isRotation, components }) => ({
      field: model.keyOf(field),
      hasWeights: copiesOfWeights(frames) > 0,
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
    sizeOfStepTable(clock),
    length,
    compared,
    kind,
    precision,
    scatters,
    accumulatorWords,
    lowers,
  ]);
}
