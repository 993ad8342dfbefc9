import type { FieldOf, Quat, Vec3 } from '@gradsim/core';
import { describeValue, GradsimError, refuseUnknownOptions } from '@gradsim/core';
import type { CameraKind } from '@gradsim/render';
import type { Size } from '@gradsim/video';

/** A point that is tracked in pictures. */
export interface FollowedPoint {
  /** Index of the body or particle in the domain of the field `position`. */
  readonly element: number;
  /**
   * Position on the body, in its axes, m. Default: its origin. To estimate it, use the field `NAMEMarkers.local`, with
   * NAME the plugin's `name`.
   */
  readonly local?: readonly [number, number, number];
  /**
   * Radius of a ball, m: the tracked point is then the middle of its outline, which is not the image of its centre.
   * Default 0.
   */
  readonly radius?: number;
}

/** Shutter of the cameras, by which points are seen while their row is exposed. */
export interface ShutterOptions {
  /** Frame rate of the film, and of the problem, frames/s. */
  readonly frameRate: number;
  /**
   * Exposure time as a fraction of the frame interval. To estimate it, use the field `cameras.NAMEShutter`, with NAME
   * the plugin's `name`. Default 0, instantaneous.
   */
  readonly shutter?: number;
  /**
   * Time from the first row's exposure to the last row's (rolling shutter), s. To estimate it, use the field
   * `cameras.NAMEReadout`, with NAME the plugin's `name`. Default 0.
   */
  readonly readout?: number;
}

/** Options of `points`. */
export interface PointsOptions extends Size {
  /** Component kind of the scene's cameras; each camera sees all points. */
  readonly camera: CameraKind;
  /** Position field of the bodies or particles that the points belong to: `Particle.position`, `Body.position`. */
  readonly position: FieldOf<Vec3>;
  /** Orientation field, `Body.orientation`: required for points that are not at their body's origin. */
  readonly orientation?: FieldOf<Quat>;
  readonly points: readonly FollowedPoint[];
  /** Exposure of the cameras. Default: all points are seen at the instant of the frame. */
  readonly exposure?: ShutterOptions;
  /** Prefix of the plugin's field names, for several such plugins in one scene. Default `points`. */
  readonly name?: string;
}

/** Field names of a plugin `points` with this name. */
export const pointFields = (name = 'points') => ({
  /** Positions in the picture, px from the left and the upper edge; flat, in the order [camera][point]. */
  seen: `${name}.seen`,
  /** Positions of the points in the axes of their bodies, m, by point. */
  local: `${name}Markers.local`,
  /** Exposure time as a fraction of the frame interval, by camera. */
  shutter: `cameras.${name}Shutter`,
  /** Time from the first row's exposure to the last row's, s, by camera. */
  readout: `cameras.${name}Readout`,
});

/** @throws for invalid options. */
export function checkOptions(options: PointsOptions): void {
  refuseUnknownOptions<PointsOptions>('points', options, {
    width: 0,
    height: 0,
    camera: 0,
    position: 0,
    orientation: 0,
    points: 0,
    exposure: 0,
    name: 0,
  });
  const { width, height, orientation, points: all, exposure, name = 'points' } = options;
  if (!/^[a-z]\w*$/i.test(name))
    throw new GradsimError('film/option-out-of-range', `points: name is "${name}".`, {
      field: 'name',
      hint: 'It must be a word.',
    });
  for (const [key, value] of Object.entries({ width, height }))
    if (!(Number.isInteger(value) && value > 0))
      throw new GradsimError('film/option-out-of-range', `points: ${key} is ${describeValue(value)}.`, {
        field: key,
        hint: 'It must be a whole number of pixels.',
      });
  if (all.length === 0)
    throw new GradsimError('film/no-points', 'points names no point.', { hint: 'Give at least one in `points`.' });
  all.forEach((point, k) => {
    const what = `points: point ${k}`;
    refuseUnknownOptions<FollowedPoint>(what, point, { element: 0, local: 0, radius: 0 });
    if (!(Number.isInteger(point.element) && point.element >= 0))
      throw new GradsimError('film/option-out-of-range', `${what} has the element ${point.element}.`, {
        hint: 'It must be a whole number from 0.',
      });
    if (point.local?.some((c) => c !== 0) && !orientation)
      throw new GradsimError(
        'film/no-orientation',
        `${what} is off the centre (local), and nothing says how that is turned.`,
        { hint: 'Give `orientation`, as Body.orientation.' },
      );
    if (!((point.radius ?? 0) >= 0))
      throw new GradsimError('film/option-out-of-range', `${what} has the radius ${point.radius}.`, {
        hint: 'It must be at least 0, in metres.',
      });
  });
  if (!exposure) return;
  refuseUnknownOptions<ShutterOptions>('points: exposure', exposure, {
    frameRate: 0,
    shutter: 0,
    readout: 0,
  });
  const { frameRate, shutter = 0, readout = 0 } = exposure;
  if (!(frameRate > 0 && Number.isFinite(frameRate)))
    throw new GradsimError('film/option-out-of-range', `points: exposure.frameRate is ${describeValue(frameRate)}.`, {
      field: 'exposure.frameRate',
      hint: 'It must be a number above 0, in frames a second.',
    });
  if (!(shutter >= 0 && readout >= 0 && shutter + readout * frameRate <= 1))
    throw new GradsimError(
      'film/option-out-of-range',
      `points: an exposure of ${shutter} of a frame and a readout of ${readout} s end after the next frame begins; shutter + readout x frameRate is at most 1, and none is below 0.`,
    );
}
