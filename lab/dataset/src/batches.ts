import { existsSync, readFileSync } from 'node:fs';
import { SHAPE_NAMES, type ShapeName } from './shapes/shapes.ts';

/** Maximum number of samples in one trial, all of one shape, to fill the worlds of a run. */
const BATCH_SIZE = 16;

/** Settings that all films of a dataset share. */
interface Common {
  readonly seed: number;
  readonly size: number;
}

/** Settings of a trial that makes several rigid samples of one shape. Sample k has shape k modulo 14. */
export interface RigidBatch extends Common {
  readonly kind: 'rigid';
  readonly shape: ShapeName;
  readonly samples: readonly number[];
}

/** Settings of a trial that makes one sample of a deforming object. */
export interface DeformingBatch extends Common {
  readonly kind: 'soft' | 'cloth';
  readonly sample: number;
}

/** Settings of a trial that makes one or more samples of the dataset. */
export type Batch = RigidBatch | DeformingBatch;

/**
 * Yields batches of rigid samples, sorted by shape, so that each process compiles a shape once. Finished batches are
 * repeated unchanged, first; the remaining samples are grouped anew, so that no film is made twice when `count`
 * changes.
 *
 * @param ended batches that have a result.
 */
export function* rigidBatches(count: number, common: Common, ended: readonly RigidBatch[]): Generator<Batch> {
  yield* ended;
  const made = new Set(ended.flatMap(({ samples }) => samples));
  const turns = SHAPE_NAMES.length;
  for (const [k, shape] of SHAPE_NAMES.entries()) {
    const all = Array.from({ length: Math.ceil((count - k) / turns) }, (_, j) => turns * j + k);
    const samples = all.filter((sample) => !made.has(sample));
    for (let first = 0; first < samples.length; first += BATCH_SIZE)
      yield { kind: 'rigid', shape, samples: samples.slice(first, first + BATCH_SIZE), ...common };
  }
}

/** Yields one batch for each sample of a deforming object. */
export function* deformingBatches(kind: DeformingBatch['kind'], count: number, common: Common): Generator<Batch> {
  for (let sample = 0; sample < count; sample++) yield { kind, sample, ...common };
}

/**
 * Reads the batches that have a result in a study's results file.
 *
 * @throws if the file is of films of another kind, seed or size.
 */
export function endedBatches<B extends Batch>(results: string, kind: B['kind'], { seed, size }: Common): B[] {
  if (!existsSync(results)) return [];
  // What follows the last line break is still being written, or was cut off.
  const lines = readFileSync(results, 'utf8').split('\n').slice(0, -1);
  const ended = lines.map((line) => (JSON.parse(line) as { readonly settings: B }).settings);
  const other = ended.find((batch) => batch.kind !== kind || batch.seed !== seed || batch.size !== size);
  if (other)
    throw new Error(
      `The folder has films of kind ${other.kind}, seed ${other.seed} and size ${other.size}, not of kind ${kind}, seed ${seed} and size ${size}. Give another folder with --out.`,
    );
  return ended;
}
