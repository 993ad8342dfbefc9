import { HalfSpace, impactOf, impacts } from '@gradsim/contact';
import { buildModel, createScene } from '@gradsim/core';
import {
  bounceIn,
  fitBallOutlines,
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
import type { Stage } from '@gradsim/optim';
import { PinholeCamera } from '@gradsim/render';
import { Body, Gravity, gravity, rigid } from '@gradsim/rigid';
import type { measures } from './measures.ts';

const material = impactOf(Body);

/** Model, unknowns and observations. */
export async function stages(measured: MeasuredBy<typeof measures>, context: KindContext): Promise<Stage[]> {
  const { log, signal } = context;
  const film = await filmOf(measured, context);
  const camera = await measuredCamera(film, measured, ['tilt']);
  const scale = measuredScale(film.size, camera, film.marked(measured));

  // Observations: where the ball starts and bounces, from its track, and its outlines from all pixels.
  const bounce = bounceIn(film.tracks, measured.track, camera.view, {
    radius: scale.radius,
    gravity: measured.gravity === null ? null : [0, -measured.gravity, 0],
    drag: null,
  });
  const { track, flight, friction, restitution } = bounce;
  const radius = measured.radius ?? bounce.radius;
  const seen = await fitBallOutlines(film, camera.view, { approximate: observedOutlines(film, track), signal });
  log(`the shutter was open for ${seen.shutter.toFixed(2)} of a frame's time`);
  const { position, velocity } = flight.at(0);
  const floor = camera.isPlaced ? 0 : bounce.position[1] - radius;
  log(
    `${flight.contacts.length} bounces in track ${track.name}; the first gives back ${restitution.toFixed(3)} of the speed`,
  );

  // The model: a ball above a floor, before a camera.
  const scene = createScene([
    ...[rigid(), impacts()],
    projectedOutline({ ...film.size, camera: PinholeCamera, centre: Body.position, radius }),
  ]);
  // Of mass 1: neither bounce nor drag, an acceleration, depends on it.
  const ball = scene.add(Body, { mass: 1, inertia: ballInertia(radius), position, velocity }, 'the ball');
  scene.attach(ball, material, { radius, restitution, mu: friction });
  scene.add(HalfSpace, { offset: floor }, 'the floor');
  scene.add(Gravity, { acceleration: [0, -flight.gravity, 0] });
  scene.add(PinholeCamera, camera.values, 'the camera');

  // The unknowns: besides those of the ball, the tilt of the camera and the height of the floor, if they were not
  // measured.
  const fall = gravityUnknown(gravity, measured, flight.gravity, 'Is the radius a radius, not a diameter?');
  const lengths = scale.lengths({ radius });
  const size = givenBall(radius, measured, { inertia: Body.inertia, radius: material.radius });
  return [
    outlineFitStage(film, buildModel(scene), {
      name: 'ball',
      substeps: 64,
      parameters: [
        {
          name: 'restitution',
          field: material.restitution,
          initial: restitution,
          transform: 'bounded',
          range: [0, 1],
        },
        { name: 'friction', field: material.mu, initial: friction, transform: 'log' },
        ...scale.position(vectorUnknowns('position', Body.position, position, 0.05)),
        ...vectorUnknowns('velocity', Body.velocity, velocity, 0.1),
        ...fall.parameters,
        dragUnknown(Body.drag, radius, measured.mass, flight.drag),
        ...(camera.isPlaced ? [] : [{ name: 'floor', field: HalfSpace.offset, initial: floor, scale: 0.05 }]),
        ...[...lengths.parameters, ...camera.parameters],
      ],
      given: [...lengths.given, ...camera.given],
      ties: [...camera.ties, ...fall.ties, ...size.ties, ...scale.flightTies(Body.position, bounce.time)],
      outlines: seen.outlines,
      sizeBias: seen.sizeBias,
      options: { search: { horizons: [0.5, 0.75, 1], hops: 3 }, checks: [seen.check] },
    }),
  ];
}
