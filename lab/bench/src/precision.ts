// Estimates of random scenes in single precision: whether the verdict's finding `precision` tells those whose standard errors,
// at the same place, are others in doubles. `--count 200`, `--seed 1`, `--frames 30`, `--method levenberg-marquardt`; a line a
// scene with `--each 1`.
import { buildModel, cpuDevice, createSimulation, f64Device } from '@gradsim/core';
import { randomNumbers } from '@gradsim/core/testing';
import type { Estimate, Method, ParameterSpec, Problem } from '@gradsim/optim';
import { estimate } from '@gradsim/optim';
import { Draw } from './fuzz/draw.ts';
import { sceneOf } from './fuzz/write/draft.ts';
import { drawnScene } from './fuzz/write/scenes.ts';
import { benchOptions, print } from './support/options.ts';

const options = await benchOptions(['count', 'seed', 'frames', 'method', 'each']);
const count = options.number('count', 200);
const seed = options.number('seed', 1);
const frames = options.number('frames', 30);
const method = options.text('method', 'levenberg-marquardt') as Method;
const isEach = options.number('each', 0) > 0;

const SEEN = ['bodies.position', 'particles.position'];
const UNKNOWN = ['bodies.velocity', 'bodies.angularVelocity', 'particles.velocity'];
/** Standard deviation of the observed positions, m. */
const NOISE = 0.01;
const single = cpuDevice({ threads: 1 });
const double = f64Device();

/**
 * Problem whose unknowns start at the scene's values, observed with noise; null if the scene has no unknowns, or its
 * run fails.
 */
async function problemOf(n: number): Promise<Problem | null> {
  const draft = drawnScene(new Draw(seed, n));
  const model = buildModel(sceneOf(draft));
  const seen = SEEN.filter((key) => model.fields.has(key));
  const unknown = UNKNOWN.filter((key) => model.fields.has(key));
  if (seen.length * unknown.length === 0) return null;
  const { frameRate, substeps } = draft.run;
  const run = { frames, frameRate, substeps };
  const random = randomNumbers(n + 1);
  const simulation = await createSimulation(model, {
    ...run,
    device: double,
    record: seen,
    onWarning: () => {},
  });
  try {
    simulation.forward();
    const observations: { field: string; target: Float64Array }[] = [];
    for (const field of seen) {
      const target = await simulation.readFrames(field);
      observations.push({ field, target: target.map((x) => x + NOISE * 3.46 * (random() - 0.5)) });
    }
    const parameters = unknown.flatMap((key) =>
      [0, 1, 2].map(
        (component): ParameterSpec => ({
          name: `${key} ${'xyz'[component]}`,
          field: key,
          elements: [0],
          component,
          scale: 1,
          initial: model.field(key).values?.[component] ?? 0,
        }),
      ),
    );
    return {
      model,
      ...run,
      parameters,
      observations,
      options: { search: { method, iterations: 0 } },
    };
  } catch {
    return null;
  } finally {
    simulation.dispose();
  }
}

/**
 * Largest ratio of the standard errors of the same unknown in two results, at least 1; unknowns undetermined in both
 * are ignored.
 */
function factorOf(got: Estimate, exact: Estimate): number {
  const factors = Object.keys(exact.parameters).map((name) => {
    const [a, b] = [got, exact].map(({ parameters }) => parameters[name].standardError!);
    if (!Number.isFinite(a) || !Number.isFinite(b)) return Number.isFinite(a) === Number.isFinite(b) ? 1 : 0;
    return Math.max(a / b, b / a);
  });
  return factors.includes(0) ? Number.POSITIVE_INFINITY : Math.max(...factors);
}

const found = {
  other: 0,
  otherCritical: 0,
  otherNamed: 0,
  off: 0,
  offNamed: 0,
  same: 0,
  sameNamed: 0,
  sameCritical: 0,
  failed: 0,
};
/** Ratio of standard errors in single to those in double precision, or the inverse, above which they count as wrong. */
const OTHER = 2;
/** Ratio of standard errors in single to those in double precision, or the inverse, up to which they count as equal. */
const SAME = 1.01;
for (let n = 0; n < count; n++) {
  try {
    const problem = await problemOf(n);
    if (!problem) {
      found.failed++;
      continue;
    }
    const got = await estimate(problem, { device: single });
    const reference = {
      ...problem,
      options: { search: { ...problem.options?.search, method: 'levenberg-marquardt' } },
    } as const;
    const exact = await estimate(reference, { device: double });
    const inSingle = method === 'levenberg-marquardt' ? got : await estimate(reference, { device: single });
    const factor = factorOf(inSingle, exact);
    const finding = got.verdict.findings.find(({ kind }) => kind === 'precision');
    const [isNamed, isCritical] = [finding !== undefined, finding?.isCritical === true];
    if (factor > OTHER) {
      found.other++;
      if (isNamed) found.otherNamed++;
      if (isCritical) found.otherCritical++;
    } else if (factor > SAME) {
      found.off++;
      if (isNamed) found.offNamed++;
    } else {
      found.same++;
      if (isNamed) found.sameNamed++;
      if (isCritical) found.sameCritical++;
    }
    if (isEach && (factor > SAME || isNamed))
      print({ bench: 'precision', scene: n, factor, critical: isCritical, note: finding?.note ?? '' });
  } catch (error) {
    found.failed++;
    if (isEach)
      print({
        bench: 'precision',
        scene: n,
        error: error instanceof Error ? error.message.slice(0, 100) : '',
      });
  }
}
print({ bench: 'precision', method, seed, count, frames, ...found });
single.dispose();
double.dispose();
