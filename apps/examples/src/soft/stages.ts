import type { Estimate, ExperimentContext, Problem, Run, Stage } from '@gradsim/optim';
import { rendererOf } from '../scenes/renderers.ts';
import { numberSetting, refuseUnknownSettings } from '../scenes/settings.ts';
import { startedParameters } from './estimate-instance.ts';
import type { Seen } from './film.ts';
import { filmStrip, observe, SEEN } from './film.ts';
import type { SoftInstance } from './instance.ts';
import type { SoftKind } from './kinds.ts';
import { SOFT_KINDS } from './kinds.ts';
import { describeDirection, leastDetermined } from './least-determined.ts';

/**
 * The stage of an experiment with a random soft body: it is filmed at its true values, then these are estimated from
 * the film. Settings: `instance`, the number that everything is drawn from (default 1), and `observe`: `film` (the
 * default), `png` for a film through 8-bit files, `positions` of all particles instead of a film (3D supervision);
 * `renderer`, see {@link rendererOf}.
 *
 * @throws for settings that are none of these.
 */
export async function softStages(kind: SoftKind, { device, settings, log }: ExperimentContext): Promise<Stage[]> {
  const { instance, number, seen } = await chosen(kind, settings);
  const { size, errors } = SOFT_KINDS[kind];
  const { model, timeline, options } = instance;
  log(`Filming instance ${number}: ${timeline.frames} frames of ${size} x ${size} pixels.`);
  const observation = await observe(instance, seen, device);
  const parameters = await startedParameters(instance, observation, { device });
  const problem: Problem = { model, ...timeline, parameters, observations: [observation], options };
  return [
    {
      name: kind,
      problem: withRefined(problem, instance, seen),
      notes: (found) => notes(seen, size, errors(found), found),
      ...(seen === 'positions'
        ? {}
        : {
            strip: (found: Estimate) =>
              filmStrip(model, timeline.frames, observation.target, found.predicted['pixels.rgba']),
          }),
    },
  ];
}

/** The problem with what `--verify` holds it against; a finer mesh has other particles, whose positions nobody has seen. */
function withRefined(problem: Problem, { refined }: SoftInstance, seen: Seen): Problem {
  if (!refined || seen === 'positions') return problem;
  return {
    ...problem,
    refined: (times) => {
      const { model, timeline } = refined(times);
      return { ...problem, model, ...timeline };
    },
  };
}

/** The run that is filmed, at its true values. @throws for settings as {@link softStages}. */
export async function softMotion(kind: SoftKind, { settings }: ExperimentContext): Promise<Run> {
  const { instance } = await chosen(kind, settings);
  return { model: instance.model, ...instance.timeline };
}

async function chosen(kind: SoftKind, settings: ExperimentContext['settings']) {
  const { experiment, draw, size } = SOFT_KINDS[kind];
  refuseUnknownSettings(experiment, settings, ['instance', 'observe', 'renderer']);
  const seen = SEEN.find((name) => name === (settings.observe ?? 'film'));
  if (!seen) throw new Error(`observe is one of ${SEEN.join(', ')}, not "${settings.observe}".`);
  const number = numberSetting(settings, 'instance', { otherwise: 1, least: 0, whole: true });
  const renderer = await rendererOf(settings.renderer);
  return { instance: draw(number, { size, renderer }), number, seen };
}

/** What each error is called. */
const ERRORS: Readonly<Record<string, string>> = {
  mu: 'Relative error of mu',
  lambda: 'Relative error of lambda',
  mass: 'Mean relative error of the masses',
  worstMass: 'Largest relative error of a mass',
  velocity: 'Mean over particles of |v - true v| / |true v|',
  worstVelocity: 'Largest |v - true v| / |true v| of a particle',
};

function notes(seen: Seen, size: number, errors: Readonly<Record<string, number>>, estimate: Estimate): string[] {
  const from = {
    film: `a film by one camera, ${size} x ${size} pixels, frames as floats`,
    png: `a film by one camera, ${size} x ${size} pixels, through 8-bit PNG`,
    positions: 'the positions of all particles in every frame',
  }[seen];
  const direction = leastDetermined(estimate);
  return [
    `Estimated from ${from}.`,
    ...Object.entries(errors).map(([name, error]) => `${ERRORS[name]}: ${error.toExponential(2)}.`),
    ...(direction ? [describeDirection(direction)] : []),
  ];
}
