import { dot } from '@gradsim/base';
import type { FieldKey } from '@gradsim/core';
import type { TieSpec } from '@gradsim/optim';
import type { Track } from '@gradsim/video';
import type { FilmCamera } from '../film-camera.ts';
import type { V3 } from './path.ts';

/** Inclined plane on which something slides: it descends along x, or along -x, and is level along z. */
export interface Incline {
  readonly point: V3;
  /** Unit vectors: the plane's normal, upwards, and the direction of steepest descent. */
  readonly normal: V3;
  readonly downhill: V3;
  /** Distance of the plane from the origin along its normal, m. */
  readonly offset: number;
  /** Angle between the plane and the horizontal, rad. */
  readonly tilt: number;
  /**
   * World position, m, from distances in m: downhill from the plane's point, across along z, and away from the plane.
   */
  placeAt(downhill: number, across: number, height: number): number[];
  /**
   * Orientation, a quaternion x, y, z, w, of a box that lies on the plane, rotated about the plane's normal by `turn`,
   * rad.
   */
  orientationAt(turn: number): number[];
  /** Distances of a world point from the plane's point, m: downhill, and across along z. */
  along(place: V3): { readonly downhill: number; readonly across: number };
}

/**
 * The incline on which something slides: it descends to the right of the picture or to its left, as the track does.
 *
 * ```ts
 * const incline = inclineOf(track, camera, { angle: 25, point: [0, 0, 0] });
 * const start = startOfSlide(track, camera, { plane: incline, height: 0.04 });
 * ```
 * @param incline its angle from the horizontal, degrees, and a point of it, m.
 */
export function inclineOf(
  { points }: Track,
  camera: FilmCamera,
  { angle, point }: { readonly angle: number; readonly point: V3 },
): Incline {
  const right = camera.axes([1, 0, 0])[0] - camera.axes([0, 0, 0])[0];
  const side = Math.sign((points[points.length - 1].x - points[0].x) * right);
  const tilt = (angle * Math.PI) / 180;
  const [sine, cosine] = [Math.sin(tilt), Math.cos(tilt)];
  const [normal, downhill] = [
    [side * sine, cosine, 0],
    [side * cosine, -sine, 0],
  ];
  return {
    point,
    normal,
    downhill,
    offset: dot(normal, point),
    tilt,
    placeAt: (far, across, height) =>
      point.map((c, k) => c + far * downhill[k] + height * normal[k] + (k === 2 ? across : 0)),
    orientationAt: (turn) => {
      // First about the box's own y, then down by the tilt about -z or z.
      const [a, b] = [Math.sin(turn / 2), Math.cos(turn / 2)];
      const [c, d] = [-side * Math.sin(tilt / 2), Math.cos(tilt / 2)];
      return [-c * a, d * a, c * b, d * b];
    },
    along: (place) => {
      const away = place.map((c, k) => c - point[k]);
      return { downhill: dot(away, downhill), across: away[2] };
    },
  };
}

/** Fields of the sliding body and of the plane below it, as those of `Body` and `HalfSpace`. */
export interface SlideFields {
  readonly body: { readonly position: FieldKey; readonly velocity: FieldKey; readonly orientation: FieldKey };
  readonly plane: { readonly normal: FieldKey; readonly offset: FieldKey };
}

/**
 * Ties that compute the fields of a box on an incline from unknowns and given quantities with these names: `angle` of
 * the incline, degrees; `downhill` and `across`, the start position, and `height` of the box, m; `speed`, m/s; `turn of
 * the box` about the normal, rad.
 *
 * ```ts
 * const ties = slideTies((angle) => inclineOf(track, camera, { angle, point }), { body: Body, plane: HalfSpace });
 * ```
 * @param sunk depth of the box's lower side below the plane, m. Default 0.
 */
export function slideTies(inclineAt: (angle: number) => Incline, { body, plane }: SlideFields, sunk = 0): TieSpec[] {
  return [
    { field: body.position, compute: (v) => inclineAt(v.angle).placeAt(v.downhill, v.across, v.height / 2 - sunk) },
    { field: body.velocity, compute: (v) => inclineAt(v.angle).downhill.map((c) => c * v.speed) },
    { field: body.orientation, compute: (v) => inclineAt(v.angle).orientationAt(v['turn of the box']) },
    { field: plane.normal, compute: (v) => [...inclineAt(v.angle).normal] },
    { field: plane.offset, compute: (v) => inclineAt(v.angle).offset },
  ];
}
