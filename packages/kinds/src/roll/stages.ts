import { articulated, Gravity, gravity, Link } from '@gradsim/articulated';
import { buildModel, createScene } from '@gradsim/core';
import {
  givenBall,
  measuredCamera,
  measuredScale,
  outlineFitStage,
  placeUnknowns,
  projectedOutline,
  rollIn,
} from '@gradsim/film';
import { filmOf, gravityUnknown, type KindContext, type MeasuredBy } from '@gradsim/kinds/define';
import { ballInertia } from '@gradsim/mesh';
import type { Stage } from '@gradsim/optim';
import { PinholeCamera } from '@gradsim/render';
import { downhillOf, rollUnknowns } from './braked.ts';
import type { measures } from './measures.ts';
import { rollOutlines } from './seen.ts';

/** Standard deviation of the angle between the plane of the way and the plane of the picture, rad: 17 degrees. */
const PLANE_DEVIATION = 0.3;
const TURN = 'turn of the plane';
const QUESTION = 'Is the angle right, and the radius a radius?';

/** Model, unknowns and observations. */
export async function stages(measured: MeasuredBy<typeof measures>, context: KindContext): Promise<Stage[]> {
  const { log, signal } = context;
  // Observations: the way of the ball and its outlines from all pixels.
  const film = await filmOf(measured, context);
  const camera = await measuredCamera(film, measured, ['tilt', 'roll']);
  const scale = measuredScale(film.size, camera, film.marked(measured));
  const found = rollIn(film.tracks, measured.track, camera.view, scale.radius);
  const start = downhillOf(found.start, film.times.at(-1)!);
  const { position, speed, side, planeRotation } = start;
  const radius = measured.radius ?? start.radius;
  const seen = await rollOutlines(film, camera.view, found, signal);

  // The model: a ball on a line, which feels its turning as an armature. Of mass 1, on which its way does not depend.
  const { angle, factor, friction, camera: held, ...brakes } = rollUnknowns(measured, start, camera);
  log(
    `from the track alone: ${start.acceleration.toFixed(3)} m/s^2 downhill, at ${((180 / Math.PI) * start.angle).toFixed(1)} degrees in the picture`,
  );
  const pull = measured.gravity ?? 9.81;
  const downhill = (degrees: number, turned: number): number[] => {
    const tilt = (degrees * Math.PI) / 180;
    return [side * Math.cos(tilt) * Math.cos(turned), -Math.sin(tilt), -side * Math.cos(tilt) * Math.sin(turned)];
  };
  const scene = createScene([
    articulated({ implicitJoints: true }),
    projectedOutline({ ...film.size, camera: PinholeCamera, centre: Link.position, radius }),
  ]);
  const inertia = ballInertia(radius);
  const moves = { joint: 'prismatic', axis: downhill(angle, planeRotation), anchor: position, rate: speed } as const;
  const dryFriction = friction * pull * Math.cos((angle * Math.PI) / 180);
  scene.add(Link, { ...moves, mass: 1, armature: factor, dryFriction, inertia }, 'the ball');
  scene.add(Gravity, { acceleration: [0, -pull, 0] });
  scene.add(PinholeCamera, camera.values, 'the camera');

  // The unknowns.
  const fall = gravityUnknown(gravity, measured, pull, QUESTION);
  const lengths = scale.lengths({ radius });
  const place = placeUnknowns(camera, scale, { name: 'place', field: Link.anchor, position, turn: TURN });
  const size = givenBall(radius, measured, { inertia: Link.inertia });
  return [
    outlineFitStage(film, buildModel(scene), {
      name: 'roll',
      substeps: 16,
      parameters: [
        ...[...brakes.parameters, ...fall.parameters],
        { name: 'speed', field: Link.rate, initial: speed, scale: 0.1, unit: 'm/s' },
        ...place.parameters,
        {
          name: TURN,
          initial: planeRotation,
          scale: PLANE_DEVIATION,
          unit: 'rad',
          prior: { mean: planeRotation, standardDeviation: PLANE_DEVIATION },
        },
        ...[...lengths.parameters, ...held],
      ],
      given: [...brakes.given, ...lengths.given, ...camera.given],
      ties: [
        ...[...camera.ties, ...fall.ties, ...size.ties, ...brakes.ties],
        ...place.ties,
        { field: Link.axis, compute: (v) => downhill(v.angle, v[TURN]) },
      ],
      derived: brakes.derived,
      outlines: seen.outlines,
      sizeBias: seen.sizeBias,
      options: { search: { horizons: [1] }, checks: [seen.check] },
    }),
  ];
}
