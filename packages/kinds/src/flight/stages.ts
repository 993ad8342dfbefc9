import { buildModel, createScene } from '@gradsim/core';
import {
  fitBallOutlines,
  flightIn,
  givenBall,
  measuredCamera,
  measuredScale,
  observedOutlines,
  outlineFitStage,
  projectedOutline,
  vectorUnknowns,
} from '@gradsim/film';
import { dragUnknown, filmOf, gravityUnknown, type KindContext, type MeasuredBy } from '@gradsim/kinds/define';
import { ballInertia } from '@gradsim/mesh';
import type { Estimate, Stage } from '@gradsim/optim';
import { PinholeCamera } from '@gradsim/render';
import { Body, Gravity, gravity, rigid } from '@gradsim/rigid';
import type { measures } from './measures.ts';

/** Number of standard errors above which drag is seen, so that the speed that it leads to is told. */
const MIN_DRAG_SIGNIFICANCE = 3;

/** Model, unknowns and observations. */
export async function stages(measured: MeasuredBy<typeof measures>, context: KindContext): Promise<Stage[]> {
  const { log, signal } = context;
  const film = await filmOf(measured, context);
  const camera = await measuredCamera(film, measured, ['tilt']);
  const scale = measuredScale(film.size, camera, film.marked(measured));

  // Observations: the flight of the ball, from its track, and its outlines from all pixels, up to the first bounce.
  const { track, flight, frames } = flightIn(film, measured.track, camera.view, {
    radius: scale.radius,
    gravity: measured.gravity === null ? null : [0, -measured.gravity, 0],
    drag: null,
  });
  const radius = measured.radius ?? flight.radius!;
  log(`track ${track.name} flies${frames < film.count ? ` up to frame ${frames - 1}` : ''}`);
  const approximate = observedOutlines(film, track).slice(0, frames);
  const seen = await fitBallOutlines(film, camera.view, { approximate, signal });
  const { position, velocity } = flight.at(0);

  // The model: a ball of mass 1, since neither its fall nor its drag, an acceleration, depends on mass.
  const scene = createScene([
    rigid(),
    projectedOutline({ ...film.size, camera: PinholeCamera, centre: Body.position, radius }),
  ]);
  scene.add(Body, { mass: 1, inertia: ballInertia(radius), position, velocity }, 'the ball');
  scene.add(Gravity, { acceleration: [0, -flight.gravity, 0] });
  scene.add(PinholeCamera, camera.values, 'the camera');

  const fall = gravityUnknown(gravity, measured, flight.gravity, 'Is the radius a radius, not a diameter?');
  const lengths = scale.lengths({ radius });
  const size = givenBall(radius, measured, { inertia: Body.inertia });
  return [
    outlineFitStage(film, buildModel(scene), {
      name: 'flight',
      substeps: 16,
      frames,
      parameters: [
        ...fall.parameters,
        dragUnknown(Body.drag, radius, measured.mass, flight.drag),
        ...scale.position(vectorUnknowns('position', Body.position, position, 0.05)),
        ...vectorUnknowns('velocity', Body.velocity, velocity, 0.1),
        ...lengths.parameters,
        ...camera.parameters,
      ],
      given: [...lengths.given, ...camera.given],
      ties: [
        ...camera.ties,
        ...fall.ties,
        ...size.ties,
        ...scale.flightTies(Body.position, film.times[Math.floor(frames / 2)]),
      ],
      outlines: seen.outlines,
      sizeBias: seen.sizeBias,
      notes: ({ parameters }) => terminalSpeed(parameters, flight.gravity),
      options: { search: { horizons: [0.5, 1], iterations: 600 }, checks: [seen.check] },
    }),
  ];
}

/** Sentence on the speed at which drag balances gravity, sqrt(g / c), m/s; none where no drag is seen. */
function terminalSpeed({ drag, gravity }: Estimate['parameters'], pull: number): string[] {
  const { estimate, standardError } = drag;
  if (standardError === null || estimate < MIN_DRAG_SIGNIFICANCE * standardError) return [];
  const speed = Math.sqrt((gravity?.estimate ?? pull) / estimate);
  const error = (speed * standardError) / (2 * estimate);
  return [
    `The air brakes it as the square of its speed: falling on, it would come to ${speed.toPrecision(3)} ± ${error.toPrecision(2)} m/s, where drag balances gravity.`,
  ];
}
