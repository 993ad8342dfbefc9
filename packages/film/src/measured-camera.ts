import { multiplyQuaternions, rotate, rotationAbout } from '@gradsim/base';
import type { Point3 } from '@gradsim/cameras/internal';
import { pinholeOf, poseLookingAt } from '@gradsim/cameras/internal';
import type { ValuesOf } from '@gradsim/core';
import { describeValue, GradsimError } from '@gradsim/core';
import type { GivenSpec, NamedValues, ParameterSpec, TieSpec } from '@gradsim/optim';
import { PinholeCamera } from '@gradsim/render';
import { filmCamera } from './camera.ts';
import type { Film } from './film.ts';
import type { FilmCamera } from './film-camera.ts';
import type { Tolerances } from './given.ts';
import { givenAngle, tolerancesOf } from './given.ts';

/** Measurements of a camera, beside its film. */
export interface MeasuredCamera extends Partial<Tolerances> {
  /**
   * Vertical field of view, degrees; null if the film was read with a camera file, which holds it, or if it was not
   * measured: then 45 degrees are assumed, with a tolerance from 35 to 64.
   */
  readonly fieldOfView: number | null;
  /**
   * Position of the camera, and a point in the middle of its picture, m, y upwards; null if the camera file holds the
   * pose, or it is unknown.
   */
  readonly eye: readonly number[] | null;
  readonly target: readonly number[] | null;
}

/** Camera of a film's pictures, as far as it is known. */
export interface PlacedCamera {
  /** True if its position is known. Otherwise it is placed at the origin, and looks along -z, level. */
  readonly isPlaced: boolean;
  /** Values of the component, for `scene.add(PinholeCamera, values)`. */
  readonly values: ValuesOf<typeof PinholeCamera>;
  readonly view: FilmCamera;
  /** Unknown angles of a camera of unknown position, for a problem's `parameters`. */
  readonly parameters: readonly ParameterSpec[];
  /**
   * Measured quantities with their tolerances, for a problem's `given`; and the ties, for its `ties`, that compute the
   * camera from them.
   */
  readonly given: readonly GivenSpec[];
  readonly ties: readonly TieSpec[];
}

/** Pose of a camera at the origin that looks along -z, level. */
const LEVEL_POSE = { rotation: [1, 0, 0, 0], translation: [0, 0, 0] } as const;

/**
 * Camera of a film's pictures: its lens from the camera file or the field of view, its pose from the file or from eye
 * and target.
 *
 * ```ts
 * const camera = await measuredCamera(film, { fieldOfView: 45, eye: [0, 0.6, 3], target: [0, 0.6, 0] });
 * scene.add(PinholeCamera, camera.values, 'the camera');
 * const problem = { parameters: [...parameters, ...camera.parameters], given: camera.given, ties: camera.ties };
 * ```
 * @param isHeld names of the angles to estimate for a camera of unknown position, which is placed at the origin and
 * looks about along -z.
 * @throws for an eye without a target, for a field of view that no camera has, and for a pose given by both the file and these values.
 */
export async function measuredCamera(
  film: Film,
  measured: MeasuredCamera,
  isHeld: readonly ('tilt' | 'roll')[] = [],
): Promise<PlacedCamera> {
  const { fieldOfView, eye, target } = measured;
  if ((eye === null) !== (target === null))
    throw new GradsimError('film/half-pose', `measuredCamera: the camera's ${eye ? 'eye' : 'target'} is given alone.`, {
      hint: 'It takes both or neither.',
    });
  if (fieldOfView !== null && !(fieldOfView > 0 && fieldOfView < 180))
    throw new GradsimError(
      'film/option-out-of-range',
      `measuredCamera: fieldOfView is ${describeValue(fieldOfView)}.`,
      {
        field: 'fieldOfView',
        hint: 'It must be above 0 and below 180 degrees.',
      },
    );
  const byFile = fieldOfView === null && film.hasCamera;
  const lens = byFile ? film.camera : lensOf(film.size, fieldOfView ?? USUAL_ANGLE);
  const own = 'pose' in lens ? lens.pose : undefined;
  if (own && eye)
    throw new GradsimError(
      'film/two-poses',
      "measuredCamera: the camera's file says where it is, and so do eye and target.",
      { hint: 'Make these null.' },
    );
  const pose = own ?? (eye && target ? poseLookingAt(three(eye), three(target)) : undefined);
  const values = pinholeOf({ ...lens, pose: pose ?? LEVEL_POSE });
  const tolerances = tolerancesOf(measured);
  const parts = [
    // A camera file is as exact as its calibration.
    ...(byFile
      ? []
      : [
          fieldOfView === null
            ? assumedLens(film.size)
            : givenLens(film.size, givenAngle('field of view', fieldOfView, tolerances)),
        ]),
    ...(eye && target ? [givenPlace(three(eye), three(target), tolerances)] : []),
  ];
  const held = heldLevel(pose ? [] : isHeld);
  return {
    isPlaced: pose !== undefined,
    values,
    view: await filmCamera(PinholeCamera, values, film.size),
    parameters: held.parameters,
    given: parts.flatMap(({ given }) => given),
    ties: [...parts.flatMap(({ ties }) => ties), ...held.ties],
  };
}

const three = ([x, y, z]: readonly number[]) => [x, y, z] as const;

type GivenAndTies = Pick<PlacedCamera, 'given' | 'ties'>;

