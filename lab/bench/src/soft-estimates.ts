// Random soft bodies and cloth, each estimated from its film alone: mu and lambda of beams and balls, the mass of every
// particle of blocks, the initial velocity of every particle of sheets.
//
// --instances N of every kind, --kind beam,ball,mass,cloth, --observe film (floats), png (through 8-bit files) or
// positions (of the particles: 3D supervision), --renderer softras (the default), dibr or the path of a module. With --out FILE every instance is appended as it ends, and a run that
// was stopped goes on where it was: what FILE holds is not computed again.

import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { median } from '@gradsim/base';
import type { ObservationKind, SoftKind } from '@gradsim/examples';
import { estimateInstance, OBSERVATION_KINDS, observe, rendererOf, SOFT_KINDS } from '@gradsim/examples';
import { benchOptions, print } from './support/options.ts';

/** Output line of one instance. */
interface Line {
  readonly bench: 'soft-estimates';
  readonly device: string;
  readonly kind: SoftKind;
  readonly observe: ObservationKind;
  readonly renderer: string;
  readonly instance: number;
  /** Errors by unknown; undefined if the estimation failed. */
  readonly errors?: Readonly<Record<string, number>>;
  readonly failure?: string;
  readonly [name: string]: unknown;
}

const options = await benchOptions(['instances', 'kind', 'observe', 'out', 'size', 'renderer']);
const { device } = options;
const instances = options.number('instances', 100);
const kinds = chosen('kind', Object.keys(SOFT_KINDS) as SoftKind[], Object.keys(SOFT_KINDS).join(','));
const seen = chosen('observe', OBSERVATION_KINDS, 'film');
const out = options.text('out', '');
const size = options.number('size', 0);
const rendererName = options.text('renderer', 'softras');
const renderer = await rendererOf(rendererName);

const nameOf = (line: Pick<Line, 'kind' | 'observe' | 'renderer' | 'instance'>): string =>
  `${line.kind} ${line.observe} ${line.renderer} ${line.instance}`;
const done = new Map<string, Line>();
if (out && existsSync(out)) {
  for (const text of readFileSync(out, 'utf8').split('\n')) {
    const line = parsed(text);
    if (line) done.set(nameOf(line), line);
  }
  // A run that was killed while it wrote left half a line; the next one is to begin on a line of its own.
  if (!readFileSync(out, 'utf8').endsWith('\n')) appendFileSync(out, '\n');
}

// Kinds take turns, so that a table that was stopped says something of each.
for (let instance = 1; instance <= instances; instance++) {
  for (const kind of kinds) {
    for (const by of seen) {
      if (done.has(nameOf({ kind, observe: by, renderer: rendererName, instance }))) continue;
      const line = await run(kind, by, instance);
      done.set(nameOf(line), line);
      print(line);
      if (out) appendFileSync(out, `${JSON.stringify(line)}\n`);
    }
  }
}
for (const kind of kinds) for (const by of seen) print(summary(kind, by));

async function run(kind: SoftKind, by: ObservationKind, number: number): Promise<Line> {
  const { draw, size: usual, errors } = SOFT_KINDS[kind];
  const instance = draw(number, { size: size || usual, renderer });
  const { model } = instance;
  const base = {
    bench: 'soft-estimates',
    device: device.kind,
    kind,
    observe: by,
    renderer: rendererName,
    instance: number,
  } as const;
  const began = performance.now();
  const cpu = process.cpuUsage();
  try {
    const observation = await observe(instance, by, device);
    const found = await estimateInstance(instance, observation, { device });
    return {
      ...base,
      errors: errors(found),
      elements: (model.domains.get('tets') ?? model.domain('triangles')).size,
      particles: model.domain('particles').size,
      unknowns: instance.parameters.length,
      size: size || usual,
      loss: found.loss,
      leastDetermined: found.leastDetermined,
      undetermined: found.undetermined.length,
      iterations: found.history.length,
      seconds: (performance.now() - began) / 1000,
      cpuSeconds: process.cpuUsage(cpu).user / 1e6,
    };
  } catch (error) {
    return { ...base, failure: error instanceof Error ? error.message : String(error) };
  }
}

/** Median and worst error over all instances of a kind; a failed one counts as an infinite error. */
function summary(kind: SoftKind, by: ObservationKind): Record<string, unknown> {
  const lines = [...done.values()].filter(
    (line) => line.kind === kind && line.observe === by && line.renderer === rendererName,
  );
  const names = Object.keys(lines.find((line) => line.errors)?.errors ?? {});
  const of = (name: string): number[] => lines.map((line) => line.errors?.[name] ?? Number.POSITIVE_INFINITY);
  return {
    bench: 'soft-estimates',
    summary: true,
    device: device.kind,
    kind,
    observe: by,
    renderer: rendererName,
    instances: lines.length,
    failed: lines.filter((line) => !line.errors).length,
    median: Object.fromEntries(names.map((name) => [name, median(of(name))])),
    worst: Object.fromEntries(names.map((name) => [name, Math.max(...of(name))])),
    medianSeconds: median(lines.flatMap((line) => (typeof line.seconds === 'number' ? [line.seconds] : []))),
  };
}

/** The result in a line of text; undefined for a line truncated by a killed run. */
function parsed(text: string): Line | undefined {
  try {
    return text ? (JSON.parse(text) as Line) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns the items that an option names.
 *
 * @throws for a name that is not in `names`.
 */
function chosen<T extends string>(option: string, names: readonly T[], otherwise: string): T[] {
  return options
    .text(option, otherwise)
    .split(',')
    .map((name) => {
      const found = names.find((n) => n === name);
      if (!found) throw new Error(`--${option} takes some of ${names.join(', ')}, not "${name}".`);
      return found;
    });
}
