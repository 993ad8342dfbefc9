import { articulated, Gravity, Link } from '@gradsim/articulated';
import { buildModel, createScene } from '@gradsim/core';
import {
  givenAngle,
  measuredCamera,
  measuredScale,
  outlineFitStage,
  placeUnknowns,
  projectedOutline,
  rollIn,
} from '@gradsim/film';
import { filmOf, type KindContext, type MeasuredBy } from '@gradsim/kinds/define';
import type { NamedValues, Stage } from '@gradsim/optim';
import { PinholeCamera } from '@gradsim/render';
import { outlinesOfUsualSize } from '../film/usual-sizes.ts';
import { boxOfCart, depthOfCart, middleOfBox } from './box-middle.ts';
import type { measures } from './measures.ts';
import { halfLength, LEAST_SHARE, sameSizeCheck } from './same-size.ts';
import { accelerationUnknowns, frictionUnknown, USUAL_FRICTION } from './unknowns.ts';
import { axisOf, cartPathOf } from './way.ts';

const RADIANS = Math.PI / 180;
/** Turn of the track from the plane of the picture, and its standard deviation, rad: 17 degrees. */
const [TURN, ACROSS] = ['turn of the track', 0.3];

/** Model, unknowns and observations. */
export async function stages(measured: MeasuredBy<typeof measures>, context: KindContext): Promise<Stage[]> {
  const film = await filmOf(measured, context);
  const isTilted = measured.angle !== null;
  const angle = isTilted ? 'angle' : 'angle in the picture';
  const unplaced = { ...measured, eye: null, target: null };
  const camera = await measuredCamera(film, unplaced, isTilted ? ['roll'] : []);
  const scale = measuredScale(film.size, camera, film.marked({ ...measured, radius: null }));

  // Observations: the middle of its mask, which is no ball's; that of one as large is drawn over the film.
  const { track, start } = rollIn(film.tracks, measured.track, camera.view, scale.radius);
  const way = cartPathOf(start, film.times.at(-1)!, measured);
  const { position, radius } = start;
  const outlines = outlinesOfUsualSize(film, track);
  const half = radius * halfLength(film, track);
  context.log(`from the track alone: ${start.acceleration.toFixed(3)} m/s^2`);

  // The model: a point on a line, of mass 1, on which its way does not depend. What drives it is a force, or gravity.
  const pull = isTilted ? measured.gravity : 0;
  const friction = isTilted ? way.friction : way.turns ? USUAL_FRICTION : 0;
  const braking = (mu: number, tilt: number): number => mu * measured.gravity * Math.cos(isTilted ? tilt * RADIANS : 0);
  const brakingAt = (v: NamedValues): number => braking(v.friction, v[angle]);
  const scene = createScene([
    articulated({ implicitJoints: true }),
    boxOfCart(half),
    projectedOutline({ ...film.size, camera: PinholeCamera, centre: middleOfBox, element: 0, radius }),
  ]);
  const line = { joint: 'prismatic', axis: axisOf(way), anchor: position, rate: way.speed } as const;
  const drive = isTilted ? 0 : way.acceleration;
  scene.add(Link, { ...line, mass: 1, drive, dryFriction: braking(friction, way.angle) }, 'the cart');
  scene.add(Gravity, { acceleration: [0, -pull, 0] });
  scene.add(PinholeCamera, camera.values, 'the camera');

  // The unknowns.
  const lengths = scale.lengths({});
  const place = placeUnknowns(camera, scale, { name: 'place', field: Link.anchor, position, turn: TURN });
  return [
    outlineFitStage(film, buildModel(scene), {
      name: 'cart',
      substeps: 16,
      parameters: [
        ...(isTilted ? [] : accelerationUnknowns(drive, [angle, way.angle])),
        ...(friction > 0 ? [frictionUnknown(friction)] : []),
        { name: 'speed', field: Link.rate, initial: way.speed, scale: 0.1, unit: 'm/s' },
        { name: TURN, initial: 0, scale: 0.1, unit: 'rad', prior: { mean: 0, standardDeviation: ACROSS } },
        ...[...place.parameters, depthOfCart(half), ...camera.parameters],
      ],
      given: [...(isTilted ? [givenAngle(angle, way.angle, measured)] : []), ...[...lengths.given, ...camera.given]],
      ties: [
        ...[...camera.ties, ...place.ties],
        { field: Link.axis, compute: (v) => axisOf(way, v[angle], v[TURN]) },
        ...(friction > 0 ? [{ field: Link.dryFriction, compute: brakingAt }] : []),
      ],
      ...(isTilted && {
        derived: {
          acceleration: {
            unit: 'm/s^2',
            compute: (v) => pull * Math.sin(v[angle] * RADIANS) - way.heads * brakingAt(v),
          },
        },
      }),
      outlines,
      hasSizes: false,
      leastShare: LEAST_SHARE,
      options: { search: { horizons: [1] }, checks: [sameSizeCheck(film, track)] },
    }),
  ];
}
