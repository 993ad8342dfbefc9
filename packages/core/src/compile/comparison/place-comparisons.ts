import type { Job, MemoryPlace, Port, Shape, Table } from '@gradsim/kernel/internal';
import { strides } from '@gradsim/kernel/internal';
import type { Field } from '../../model/field.ts';
import type { Layout } from '../layout/layout.ts';
import { COMPARED_REGISTER } from '../layout/registers.ts';
import type { Comparison, Comparisons } from './comparison.ts';
import type { Source } from './place-rotations.ts';
import { placeRotations } from './place-rotations.ts';
import { seedForm } from './seed-form.ts';
import type { Compared, SumKind } from './sum-form.ts';
import { COLUMNS_PER_BLOCK, foldForm, PRODUCT_SUMS, SCORE_SUMS, sumForm, wholeKind } from './sum-form.ts';
import { copiesOfWeights } from './weights.ts';

/** Number of columns above which an invocation sums one or two blocks of columns instead of all columns. */
const FEW_COLUMNS = 8;
/** Target number of elements that one lane sums. */
const PER_LANE = 16;
/** Maximum number of elements per lane, accepted so that the lanes divide the elements evenly. */
const MAX_PER_LANE = 16 * PER_LANE;
/** Minimum number of lanes that sum a comparison. */
const MIN_LANES = 4;
/** Maximum number of lanes that sum a comparison. */
const MAX_LANES = 8192;
/** Target number of invocations over all groups of blocks; each invocation has its own sums. */
const MAX_INVOCATIONS = 65536;
/** Number of sums combined into one at each level of the reduction. */
const SUMS_PER_FOLD = 32;

/**
 * Memory of the sums of one kind, followed by their compensations, by compared frame: elements are [group of
 * blocks][part], worlds are runs.
 */
export interface PlacedSums {
  readonly kind: SumKind;
  readonly groups: readonly (readonly number[])[];
  readonly place: MemoryPlace;
}

/** A comparison with its memory and its kernels. */
export interface PlacedComparison {
  readonly comparison: Comparison;
  readonly field: Field;
  readonly target: MemoryPlace;
  /** Square roots of the weights: null where all are 1; a single copy where all frames have the same. */
  readonly weights: MemoryPlace | null;
  /** Number of runs; each is a group of neighbouring worlds that hold the columns of one Jacobian. */
  readonly runs: number;
  /** Number of columns of a Jacobian; 0 without tangents, or if the field depends on no parameter. */
  readonly columns: number;
  readonly parts: number;
  /** Index of the first element of each part, then the number of elements. */
  readonly bounds: readonly number[];
  readonly sums: readonly PlacedSums[];
  readonly sumJobs: readonly Job[];
  /** Derivative of the loss with respect to the sum of squared residuals, by world; null without a backward pass. */
  readonly factor: MemoryPlace | null;
  readonly seedJobs: readonly Job[];
}

export interface PlacingOptions extends Comparisons {
  readonly derivative: 'none' | 'adjoint' | 'tangent';
  readonly recorded: ReadonlyMap<string, Field>;
  readonly active: ReadonlySet<string>;
  /** Constant tables, which the host writes once. */
  readonly tables: Table[];
}

/** Allocates targets, weights and sums of each comparison, and creates the jobs that compute the sums. */
export const placeComparisons = (layout: Layout, options: PlacingOptions): PlacedComparison[] =>
  options.list.map((comparison) => placeComparison(layout, comparison, options));

