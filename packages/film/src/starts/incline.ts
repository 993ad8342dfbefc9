import type { FieldKey } from '@gradsim/core';
import { dot } from '@gradsim/numeric';
import type { TieSpec } from '@gradsim/optim';
import type { Track } from '@gradsim/video';
import type { FilmCamera } from '../camera.ts';
import type { V3 } from './path.ts';

/** A plane that descends along x, to the side on which something slides, level along z. */
export interface Incline {
  readonly point: V3;
  /** Unit vectors: away from the plane, and down along it. */
  readonly normal: V3;
  readonly downhill: V3;
  /** Distance from the origin along its normal, m. */
  readonly offset: number;
  /** Tilt from level, rad. */
  readonly tilt: number;
  /** Point above the plane: metres downhill from its point, across along z, and away from it. */
  placeAt(downhill: number, across: number, height: number): number[];
  /** Orientation x, y, z, w of a box that lies on it, rotated about its normal, rad. */
  orientationAt(turn: number): number[];
  /** Coordinates of a point, m: downhill from the plane's point, and across along z. */
  along(place: V3): { readonly downhill: number; readonly across: number };
}

/**
 * The incline on which something slides: x goes to the right of the picture or to its left, whichever way the track goes.
 *
 * ```ts
 * const incline = inclineOf(track, camera, { angle: 25, point: [0, 0, 0] });
 * const start = startOfSlide(track, camera, { plane: incline, height: 0.04 });
 * ```
 * @param incline its angle from level, degrees, and a point of it, m.
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

/** Fields of the sliding thing, and of the plane below it: `Body` and `HalfSpace`. */
export interface SlideFields {
  readonly body: { readonly position: FieldKey; readonly velocity: FieldKey; readonly orientation: FieldKey };
  readonly plane: { readonly normal: FieldKey; readonly offset: FieldKey };
}

/**
 * Ties of a box on an incline, by unknowns and given quantities of these names: `angle` of the incline, degrees; `downhill` and
 * `across`, where it starts, and `height` of the box, m; its `speed`, m/s; `turn of the box` about the normal, rad.
 *
 * ```ts
 * const ties = slideTies((angle) => inclineOf(track, camera, { angle, point }), { body: Body, plane: HalfSpace });
 * ```
 * @param sunk depth of its lower side below the plane, m. Default 0.
 */
export function slideTies(inclineAt: (angle: number) => Incline, { body, plane }: SlideFields, sunk = 0): TieSpec[] {
  return [
    { field: body.position, of: (v) => inclineAt(v.angle).placeAt(v.downhill, v.across, v.height / 2 - sunk) },
    { field: body.velocity, of: (v) => inclineAt(v.angle).downhill.map((c) => c * v.speed) },
    { field: body.orientation, of: (v) => inclineAt(v.angle).orientationAt(v['turn of the box']) },
    { field: plane.normal, of: (v) => [...inclineAt(v.angle).normal] },
    { field: plane.offset, of: (v) => inclineAt(v.angle).offset },
  ];
}
