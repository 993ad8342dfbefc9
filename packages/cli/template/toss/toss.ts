import { HalfSpace, impactOf, impacts } from '@gradsim/contact';
import { buildModel, createScene } from '@gradsim/core';
import type { BoxState, SeenOutline } from '@gradsim/film';
import {
  boxOutlinesIn,
  flightOfBox,
  largestIn,
  outlineStage,
  outlines,
  outlinesIn,
  startsOfTumble,
} from '@gradsim/film';
import { box } from '@gradsim/mesh';
import type { ArraySpec, Check, Estimate, ParameterSpec, Stage } from '@gradsim/optim';
import { defineExperiment, estimate } from '@gradsim/optim';
import { PinholeCamera } from '@gradsim/render';
import { Body, Gravity, rigid } from '@gradsim/rigid';
import type { FilmMeasured } from '../shared/film.ts';
import { cameraOf, filmOf, place, unknown } from '../shared/film.ts';
import { measured } from './measured.ts';

/** What is known beforehand; see `measured.ts`. */
export interface Measured extends FilmMeasured {
  readonly size: readonly number[];
  readonly gravity: number | null;
}

/** Where the search begins. */
interface Start extends BoxState {
  readonly restitution: number;
  readonly friction: number;
  readonly gravity: number;
}

const MATERIAL = { restitution: 0.4, friction: 0.3 } as const;
/** Where gravity is to be found, that is tried first of these which shows the flight best, m/s^2. */
const GRAVITIES = [7, 8, 9, 9.81, 11, 12, 13];
/** Ways of turning that are off by so many times as much as the nearest are tried too. */
const AS_NEAR = 1.5;
/** After the flight so much of the film counts, s: every impact makes what is not known grow, and soon nothing more can be foretold. */
const AFTER = 0.3;
/** A second. */
const SUBSTEPS = 7680;

export default defineExperiment({
  name: 'toss',
  description: 'Restitution and friction of a box that is tossed onto the floor, from a film of it.',
  stages: async ({ video, signal, log, device }) => {
    const { size } = measured;
    const film = await filmOf(measured, { video, signal }, { convex: true });
    const { values: lens, view: camera } = await cameraOf(measured, film);
    const { frameRate } = film;
    const track = largestIn(film.tracks);
    const flights = (measured.gravity === null ? GRAVITIES : [measured.gravity]).map((gravity) => ({
      gravity,
      flight: flightOfBox(track, camera, { size, gravity }),
    }));
    const { gravity, flight } = flights.reduce((best, one) =>
      one.flight.residual < best.flight.residual ? one : best,
    );
    const rough = outlinesIn(film, track);
    const tumbles = startsOfTumble(rough, camera, { size, flight, frameRate, end: flight.end });
    const frames = Math.min(film.count, flight.end + Math.ceil(AFTER * frameRate));
    log(
      `it flies up to frame ${flight.end} at least; ways of turning show its outlines to ` +
        `${tumbles.map(({ residual }) => residual.toFixed(2)).join(', ')} pixels; ${frames} frames count`,
    );

    const stageOf = (start: Start, seen: readonly (SeenOutline | undefined)[]): Stage => {
      const { position, velocity, orientation, angularVelocity } = start;
      const scene = createScene([rigid(), impacts(), outlines({ ...film.size, camera: PinholeCamera })]);
      const body = scene.add(
        Body,
        {
          mesh: box({ size: [size[0], size[1], size[2]] }),
          ...{ mass: 1, position, velocity, orientation, angularVelocity },
        },
        'the box',
      );
      scene.attach(body, impactOf(Body), { restitution: start.restitution, mu: start.friction });
      scene.add(HalfSpace, {}, 'the floor');
      scene.add(Gravity, { acceleration: [0, -start.gravity, 0] });
      scene.add(PinholeCamera, lens, 'the camera');
      const arrays: ArraySpec[] = [
        {
          ...{ name: 'turn', field: 'bodies.orientation', initial: 0, scale: 0.05, unit: 'rad' },
          modes: turnsOf(orientation),
        },
      ];
      const parameters: ParameterSpec[] = [
        {
          ...{ name: 'restitution', field: 'bodies.restitution', initial: start.restitution },
          ...{ transform: 'bounded', range: [0.02, 0.95] },
        },
        {
          ...{ name: 'friction', field: 'bodies.mu', initial: start.friction },
          ...{ transform: 'bounded', range: [0, 1.5] },
        },
        ...(measured.gravity === null ? [unknown('gravity', 'world.gravity', 1, -start.gravity, 1)] : []),
        ...place('position', 'bodies.position', position),
        ...velocity.map((value, k) => unknown(`velocity ${'xyz'[k]}`, 'bodies.velocity', k, value, 0.1)),
        ...angularVelocity.map((value, k) =>
          unknown(`spin ${'xyz'[k]}`, 'bodies.angularVelocity', k, value, 0.5),
        ),
      ];
      const stage = outlineStage(film, buildModel(scene), {
        ...{ name: 'toss', substeps: Math.ceil(SUBSTEPS / frameRate), parameters, frames, outlines: seen },
        fitsShape: true,
        checks: STATES,
        options: { method: 'levenberg-marquardt', horizons: 'growing' },
      });
      return { ...stage, problem: { ...stage.problem, arrays } };
    };

    // What is as near to the outlines of the flight is told apart by what comes after it.
    const alike = tumbles.filter(({ residual }) => residual < AS_NEAR * tumbles[0].residual);
    let best: Estimate | undefined;
    for (const tumble of alike) {
      const found = await estimate(stageOf({ ...tumble, ...MATERIAL, gravity }, rough).problem, { device, signal });
      log(`one way of turning: loss ${found.loss.toPrecision(3)}`);
      if (!best || found.loss < best.loss) best = found;
    }
    const states = statesOf(best!, frames);
    const seen = boxOutlinesIn(film, camera, { size, states });
    log(`by pixels: ${seen.outlines.filter((one) => one).length} of ${frames} frames, shutter ${seen.shutter.toFixed(2)}`);
    const { restitution, friction, gravity: pull } = best!.parameters;
    return [
      stageOf(
        {
          ...{ ...states[0], restitution: restitution.estimate, friction: friction.estimate },
          gravity: pull ? -pull.estimate : gravity,
        },
        seen.outlines,
      ),
    ];
  },
});

/** What is asked of an estimate beside its parameters: how the box is and moves, frame by frame. */
const STATES: Check[] = ['position', 'velocity', 'orientation', 'angularVelocity'].map((name) => ({
  field: `bodies.${name}`,
  of: () => undefined,
}));

function statesOf({ predicted }: Estimate, frames: number): BoxState[] {
  return Array.from({ length: frames }, (_, frame) => {
    const [position, velocity, orientation, angularVelocity] = STATES.map(({ field }, k) => {
      const count = k === 2 ? 4 : 3;
      return [...predicted[field as string].slice(count * frame, count * (frame + 1))];
    });
    return { position, velocity, orientation, angularVelocity };
  });
}

/** What turns about the world's axes add to an orientation: half of the quaternion's product with each. */
const turnsOf = ([x, y, z, w]: readonly number[]): number[][] => [
  [w / 2, -z / 2, y / 2, -x / 2],
  [z / 2, w / 2, -x / 2, -y / 2],
  [-y / 2, x / 2, w / 2, -z / 2],
];
