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
  statesOfTumble,
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
/** The search for what happens at the floor begins with the nearest of these. */
const RESTITUTIONS = [0.1, 0.3, 0.5, 0.7];
const FRICTIONS = [0.1, 0.25, 0.5];
/** So many of these. */
const TRIED = 3;
/** Ways of turning that are off by so many times as much as the nearest are tried too. */
const AS_NEAR = 1.5;
/** After the flight so much of the film counts, s: every impact makes what is not known grow, and soon nothing more can be foretold. */
const AFTER = [
  [0.17, 0.3],
  [0.08, 0.17, 0.3],
];
/** Off by more than so many times the square of the noise, it has gone another way. */
const LOST = 1.5;
/** The last frames are looked at once more, when more is known of how it goes on. */
const AGAIN = 3;
/** Frames in which a box that flies that way is seen. */
const FEWEST = 5;
/** A second; and so many times as many in the end, since impacts make small errors large. */
const SUBSTEPS = 7680;
const FINE = 3;

export default defineExperiment({
  name: 'toss',
  description: 'Restitution and friction of a box that is tossed onto the floor, from a film of it.',
  stages: async ({ video, signal, log, device }) => {
    const { size } = measured;
    const film = await filmOf(measured, { video, signal }, { convex: true });
    const { values: lens, view: camera } = await cameraOf(measured, film);
    const { frameRate } = film;
    const track = largestIn(film.tracks);
    const flight = flightOfBox(track, camera, { size, gravity: measured.gravity });
    const rough = outlinesIn(film, track);
    const tumbles = startsOfTumble(rough, camera, {
      size,
      flight,
      frameRate,
      end: flight.end,
      falls: measured.gravity === null,
    });
    log(
      `it flies up to frame ${flight.end} at least; ways of turning show its outlines to ` +
        `${tumbles.map(({ residual }) => residual.toFixed(2)).join(', ')} pixels`,
    );

    /** Of the first frames of the film, as many as outlines are given of. */
    const stageOf = (
      start: Start,
      seen: readonly (SeenOutline | undefined)[],
      { touches = true, substeps = SUBSTEPS } = {},
    ): Stage => {
      const { position, velocity, orientation, angularVelocity } = start;
      const scene = createScene([rigid(), impacts(), outlines({ ...film.size, camera: PinholeCamera })]);
      const body = scene.add(
        Body,
        {
          mesh: box({ size: [size[0], size[1], size[2]] }),
          mass: 1,
          position,
          velocity,
          orientation,
          angularVelocity,
        },
        'the box',
      );
      scene.attach(body, impactOf(Body), { restitution: start.restitution, mu: start.friction });
      scene.add(HalfSpace, {}, 'the floor');
      scene.add(Gravity, { acceleration: [0, -start.gravity, 0] });
      scene.add(PinholeCamera, lens, 'the camera');
      const arrays: ArraySpec[] = [
        {
          name: 'turn',
          field: 'bodies.orientation',
          initial: 0,
          scale: 0.05,
          unit: 'rad',
          modes: turnsOf(orientation),
        },
      ];
      const parameters: ParameterSpec[] = [
        ...(touches ? materialOf(start) : []),
        ...(measured.gravity === null ? [unknown('gravity', 'world.gravity', 1, -start.gravity, 1)] : []),
        ...place('position', 'bodies.position', position),
        ...velocity.map((value, k) => unknown(`velocity ${'xyz'[k]}`, 'bodies.velocity', k, value, 0.1)),
        ...angularVelocity.map((value, k) => unknown(`spin ${'xyz'[k]}`, 'bodies.angularVelocity', k, value, 0.5)),
      ];
      const stage = outlineStage(film, buildModel(scene), {
        name: 'toss',
        substeps: Math.ceil(substeps / frameRate),
        parameters,
        frames: seen.length,
        outlines: seen,
        fitsShape: true,
        checks: STATES,
        derived: { speed: lengthOf('velocity', 'm/s'), spin: lengthOf('spin', 'rad/s') },
        // The film that counts grows by itself.
        options: { search: { method: 'levenberg-marquardt', horizons: [1] } },
      });
      return { ...stage, problem: { ...stage.problem, arrays } };
    };

    const solve = ({ problem }: Stage): Promise<Estimate> => estimate(problem, { device, signal });
    const look = (states: readonly (BoxState | undefined)[], shutter?: number) =>
      boxOutlinesIn(film, camera, { size, states, ...(shutter === undefined ? {} : { shutter }) });

    // The flight first: of the ways of turning that are as near to its outlines, the one that explains its pixels.
    const alike = tumbles.filter(({ residual }) => residual < AS_NEAR * tumbles[0].residual);
    const flights = [];
    for (const tumble of alike) {
      const pull = flight.gravity + tumble.fall;
      const states = statesOfTumble(tumble, { size, gravity: pull, frameRate, frames: flight.end });
      const { outlines: seen } = look(states);
      if (seen.filter((one) => one).length < FEWEST) continue;
      const found = await solve(stageOf({ ...tumble, ...MATERIAL, gravity: pull }, seen, { touches: false }));
      const unseen = seen.filter((one) => !one).length / seen.length;
      log(`one way of turning: loss ${found.loss.toPrecision(3)}, ${Math.round(100 * unseen)} % not seen`);
      flights.push({ found, gravity: pull, off: found.loss / (1 - unseen) ** 4 });
    }
    if (flights.length === 0)
      throw new Error(
        `No box of ${size.join(' x ')} m is seen to fly in the first ${flight.end} frames: look at size, camera and background.`,
      );
    const [{ found: flown, gravity }] = flights.sort((a, b) => a.off - b.off);
    const startOf = ({ parameters }: Estimate, state: BoxState): Start => ({
      ...state,
      restitution: within(parameters.restitution?.estimate ?? MATERIAL.restitution, 0.03, 0.9),
      friction: within(parameters.friction?.estimate ?? MATERIAL.friction, 0.01, 1.4),
      gravity: parameters.gravity ? -parameters.gravity.estimate : gravity,
    });
    const [first] = statesOf(flown);
    const { outlines: flying, shutter } = look(statesOf(flown));

    // Then what comes after it, some frames more each time; where that leads nowhere, first fewer.
    let chosen: Stage | undefined;
    for (const after of AFTER) {
      const grown = await grow(after);
      chosen = grown.trusted ? grown.stage : (chosen ?? grown.stage);
      if (grown.trusted) break;
    }
    return [chosen!];

    async function grow(steps: readonly number[]): Promise<{ stage: Stage; trusted: boolean }> {
      const ends = steps.map((seconds) => Math.min(film.count, flight.end + Math.ceil(seconds * frameRate)));
      const begin = startOf(flown, first);
      let seen = [...flying, ...rough.slice(flight.end, ends[0])];
      const tried = [];
      for (const restitution of RESTITUTIONS)
        for (const friction of FRICTIONS) {
          const start = { ...begin, restitution, friction };
          const stage = stageOf(start, seen);
          const { loss } = await solve({
            ...stage,
            problem: { ...stage.problem, options: { search: { iterations: 0 } } },
          });
          tried.push({ start, loss });
        }
      let coarse: Estimate | undefined;
      for (const { start } of tried.sort((a, b) => a.loss - b.loss).slice(0, TRIED)) {
        const found = await solve(stageOf(start, seen));
        if (!coarse || found.loss < coarse.loss) coarse = found;
      }
      let chosen: { stage: Stage; trusted: boolean } | undefined;
      let known = flight.end - AGAIN;
      for (const [k, end] of ends.entries()) {
        const states = statesOf(coarse!).map((state, frame) => (frame < known ? undefined : state));
        seen = [...seen.slice(0, known), ...look(states, shutter).outlines.slice(known)];
        known = end - AGAIN;
        const found = await solve(stageOf(startOf(coarse!, statesOf(coarse!)[0]), seen, { substeps: FINE * SUBSTEPS }));
        const { trusted } = found.verdict;
        const after = seen.slice(flight.end).filter((one) => one).length;
        log(
          `up to frame ${end}: loss ${found.loss.toPrecision(3)}; ${after} of ${end - flight.end} frames after the flight by pixels${trusted ? '' : '; not to be trusted'}`,
        );
        // What cannot be foretold any more adds nothing.
        if (chosen?.trusted && !trusted) break;
        const start = startOf(found, statesOf(found)[0]);
        chosen = {
          stage: stageOf(start, seen, { substeps: FINE * SUBSTEPS }),
          trusted: trusted || (chosen?.trusted ?? false),
        };
        if (k === ends.length - 1 || found.loss > LOST) break;
        seen = [...seen, ...rough.slice(end, ends[k + 1])];
        coarse = await solve(stageOf(start, seen));
      }
      return chosen!;
    }
  },
});

/** Where a search ended at its bound, the next one does not begin there. */
const within = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most);

const materialOf = ({ restitution, friction }: Start): ParameterSpec[] => [
  {
    name: 'restitution',
    field: 'bodies.restitution',
    initial: restitution,
    transform: 'bounded',
    range: [0.02, 0.95],
  },
  {
    name: 'friction',
    field: 'bodies.mu',
    initial: friction,
    transform: 'bounded',
    range: [0, 1.5],
  },
];

/** Of what has three components among the unknowns. */
const lengthOf = (name: string, unit: string) => ({
  unit,
  of: (v: Readonly<Record<string, number>>): number =>
    Math.hypot(...['x', 'y', 'z'].map((axis) => v[`${name} ${axis}`])),
});

/** What is asked of an estimate beside its parameters: how the box is and moves, frame by frame. */
const STATES: Check[] = ['position', 'velocity', 'orientation', 'angularVelocity'].map((name) => ({
  field: `bodies.${name}`,
  of: () => undefined,
}));

function statesOf({ predicted }: Estimate): BoxState[] {
  return Array.from({ length: predicted['bodies.position'].length / 3 }, (_, frame) => {
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
