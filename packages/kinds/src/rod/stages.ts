import { articulated, Gravity, gravity, Link } from '@gradsim/articulated';
import { buildModel, createScene } from '@gradsim/core';
import {
  measuredCamera,
  measuredScale,
  outlineFitStage,
  planeScale,
  projectedOutline,
  swingIn,
  vectorUnknowns,
} from '@gradsim/film';
import { filmOf, gravityUnknown, type KindContext, type MeasuredBy } from '@gradsim/kinds/define';
import type { Stage } from '@gradsim/optim';
import { PinholeCamera } from '@gradsim/render';
import { leanCheck } from '../film/lean.ts';
import { barsOf, endsOfRod, LEAST_SHARE, middleOfEnds } from './ends.ts';
import type { measures } from './measures.ts';
import { GYRATION, inertiaOf, momentOf, rodInertia } from './turned.ts';

/** Standard deviation of the angle between the plane of the swing and the plane of the picture, rad: 17 degrees. */
const PLANE_DEVIATION = 0.3;
const TURN = 'turn of the plane';
const OTHERWISE =
  'If it bends, that is the kind chain, by gradsim new chain. Does the length reach from the pivot to the centre of mass?';
/** Options shared by the parameters of the joint, element 0 of the links. */
const JOINT = { elements: [0], scale: 0.05 };

/** Model, unknowns and observations. */
export async function stages(measured: MeasuredBy<typeof measures>, context: KindContext): Promise<Stage[]> {
  // Observations: the middle between the ends of its mask; a ball as wide is drawn over the film.
  const film = await filmOf(measured, context);
  const camera = await measuredCamera(film, { ...measured, eye: null, target: null }, ['tilt', 'roll']);
  const marked = film.marked({ ...measured, radius: null });
  const scale = measuredScale(film.size, camera, marked);
  const { track, start: swing } = swingIn(film.tracks, measured.track, camera.view, scale);
  const { length, pivot, angle: coordinate, rate } = swing;
  const { pixelsPerMetre } = planeScale(film.size, marked);
  const { outlines, half, radius } = barsOf(film, track, pixelsPerMetre);
  context.log(
    `the middle, track ${track.name}, is ${(1000 * swing.residual).toFixed(1)} mm off the nearest arc, usually`,
  );

  const { gyration, pull, ...load } = rodInertia(measured, swing);

  // The model: a point at the centre of mass, with its inertia, at the end of a rod that rotates about the pivot.
  const scene = createScene([
    articulated(),
    endsOfRod(half),
    projectedOutline({ ...film.size, camera: PinholeCamera, centre: middleOfEnds, element: 0, radius }),
  ]);
  const parent = scene.add(Link, { joint: 'revolute', anchor: pivot, coordinate, rate }, 'the pivot');
  scene.add(
    Link,
    { parent, joint: 'fixed', anchor: [0, -length, 0], mass: 1, inertia: inertiaOf(gyration) },
    'the rod',
  );
  scene.add(Gravity, { acceleration: [0, -pull, 0] });
  scene.add(PinholeCamera, camera.values, 'the camera');

  const lean = leanCheck(track, pixelsPerMetre * length, 1, OTHERWISE);
  const fall = gravityUnknown(gravity, measured, pull, 'Is the length the one to the centre of mass?');
  const lengths = scale.lengths({ length });
  const axes = scale.position(vectorUnknowns('pivot', Link.anchor, pivot, JOINT.scale));
  return [
    outlineFitStage(film, buildModel(scene), {
      name: 'rod',
      substeps: 16,
      parameters: [
        ...load.parameters,
        ...fall.parameters,
        { name: 'damping', transform: 'log', initial: 0.1, unit: '1/s' },
        { name: 'angle', field: Link.coordinate, initial: coordinate, unit: 'rad', ...JOINT },
        { name: 'rate', field: Link.rate, initial: rate, unit: 'rad/s', ...JOINT },
        ...axes.map((spec) => ({ ...spec, ...JOINT })),
        {
          name: TURN,
          initial: swing.planeRotation,
          scale: PLANE_DEVIATION,
          unit: 'rad',
          prior: { mean: swing.planeRotation, standardDeviation: PLANE_DEVIATION },
        },
        ...[...lengths.parameters, ...camera.parameters],
      ],
      given: [...load.given, ...lengths.given, ...camera.given],
      ties: [
        ...[...camera.ties, ...fall.ties, ...scale.swingTies(Link.anchor, { turn: TURN, x: 'pivot x' })],
        { field: Link.anchor, elements: [1], compute: (v) => [0, -v.length, 0] },
        { field: Link.axis, elements: [0], compute: (v) => [Math.sin(v[TURN]), 0, Math.cos(v[TURN])] },
        { field: Link.inertia, elements: [1], compute: (v) => inertiaOf(v[GYRATION]) },
        { field: Link.damping, elements: [0], compute: (v) => 2 * v.damping * momentOf(v) },
      ],
      derived: { 'inertia about the pivot over mass': { unit: 'm^2', compute: momentOf } },
      outlines,
      hasSizes: false,
      leastShare: LEAST_SHARE,
      options: { search: { horizons: [0.4, 1], iterations: 200 }, checks: [lean] },
    }),
  ];
}
