import { dot, scale, subtract, upperMedian } from '@gradsim/base';
import type { FieldKey } from '@gradsim/core';
import { describeValue, GradsimError } from '@gradsim/core';
import type { GivenSpec, NamedValues, ParameterSpec, TieSpec } from '@gradsim/optim';
import type { Size, Track } from '@gradsim/video';
import type { Tolerances } from './given.ts';
import { givenLength, tolerancesOf } from './given.ts';
import { markError } from './mark-error.ts';
import type { MeasuredCamera, PlacedCamera } from './measured-camera.ts';
import { focalLengthOf } from './measured-camera.ts';
import { rayOutwards } from './ray-outwards.ts';
import { wholePoints } from './starts/tracks.ts';
import { TRACKS } from './tuning/tracks.ts';

/** Measurements of {@link measuredScale}. */
export interface MeasuredScale extends Partial<Tolerances> {
  /** Radius of the ball that moves, m; null if it was not measured and a length is marked. */
  readonly radius: number | null;
  /** Length of its rod or string, if it is a pendulum, m; null as for the radius. */
  readonly length?: number | null;
  /** Position of its pivot, m, where the camera's is known; null otherwise. */
  readonly pivot?: readonly number[] | null;
  /**
   * Two ends of a length in the plane of the motion, marked in a frame: x, y of each, px from the left and from the upper
   * edge. Null: nothing is marked.
   */
  readonly ends: readonly number[] | null;
  /** Distance between the ends, m. */
  readonly span: number | null;
}

/** Scale of the film of a ball: its radius, or a length that is marked in the plane of its motion, or both. */
export interface FilmScale {
  /** Radius of the ball with which a search for its track starts, m, or a function that returns it for a track. */
  readonly radius: number | ((track: Track) => number);
  /** Measured length of a pendulum, m; undefined if it is unknown or the film is of none. */
  readonly length: number | undefined;
  /**
   * The lengths of these names as given quantities, or as unknowns with these initial values if they were not measured, for
   * a problem; with the given quantities of the mark.
   */
  lengths(initial: Readonly<Record<string, number>>): {
    readonly given: readonly GivenSpec[];
    readonly parameters: readonly ParameterSpec[];
  };
  /**
   * Distance of the marked plane from a camera of unknown position, m, if `turn`, rad, rotates it about the vertical from
   * the one across z; undefined if nothing is marked.
   */
  readonly distance: ((values: NamedValues, turn?: number) => number) | undefined;
  /** Parameters of a position without its z, if the mark determines that. */
  position(parameters: readonly ParameterSpec[]): ParameterSpec[];
  /** Ties of the z of a flight's start by the mark, in whose plane it is at a time, s, with unknowns of `velocity`. */
  flightTies(field: FieldKey, time: number): TieSpec[];
  /**
   * Ties of the z of a pivot by the mark, in whose plane it is; the plane is turned about the vertical by the unknown
   * `turn`.
   *
   * @param x name of the unknown x of the pivot.
   */
  swingTies(field: FieldKey, names: { readonly turn: string; readonly x: string }): TieSpec[];
}

/** Scale of the picture in a plane. */
export interface PlaneScale {
  /** Length of the mark, px, and its standard deviation. */
  readonly pixels: number;
  readonly pixelError: number;
  readonly pixelsPerMetre: number;
  /** Relative standard deviation of the scale, by the marks and the measured length. */
  readonly relativeError: number;
  /** Distance of the plane from a camera that looks straight at it, m, and its standard deviation. */
  readonly distance: number;
  readonly distanceError: number;
}

/** Measurements of {@link planeScale}. */
export type MeasuredPlane = Pick<MeasuredScale, 'ends' | 'span'> &
  Pick<MeasuredCamera, 'fieldOfView' | 'lengthTolerance' | 'angleTolerance'>;

/** Smallest length of a mark, in its standard deviations: a shorter one says nothing. */
const MIN_MARK_LENGTH = 3;

const NAMES = { span: 'marked length', pixels: 'marked length in the picture' } as const;

/**
 * Scale of a picture in the plane in which a length is marked.
 *
 * ```ts
 * const { pixelsPerMetre, relativeError } = planeScale(film.size, { ends: [40, 200, 280, 204], span: 1, fieldOfView: 40 });
 * ```
 * @throws unless the ends are four numbers that lie apart, and the span is above 0.
 */
export function planeScale(size: Size, measured: MeasuredPlane): PlaneScale {
  const { ends, span } = measured;
  if (ends?.length !== 4 || !ends.every(Number.isFinite))
    throw new GradsimError('film/marks-wrong', `ends are ${ends?.join(', ')}.`, {
      field: 'ends',
      hint: 'They must be four numbers: x and y of one end, and of the other, px.',
    });
  if (!(span !== null && span > 0))
    throw new GradsimError('film/option-out-of-range', `span is ${describeValue(span)}.`, {
      field: 'span',
      hint: 'It must be the distance between the marked ends, above 0, in metres.',
    });
  const pixels = Math.hypot(ends[2] - ends[0], ends[3] - ends[1]);
  // Of either end, along the line between them.
  const pixelError = Math.SQRT2 * markError(size);
  if (!(pixels > MIN_MARK_LENGTH * pixelError))
    throw new GradsimError('film/marks-wrong', `The marked ends are ${pixels.toFixed(1)} px apart.`, {
      field: 'ends',
      hint: `Each is known to some ${markError(size)} px: mark a longer thing.`,
    });
  const relativeError = Math.hypot(pixelError / pixels, tolerancesOf(measured).lengthTolerance);
  const pixelsPerMetre = pixels / span;
  const focal = focalLengthOf(size, measured);
  const distance = focal.value / pixelsPerMetre;
  const distanceError = distance * Math.hypot(relativeError, focal.tolerance / focal.value);
  return { pixels, pixelError, pixelsPerMetre, relativeError, distance, distanceError };
}

