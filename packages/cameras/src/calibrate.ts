import { dot, GradsimError, levenbergMarquardt, rotate, sumOfSquares, upperMedian } from '@gradsim/base';
import type { Camera, CameraPose, Distortion, Lens, Point2, Point3 } from './camera.ts';
import { NO_DISTORTION, undistort } from './camera.ts';
import { covarianceOf } from './least-squares.ts';
import { homography, lensOfHomographies, type PlaneView, poseOfHomography } from './plane.ts';
import { perturbPose, reprojectionErrors } from './pose.ts';

/** Corners of a board seen in one picture: their positions on the board, m, and in the picture, px. */
export interface BoardView extends PlaneView {
  /** Name of the picture, for messages. */
  readonly name: string;
}

/** Distortion terms to estimate, the others being 0: `none`, `radial` (k1, k2), or `full` (k1, k2, p1, p2, k3). */
export type DistortionTerms = 'none' | 'radial' | 'full';

const TERMS: Readonly<Record<DistortionTerms, readonly number[]>> = {
  none: [],
  /** Indices of the radial coefficients k1, k2 in a `Distortion`. */
  radial: [0, 1],
  /** Indices of k1, k2, p1, p2, k3 in a `Distortion`. */
  full: [0, 1, 2, 3, 4],
};
const NAMES = ['fx', 'fy', 'cx', 'cy', 'k1', 'k2', 'p1', 'p2', 'k3'];

/** Result of {@link calibrateLens}. */
export interface Calibration {
  readonly camera: Camera;
  /**
   * Views used: name, pose of the camera relative to the board, and root mean square reprojection error of its corners,
   * px.
   */
  readonly views: readonly { readonly name: string; readonly pose: CameraPose; readonly rms: number }[];
  /** Names of the views left out as outliers: their corners have much larger errors than those of the others. */
  readonly leftOut: readonly string[];
  /** Largest angle between the board's normals in two views, degrees. */
  readonly tilt: number;
}

/** Minimum number of views; fewer do not separate focal lengths, principal point and distortion from the poses. */
const MIN_VIEWS = 3;
/**
 * Minimum angle between the board's normals in two views, degrees; if no pair reaches it, the views count as parallel.
 */
const MIN_TILT = 10;
/** Maximum standard error of a focal length, relative to the focal length. */
const MAX_STANDARD_ERROR = 0.03;
/**
 * Ratio of a view's root mean square error to the views' median above which the view is an outlier, if its error also
 * exceeds `OUTLIER_PIXELS`.
 */
const OUTLIER_RATIO = 3;
/** Root mean square error of a view, px, below which it is never an outlier. */
const OUTLIER_PIXELS = 0.3;

/**
 * Estimates focal lengths, principal point and distortion of a camera from views of a flat board: Zhang's closed form,
 * then least squares on the reprojection errors. Standard errors follow from these residuals, assumed independent and
 * of equal variance.
 *
 * ```ts
 * const { camera } = calibrateLens(views, { width: 1920, height: 1080 });
 * console.log(camera.focalLength, camera.calibration.standardErrors.fx);
 * ```
 * Source: Z. Zhang, A flexible new technique for camera calibration, IEEE PAMI 22, 2000.
 *
 * @throws for fewer than three views, for views that are too parallel, and if a focal length has a relative standard
 * error above 3 %.
 */
export function calibrateLens(
  views: readonly BoardView[],
  size: { readonly width: number; readonly height: number },
  { terms = 'full' }: { readonly terms?: DistortionTerms } = {},
): Calibration {
  if (!(terms in TERMS))
    throw new GradsimError('cameras/unknown-choice', `calibrateLens: terms is "${terms}".`, {
      field: 'terms',
      hint: `It must be ${Object.keys(TERMS).join(', ')}.`,
    });
  if (views.length < MIN_VIEWS)
    throw new GradsimError(
      'cameras/too-few-views',
      `The board is found in ${views.length} ${views.length === 1 ? 'picture' : 'pictures'}${views.length > 0 ? ` (${views.map(({ name }) => name).join(', ')})` : ''}.`,
      { hint: `It takes at least ${MIN_VIEWS}, better 10 to 20, that show it from other sides.` },
    );
  const homographies = views.map((view) => homography(view));
  const guess = guessLens(size);
  refuseParallel(views, guess, homographies);
  const start = lensOfHomographies(homographies, size) ?? guess;
  let kept = views;
  let found = fitLens(kept, size, start, TERMS[terms]);
  const middle = upperMedian(found.views.map(({ rms }) => rms));
  const good = found.views.map(({ rms }) => rms <= Math.max(OUTLIER_RATIO * middle, OUTLIER_PIXELS));
  const leftOut = views.filter((_, k) => !good[k]).map(({ name }) => name);
  if (leftOut.length > 0 && views.length - leftOut.length >= MIN_VIEWS) {
    kept = views.filter((_, k) => good[k]);
    found = fitLens(kept, size, found.camera, TERMS[terms]);
  }
  const tilt = largestTilt(found.views.map(({ pose }) => pose));
  const { focalLength, calibration } = found.camera;
  const doubt = Math.max(
    calibration.standardErrors.fx / focalLength[0],
    calibration.standardErrors.fy / focalLength[1],
  );
  if (tilt < MIN_TILT || !(doubt <= MAX_STANDARD_ERROR)) throw tooParallel(kept, tilt, doubt);
  return { ...found, tilt, leftOut: kept === views ? [] : leftOut };
}

