import {
  choleskyFactor,
  conjugate,
  multiplyQuaternions,
  normalize,
  rotate,
  rotationAbout,
  subtract,
} from '@gradsim/base';
import type { BoxCamera, MarkedCorner, Point3 } from '@gradsim/cameras/internal';
import { cameraOfBox, onPlane, pinholeOf } from '@gradsim/cameras/internal';
import { GradsimError } from '@gradsim/core';
import type { GivenSpec, NamedValues, TieSpec } from '@gradsim/optim';
import { PinholeCamera } from '@gradsim/render';
import type { Size, Track } from '@gradsim/video';
import { filmCamera } from './camera.ts';
import type { Film } from './film.ts';
import { givenLength, tolerancesOf } from './given.ts';
import { markError } from './mark-error.ts';
import type { MeasuredCamera, PlacedCamera } from './measured-camera.ts';
import { focalLengthOf, measuredCamera } from './measured-camera.ts';
import { wholePoints } from './starts/tracks.ts';
import { TRACKS } from './tuning/tracks.ts';

/** Measurements of {@link inclineCamera}. */
export interface InclineMeasured extends MeasuredCamera {
  /**
   * Corners of a box on the incline, marked in a frame: three numbers a corner, its number as in `MarkedCorner` of
   * `@gradsim/cameras`, and its place, px from the left and from the upper edge. Null: the camera is given by eye and target.
   */
  readonly corners: readonly number[] | null;
  /** Size of the marked box, m: along the incline, away from it (0 for a sheet), across; null: the box that slides. */
  readonly reference: readonly number[] | null;
  /** Size of the box that slides, m. */
  readonly size: readonly [number, number, number];
  /** Angle of the incline, degrees. */
  readonly angle: number;
  /** Point of the incline, m: that on which the middle of the marked box stands. */
  readonly point: readonly number[];
}

/** Camera over an incline. */
export interface InclineCamera extends PlacedCamera {
  /** Rotation of the sliding box about the incline's normal, rad, if that box was marked; otherwise 0. */
  readonly turn: number;
}

/** Smallest extent of marked corners, in standard deviations of a mark: a smaller thing says nothing of the camera. */
const MIN_MARK_EXTENT = 6;

/** Given quantities of a camera from marks, in the order of the values of `BoxCamera`, with their units. */
const FROM_MARKS = [
  ['focal length by the corners', 'parts'],
  ['distance by the corners', 'parts'],
  ['place across by the corners', 'px'],
  ['place upwards by the corners', 'px'],
  ['tilt by the corners', 'rad'],
  ['turn by the corners', 'rad'],
  ['roll by the corners', 'rad'],
] as const;

const SIDES = ['length', 'height', 'width'] as const;

/**
 * Marked corners from the list of numbers of {@link InclineMeasured}, in pixels whose centres have whole coordinates.
 *
 * ```ts
 * const marks = marksOf([4, 101.5, 300.5, 5, 240, 310]);
 * ```
 * @throws for a list that is not three numbers a corner, and for a corner that is there twice.
 */
export function marksOf(corners: readonly number[]): MarkedCorner[] {
  const marks = Array.from({ length: Math.floor(corners.length / 3) }, (_, k): MarkedCorner => {
    const [corner, x, y] = corners.slice(3 * k, 3 * k + 3);
    return { corner, pixel: [x - 0.5, y - 0.5] };
  });
  const numbers = marks.map(({ corner }) => corner);
  if (corners.length % 3 !== 0 || new Set(numbers).size < marks.length || numbers.some((k) => !(k in [...'01234567'])))
    throw new GradsimError('film/marks-wrong', `corners are ${corners.join(', ')}.`, {
      field: 'corners',
      hint: 'They must be three numbers a corner: its number from 0 to 7, each at most once, and its pixel.',
    });
  return marks;
}

/**
 * Camera over an incline. With marked corners of a box that stands on it, focal length and pose follow from these; the
 * direction of the slide in the picture says which way is downhill, and the angle of the incline which way is up. The errors
 * of marks and sizes are given quantities, so that the standard errors of the unknowns contain them. Without marks it is
 * {@link measuredCamera}.
 *
 * ```ts
 * const camera = await inclineCamera(film, film.tracks[0], measured);
 * scene.add(PinholeCamera, camera.values, 'the camera');
 * ```
 * @throws if the corners determine no camera above the incline, if eye and target are given beside them, and as
 * measuredCamera.
 */
