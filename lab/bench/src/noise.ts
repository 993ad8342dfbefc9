// Gradients of random scenes in single precision: how far they are from those in doubles, and whether `gradientNoise`, which
// knows no doubles, says so. `--count 685`, `--seed 1`, `--frames 30`, `--draws 3`; `--threshold 3e-3` of the noise from which
// on a gradient is flagged. A line a scene with `--each 1`.
import type { Model } from '@gradsim/core';
import { buildModel, cpuDevice, createSimulation, f64Device } from '@gradsim/core';
import { gradientNoise, randomNumbers } from '@gradsim/core/testing';
import { Draw } from './fuzz/draw.ts';
import { sceneOf } from './fuzz/write/draft.ts';
import { drawnScene } from './fuzz/write/scenes.ts';
import { benchOptions, print } from './support/options.ts';

const options = await benchOptions(['count', 'seed', 'frames', 'draws', 'threshold', 'each']);
const count = options.number('count', 685);
const seed = options.number('seed', 1);
const frames = options.number('frames', 30);
const draws = options.number('draws', 3);
const threshold = Number(options.text('threshold', '3e-3'));
const isEach = options.number('each', 0) > 0;

/**
 * Error of a gradient component above which it counts as wrong, relative to the largest component of the same
 * parameter.
 */
const BAD = 0.01;
const OUTPUTS = ['bodies.position', 'bodies.velocity', 'particles.position', 'particles.velocity'];
const PARAMETERS = ['bodies.velocity', 'bodies.angularVelocity', 'particles.velocity', 'particles.mass'];
const single = cpuDevice({ threads: 1 });
const double = f64Device();

interface Rollout {
  readonly frames: number;
  readonly frameRate: number;
  readonly substeps: number;
  readonly parameters: readonly string[];
  readonly outputs: readonly string[];
}

/** Gradients of a randomly weighted sum of the outputs; null if the run diverges. */
async function gradientsOf(model: Model, rollout: Rollout, device: typeof single): Promise<Float64Array[] | null> {
  let isWarned = false;
  const onWarning = (): void => {
    isWarned = true;
  };
  const simulation = await createSimulation(model, { ...rollout, device, onWarning });
  try {
    simulation.forward();
    const random = randomNumbers(seed);
    const seeds: Record<string, Float64Array> = {};
    for (const key of rollout.outputs) seeds[key] = (await simulation.read(key)).map(() => random() - 0.5);
    simulation.backward(seeds);
    const gradients: Float64Array[] = [];
    for (const key of rollout.parameters) gradients.push(await simulation.gradient(key));
    return isWarned ? null : gradients;
  } catch {
    return null;
  } finally {
    simulation.dispose();
  }
}

function errorOf(got: readonly Float64Array[], exact: readonly Float64Array[]): number {
  const errors = got.map((values, k) => {
    const size = exact[k].reduce((most, x) => Math.max(most, Math.abs(x)), 0);
    const off = exact[k].reduce((most, x, i) => Math.max(most, Math.abs(x - values[i])), 0);
    return off === 0 ? 0 : off / size;
  });
  return Math.max(...errors);
}

const found = { bad: 0, badFlagged: 0, good: 0, goodFlagged: 0, unstable: 0 };
let errorsWithin = 0;
for (let n = 0; n < count; n++) {
  const draft = drawnScene(new Draw(seed, n));
  // Longer than those of the fuzzing bench, which stop before rounding tells.
  const model = buildModel(sceneOf(draft));
  const has = (key: string): boolean => model.fields.has(key);
  const { frameRate, substeps } = draft.run;
  const rollout = {
    frames,
    frameRate,
    substeps,
    outputs: OUTPUTS.filter(has),
    parameters: PARAMETERS.filter(has),
  };
  const exact = await gradientsOf(model, rollout, double);
  const got = exact && (await gradientsOf(model, rollout, single));
  if (!exact || !got) {
    found.unstable++;
    continue;
  }
  const error = errorOf(got, exact);
  const { noise } = await gradientNoise(model, { ...rollout, device: single, draws, seed: n + 1 });
  const isFlagged = noise > threshold;
  const isBad = !(error <= BAD);
  if (isBad) {
    found.bad++;
    if (isFlagged) found.badFlagged++;
  } else {
    found.good++;
    if (isFlagged) found.goodFlagged++;
  }
  if (error <= 3 * noise) errorsWithin++;
  if (isEach) print({ bench: 'noise', scene: n, error, noise, flagged: isFlagged });
}
print({
  bench: 'noise',
  seed,
  count,
  frames,
  draws,
  threshold,
  ...found,
  errorsWithinThreeTimesTheNoise: errorsWithin,
});
single.dispose();
double.dispose();
