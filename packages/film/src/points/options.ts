import type { FieldOf, Quat, Vec3 } from '@gradsim/core';
import { GradsimError, refuseUnknownOptions } from '@gradsim/core';
import type { CameraKind } from '@gradsim/render';
import type { Size } from '@gradsim/video';

/** A point that is tracked in the picture. */
export interface FollowedPoint {
  /** Element of the field `of`: the number of the body or particle. */
  readonly element: number;
  /** Position on the body, in its axes, m. Default its centre. As an unknown it is `NAMEMarkers.local`. */
  readonly local?: readonly [number, number, number];
  /**
   * Radius of a ball, m: the tracked point is then the middle of its outline, which is not the image of its centre.
   * Default 0.
   */
  readonly radius?: number;
}

/** Shutter of a camera: points are seen when their row is exposed. */
export interface ShutterOptions {
  /** Frames a second of the film, and of the problem. */
  readonly frameRate: number;
  /**
   * Exposure as a part of the time from frame to frame. As an unknown it is `cameras.NAMEShutter`. Default 0,
   * instantaneous.
   */
  readonly shutter?: number;
  /** Seconds from the first row's exposure to the last row's (rolling shutter). As an unknown it is `cameras.NAMEReadout`. Default 0. */
  readonly readout?: number;
}

/** Options of `points`. */
export interface PointsOptions extends Size {
  /** The kind of the scene's cameras; each sees all points. */
  readonly camera: CameraKind;
  /** Field that the points belong to: `Particle.position`, `Body.position`. */
  readonly of: FieldOf<Vec3>;
  /** `Body.orientation`, for points that are fixed to bodies off their origin. */
  readonly turned?: FieldOf<Quat>;
  readonly points: readonly FollowedPoint[];
  /** Default: all points at the moment of the frame. */
  readonly exposure?: ShutterOptions;
  /** Prefix of its fields, for several in one scene. Default `points`. */
  readonly name?: string;
}

/** Names of the fields that the plugin `points` of a name has. */
export const pointFields = (name = 'points') => ({
  /** Positions in the picture, px from the left and the upper edge, [camera][point]. */
  seen: `${name}.seen`,
  /** Positions in the axes of the body, m, by point. */
  local: `${name}Markers.local`,
  /** Exposure as a part of the time from frame to frame, by camera. */
  shutter: `cameras.${name}Shutter`,
  /** Readout time from the first row to the last, s, by camera. */
  readout: `cameras.${name}Readout`,
});

/** @throws for invalid options. */
export function checkOptions(options: PointsOptions): void {
  refuseUnknownOptions<PointsOptions>('points', options, {
    width: 0,
    height: 0,
    camera: 0,
    of: 0,
    turned: 0,
    points: 0,
    exposure: 0,
    name: 0,
  });
  const { width, height, turned, points: all, exposure, name = 'points' } = options;
  if (!/^[a-z]\w*$/i.test(name))
    throw new GradsimError('film/option-out-of-range', `points: name is "${name}".`, {
      field: 'name',
      hint: 'It must be a word.',
    });
  for (const [key, value] of Object.entries({ width, height }))
    if (!(Number.isInteger(value) && value > 0))
      throw new GradsimError('film/option-out-of-range', `points: ${key} is ${value}.`, {
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
    if (point.local?.some((c) => c !== 0) && !turned)
      throw new GradsimError(
        'film/no-orientation',
        `${what} is off the centre (local), and nothing says how that is turned.`,
        { hint: 'Give `turned`, as Body.orientation.' },
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
    throw new GradsimError('film/option-out-of-range', `points: exposure.frameRate is ${frameRate}.`, {
      field: 'exposure.frameRate',
      hint: 'It must be a number above 0, in frames a second.',
    });
  if (!(shutter >= 0 && readout >= 0 && shutter + readout * frameRate <= 1))
    throw new GradsimError(
      'film/option-out-of-range',
      `points: an exposure of ${shutter} of a frame and a readout of ${readout} s end after the next frame begins; shutter + readout x frameRate is at most 1, and none is below 0.`,
    );
}
