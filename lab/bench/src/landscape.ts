// Loss landscapes: over the mass of a pushed box, and over mu and lambda of a hanging beam. All points of a landscape are
// worlds of one batch.
//
// --points N of every curve, --out DIR for landscape.json and landscape.html, --published FILE to draw the paper's curves
// beside them.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Landscape, LossCurve } from '@gradsim/examples';
import { beamLandscape, massLandscape, publishedCurves, risesTowardsTruth } from '@gradsim/examples';
import { type CurveChart, curvesPage } from 'gradsim';
import { benchOptions, print } from './support/options.ts';

const options = await benchOptions(['points', 'out', 'published']);
const { device } = options;
const points = options.number('points', 99);
const out = options.text('out', 'out/landscape');
const file = options.text('published', '');
const published = file ? publishedCurves(file) : { mass: [], beam: [] };

/** Display names of the curves in charts, by name. */
const NAMES: Readonly<Record<string, string>> = {
  losses_skip1: 'all frames',
  losses_skip5: 'every fifth frame',
  losses_first_and_mid: 'first and middle frame',
  losses_first_and_last: 'first and last frame',
  kmu: 'mu',
  klambda: 'lambda',
};

const charts: CurveChart[] = [];
const kept: unknown[] = [];
for (const [make, theirs] of [
  [massLandscape, published.mass],
  [beamLandscape, published.beam],
] as const) {
  const began = performance.now();
  const landscape = await make(device, points);
  const seconds = (performance.now() - began) / 1000;
  kept.push(landscape);
  for (const curve of landscape.curves) {
    const other = theirs.find(({ name }) => name === curve.name);
    charts.push(chart(landscape, curve, other));
    print({
      bench: 'landscape',
      device: device.kind,
      landscape: landscape.title,
      curve: NAMES[curve.name],
      points,
      truth: landscape.truth,
      least: leastAt(curve),
      risesTowardsTruth: risesTowardsTruth(curve, landscape.truth),
      ...(other
        ? {
            publishedPoints: other.values.length,
            publishedLeast: leastAt(other),
            publishedRises: risesTowardsTruth(other, leastAt(other)),
          }
        : {}),
      seconds,
    });
  }
}
mkdirSync(out, { recursive: true });
writeFileSync(join(out, 'landscape.json'), `${JSON.stringify(kept, null, 1)}\n`);
const lead = `Mean square difference of pictures, the largest of each curve 1. ${
  file ? "Dashed: the paper's curves, of its own scenes." : ''
}`;
writeFileSync(join(out, 'landscape.html'), curvesPage('Loss landscapes', lead, charts));

function chart({ title, unit, truth }: Landscape, curve: LossCurve, other: LossCurve | undefined): CurveChart {
  const name = NAMES[curve.name];
  const line = ({ values, losses }: LossCurve): { x: number; y: number }[] =>
    values.map((x, k) => ({ x, y: losses[k] }));
  return {
    title: `${title}: ${name}`,
    xLabel: unit === 'kg' ? 'mass, kg' : `${name}, ${unit}`,
    yLabel: 'loss',
    curves: [
      { name: 'gradsim', points: line(curve) },
      ...(other ? [{ name: 'the paper', points: line(other), isReference: true }] : []),
    ],
    marker: { x: truth, label: 'truth' },
  };
}

/** Parameter value at the minimum of a curve. */
function leastAt({ values, losses }: LossCurve): number {
  return values[losses.indexOf(Math.min(...losses))];
}
