// What shading and texture tell: the mass of thrown bodies by plain gradient descent, with one step size, from films by
// colour only, by shading, by texture. Iterations until the mass is within 1e-3 of the truth, by look and seed.
//
// --seeds N, --size of the pictures, --iterations at most, --renderer softras (the default), dibr or the path of a module,
// --out DIR for shading-cues.html, the curves with their spread.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { median } from '@gradsim/base';
import type { CueDescent, CueLook } from '@gradsim/examples';
import { CUE_DEFAULTS, cueDescent, LOOKS, MAX_FOUND_ERROR, rendererOf } from '@gradsim/examples';
import { type CurveChart, curvesPage } from 'gradsim';
import { benchOptions, print } from './support/options.ts';

const options = await benchOptions(['seeds', 'size', 'iterations', 'renderer', 'out']);
const { device } = options;
const seeds = options.number('seeds', 20);
const out = options.text('out', 'out/shading-cues');
const renderer = options.text('renderer', 'softras');
const cues = {
  ...CUE_DEFAULTS,
  renderer: await rendererOf(renderer),
  size: options.number('size', CUE_DEFAULTS.size),
  iterations: options.number('iterations', CUE_DEFAULTS.iterations),
};
const base = { bench: 'shading-cues', device: device.kind, renderer } as const;

const all = new Map<CueLook, CueDescent[]>(LOOKS.map((look) => [look, []]));
for (let seed = 1; seed <= seeds; seed++)
  for (const look of LOOKS) {
    const descent = await cueDescent(seed, look, cues, device);
    all.get(look)!.push(descent);
    print({ ...base, look, seed, iterations: descent.iterations, error: descent.errors.at(-1) });
  }
for (const look of LOOKS) {
  const descents = all.get(look)!;
  const counts = descents.map(({ iterations }) => iterations ?? Number.POSITIVE_INFINITY);
  const [middle, most] = [median(counts), Math.max(...counts)];
  print({
    ...base,
    summary: true,
    look,
    within: MAX_FOUND_ERROR,
    seeds,
    found: counts.filter(Number.isFinite).length,
    // JSON has no infinity: null is one that was not found.
    medianIterations: Number.isFinite(middle) ? middle : null,
    mostIterations: Number.isFinite(most) ? most : null,
    fewerThanColor: descents.filter((_, k) => counts[k] < (all.get('color')![k].iterations ?? Number.POSITIVE_INFINITY))
      .length,
    medianError: median(descents.map(({ errors }) => errors.at(-1)!)),
  });
}
mkdirSync(out, { recursive: true });
const lead = `Relative error of the mass over iterations of plain gradient descent, ${seeds} throws, logarithm of base 10. Solid: median; dashed: the tenth and the ninetieth of a hundred.`;
writeFileSync(join(out, 'shading-cues.html'), curvesPage('Shading cues', lead, LOOKS.map(chart)));

/**
 * Charts the median and the spread of a cue's errors over iterations; a descent that has ended keeps its last error.
 */
function chart(look: CueLook): CurveChart {
  const descents = all.get(look)!;
  const length = Math.max(...[...all.values()].flat().map(({ errors }) => errors.length));
  const curve = (share: number) =>
    Array.from({ length }, (_, x) => {
      const errors = descents.map(({ errors: own }) => own[Math.min(x, own.length - 1)]).sort((a, b) => a - b);
      return { x, y: Math.log10(Math.max(errors[Math.round(share * (errors.length - 1))], 1e-8)) };
    });
  return {
    title: look,
    xLabel: 'iterations',
    yLabel: 'log10 of the error',
    curves: [
      { name: 'median', points: curve(0.5) },
      { name: '10 %', points: curve(0.1), isReference: true },
      { name: '90 %', points: curve(0.9), isReference: true },
    ],
  };
}