export async function inclineCamera(film: Film, track: Track, measured: InclineMeasured): Promise<InclineCamera> {
  const { corners } = measured;
  if (!corners) return { ...(await measuredCamera(film, measured)), turn: 0 };
  if (measured.eye || measured.target || film.hasCamera)
    throw new GradsimError(
      'film/two-poses',
      'inclineCamera: the corners say where the camera is, and so does another.',
      {
        hint: 'Make eye, target and camera null, or corners.',
      },
    );
  const { size } = film;
  const { angle, point, reference, size: sliding } = measured;
  const tolerances = tolerancesOf(measured);
  const marks = marksOf(corners).map(({ corner, pixel }) => ({ corner, pixel: film.pixel(pixel) }));
  const box = reference ?? sliding;
  const names = SIDES.map((side) => (reference ? `marked ${side}` : side));
  const of = (sides: readonly number[]): BoxCamera => cameraOfMarks(marks, sides, size, measured, found);
  let found: BoxCamera | undefined;
  // The second search counts rotations from the camera that the first has found.
  found = of(box);
  found = of(box);
  const { values: middle, covariance, cameraAt: at } = found;
  // Changes of the values by those of each side, per m.
  const bySide = box.map((side, k) => {
    if (side === 0) return middle.map(() => 0);
    const step = side * 1e-3;
    const [more, less] = [step, -step].map((by) => of(box.map((each, j) => (j === k ? each + by : each))).values);
    return more.map((v, i) => (v - less[i]) / (2 * step));
  });
  const factor = choleskyFactor(covariance)!;
  const valuesAt = (v: NamedValues): number[] =>
    middle.map(
      (value, i) =>
        value +
        FROM_MARKS.reduce((sum, [name], k) => sum + (k <= i ? (factor[i][k] / factor[k][k]) * v[name] : 0), 0) +
        box.reduce((sum, side, k) => sum + (side === 0 ? 0 : bySide[k][i] * (v[names[k]] - side)), 0),
    );
  const points = wholePoints(track, 'a slide', TRACKS.fewest);
  const cameraAt = (values: readonly number[], degrees: number) =>
    overIncline(at(values), [points[0], points[points.length - 1]], { angle: degrees, point, height: sliding[1] / 2 });
  const placed = cameraAt(middle, angle);
  const values = pinholeOf(placed.camera);
  return {
    turn: reference ? 0 : placed.turn,
    isPlaced: true,
    values,
    view: await filmCamera(PinholeCamera, values, size),
    parameters: [],
    given: [
      ...FROM_MARKS.map(
        ([name, unit], k): GivenSpec => ({
          name,
          value: 0,
          tolerance: factor[k][k],
          unit: unit === 'parts' ? '' : unit,
        }),
      ),
      ...(reference ? box.flatMap((side, k) => (side === 0 ? [] : [givenLength(names[k], side, tolerances)])) : []),
    ],
    ties: (['focalLength', 'rotation', 'translation'] as const).map(
      (name): TieSpec => ({
        field: PinholeCamera[name],
        compute: (v) => pinholeOf(cameraAt(valuesAt(v), v.angle).camera)[name],
      }),
    ),
  };
}

/**
 * Camera in the axes of a box, of which a person has marked corners.
 *
 * ```ts
 * const { camera, rms } = cameraOfMarks(marksOf(corners), [0.3, 0.2, 0.2], film.size, { fieldOfView: null });
 * ```
 * @param sides of the box, m. @param start camera from which the search starts, with which fewer than four corners do.
 * @throws for corners that lie as close together as a mark is uncertain, and as `cameraOfBox` of `@gradsim/cameras`.
 */
export function cameraOfMarks(
  marks: readonly MarkedCorner[],
  sides: readonly number[],
  size: Size,
  measured: Pick<MeasuredCamera, 'fieldOfView' | 'angleTolerance'>,
  start?: Pick<BoxCamera, 'camera'>,
): BoxCamera {
  const pixelError = markError(size);
  const seen = marks.map(({ pixel }) => pixel);
  const apart = Math.max(...seen.flatMap((a) => seen.map((b) => Math.hypot(a[0] - b[0], a[1] - b[1]))));
  if (!start && !(apart > MIN_MARK_EXTENT * pixelError))
    throw new GradsimError('film/marks-wrong', `The marked corners are within ${apart.toFixed(1)} px of each other.`, {
      field: 'corners',
      hint: `Each is known to some ${pixelError} px: mark a larger thing.`,
    });
  return cameraOfBox([sides[0], sides[1], sides[2]], marks, size, {
    focalLength: focalLengthOf(size, measured),
    pixelError,
    ...(start ? { start: start.camera } : {}),
  });
}

/**
 * Camera in the axes of the world of `inclineOf`, from one in the axes of a box on the incline: from the first to the last
 * place of the track it goes downhill.
 */
function overIncline(
  camera: BoxCamera['camera'],
  ends: readonly { readonly x: number; readonly y: number }[],
  { angle, point, height }: { readonly angle: number; readonly point: readonly number[]; readonly height: number },
) {
  const { rotation, translation } = camera.pose;
  const [from, to] = ends.map(({ x, y }) => onPlane(camera, [x - 0.5, y - 0.5], { normal: [0, 1, 0], offset: height }));
  const downhill = normalize(subtract(to, from));
  const side = Math.sign(rotate(rotation, downhill)[0]);
  const turn = Math.atan2(side * downhill[2], side * downhill[0]);
  // From the box's axes to the world's: about the normal, then down by the angle.
  const lowered = rotationAbout([0, 0, (-side * angle * Math.PI) / 180]);
  const toWorld = multiplyQuaternions(lowered, rotationAbout([0, turn, 0]));
  const ofWorld = multiplyQuaternions(rotation, conjugate(toWorld));
  const pose = { rotation: ofWorld, translation: subtract(translation, rotate(ofWorld, point)) as Point3 };
  return { camera: { ...camera, pose }, turn };
}