/** Vertical field of view that is assumed for a lens of which nothing was measured, degrees. */
const USUAL_ANGLE = 45;
/**
 * Focal length of such a lens, in picture heights: 64 and 35 degrees of view are one standard deviation away. The
 * unknown is the focal length, to which distances are proportional: with the angle as unknown, searches would have to
 * follow a curved path in small steps.
 */
const USUAL_FOCAL: GivenSpec = {
  name: 'focal length',
  value: 0.5 / Math.tan((USUAL_ANGLE * Math.PI) / 360),
  tolerance: 0.4,
  range: [0.1, 10],
  unit: 'heights of the picture',
};

/** Lens given by its vertical field of view. */
const givenLens = (size: Film['size'], angle: GivenSpec): GivenAndTies => ({
  given: [angle],
  ties: [{ field: PinholeCamera.focalLength, compute: (v: NamedValues) => lensOf(size, v[angle.name]).focalLength }],
});

/** Lens of which nothing was measured. */
const assumedLens = ({ height }: Film['size']): GivenAndTies => ({
  given: [USUAL_FOCAL],
  ties: [
    {
      field: PinholeCamera.focalLength,
      compute: (v: NamedValues) => {
        const focal = height * v[USUAL_FOCAL.name];
        return [focal, focal];
      },
    },
  ],
});

/** Standard deviation of an exact field of view, degrees: a search for a camera needs one above 0. */
const EXACT_FIELD_OF_VIEW = 0.01;

/** Focal length of a measured field of view, or of the usual one, with its standard deviation, px. */
export function focalLengthOf(
  { height }: Film['size'],
  measured: Pick<MeasuredCamera, 'fieldOfView' | 'angleTolerance'>,
): { readonly value: number; readonly tolerance: number } {
  const { fieldOfView } = measured;
  const focal = (degrees: number): number => height / 2 / Math.tan((degrees * Math.PI) / 360);
  const value = focal(fieldOfView ?? USUAL_ANGLE);
  const angleTolerance = Math.max(tolerancesOf(measured).angleTolerance, EXACT_FIELD_OF_VIEW);
  const tolerance = fieldOfView === null ? height * USUAL_FOCAL.tolerance : value - focal(fieldOfView + angleTolerance);
  return { value, tolerance };
}

const AXES = ['x', 'y', 'z'] as const;

/** Measured position and target of a camera that was held upright. */
function givenPlace(eye: Point3, target: Point3, tolerances: Tolerances): GivenAndTies {
  const away = Math.hypot(...eye.map((c, k) => c - target[k]));
  const point = (name: string, values: Point3): GivenSpec[] =>
    AXES.map((axis, k) => ({
      name: `${name} ${axis}`,
      value: values[k],
      tolerance: tolerances.lengthTolerance * away,
      unit: 'm',
    }));
  const roll = 'roll of the camera';
  const poseAt = (v: NamedValues) => {
    const at = (name: string): Point3 => three(AXES.map((axis) => v[`${name} ${axis}`]));
    const { rotation, translation } = poseLookingAt(at('eye'), at('target'));
    // About the camera's own axis, so that its picture turns clockwise.
    const turn = rotationAbout([0, 0, (v[roll] * Math.PI) / 180]);
    return { rotation: multiplyQuaternions(turn, rotation), translation: rotate(turn, translation) };
  };
  return {
    given: [...point('eye', eye), ...point('target', target), givenAngle(roll, 0, tolerances)],
    ties: [
      { field: PinholeCamera.rotation, compute: (v: NamedValues) => poseAt(v).rotation },
      { field: PinholeCamera.translation, compute: (v: NamedValues) => poseAt(v).translation },
    ],
  };
}

/** Lens of square pixels whose axis passes through the middle of the picture. */
function lensOf({ width, height }: Film['size'], fieldOfView: number) {
  const focal = height / 2 / Math.tan((fieldOfView * Math.PI) / 360);
  return {
    width,
    height,
    focalLength: [focal, focal] as const,
    // Whole numbers are centres of pixels.
    principalPoint: [(width - 1) / 2, (height - 1) / 2] as const,
    distortion: [0, 0, 0, 0, 0] as const,
  };
}

/** Standard deviation of the tilt and roll of a camera held level by eye, rad: about 6 degrees. Origin: judged. */
const LEVEL_DEVIATION = 0.1;
const NAMES = { tilt: 'tilt of the camera', roll: 'roll of the camera' } as const;

/** Unknown tilt and roll of a camera at the origin that looks along -z. */
function heldLevel(unknowns: readonly ('tilt' | 'roll')[]): Pick<PlacedCamera, 'parameters' | 'ties'> {
  const parameters = unknowns.map(
    (which): ParameterSpec => ({
      name: NAMES[which],
      initial: 0,
      scale: LEVEL_DEVIATION,
      unit: 'rad',
      prior: { mean: 0, standardDeviation: LEVEL_DEVIATION },
    }),
  );
  // Only names of unknowns may be used.
  const compute = (v: Readonly<Record<string, number>>): number[] => {
    const half = (Math.PI - (unknowns.includes('tilt') ? v[NAMES.tilt] : 0)) / 2;
    const roll = (unknowns.includes('roll') ? v[NAMES.roll] : 0) / 2;
    // Half a turn about x looks along -z, less where it looks up; then about its axis, so that the picture turns clockwise.
    const [s, c] = [Math.sin(half), Math.cos(half)];
    return [Math.cos(roll) * s, Math.sin(roll) * s, Math.sin(roll) * c, Math.cos(roll) * c];
  };
  return { parameters, ties: unknowns.length === 0 ? [] : [{ field: PinholeCamera.rotation, compute }] };
}
