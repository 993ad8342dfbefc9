import { add, conjugate, dot, GradsimError, rotate, scale } from '@gradsim/base';

/**
 * Distortion coefficients k1, k2, p1, p2, k3, in OpenCV's order: k1, k2, k3 are the radial terms of r^2, r^4, r^6, and
 * p1, p2 the tangential ones.
 */
export type Distortion = readonly [k1: number, k2: number, p1: number, p2: number, k3: number];

/** A camera's lens and sensor. The camera's axes are x right, y down, z forward. */
export interface Lens {
  /** Width and height of the camera's pictures, px. */
  readonly width: number;
  readonly height: number;
  /** Focal lengths fx, fy, px. */
  readonly focalLength: readonly [number, number];
  /** Principal point cx, cy, px; pixel centres are at integer coordinates. */
  readonly principalPoint: readonly [number, number];
  readonly distortion: Distortion;
}

/** Pose of a camera: the world point p has the coordinates R p + translation in the camera's axes. */
export interface CameraPose {
  /** R as a quaternion (x, y, z, w). */
  readonly rotation: readonly [number, number, number, number];
  /** Translation, m. */
  readonly translation: readonly [number, number, number];
}

/** Quality of a calibration: errors and number of views. */
export interface CalibrationRecord {
  /** Root mean square reprojection error of corners, px. */
  readonly rms: number;
  readonly views: number;
  /** Standard errors by parameter name: fx, fy, cx, cy (px), k1, k2, p1, p2, k3 (dimensionless). */
  readonly standardErrors: Readonly<Record<string, number>>;
}

/** A camera as stored in a camera file: its lens and, if known, pose and scale. */
export interface Camera extends Lens {
  /** Pose in a world with y upwards, if known. */
  readonly pose?: CameraPose;
  /** Metres per pixel on a plane that faces the camera, if a known length was measured on that plane. */
  readonly metresPerPixel?: number;
  readonly calibration?: CalibrationRecord;
}

/** Two coordinates: pixels in a picture, metres on a plane, or the dimensionless x/z, y/z of the plane of depth 1. */
export type Point2 = readonly [number, number];
export type Point3 = readonly [number, number, number];

export const NO_DISTORTION: Distortion = [0, 0, 0, 0, 0];

/**
 * Applies the lens distortion to a point (x, y) of the plane of depth 1. With s = x^2 + y^2, x becomes
 * x (1 + k1 s + k2 s^2 + k3 s^3) + 2 p1 x y + p2 (s + 2 x^2), and y likewise with x and y, p1 and p2 swapped. Source:
 * D. C. Brown, Decentering distortion of lenses, 1966; the convention is OpenCV's.
 */
export function distort([k1, k2, p1, p2, k3]: Distortion, [x, y]: Point2): [number, number] {
  const s = x * x + y * y;
  const radial = 1 + s * (k1 + s * (k2 + s * k3));
  return [x * radial + 2 * p1 * x * y + p2 * (s + 2 * x * x), y * radial + p1 * (s + 2 * y * y) + 2 * p2 * x * y];
}

/** Maximum iterations of Newton's method in `undistort`. */
const MAX_NEWTON_STEPS = 30;

/** Inverse of {@link distort}, by Newton's method. @throws if the distortion maps no point there. */
export function undistort(distortion: Distortion, [u, v]: Point2): [number, number] {
  if (distortion.every((k) => k === 0)) return [u, v];
  let [x, y] = [u, v];
  for (let round = 0; round < MAX_NEWTON_STEPS; round++) {
    const [a, b] = distort(distortion, [x, y]);
    const [du, dv] = [a - u, b - v];
    if (Math.hypot(du, dv) < 1e-13) return [x, y];
    const [xx, xy, yy] = distortionJacobian(distortion, x, y);
    const det = xx * yy - xy * xy;
    if (!(det > 0)) break;
    x -= (yy * du - xy * dv) / det;
    y -= (xx * dv - xy * du) / det;
  }
  if (Math.hypot(...subtract2(distort(distortion, [x, y]), [u, v])) < 1e-9) return [x, y];
  throw new GradsimError(
    'cameras/point-not-seen',
    `The distortion ${distortion.join(', ')} gives no point (${u}, ${v}) of the plane of depth 1: it turns back before it.`,
  );
}

