import type { Simulation } from '@gradsim/core';
import { pause } from '@gradsim/core/internal';
import type { Plan } from '../plan/plan.ts';
import { simulate } from '../plan/plan.ts';
import type { End, Ends } from '../posterior/found.ts';
import type { Descent } from './descent.ts';
import { framesOf } from './descent.ts';
import { LevenbergMarquardt } from './levenberg-marquardt.ts';

/** Descends by Levenberg-Marquardt from all points. */
export async function descendBySquares(run: Descent): Promise<Ends> {
  const { options, points, controls, report } = run;
  const at = { run: run.allFrames.run, frames: run.run.frames };
  const known = run.simulation || points.length > 1 ? null : run.simulations.sumsOf({ ...at, x: points[0] });
  const simulation = run.simulation ?? (await simulate(run, 'tangent', points.length));
  const lm = leastSquares(run, simulation);
  try {
    await lm.start(points, known);
    const tell = (): Promise<void> =>
      report(lm.best.loss, lm.best.x, (field) =>
        framesOf(simulation, field, (lm.descents.indexOf(lm.best) * simulation.worlds) / points.length),
      );
    await tell();
    for (let k = 0; ; k++) {
      await pause();
      const stopped = lm.isDone
        ? 'tolerance'
        : controls.signal?.aborted
          ? 'interrupted'
          : k >= options.search.iterations
            ? 'iterations'
            : null;
      if (!stopped) {
        await lm.step();
        await tell();
        continue;
      }
      const ends = lm.descents
        .filter((d) => Number.isFinite(d.loss))
        .sort((a, b) => a.loss - b.loss)
        .map(({ x, loss, hessian }): End => ({ x, loss, hessian }));
      return { ends, stopped };
    }
  } finally {
    if (!run.simulation)
      run.simulations.release(simulation, lm.last && { ...at, x: lm.last.x }, lm.reached && { ...at, ...lm.reached });
  }
}

/** Gauss-Newton Hessian at a point, from one forward run with a tangent for each unknown. */
export async function hessianAt(plan: Plan, x: Float64Array): Promise<Float64Array> {
  const simulation = await simulate(plan, 'tangent', 1);
  try {
    const lm = leastSquares(plan, simulation);
    await lm.start([x]);
    return lm.best.hessian;
  } finally {
    plan.simulations.release(simulation);
  }
}

const leastSquares = (
  { unknowns, objective, options: { search }, controls: { device, journal }, isWhole }: Plan & Pick<Descent, 'isWhole'>,
  simulation: Simulation,
): LevenbergMarquardt =>
  new LevenbergMarquardt(simulation, unknowns, objective.residuals!, {
    precision: device.precision,
    tolerance: search.tolerance,
    journal,
    isWhole,
  });
