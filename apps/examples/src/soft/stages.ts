import type { Estimate, Problem, Run, SettingsContext, SettingValues, Stage } from '@gradsim/optim';
import { choiceSetting, wholeSetting } from '@gradsim/optim';
import { rendererSetting } from '../scenes/renderers.ts';
import { startedParameters } from './estimate-instance.ts';
import type { ObservationKind } from './film.ts';
import { filmInstance, OBSERVATION_KINDS, observe } from './film.ts';
import type { SoftInstance } from './instance.ts';
import type { SoftKind } from './kinds.ts';
import { SOFT_KINDS } from './kinds.ts';
import { leastDeterminedNotes } from './least-determined.ts';

/**
 * Settings of an experiment with a random soft body: `instance`, the seed of all random draws; `observe`: `film` (the
 * default), `png` for a film quantised to 8 bits, `positions` of all particles instead of a film (3D supervision);
 * `renderer`, see {@link rendererSetting}.
 */
export const SOFT_SETTINGS = {
  instance: wholeSetting(1, { least: 0 }),
  observe: choiceSetting(OBSERVATION_KINDS),
  renderer: rendererSetting,
};

/** Returns the only stage: the body is filmed with its true values, which are then estimated from the film. */
export async function softStages(
  kind: SoftKind,
  { device, settings, log }: SettingsContext<SettingValues<typeof SOFT_SETTINGS>>,
): Promise<Stage[]> {
  const { size, errors } = SOFT_KINDS[kind];
  const { observe: seen } = settings;
  const instance = drawnInstance(kind, settings);
  const { model, timeline, options } = instance;
  log(`Filming instance ${settings.instance}: ${timeline.frames} frames of ${size} x ${size} pixels.`);
  const film = seen === 'positions' ? undefined : await filmInstance(instance, seen, device);
  const observation = film?.observation ?? (await observe(instance, seen, device));
  const parameters = await startedParameters(instance, observation, { device });
  const problem: Problem = { model, ...timeline, parameters, observations: [observation], options };
  return [
    {
      name: kind,
      problem: withRefined(problem, instance, seen),
      notes: (found) => errorNotes(seen, size, errors(found), found),
      ...(film && { strip: (found: Estimate) => film.strip(found) }),
    },
  ];
}

/**
 * Adds the refined model with which `--verify` compares, except for observed positions, since a finer mesh has other
 * particles.
 */
function withRefined(problem: Problem, { refined }: SoftInstance, seen: ObservationKind): Problem {
  if (!refined || seen === 'positions') return problem;
  return {
    ...problem,
    refined: (times) => {
      const { model, timeline } = refined(times);
      return { ...problem, model, ...timeline };
    },
  };
}

/** The run that is filmed, with the true values. */
export function softMotion(kind: SoftKind, { settings }: SettingsContext<SettingValues<typeof SOFT_SETTINGS>>): Run {
  const { model, timeline } = drawnInstance(kind, settings);
  return { model, ...timeline };
}

const drawnInstance = (kind: SoftKind, { instance, renderer }: SettingValues<typeof SOFT_SETTINGS>): SoftInstance =>
  SOFT_KINDS[kind].draw(instance, { size: SOFT_KINDS[kind].size, renderer });

/** Labels of the errors in the report, by name. */
const ERRORS: Readonly<Record<string, string>> = {
  mu: 'Relative error of mu',
  lambda: 'Relative error of lambda',
  mass: 'Mean relative error of the masses',
  worstMass: 'Largest relative error of a mass',
  velocity: 'Mean over particles of |v - true v| / |true v|',
  worstVelocity: 'Largest |v - true v| / |true v| of a particle',
};

function errorNotes(
  seen: ObservationKind,
  size: number,
  errors: Readonly<Record<string, number>>,
  estimate: Estimate,
): string[] {
  const from = {
    film: `a film by one camera, ${size} x ${size} pixels, frames as floats`,
    png: `a film by one camera, ${size} x ${size} pixels, through 8-bit PNG`,
    positions: 'the positions of all particles in every frame',
  }[seen];
  return [
    `Estimated from ${from}.`,
    ...Object.entries(errors).map(([name, error]) => `${ERRORS[name]}: ${error.toExponential(2)}.`),
    ...leastDeterminedNotes(estimate),
  ];
}