/** Entries xx, xy, yy of the Jacobian of {@link distort}, which is symmetric. */
function distortionJacobian([k1, k2, p1, p2, k3]: Distortion, x: number, y: number): [number, number, number] {
  const s = x * x + y * y;
  const radial = 1 + s * (k1 + s * (k2 + s * k3));
  const slope = 2 * (k1 + s * (2 * k2 + 3 * s * k3));
  return [
    radial + x * x * slope + 2 * p1 * y + 6 * p2 * x,
    x * y * slope + 2 * p1 * x + 2 * p2 * y,
    radial + y * y * slope + 6 * p1 * y + 2 * p2 * x,
  ];
}

const subtract2 = ([a, b]: Point2, [c, d]: Point2): [number, number] => [a - c, b - d];

/** Returns the pixel coordinates of a point (x/z, y/z) of the plane of depth 1, lens distortion included. */
export function pixelOf({ focalLength, principalPoint, distortion }: Lens, point: Point2): [number, number] {
  const [x, y] = distort(distortion, point);
  return [focalLength[0] * x + principalPoint[0], focalLength[1] * y + principalPoint[1]];
}

/**
 * Returns the point (x/z, y/z) of the plane of depth 1 that is seen at a pixel. @throws if the distortion maps none
 * there.
 */
export function sightLineOf({ focalLength, principalPoint, distortion }: Lens, [x, y]: Point2): [number, number] {
  return undistort(distortion, [(x - principalPoint[0]) / focalLength[0], (y - principalPoint[1]) / focalLength[1]]);
}

/**
 * Returns the pixel coordinates of a point of the world (m).
 *
 * ```ts
 * const [x, y] = projectPoint(camera, [0, 0.1, 0]);
 * ```
 * @throws for a camera without a pose, and for a point that is not in front of the camera.
 */
export function projectPoint(camera: Camera, point: Point3): [number, number] {
  if (!camera.pose)
    throw new GradsimError('cameras/no-pose', 'The camera has no pose: nothing says where it is in the world.');
  const [x, y, z] = toCameraAxes(camera.pose, point);
  if (!(z > 0))
    throw new GradsimError('cameras/point-not-seen', `The point (${point.join(', ')}) is not in front of the camera.`);
  return pixelOf(camera, [x / z, y / z]);
}

/** Transforms a point from world coordinates to the camera's axes. */
export const toCameraAxes = ({ rotation, translation }: CameraPose, point: Point3): Point3 =>
  add(rotate(rotation, point), translation);

/** Returns the position of a camera in the world, m. */
export function cameraPosition({ rotation, translation }: CameraPose): [number, number, number] {
  const [a, b, c] = rotate(conjugate(rotation), translation);
  return [-a, -b, -c];
}

/**
 * Returns the world point at which the line of sight through a pixel meets the plane of points p with normal . p =
 * offset (m).
 *
 * ```ts
 * const [x, , z] = onPlane(camera, [320, 400], { normal: [0, 1, 0], offset: 0 }); // on the floor
 * ```
 * @throws for a camera without a pose, and if the line of sight does not meet the plane in front of the camera.
 */
export function onPlane(
  camera: Camera,
  pixel: Point2,
  { normal, offset }: { readonly normal: Point3; readonly offset: number },
): [number, number, number] {
  if (!camera.pose)
    throw new GradsimError('cameras/no-pose', 'The camera has no pose: nothing says where it is in the world.');
  const way = rotate(conjugate(camera.pose.rotation), [...sightLineOf(camera, pixel), 1]);
  const from = cameraPosition(camera.pose);
  const far = (offset - dot(normal, from)) / dot(normal, way);
  if (!(far > 0 && Number.isFinite(far)))
    throw new GradsimError(
      'cameras/point-not-seen',
      `The plane is not before the camera at pixel (${pixel.join(', ')}).`,
    );
  const [x, y, z] = add(from, scale(way, far));
  return [x, y, z];
}

/**
 * Returns the camera for pictures that were cropped to a region, and then scaled to another size.
 *
 * ```ts
 * const small = cameraFor(camera, { region: { x: 100, y: 0, width: 800, height: 600 }, size: { width: 400, height: 300
 * } });
 * ```
 * @throws for a region that is not within the camera's pictures.
 */
