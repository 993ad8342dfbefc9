import type { KernelOutput } from '../../form/kernel-form.ts';
import type { Port } from '../../form/port.ts';
import { isConstantRange, regionOf } from '../../form/walk.ts';
import type { Job } from '../jobs/jobs.ts';
import type { Block, MemoryPlace } from '../memory/places.ts';
import { shapeWords, wordOf } from '../memory/places.ts';

/** Sorted, disjoint ranges of a block's words: from inclusive, to exclusive. */
export type Words = readonly (readonly [from: number, to: number])[];

/** Yields blocks with the words that a job writes in any case, whatever values it reads. */
export function* writtenWords(job: Job): Generator<readonly [Block, Words]> {
  for (const port of new Set(job.form.outputs.map((output) => output.port))) {
    const place = job.places.get(port)!;
    if (!place.block || place.shape.worlds !== job.worlds) continue;
    const outputs = job.form.outputs.filter((output) => output.port === port && isSure(output));
    yield [place.block, wordsOf(place, ...elementsOf(job, port, outputs))];
  }
}

/** Returns whether an output is written for every element, and in every iteration of its loops. */
function isSure({ index, block }: KernelOutput): boolean {
  if (index !== null) return false;
  for (let region = regionOf(block); region; region = regionOf(region.block))
    if (!isConstantRange(region) || region.end.value <= region.start.value) return false;
  return true;
}

/** Returns the number of elements that some outputs of a port write, and which of their components. */
function elementsOf(job: Job, port: Port, outputs: readonly KernelOutput[]): [elements: number, components: number[]] {
  const components = [...new Set(outputs.map((output) => output.component))];
  if (port.isSeveral) {
    const isAll = components.length === port.components;
    return [job.elements * port.components, isAll ? [0] : []];
  }
  const rounds = outputs.reduce((least, { rounds }) => Math.min(least, rounds ?? 0), Number.POSITIVE_INFINITY);
  return [outputs.length > 0 ? job.elements * rounds : 0, components];
}

function wordsOf({ offset, shape }: MemoryPlace, elements: number, written: readonly number[]): Words {
  const { components, worlds, worldsInner, inRows } = shape;
  const isAll = written.length === components;
  if (isAll && (elements === shape.elements || inRows)) return [[offset, offset + shapeWords({ ...shape, elements })]];
  if (inRows) return [];
  const together = worldsInner ? [0] : Array.from({ length: worlds }, (_, world) => world);
  const words = elements * (worldsInner ? worlds : 1);
  const spans = together.flatMap((world) => written.map((component) => offset + wordOf(shape, component, 0, world)));
  return unionOfWords(
    [],
    spans.map((from) => [from, from + words]),
  );
}

/** Returns the union of ranges of words. */
export function unionOfWords(first: Words = [], second: Words): Words {
  const all = [...first, ...second].sort(([a], [b]) => a - b);
  const spans: [number, number][] = [];
  for (const [from, to] of all) {
    const before = spans.at(-1);
    if (before && from <= before[1]) before[1] = Math.max(before[1], to);
    else spans.push([from, to]);
  }
  return spans;
}

/** Returns whether `written` includes all words of a block that has a single place. */
export function isWhole({ places: [{ words }] }: Block, written: Words = []): boolean {
  return words === 0 || written.some(([from, to]) => from === 0 && to >= words);
}
