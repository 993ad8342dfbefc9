import { sumOfSquares } from '@gradsim/base';
import type { Device } from '@gradsim/core';
import { buildModel, createScene, createSimulation } from '@gradsim/core';
import { addSmoke, SmokeCell, smoke } from '@gradsim/smoke';
import { caseFormat } from '../case-format.ts';
import type { CheckResult } from '../errors.ts';
import { gradientErrors, relativeError } from '../errors.ts';
import { array, count, countOrNull, number, parameters, text } from '../fields.ts';

type Rows = readonly (readonly number[])[];
interface SmokeCase {
  readonly rows: number;
  readonly columns: number;
  readonly steps: number;
  /** Number of Jacobi sweeps; null for the exact solution. */
  readonly sweeps: number | null;
  readonly parameters: { readonly vx: Rows; readonly vy: Rows; readonly density: Rows };
  readonly target: Rows;
  readonly expected: {
    readonly loss: number;
    readonly density: Rows;
    readonly vx: Rows;
    readonly vy: Rows;
    readonly gradient: Readonly<Record<string, Rows>>;
  };
}
const cells = array('rows', 'columns');

/** Format of cases of smoke on a periodic grid, simulated by the package smoke. */
export const smokeGrid = caseFormat<SmokeCase>({
  matches: (model) => /\bsmoke\b/.test(model),
  fields: {
    rows: count('rows'),
    columns: count('columns'),
    steps: count(),
    sweeps: countOrNull,
    ...parameters({ vx: cells, vy: cells, density: cells }),
    target: cells,
    loss: text(/^mean\(\(density - target\)\^2\) \+ 0\.1 mean\(vx\^2 \+ vy\^2\)$/),
    'expected.loss': number,
    'expected.density': cells,
    'expected.vx': cells,
    'expected.vy': cells,
  },
  check: checkSmoke,
});

/** Weight of the squared velocities in the loss, relative to the squared differences of density. */
const EFFORT = 0.1;
/** Index of the velocity component that each name in the file stands for. */
const COMPONENTS = { vx: 0, vy: 1 } as const;

/** Relative tolerance of the pressure solve in cases with the exact solution. */
const EXACT = { f32: 2e-6, f64: 1e-13 };

async function checkSmoke(file: SmokeCase, device: Device): Promise<CheckResult> {
  const { rows, columns, steps, sweeps, parameters: given, target, expected } = file;
  const vy = given.vy.flat();
  const scene = createScene([smoke(sweeps === null ? { tolerance: EXACT } : { sweeps })]);
  addSmoke(scene, {
    rows,
    columns,
    density: given.density.flat(),
    velocity: given.vx.flat().flatMap((x, k) => [x, vy[k]]),
  });
  const states = [SmokeCell.density, SmokeCell.velocity];
  const simulation = await createSimulation(buildModel(scene), {
    device,
    frames: steps + 1,
    frameRate: 1,
    substeps: 1,
    parameters: states,
    outputs: states,
  });
  try {
    simulation.forward();
    const [density, velocity] = await Promise.all(states.map((field) => simulation.read(field)));
    const n = density.length;
    const goal = target.flat();
    const loss = density.reduce((sum, d, k) => sum + (d - goal[k]) ** 2, 0) / n + (EFFORT * sumOfSquares(velocity)) / n;
    simulation.backward({
      [SmokeCell.density.key]: density.map((d, k) => (2 * (d - goal[k])) / n),
      [SmokeCell.velocity.key]: velocity.map((v) => (2 * EFFORT * v) / n),
    });
    const densityBar = await simulation.gradient(SmokeCell.density);
    const velocityBar = await simulation.gradient(SmokeCell.velocity);
    const along = (of: Float64Array, name: 'vx' | 'vy'): Float64Array =>
      of.filter((_, k) => k % 2 === COMPONENTS[name]);
    const gradients = Object.entries(expected.gradient).map(([name, values]) => ({
      name,
      got: name === 'density' ? densityBar : along(velocityBar, name as 'vx' | 'vy'),
      expected: values.flat(),
    }));
    return {
      lossError: relativeError([loss], [expected.loss]),
      stateError: Math.max(
        relativeError(density, expected.density.flat()),
        relativeError(along(velocity, 'vx'), expected.vx.flat()),
        relativeError(along(velocity, 'vy'), expected.vy.flat()),
      ),
      ...gradientErrors(gradients),
    };
  } finally {
    simulation.dispose();
  }
}