export function cameraFor<C extends Camera>(
  camera: C,
  to: {
    readonly region?: {
      readonly x: number;
      readonly y: number;
      readonly width: number;
      readonly height: number;
    };
    readonly size?: { readonly width: number; readonly height: number };
  },
): C {
  const region = to.region ?? { x: 0, y: 0, width: camera.width, height: camera.height };
  const size = to.size ?? region;
  const { x, y, width, height } = region;
  if (!(x >= 0 && y >= 0 && width > 0 && height > 0 && x + width <= camera.width && y + height <= camera.height))
    throw new GradsimError(
      'cameras/region-outside',
      `The region ${width} x ${height} at (${x}, ${y}) is not in the camera's pictures of ${camera.width} x ${camera.height}.`,
    );
  const [a, b] = [size.width / width, size.height / height];
  return {
    ...camera,
    width: size.width,
    height: size.height,
    focalLength: [camera.focalLength[0] * a, camera.focalLength[1] * b],
    // A pixel's centre is at half a pixel from its edges, whatever its size.
    principalPoint: [(camera.principalPoint[0] + 0.5 - x) * a - 0.5, (camera.principalPoint[1] + 0.5 - y) * b - 0.5],
    ...(camera.metresPerPixel === undefined ? {} : { metresPerPixel: camera.metresPerPixel / Math.sqrt(a * b) }),
  };
}

/** Scales the camera to pictures of another size with the same aspect ratio. @throws for another aspect ratio. */
export function fittedTo<C extends Camera>(camera: C, size: { readonly width: number; readonly height: number }): C {
  const [a, b] = [size.width / camera.width, size.height / camera.height];
  if (Math.abs(a / b - 1) > 0.005)
    throw new GradsimError(
      'cameras/other-shape',
      `The camera has pictures of ${camera.width} x ${camera.height} pixels, and these have ${size.width} x ${size.height}, another shape.`,
      { hint: 'Calibrate with the setting of the phone with which the film is taken.' },
    );
  return cameraFor(camera, { size });
}

/**
 * Converts a camera to the values of a `PinholeCamera` of `@gradsim/render`; without a pose, at the world's origin.
 *
 * ```ts
 * scene.add(PinholeCamera, pinholeOf(camera));
 * ```
 */
export function pinholeOf({ pose, focalLength, principalPoint, distortion }: Camera): {
  rotation: number[];
  translation: number[];
  focalLength: number[];
  principalPoint: number[];
  distortion: number[];
  tangential: number[];
  k3: number;
} {
  const [k1, k2, p1, p2, k3] = distortion;
  return {
    rotation: [...(pose?.rotation ?? [0, 0, 0, 1])],
    translation: [...(pose?.translation ?? [0, 0, 0])],
    focalLength: [...focalLength],
    principalPoint: [...principalPoint],
    distortion: [k1, k2],
    tangential: [p1, p2],
    k3,
  };
}

/**
 * Checks a camera, and returns it. @throws for an impossible one, naming the entry; `label` is the camera's name in
 * messages.
 */
export function checkCamera<C extends Camera>(camera: C, label: string): C {
  const { width, height, focalLength, principalPoint, distortion, pose } = camera;
  const refuse = (name: string, value: unknown, must: string): never => {
    throw new GradsimError(
      'cameras/value-out-of-range',
      `${label}: ${name} is ${Array.isArray(value) ? `(${value.join(', ')})` : String(value)}.`,
      { hint: `It must be ${must}.` },
    );
  };
  for (const [name, value] of Object.entries({ width, height }))
    if (!(Number.isInteger(value) && value > 0)) refuse(name, value, 'a whole number of pixels above 0');
  const numbers = (name: string, value: readonly number[] | undefined, count: number): void => {
    if (!Array.isArray(value) || value.length !== count || !value.every((v) => Number.isFinite(v)))
      refuse(name, value, `${count} finite numbers`);
  };
  numbers('focalLength', focalLength, 2);
  if (focalLength.some((f) => f <= 0)) refuse('focalLength', focalLength, 'above 0');
  numbers('principalPoint', principalPoint, 2);
  numbers('distortion', distortion, 5);
  if (pose !== undefined) {
    if (typeof pose !== 'object' || pose === null) refuse('pose', pose, 'a rotation and a translation');
    numbers('pose.rotation', pose.rotation, 4);
    numbers('pose.translation', pose.translation, 3);
    if (Math.abs(Math.hypot(...pose.rotation) - 1) > 1e-3)
      refuse('pose.rotation', pose.rotation, 'a quaternion of length 1');
  }
  return camera;
}