function fitLens(
  views: readonly BoardView[],
  size: { readonly width: number; readonly height: number },
  start: LensGuess,
  terms: readonly number[],
) {
  const lensOf = (values: readonly number[]): Lens => {
    const distortion = [...NO_DISTORTION] as number[];
    terms.forEach((term, k) => {
      distortion[term] = values[4 + k];
    });
    return {
      width: size.width,
      height: size.height,
      focalLength: [values[0], values[1]],
      principalPoint: [values[2], values[3]],
      distortion: distortion as unknown as Distortion,
    };
  };
  const own = 4 + terms.length;
  const lensStart = [...start.focalLength, ...start.principalPoint, ...terms.map((t) => start.distortion?.[t] ?? 0)];
  const poses = views.map((view) => poseOnDepthOne(view, lensOf(lensStart)));
  const boards = views.map(({ points }) => points.map(([x, y]): Point3 => [x, y, 0]));
  const shared = [...lensStart.keys()];
  const parts = views.map((view, k) => ({
    unknowns: [...shared, ...[0, 1, 2, 3, 4, 5].map((c) => own + 6 * k + c)],
    residuals: (values: readonly number[]) =>
      reprojectionErrors(
        lensOf(values),
        boards[k],
        view.pixels,
        perturbPose(poses[k], values.slice(own + 6 * k, own + 6 * k + 6)),
      ),
  }));
  const [fx] = start.focalLength;
  // Distances of the board, the unit of translations.
  const far = poses.map(({ translation }) => Math.hypot(...translation));
  const scales = [
    ...[fx, fx, fx, fx],
    ...terms.map(() => 1),
    ...far.flatMap((distance) => [1, 1, 1, distance, distance, distance]),
  ];
  const found = levenbergMarquardt(parts, [...lensStart, ...views.flatMap(() => [0, 0, 0, 0, 0, 0])], scales);
  const freedom = Math.max(1, found.count - found.values.length);
  const variance = found.squares / freedom;
  const covariance = covarianceOf(found, scales);
  const standardErrors = Object.fromEntries(
    [0, 1, 2, 3, ...terms.map((t) => 4 + t)].map((name, k) => [NAMES[name], Math.sqrt(variance * covariance[k][k])]),
  );
  const lens = lensOf(found.values);
  return {
    camera: {
      ...lens,
      calibration: { rms: Math.sqrt(found.squares / (found.count / 2)), views: views.length, standardErrors },
    },
    views: views.map(({ name, pixels: seen }, k) => {
      const pose = perturbPose(poses[k], found.values.slice(own + 6 * k, own + 6 * k + 6));
      const off = reprojectionErrors(lens, boards[k], seen, pose);
      return { name, pose, rms: Math.sqrt(sumOfSquares(off) / seen.length) };
    }),
  };
}

type LensGuess = Pick<Lens, 'focalLength' | 'principalPoint'> & { readonly distortion?: Distortion };

function poseOnDepthOne(view: PlaneView, { focalLength, principalPoint, distortion }: Lens): CameraPose {
  const seen = view.pixels.map(
    (pixel): Point2 =>
      undistort(distortion, [
        (pixel[0] - principalPoint[0]) / focalLength[0],
        (pixel[1] - principalPoint[1]) / focalLength[1],
      ]),
  );
  return poseOfHomography(homography({ points: view.points, pixels: seen }));
}

/** Initial guess of the lens, typical for phones: a field of view of 60 degrees across the longer side. */
const guessLens = ({ width, height }: { readonly width: number; readonly height: number }): LensGuess => {
  const focal = Math.max(width, height) / 2 / Math.tan(Math.PI / 6);
  return { focalLength: [focal, focal], principalPoint: [(width - 1) / 2, (height - 1) / 2] };
};

/** Refuses views that are nearly parallel by a guess of the lens (below half of `MIN_TILT`): they determine no lens. */
function refuseParallel(views: readonly BoardView[], guess: LensGuess, homographies: readonly unknown[]): void {
  const lens = { width: 1, height: 1, distortion: NO_DISTORTION, ...guess };
  const tilt = largestTilt(homographies.map((_, k) => poseOnDepthOne(views[k], lens)));
  if (tilt < MIN_TILT / 2) throw tooParallel(views, tilt);
}

function tooParallel(views: readonly BoardView[], tilt: number, doubt?: number): Error {
  const known =
    doubt === undefined ? '' : ` The focal length would be known to ${(100 * doubt).toPrecision(2)} % only.`;
  return new GradsimError(
    'cameras/views-too-parallel',
    `The ${views.length} views of the board (${views.map(({ name }) => name).join(', ')}) are too parallel: they are turned against each other by ${tilt.toFixed(1)} degrees at most, and it takes ${MIN_TILT}, better 30.${known} Tilt the board, to the sides and up and down.`,
  );
}

/** Returns the largest angle between the board's normals in any two poses, degrees. */
function largestTilt(poses: readonly CameraPose[]): number {
  const normals = poses.map(({ rotation }) => rotate(rotation, [0, 0, 1]));
  let most = 0;
  for (const a of normals)
    for (const b of normals) {
      most = Math.max(most, Math.acos(Math.min(1, Math.max(-1, dot(a, b)))));
    }
  return (180 * most) / Math.PI;
}