function placeComparison(layout: Layout, comparison: Comparison, options: PlacingOptions): PlacedComparison {
  const { derivative, recorded, active, tables, parts = 1 } = options;
  const { arena, worlds } = layout;
  const { frames, instants, isRotation = false } = comparison;
  const key = layout.fields.keyOf(comparison.field);
  const field = recorded.get(key) ?? layout.fields.field(key);
  const columnsOfRun = options.columns ?? 1;
  const worldsOfRun = derivative === 'tangent' ? (options.worldsOfRun ?? Math.ceil(columnsOfRun / layout.tangents)) : 1;
  const runs = worlds / worldsOfRun;
  const { elements, components } = layout.shape(field);
  const picture: Shape = {
    elements,
    components: comparison.components ?? components,
    worlds: 1,
    worldsInner: false,
  };
  const target = arena.repeated(`${key} target`, 'f32', picture, COMPARED_REGISTER, frames.length);
  const weights = placeWeights(layout, key, comparison, isRotation ? { ...picture, components: 3 } : picture);
  const output = layout.recorded(field);
  const recordedSource: Source = {
    output,
    tangents: derivative === 'tangent' && active.has(field.key) ? layout.tangent(output) : null,
    wordsOfTangent: layout.wordsOfTangent(output),
    adjoint: derivative === 'adjoint' && active.has(field.key) ? layout.recordedAdjoint(field) : null,
  };
  const rotations = isRotation ? placeRotations(layout, recordedSource, target) : null;
  const source = rotations ?? recordedSource;
  const columns = source.tangents ? columnsOfRun : 0;
  const compared = {
    elements,
    components: isRotation ? 3 : picture.components,
    instants,
    steps: {
      ...strides(source.output.shape),
      instant: source.output.registerStride ?? 0,
      tangent: source.wordsOfTangent,
    },
    hasTarget: !isRotation,
    hasWeights: weights !== null,
    columns,
    worldsOfRun,
    parts,
    // Sums of losses alone only rank points, so they need no compensation.
    isExact: columns > 0 && layout.options.precision === 'f32',
  };
  const bounds = Array.from({ length: parts + 1 }, (_, part) => Math.round((part / parts) * elements));
  const places = { ...source, target, weights, bounds };
  const kinds = columns <= FEW_COLUMNS ? [wholeKind(columns)] : [SCORE_SUMS, PRODUCT_SUMS];
  const sums = kinds.map((kind) =>
    placeSums(layout, kind, compared, { ...places, frames: frames.length, runs, tables, key }),
  );
  const factor = source.adjoint
    ? arena.place(`${key} factor`, 'f32', { elements: 1, components: 1, worlds, worldsInner: true })
    : null;
  const make = rotations?.forward ?? [];
  const seed = factor && seedJob(layout, compared, { ...places, factor }, isRotation);
  return {
    comparison,
    field,
    target,
    weights,
    runs,
    columns,
    parts,
    bounds,
    factor,
    sums,
    sumJobs: [...make, ...sums.flatMap(({ jobs }) => jobs)],
    seedJobs: seed ? [...make, seed, ...(rotations?.back ? [rotations.back] : [])] : [],
  };
}

function placeWeights({ arena }: Layout, key: string, { frames }: Comparison, shape: Shape): MemoryPlace | null {
  const copies = copiesOfWeights(frames);
  if (copies === 0) return null;
  const name = `${key} weights`;
  return copies === 1 ? arena.place(name, 'f32', shape) : arena.repeated(name, 'f32', shape, COMPARED_REGISTER, copies);
}

/** Number of lanes that share the elements of a part: a power of two. */
function lanesFor(elements: number, groups: number): number {
  const most = Math.min(MAX_LANES, elements / PER_LANE, MAX_INVOCATIONS / groups);
  const largest = 2 ** Math.floor(Math.log2(Math.max(MIN_LANES, most)));
  // Elements beyond the last full round are read lane by lane.
  for (let lanes = largest; lanes >= MIN_LANES && elements / lanes <= MAX_PER_LANE; lanes /= 2)
    if (elements % lanes === 0) return lanes;
  return largest;
}

/** Returns the groups of column blocks that a kind of sum handles, each group by its own invocations. */
function groupsOf({ blocks }: SumKind, columns: number): number[][] {
  const count = Math.ceil(columns / COLUMNS_PER_BLOCK);
  const all = [...Array(count).keys()];
  if (blocks === 0) return [[]];
  if (blocks === 1) return all.map((block) => [block]);
  return all.flatMap((a) => all.slice(a).map((b) => [a, b]));
}

interface SumPlaces extends Source {
  readonly target: MemoryPlace;
  readonly weights: MemoryPlace | null;
  readonly bounds: readonly number[];
  /** Number of compared frames. */
  readonly frames: number;
  readonly runs: number;
  readonly tables: Table[];
  readonly key: string;
}

