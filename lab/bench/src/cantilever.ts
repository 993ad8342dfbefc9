// How far the end of a clamped beam comes down under its own weight, and how fast it swings, against Timoshenko's beam: linear
// and quadratic tetrahedra, cells through the height, Poisson's ratios. `--cells 1,2,3`, `--poisson 0.3,0.45,0.49`,
// `--elements linear,quadratic`, `--slender 10` (length over height).
import type { Elements } from './cantilever/response.ts';
import { beamResponse } from './cantilever/response.ts';
import type { BeamSize } from './cantilever/theory.ts';
import { timoshenkoFrequency, timoshenkoSag } from './cantilever/theory.ts';
import { benchOptions, print } from './support/options.ts';

const options = await benchOptions(['cells', 'poisson', 'elements', 'slender'], 'f64');
const list = (name: string, otherwise: string): string[] => options.text(name, otherwise).split(',');
const counts = list('cells', '1,2,3').map(Number);
const ratios = list('poisson', '0.3,0.45,0.49').map(Number);
const kinds = list('elements', 'linear,quadratic') as Elements[];
const slender = Number(options.text('slender', '10'));
/** Acceleration of gravity, m/s^2: so small that forces are linear in displacements. */
const GRAVITY = 1e-3;

for (const poissonRatio of ratios) {
  for (const elements of kinds) {
    for (const n of counts) {
      const beam: BeamSize = {
        length: slender * 0.1,
        height: 0.1,
        width: 0.1,
        density: 1000,
        youngsModulus: 1e5,
        poissonRatio,
      };
      const start = performance.now();
      const response = await beamResponse(beam, GRAVITY, elements, [slender * n, n, n]);
      print({
        bench: 'cantilever',
        elements,
        poissonRatio,
        cellsThroughHeight: n,
        count: response.elements,
        particles: response.particles,
        sagPercent: 100 * (response.sag / timoshenkoSag(beam, GRAVITY) - 1),
        frequencyPercent: 100 * (response.frequency / timoshenkoFrequency(beam) - 1),
        stableStep: response.stableStep,
        largestStep: response.largestStep,
        seconds: (performance.now() - start) / 1000,
      });
    }
  }
}
options.device.dispose();
