import type { Estimate, ExperimentContext, Problem } from '@gradsim/optim';
import { estimate } from '@gradsim/optim';
import type { SceneRenderer } from '../scenes/renderers.ts';
import type { Footage } from './footage.ts';
import { BALL_RADIUS, dropParameters } from './parameters.ts';
import { wholePictureProblem } from './whole-picture.ts';
import { shownAreas, windowProblem } from './windows.ts';

/** What the last estimate begins with. */
export interface Approach {
  readonly starts: Readonly<Record<string, number>>;
  /** See {@link shownAreas}. */
  readonly areas: ReadonlyMap<number, number>;
}

/**
 * Comes near from any gravity, from coarse to fine: a ball far from its place in sharp pictures has no overlap with
 * what is seen, so no derivative. First gravity alone in strongly blurred whole pictures, then the camera's scale and the
 * release as well in less blurred ones, then everything in coarse windows.
 */
export async function approach(
  footage: Footage,
  gravity: number,
  { hasFloor, renderer }: { readonly hasFloor: boolean; readonly renderer: SceneRenderer },
  { device, log }: Pick<ExperimentContext, 'device' | 'log'>,
): Promise<Approach> {
  let starts: Record<string, number> = {};
  const solve = async (what: string, problem: Problem): Promise<Estimate> => {
    const found = await estimate(problem, { device });
    const values = Object.entries(found.parameters).map(([name, p]) => [name, p.estimate] as const);
    starts = { ...starts, ...Object.fromEntries(values) };
    log(`${what}: gravity ${starts.gravity.toFixed(2)} m/s^2`);
    return found;
  };
  const some = (floor: boolean, ...names: string[]) =>
    dropParameters(gravity, floor, starts).filter(({ name }) => names.includes(name));

  const motion = ['gravity', 'sideways', 'sidewaysVelocity'];
  const blurred = { softness: 12, hasFloor: false, renderer };
  await solve('blurred whole pictures', wholePictureProblem(footage, some(false, ...motion), blurred));
  const more = some(hasFloor, ...motion, 'releaseTime', 'aim', 'fieldOfView', 'damping', 'spin');
  await solve(
    'small whole pictures',
    wholePictureProblem(footage, more, { softness: 3, hasFloor, renderer }),
  );
  const all = dropParameters(gravity, hasFloor, starts);
  const coarse = windowProblem(footage, all, { scale: 8, instants: 2, softness: 0.7, hasFloor, renderer });
  const found = await solve('coarse windows', {
    ...coarse.problem,
    substeps: coarse.problem.substeps / 2,
    options: { iterations: 40, tolerance: 1e-3 },
  });
  // A soft outline of many faces looks larger than it is, and how much depends on the scale.
  const { shownRadius: _, ...others } = starts;
  return { starts: { ...others, shownRadius: 0.85 * BALL_RADIUS }, areas: shownAreas(coarse, found) };
}