/**
 * Scale of the film of a ball or pendulum: by the radius of the ball, or by a length that a person marked in the plane of
 * the motion, as of a ruler, which tells how far the plane is from a camera of unknown position. Then radius and length may
 * be unknown; those that were measured are compared with the mark.
 *
 * ```ts
 * const camera = await measuredCamera(film, measured, ['tilt']);
 * const scale = measuredScale(film.size, camera, measured);
 * const { flight, time } = bounceIn(film.tracks, null, camera.view, { radius: scale.radius });
 * const ties = [...camera.ties, ...scale.flightTies(Body.position, time)];
 * ```
 * @throws for a mark in the picture of a camera whose position is known, which sees lengths by itself; without a mark for a
 * radius or length that is null; and as {@link planeScale}.
 */
export function measuredScale(size: Size, camera: PlacedCamera, measured: MeasuredScale): FilmScale {
  const sizes = { radius: measured.radius, length: measured.length };
  const mark = measured.ends === null && measured.span === null ? undefined : markIn(size, camera, measured);
  const missing = Object.entries(sizes).find(([, value]) => value === null);
  if (!mark && missing)
    throw new GradsimError('film/option-out-of-range', `measuredScale: ${missing[0]} is null.`, {
      field: missing[0],
      hint: 'Measure it, in metres, or mark a length in the plane of the motion by ends and span.',
    });
  return {
    radius: mark?.radiusOf ?? measured.radius!,
    length: measured.length ?? undefined,
    distance: mark?.distance,
    lengths: (initial) => {
      const all = Object.entries({ ...initial });
      const isGiven = (name: string): boolean => typeof sizes[name as 'radius'] === 'number';
      return {
        given: [
          ...all.flatMap(([name]) => (isGiven(name) ? givenLength(name, sizes[name as 'radius']!, measured) : [])),
          ...(mark?.given ?? []),
        ],
        parameters: all.flatMap(([name, value]): ParameterSpec[] =>
          isGiven(name) ? [] : [{ name, initial: value, transform: 'log', unit: 'm' }],
        ),
      };
    },
    position: (parameters) => parameters.filter(({ component }) => !mark || component !== 2),
    flightTies: (field, time) =>
      mark ? [{ field, components: [2], compute: (v) => -mark.distance(v) - v['velocity z'] * time }] : [],
    swingTies: (field, { turn, x }) =>
      mark
        ? [
            {
              field,
              elements: [0],
              components: [2],
              compute: (v) => -(mark.distance(v, v[turn]) + Math.sin(v[turn]) * v[x]) / Math.cos(v[turn]),
            },
          ]
        : [],
  };
}

/**
 * Distance of the vertical plane in which the marked ends lie from the camera, m, for given values. `turn` is the rotation
 * of the plane about the vertical from the one across the z axis, rad.
 */
function markIn(size: Size, camera: PlacedCamera, measured: MeasuredScale) {
  const { pixels, pixelError } = planeScale(size, { fieldOfView: null, ...measured });
  const [ends, span] = [measured.ends!, measured.span!];
  if (camera.isPlaced || measured.pivot)
    throw new GradsimError(
      'film/two-poses',
      'measuredScale: the position of the camera or of the pivot is known already.',
      {
        field: 'ends',
        hint: 'Make ends null, or eye, target, pivot and the pose in the camera file.',
      },
    );
  const rays = [ends.slice(0, 2), ends.slice(2)].map(([x, y]) => camera.view.ray(x, y));
  const middle = [0, 1].map((k) => (rays[0][k] + rays[1][k]) / 2);
  const distance = (values: NamedValues, turn = 0): number => {
    const outwards = rayOutwards(camera, values);
    const normal = [Math.sin(turn), 0, Math.cos(turn)];
    const long = values[NAMES.pixels] / pixels;
    // Where each line of sight meets the plane at distance 1; the camera is at the origin.
    const [a, b] = rays.map((ray) => {
      const direction = outwards(ray.map((c, k) => middle[k] + long * (c - middle[k])));
      return scale(direction, 1 / Math.abs(dot(direction, normal)));
    });
    return values[NAMES.span] / Math.hypot(...subtract(a, b));
  };
  const given: GivenSpec[] = [
    givenLength(NAMES.span, span, measured),
    { name: NAMES.pixels, value: pixels, tolerance: pixelError, unit: 'px' },
  ];
  const start = Object.fromEntries([
    ...[...camera.given, ...given].map(({ name, value }) => [name, value]),
    ...camera.parameters.map(({ name, initial }) => [name, initial]),
  ]) as NamedValues;
  return {
    given,
    distance,
    radiusOf: (track: Track): number => {
      const [focalLength] = camera.values.focalLength as readonly number[];
      const areas = wholePoints(track, 'a ball', TRACKS.fewest).flatMap(({ area }) => area ?? []);
      if (areas.length === 0)
        throw new GradsimError('film/track-too-short', `The track ${track.name} has no areas, which tell the radius.`);
      return (Math.sqrt(upperMedian(areas) / Math.PI) / focalLength) * distance(start);
    },
  };
}
