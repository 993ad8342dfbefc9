import { articulated, Gravity, gravity, Link } from '@gradsim/articulated';
import { buildModel, createScene } from '@gradsim/core';
import {
  circleIn,
  fitBallOutlines,
  measuredCamera,
  measuredScale,
  observedOutlines,
  outlineFitStage,
  outlineRadius,
  placeUnknowns,
  projectedOutline,
} from '@gradsim/film';
import { filmOf, gravityUnknown, type KindContext, type MeasuredBy } from '@gradsim/kinds/define';
import type { NamedValues, Stage } from '@gradsim/optim';
import { PinholeCamera } from '@gradsim/render';
import { AZIMUTH, coneOf, heightOf, inertiaOf, momentOf, orientationOf, roundCheck, spinOf } from './cone.ts';
import type { measures } from './measures.ts';

/** Standard deviation of the tilt of a camera that may look down at the circle, rad. */
const TILTED = 0.5;
/** The hook and the ball among the links. */
const [HOOK, BALL] = [[1], [2]];

/** Model, unknowns and observations. */
export async function stages(measured: MeasuredBy<typeof measures>, context: KindContext): Promise<Stage[]> {
  const { log, signal } = context;
  // Observations: the circle of the ball and its outlines from all pixels.
  const film = await filmOf(measured, context);
  const camera = await measuredCamera(film, measured, ['tilt', 'roll']);
  const scale = measuredScale(film.size, camera, film.marked({ ...measured, length: undefined }));
  const { isPlaced } = camera;
  const { track, start } = circleIn(film.tracks, measured.track, camera.view, { radius: scale.radius, isPlaced });
  const { centre, around, down } = start;
  const radius = measured.radius ?? start.radius;
  log(`the ball, track ${track.name}, goes round on a circle of ${around.toFixed(3)} m`);
  const seen = await fitBallOutlines(film, camera.view, { approximate: observedOutlines(film, track), signal });

  // The model: a ball at the end of a string that turns any way about its hook, which is above the middle of the circle.
  const { length, pull, ...cone } = coneOf(measured, start);
  const scene = createScene([
    articulated(),
    projectedOutline({ ...film.size, camera: PinholeCamera, centre: Link.position, element: BALL[0], radius }),
  ]);
  const middle = scene.add(Link, { joint: 'fixed', anchor: centre }, 'the middle');
  const body = { mass: 1, centre: [0, -length / 2, 0], inertia: inertiaOf(length, radius) } as const;
  const hook = scene.add(Link, { parent: middle, joint: 'ball', anchor: [0, length, 0], ...body }, 'the string');
  scene.add(Link, { parent: hook, joint: 'fixed', anchor: [0, -length, 0] }, 'the ball');
  scene.add(Gravity, { acceleration: [0, -pull, 0] });
  scene.add(PinholeCamera, camera.values, 'the camera');

  // The unknowns.
  const fall = gravityUnknown(gravity, measured, pull, "Does the length reach to the ball's centre?");
  const lengths = scale.lengths({ radius });
  const place = placeUnknowns(camera, scale, { name: 'middle', field: Link.anchor, position: centre });
  const held = camera.parameters.map((spec) =>
    spec.name === 'tilt of the camera'
      ? { ...spec, initial: -down, prior: { mean: 0, standardDeviation: TILTED } }
      : spec,
  );
  return [
    outlineFitStage(film, buildModel(scene), {
      name: 'conical',
      substeps: 16,
      parameters: [
        ...[...fall.parameters, ...cone.parameters],
        { name: AZIMUTH, initial: start.azimuth, scale: 0.05, unit: 'rad' },
        { name: 'damping', transform: 'log', initial: 0.1, unit: '1/s' },
        ...[...place.parameters, ...lengths.parameters, ...held],
      ],
      given: [...cone.given, ...lengths.given, ...camera.given],
      ties: [
        ...[...camera.ties, ...fall.ties, ...place.ties],
        { field: outlineRadius, compute: (v) => v.radius },
        { field: Link.anchor, elements: HOOK, compute: (v) => [0, heightOf(v), 0] },
        { field: Link.jointOrientation, elements: HOOK, compute: orientationOf },
        { field: Link.angularVelocity, elements: HOOK, compute: spinOf },
        { field: Link.anchor, elements: BALL, compute: (v) => [0, -v.length, 0] },
        { field: Link.centre, elements: HOOK, compute: (v) => [0, -v.length / 2, 0] },
        { field: Link.inertia, elements: HOOK, compute: (v) => inertiaOf(v.length, v.radius) },
        // The air pulls with -2 c v, a torque of -2 c I w about the hook.
        { field: Link.damping, elements: HOOK, compute: (v) => 2 * v.damping * momentOf(v.length, v.radius) },
      ],
      derived: {
        'radius of the circle': { unit: 'm', compute: (v: NamedValues) => Math.sqrt(v.length ** 2 - heightOf(v) ** 2) },
      },
      outlines: seen.outlines,
      sizeBias: seen.sizeBias,
      options: { search: { horizons: [0.2, 0.4, 0.7, 1] }, checks: [seen.check, roundCheck(measured)] },
    }),
  ];
}
