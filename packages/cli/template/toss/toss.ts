import { contact, contactOf, HalfSpace } from '@gradsim/contact';
import { buildModel, createScene } from '@gradsim/core';
import { flightOfBox, outlineStage, outlines, outlinesIn, startsOfTumble } from '@gradsim/film';
import { box } from '@gradsim/mesh';
import type { ArraySpec, Estimate, ParameterSpec, Stage } from '@gradsim/optim';
import { defineExperiment, estimate } from '@gradsim/optim';
import { PinholeCamera } from '@gradsim/render';
import { Body, Gravity, rigid } from '@gradsim/rigid';
import type { FilmMeasured } from '../shared/film.ts';
import { cameraOf, filmOf, place, unknown } from '../shared/film.ts';
import { measured } from './measured.ts';

/** What is known beforehand; see `measured.ts`. */
export interface Measured extends FilmMeasured {
  readonly size: readonly number[];
  readonly gravity: number;
}

/** Where the search starts. */
const MATERIAL = { restitution: 0.4, friction: 0.3 } as const;
/** How long a touch lasts, s: short beside a frame. */
const TOUCH = 6e-3;
/** Ways of turning that are off by so many times as much as the nearest are tried too. */
const AS_NEAR = 1.4;

export default defineExperiment({
  name: 'toss',
  description: 'Restitution and friction of a box that is tossed onto the floor, from a film of it.',
  stages: async ({ video, signal, log, device }) => {
    const { size, gravity } = measured;
    const film = await filmOf(measured, { video, signal });
    const { values: lens, view: camera } = await cameraOf(measured, film);
    const flight = flightOfBox(film.tracks[0], camera, { size, gravity });
    const { frameRate } = film;
    const tumbles = startsOfTumble(outlinesIn(film), camera, { size, flight, frameRate, end: flight.end });
    const residuals = tumbles.map(({ residual }) => residual.toFixed(2)).join(', ');
    log(
      `it flies up to frame ${flight.end} at least; ways of turning show its outlines to ${residuals} pixels`,
    );

    const stageOf = (tumble: (typeof tumbles)[number]): Stage => {
      const { position, velocity } = tumble;
      const scene = createScene([rigid(), contact(), outlines({ ...film.size, camera: PinholeCamera })]);
      const body = scene.add(
        Body,
        {
          mesh: box({ size: [size[0], size[1], size[2]] }),
          ...{ mass: 1, position, velocity },
          ...{ orientation: tumble.orientation, angularVelocity: tumble.angularVelocity },
        },
        'the box',
      );
      const { restitution, friction: mu } = MATERIAL;
      scene.attach(body, contactOf(Body), { restitution, duration: TOUCH, mu });
      scene.add(HalfSpace, {}, 'the floor');
      scene.add(Gravity, { acceleration: [0, -gravity, 0] });
      scene.add(PinholeCamera, lens, 'the camera');
      const arrays: ArraySpec[] = [
        {
          ...{ name: 'turn', field: 'bodies.orientation', initial: 0, scale: 0.05, unit: 'rad' },
          modes: turnsOf(tumble.orientation),
        },
      ];
      const parameters: ParameterSpec[] = [
        {
          ...{ name: 'restitution', field: 'bodies.restitution', initial: restitution },
          ...{ transform: 'bounded', range: [0.02, 0.95] },
        },
        { name: 'friction', field: 'bodies.mu', initial: mu, transform: 'bounded', range: [0, 1.5] },
        ...place('position', 'bodies.position', position),
        ...velocity.map((value, k) => unknown(`velocity ${'xyz'[k]}`, 'bodies.velocity', k, value, 0.1)),
        ...tumble.angularVelocity.map((value, k) =>
          unknown(`spin ${'xyz'[k]}`, 'bodies.angularVelocity', k, value, 0.5),
        ),
      ];
      const stage = outlineStage(film, buildModel(scene), {
        // 24 substeps in a touch.
        ...{ name: 'toss', substeps: Math.ceil(24 / TOUCH / film.frameRate), parameters },
        fitsShape: true,
        options: { method: 'levenberg-marquardt', horizons: 'growing' },
        notes: (found) => asMeasured(found),
      });
      return { ...stage, problem: { ...stage.problem, arrays } };
    };

    // What is as near to the outlines of the flight is told apart by what comes after it.
    const alike = tumbles.filter(({ residual }) => residual < AS_NEAR * tumbles[0].residual);
    let best = { loss: Number.POSITIVE_INFINITY, stage: stageOf(alike[0]) };
    if (alike.length > 1)
      for (const stage of alike.map(stageOf)) {
        const { loss } = await estimate(stage.problem, { device, signal });
        log(`one way of turning: loss ${loss.toPrecision(3)}`);
        if (loss < best.loss) best = { loss, stage };
      }
    return [best.stage];
  },
});

/** What turns about the world's axes add to an orientation: half of the quaternion's product with each. */
const turnsOf = ([x, y, z, w]: readonly number[]): number[][] => [
  [w / 2, -z / 2, y / 2, -x / 2],
  [z / 2, w / 2, -x / 2, -y / 2],
  [-y / 2, x / 2, w / 2, -z / 2],
];

function asMeasured({ parameters }: Estimate): string[] {
  const { restitution } = parameters;
  return [
    `The floor gives back ${restitution.estimate.toFixed(3)} of the speed at which a corner strikes it; a touch is taken to last ${1e3 * TOUCH} ms.`,
  ];
}