function placeSums(
  { arena, tangents: count }: Layout,
  kind: SumKind,
  compared: Omit<Compared, 'lanes'>,
  { output, tangents, wordsOfTangent, target, weights, bounds, frames, runs, tables, key }: SumPlaces,
): PlacedSums & { readonly jobs: readonly Job[] } {
  const { elements, columns, parts, instants, isExact } = compared;
  const groups = groupsOf(kind, columns);
  const sets = groups.length * parts;
  const lanes = lanesFor(Math.floor(elements / parts), sets);
  const { form, ...ports } = sumForm(kind, { ...compared, lanes });
  const name = `${key} ${kind.name}`;
  const table = (values: readonly number[]): MemoryPlace => {
    const place = arena.place(name, 'u32', { elements: values.length, components: 1, worlds: 1, worldsInner: true });
    tables.push({ place, values: Uint32Array.from(values) });
    return place;
  };
  /** Views the words of a place as elements of a domain, whatever field it holds. */
  const asWords = (place: MemoryPlace, words = place.words): MemoryPlace =>
    arena.as(place, { elements: words, components: 1, worlds: 1, worldsInner: true });
  const ofInstants = (place: MemoryPlace, more = 0): MemoryPlace =>
    asWords(place, place.words + (instants - 1) * (place.registerStride ?? 0) + more);
  const shapeOf = (size: number, components: number): Shape => ({
    elements: sets * size,
    components,
    worlds: runs,
    worldsInner: false,
  });
  const temporary = (size: number, components: number): MemoryPlace =>
    arena.temporary(name, 'f32', shapeOf(size, components), 'parts');
  const job = (of: Job['form'], places: readonly (readonly [Port, MemoryPlace])[], size: number): Job => ({
    label: of.name,
    form: of,
    places: new Map(places),
    accumulates: new Set(),
    elements: sets * size,
    worlds: runs,
    worldsInner: false,
  });
  let from = temporary(lanes, isExact ? 2 * kind.count : kind.count);
  const own: [Port, MemoryPlace][] = [
    [ports.outputPort, ofInstants(output)],
    [ports.target, asWords(target)],
    [ports.sums, from],
  ];
  if (tangents) own.push([ports.tangents, ofInstants(tangents, (count - 1) * wordsOfTangent)]);
  if (weights) own.push([ports.weights, asWords(weights)]);
  if (parts > 1) own.push([ports.bounds, table(bounds)]);
  if (kind.blocks > 0) own.push([ports.blocks, table(groups.flat())]);
  const jobs = [job(form, own, lanes)];
  // Sums and their compensations.
  const components = 2 * kind.count;
  for (let size = lanes; size > 1; ) {
    const into = Math.max(1, size / SUMS_PER_FOLD);
    const to =
      into === 1
        ? arena.repeated(name, 'f32', shapeOf(1, components), COMPARED_REGISTER, frames)
        : temporary(into, components);
    const fold = foldForm(kind.count, size, into, isExact || size < lanes);
    jobs.push(
      job(
        fold.form,
        [
          [fold.slots, from],
          [fold.target, to],
        ],
        into,
      ),
    );
    from = to;
    size = into;
  }
  return { kind, groups, place: from, jobs };
}

/**
 * Creates the job that adds to the adjoints of a compared field, from the derivative with respect to the sum of
 * squares.
 */
function seedJob(
  { worlds }: Layout,
  compared: Pick<Compared, 'elements' | 'components' | 'instants' | 'hasTarget' | 'hasWeights'>,
  {
    output,
    adjoint,
    target,
    weights,
    factor,
  }: Source & Pick<SumPlaces, 'target' | 'weights'> & { readonly factor: MemoryPlace },
  isOverwritten: boolean,
): Job {
  const { form, ...ports } = seedForm(compared, output.shape.components);
  const instant = (place: MemoryPlace, i: number): MemoryPlace => ({
    ...place,
    offset: place.offset + i * (place.registerStride ?? 0),
  });
  const places = new Map<Port, MemoryPlace>([[ports.factor, factor]]);
  if (compared.hasTarget) places.set(ports.target, target);
  if (weights) places.set(ports.weights, weights);
  ports.outputPorts.forEach((port, i) => places.set(port, compared.instants > 1 ? instant(output, i) : output));
  ports.adjoints.forEach((port, i) => places.set(port, compared.instants > 1 ? instant(adjoint!, i) : adjoint!));
  return {
    label: form.name,
    form,
    places,
    accumulates: new Set(isOverwritten ? [] : ports.adjoints),
    elements: compared.elements,
    worlds,
    worldsInner: output.shape.worldsInner,
  };
}
