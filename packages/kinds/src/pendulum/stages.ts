import { articulated, Gravity, gravity, Link } from '@gradsim/articulated';
import { buildModel, createScene } from '@gradsim/core';
import {
  fitBallOutlines,
  givenBall,
  measuredCamera,
  measuredScale,
  observedOutlines,
  outlineFitStage,
  projectedOutline,
  swingIn,
  vectorUnknowns,
} from '@gradsim/film';
import { filmOf, gravityUnknown, type KindContext, type MeasuredBy } from '@gradsim/kinds/define';
import { ballInertia } from '@gradsim/mesh';
import type { Stage } from '@gradsim/optim';
import { PinholeCamera } from '@gradsim/render';
import type { measures } from './measures.ts';

/** Standard deviation of the angle between the plane of the swing and the plane of the picture, rad: 17 degrees. */
const PLANE_DEVIATION = 0.3;
const TURN = 'turn of the plane';
/** Options shared by the parameters of the rod, element 0 of the links. */
const ROD = { elements: [0], scale: 0.05 };

/** Model, unknowns and observations. */
export async function stages(measured: MeasuredBy<typeof measures>, context: KindContext): Promise<Stage[]> {
  const { log, signal } = context;
  // Observations: the swing of the ball and its outlines from all pixels.
  const film = await filmOf(measured, context);
  const camera = await measuredCamera(film, measured, ['tilt', 'roll']);
  const scale = measuredScale(film.size, camera, film.marked(measured));
  const { track, start: swing } = swingIn(film.tracks, measured.track, camera.view, scale);
  const { length, angle: coordinate, rate } = swing;
  const radius = measured.radius ?? swing.radius;
  log(`the ball, track ${track.name}, is ${(1000 * swing.residual).toFixed(1)} mm off the nearest arc, usually`);
  const seen = await fitBallOutlines(film, camera.view, { approximate: observedOutlines(film, track), signal });

  // The model: a ball at the end of a rod that rotates about its pivot.
  const pull = measured.gravity ?? swing.pull ?? 9.81;
  const pivot = measured.pivot ?? swing.pivot;
  const scene = createScene([
    articulated(),
    projectedOutline({ ...film.size, camera: PinholeCamera, centre: Link.position, element: 1, radius }),
  ]);
  const rod = scene.add(Link, { joint: 'revolute', anchor: pivot, coordinate, rate }, 'the rod');
  // Of mass 1: the swing of a pendulum does not depend on its mass.
  const inertia = ballInertia(radius);
  scene.add(Link, { parent: rod, joint: 'fixed', anchor: [0, -length, 0], mass: 1, inertia }, 'the ball');
  scene.add(Gravity, { acceleration: [0, -pull, 0] });
  scene.add(PinholeCamera, camera.values, 'the camera');

  // The unknowns: besides those of the swing, its plane, and the tilt of the camera, if it was not measured.
  const fall = gravityUnknown(gravity, measured, pull, "Does the length reach to the ball's centre?");
  const lengths = scale.lengths({ radius, length });
  const size = givenBall(radius, measured, { inertia: Link.inertia, element: 1 });
  const axes = scale.position(vectorUnknowns('pivot', Link.anchor, pivot, ROD.scale));
  const prior = { mean: swing.planeRotation, standardDeviation: PLANE_DEVIATION };
  return [
    outlineFitStage(film, buildModel(scene), {
      name: 'pendulum',
      substeps: 16,
      parameters: [
        { name: 'damping', transform: 'log', initial: 0.1, unit: '1/s' },
        { name: 'angle', field: Link.coordinate, initial: coordinate, unit: 'rad', ...ROD },
        { name: 'rate', field: Link.rate, initial: rate, unit: 'rad/s', ...ROD },
        ...(measured.pivot ? [] : axes.map((spec) => ({ ...spec, ...ROD }))),
        { name: TURN, initial: swing.planeRotation, scale: PLANE_DEVIATION, unit: 'rad', prior },
        ...fall.parameters,
        ...[...lengths.parameters, ...camera.parameters],
      ],
      given: [...lengths.given, ...camera.given],
      ties: [
        ...camera.ties,
        ...[...size.ties, ...scale.swingTies(Link.anchor, { turn: TURN, x: 'pivot x' })],
        { field: Link.anchor, elements: [1], compute: (v) => [0, -v.length, 0] },
        { field: Link.axis, elements: [0], compute: (v) => [Math.sin(v[TURN]), 0, Math.cos(v[TURN])] },
        // theta'' = ... - c / I theta', so that amplitudes decay as exp(-c / (2 I) t).
        {
          field: Link.damping,
          elements: [0],
          compute: (v) => 2 * v.damping * (v.length ** 2 + ballInertia(v.radius)[0]),
        },
        ...fall.ties,
      ],
      outlines: seen.outlines,
      sizeBias: seen.sizeBias,
      options: { search: { horizons: [0.2, 0.4, 0.7, 1] }, checks: [seen.check] },
    }),
  ];
}
