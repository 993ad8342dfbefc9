import type { BuildContext, Component, F32, Kernel, U32, Vec2, Vec3 } from '@gradsim/core';
import {
  abs,
  column,
  cos,
  cross,
  defineComponent,
  detach,
  dot,
  f32,
  fieldOn,
  forRange,
  GradsimError,
  kernel,
  mat33,
  max,
  min,
  normalize,
  quat,
  rotateInverse,
  select,
  sin,
  sqrt,
  tan,
  transpose,
  vec2,
  vec3,
  vec4,
} from '@gradsim/core';

/*
 * What every kind of camera comes down to: `viewPosition` (world), `viewAxes` (rows: right, up and forward in world
 * coordinates), and `lens` (sx, sy, ox, oy): a point at (X, Y, Z) along these axes is at device coordinates (sx x + ox,
 * sy y + oy), depth Z, where (x, y) is (X, Y)/Z as `distorted` has it. Device x goes right and y up, both from -1 to 1
 * over the picture.
 */
const VIEW_FIELDS = { viewPosition: vec3, viewAxes: mat33, lens: vec4, lensEdge: f32 } as const;

/** Columns of the lens distortion, common to all kinds of camera. */
const LENS_COLUMNS = {
  /**
   * Radial distortion k1, k2: the lens moves a point at (x, y) of the plane of depth 1 to (1 + k1 r^2 + k2 r^4 + k3
   * r^6) (x, y).
   */
  distortion: column(vec2, { default: 0 }),
  k3: column(f32, { default: 0 }),
  /**
   * Tangential distortion p1, p2, with y downwards: adds (2 p1 x y + p2 (r^2 + 2 x^2), p1 (r^2 + 2 y^2) + 2 p2 x y) to
   * the radially distorted point, where (x, y) is the undistorted one.
   */
  tangential: column(vec2, { default: 0 }),
};

const fieldOfView = column(f32, {
  default: Math.PI / 4,
  unit: 'rad',
  range: { requirement: 'be above 0 and below pi', isMet: ([angle]) => angle > 0 && angle < Math.PI },
});
const rotation = column(quat, {
  default: [0, 0, 0, 1],
  range: { requirement: 'be a rotation; none is (0, 0, 0, 1)', isMet: (q) => q.some((c) => c !== 0) },
});

/**
 * A camera at `eye` that looks at `target`. If it looks along `up`, which then determines no right direction, its right
 * is the world's x axis; if `up` is itself along x, the z axis.
 */
export const LookAtCamera = defineComponent(
  'cameras',
  {
    eye: column(vec3, { unit: 'm' }),
    target: column(vec3, { default: 0, unit: 'm' }),
    /** Up direction of the picture; only the component perpendicular to the view matters. */
    up: column(vec3, {
      default: [0, 1, 0],
      range: { requirement: 'point somewhere', isMet: (up) => up.some((c) => c !== 0) },
    }),
    /** Rotation of the camera about its viewing axis, rad; positive values rotate the picture clockwise. */
    roll: column(f32, { default: 0, unit: 'rad' }),
    /** Vertical field of view: the angle from the bottom to the top of the picture, rad. */
    fieldOfView,
    ...LENS_COLUMNS,
  },
  {},
  { noun: 'camera' },
);

/**
 * A camera on a sphere about `target`, at which it looks; at azimuth 0 it looks along -z, and it moves towards +x as
 * the azimuth grows.
 */
export const OrbitCamera = defineComponent(
  'cameras',
  {
    target: column(vec3, { default: 0, unit: 'm' }),
    distance: column(f32, { unit: 'm', range: 'positive' }),
    /** Angle of the camera above the horizontal plane through the target, rad. */
    elevation: column(f32, { default: 0, unit: 'rad' }),
    azimuth: column(f32, { default: 0, unit: 'rad' }),
    roll: column(f32, { default: 0, unit: 'rad' }),
    fieldOfView,
    ...LENS_COLUMNS,
  },
  {},
  { noun: 'camera' },
);

/**
 * A calibrated camera, as in computer vision: a point p of the world is at (x, y, z) = R p + t in the camera's axes (x
 * right, y down, z forward), and at the pixel (fx x/z + cx, fy y/z + cy), with pixel centres at integers. With
 * distortion, (x/z, y/z) is distorted first, as in OpenCV's model with k1, k2, p1, p2 and k3.
 */
export const PinholeCamera = defineComponent(
  'cameras',
  {
    /** R as a quaternion (x, y, z, w). */
    rotation,
    translation: column(vec3, { default: 0, unit: 'm' }),
    /** Focal lengths fx, fy, px. */
    focalLength: column(vec2, { unit: 'px', range: 'positive' }),
    /** Principal point cx, cy, px. */
    principalPoint: column(vec2, { unit: 'px' }),
    ...LENS_COLUMNS,
  },
  {},
  { noun: 'camera' },
);

export type CameraKind = typeof LookAtCamera | typeof OrbitCamera | typeof PinholeCamera;

/** Kinds of camera, by name. */
export const CAMERAS: Readonly<Record<string, CameraKind>> = { LookAtCamera, OrbitCamera, PinholeCamera };

/** @throws for a `LookAtCamera` whose `eye` and `target` are equal. */
export function checkCameras({ scene, entities }: BuildContext, kind: CameraKind): void {
  if ((kind as Component) !== LookAtCamera) return;
  for (const camera of entities(kind)) {
    const [eye, target] = ['eye', 'target'].map((name) => Array.from(scene.get(camera, kind, name)));
    if (eye.every((x, k) => Math.fround(x) === Math.fround(target[k])))
      throw new GradsimError(
        'render/camera-at-target',
        `cameras.eye and cameras.target are both (${eye.join(', ')}); a camera looks at something else than where it is.`,
        { field: 'cameras.eye', element: scene.describe(camera) },
      );
  }
}

/**
 * Returns the kernel over `cameras` that converts a kind of camera to the fields `VIEW_FIELDS`, which are common to all kinds,
 * for pictures of `size` pixels.
 */
export function viewKernel(kind: CameraKind, size: { readonly width: number; readonly height: number }): Kernel {
  // One case per kind: each reads fields of its own.
  const component: Component = kind;
  if (component === LookAtCamera) return lookAtView(size.width / size.height);
  if (component === OrbitCamera) return orbitView(size.width / size.height);
  return pinholeView(size.width, size.height);
}

/** Adds the fields `VIEW_FIELDS`, common to all kinds of camera, and the pass that computes them before each picture. */
export function addView(
  model: BuildContext['model'],
  kind: CameraKind,
  size: { readonly width: number; readonly height: number },
): void {
  for (const [name, type] of Object.entries(VIEW_FIELDS)) model.addField('cameras', name, type);
  model.addPass('pose', viewKernel(kind, size));
}

/**
 * Sine of the angle between viewing direction and `up` below which a camera counts as looking along `up`: the right
 * vector would be lost to rounding.
 */
const MIN_UP_SINE = 1e-6;

/** Unit vector to the right of a camera that looks along `ahead` (unit length), where `up` (any length) is upwards. */
function rightVector(ahead: Vec3, up: Vec3): Vec3 {
  const right = cross(ahead, normalize(up));
  const isAlong = dot(right, right).lt(MIN_UP_SINE ** 2);
  const [x, z] = [vec3(1, 0, 0), vec3(0, 0, 1)];
  const other = select(abs(ahead.x).gt(0.5), z, x);
  return normalize(select(isAlong, other.sub(ahead.mul(dot(ahead, other))), right));
}

/**
 * Axes of a camera, as rows right, up, forward: it looks along `forward` with `up` upwards (both of any length), and is
 * then rolled by `roll`, rad.
 */
function viewAxes(forward: Vec3, up: Vec3, roll: F32) {
  const ahead = normalize(forward);
  const right = rightVector(ahead, up);
  const above = cross(right, ahead);
  const [c, s] = [cos(roll), sin(roll)];
  const rolledRight = right.mul(c).add(above.mul(s));
  const rolledUp = above.mul(c).sub(right.mul(s));
  return mat33(...rolledRight.components, ...rolledUp.components, ...ahead.components);
}

/** Lens with square pixels and the viewing axis through the middle of the picture, as (sx, sy, ox, oy) of `VIEW_FIELDS`. */
function centredLens(fieldOfView: F32, aspect: number) {
  const scale = f32(1).div(tan(fieldOfView.mul(0.5)));
  return vec4(scale.div(aspect), scale, 0, 0);
}

/**
 * Edge of the valid range of the radial distortion: the least s = r^2 at which r (1 + k1 s + k2 s^2 + k3 s^3) stops
 * growing with r, that is 1 + 3 k1 s + 5 k2 s^2 + 7 k3 s^3 = 0. Points further out would fold back into the picture;
 * instead they are scaled by the factor at this edge.
 */
function lensEdgeOf({ x: k1, y: k2 }: Vec2, k3: F32): F32 {
  const b = k1.mul(-3);
  const inRoot = b.mul(b).sub(k2.mul(20));
  const divisor = b.add(sqrt(select(inRoot.gt(0), inRoot, f32(0))));
  const turns = inRoot.ge(0).and(divisor.gt(0));
  const ofTwo = select(turns, f32(2).div(select(turns, divisor, f32(1))), f32(NO_EDGE));
  return select(k3.eq(0), ofTwo, cubicLensEdge(k1, k2, k3));
}

/**
 * Upper bound of r^2, the squared tangent of the angle from the viewing axis, in the search for the edge of a lens: 84
 * degrees.
 */
const MAX_LENS_EDGE = 100;
/** Number of bisections in the search for the edge of a lens. */
const BISECTIONS = 32;

/**
 * Smallest root s of 1 + 3 k1 s + 5 k2 s^2 + 7 k3 s^3: bisection in the first interval between its extremes at whose
 * end it is negative, then one Newton step, through which derivatives are taken.
 */
function cubicLensEdge(k1: F32, k2: F32, k3: F32): F32 {
  const value = (s: F32): F32 => s.mul(k3.mul(7)).add(k2.mul(5)).mul(s).add(k1.mul(3)).mul(s).add(1);
  const slope = (s: F32): F32 => s.mul(k3.mul(21)).add(k2.mul(10)).mul(s).add(k1.mul(3));
  // Extremes, where 3 k1 + 10 k2 s + 21 k3 s^2 = 0; without any, the ends of the range replace them.
  const inRoot = k2.mul(k2).mul(25).sub(k1.mul(k3).mul(63));
  const root = sqrt(select(inRoot.gt(0), inRoot, f32(0)));
  const divisor = select(k3.eq(0), f32(1), k3.mul(21));
  const within = (s: F32): F32 => min(max(select(inRoot.gt(0), s, f32(0)), f32(0)), f32(MAX_LENS_EDGE));
  const [a, c] = [root.neg(), root].map((r) => within(r.sub(k2.mul(5)).div(divisor)));
  const ends = [min(a, c), max(a, c), f32(MAX_LENS_EDGE)];
  let bracket = { low: f32(0), high: f32(0) };
  let found = value(f32(0)).lt(0);
  let before = f32(0);
  for (const end of ends) {
    const here = value(end).lt(0);
    bracket = { low: select(found, bracket.low, before), high: select(found, bracket.high, end) };
    found = found.or(here);
    before = end;
  }
  const hasEdge = found;
  // The Newton step alone has the derivative: what it starts from changes its result in second order only.
  const start = { low: detach(bracket.low), high: detach(bracket.high) };
  const { high } = forRange(0, BISECTIONS, start, (_, { low, high }) => {
    const middle = low.add(high).mul(0.5);
    const isBeyond = value(middle).lt(0);
    return { low: select(isBeyond, low, middle), high: select(isBeyond, middle, high) };
  });
  const steep = slope(high);
  const isSteep = hasEdge.and(abs(steep).gt(1e-6));
  const edge = high.sub(select(isSteep, value(high).div(select(isSteep, steep, f32(1))), f32(0)));
  return select(hasEdge, edge, f32(NO_EDGE));
}

/** Ports of kernels that project points: view and lens of the cameras. */
export const CAMERA_PORTS = {
  viewPosition: fieldOn('cameras', vec3),
  viewAxes: fieldOn('cameras', mat33),
  lens: fieldOn('cameras', vec4),
  lensEdge: fieldOn('cameras', f32),
  distortion: fieldOn('cameras', vec2),
  k3: fieldOn('cameras', f32),
  tangential: fieldOn('cameras', vec2),
};

/** Distortion of a lens, and the squared radius of its valid range. */
interface LensTerms {
  readonly distortion: Vec2;
  readonly k3: F32;
  readonly tangential: Vec2;
  readonly lensEdge: F32;
}

/** Values of ports, by an element of their domain. */
type Ports = { readonly [Term in keyof LensTerms]: { at(element: U32 | number): LensTerms[Term] } };

/** Reads the lens of a camera, for {@link distorted}, from the ports that {@link CAMERA_PORTS} names. */
export const lensTermsOf = ({ distortion, k3, tangential, lensEdge }: Ports, camera: U32 | number): LensTerms => ({
  distortion: distortion.at(camera),
  k3: k3.at(camera),
  tangential: tangential.at(camera),
  lensEdge: lensEdge.at(camera),
});

/**
 * Applies the lens distortion to a point (x, y) of the plane of depth 1, y upwards; see `distortion`, `k3` and
 * `tangential` of cameras. Beyond `lensEdge`, the squared radius r^2 of the valid range, r^2 is replaced by `lensEdge`
 * in the formulas.
 */
export function distorted(x: F32, y: F32, { distortion, k3, tangential, lensEdge }: LensTerms): [x: F32, y: F32] {
  const { x: k1, y: k2 } = distortion;
  const { x: p1, y: p2 } = tangential;
  const s = min(x.mul(x).add(y.mul(y)), lensEdge);
  const f = s.mul(k3).add(k2).mul(s).add(k1).mul(s).add(1);
  const both = x.mul(y).mul(2);
  return [
    x
      .mul(f)
      .sub(p1.mul(both))
      .add(p2.mul(s.add(x.mul(x).mul(2)))),
    y
      .mul(f)
      .sub(p1.mul(s.add(y.mul(y).mul(2))))
      .add(p2.mul(both)),
  ];
}

/**
 * Partial derivatives of {@link distorted}: dx'/dx, dx'/dy, dy'/dx, dy'/dy. Beyond the edge of the lens r^2 is constant
 * in the formulas, and so it is in these.
 */
export function distortedSlopes(
  x: F32,
  y: F32,
  { distortion, k3, tangential, lensEdge }: LensTerms,
): [xByX: F32, xByY: F32, yByX: F32, yByY: F32] {
  const { x: k1, y: k2 } = distortion;
  const { x: p1, y: p2 } = tangential;
  const square = x.mul(x).add(y.mul(y));
  const s = min(square, lensEdge);
  const f = s.mul(k3).add(k2).mul(s).add(k1).mul(s).add(1);
  // Derivative of s by x and y, over x and y.
  const grows = select(square.lt(lensEdge), f32(2), f32(0));
  const slope = s.mul(k3).mul(3).add(k2.mul(2)).mul(s).add(k1).mul(grows);
  const mixed = x.mul(y).mul(slope);
  return [
    f
      .add(x.mul(x).mul(slope))
      .sub(p1.mul(y).mul(2))
      .add(p2.mul(x).mul(grows.add(4))),
    mixed.sub(p1.mul(x).mul(2)).add(p2.mul(y).mul(grows)),
    mixed.sub(p1.mul(x).mul(grows)).add(p2.mul(y).mul(2)),
    f
      .add(y.mul(y).mul(slope))
      .sub(p1.mul(y).mul(grows.add(4)))
      .add(p2.mul(x).mul(2)),
  ];
}

/** Value of `lensEdge` (r^2) for a lens without an edge: larger than r^2 of all vertices in front of a camera. */
const NO_EDGE = 1e30;

const lookAtView = (aspect: number): Kernel =>
  kernel(
    'lookAtView',
    {
      domain: 'cameras',
      reads: { eye: vec3, target: vec3, up: vec3, roll: f32, fieldOfView: f32, distortion: vec2, k3: f32 },
      writes: VIEW_FIELDS,
    },
    ({ eye, target, up, roll, fieldOfView, distortion, k3 }) => ({
      viewPosition: eye,
      viewAxes: viewAxes(target.sub(eye), up, roll),
      lens: centredLens(fieldOfView, aspect),
      lensEdge: lensEdgeOf(distortion, k3),
    }),
  );

const orbitView = (aspect: number): Kernel =>
  kernel(
    'orbitView',
    {
      domain: 'cameras',
      reads: {
        target: vec3,
        distance: f32,
        elevation: f32,
        azimuth: f32,
        roll: f32,
        fieldOfView: f32,
        distortion: vec2,
        k3: f32,
      },
      writes: VIEW_FIELDS,
    },
    ({ target, distance, elevation, azimuth, roll, fieldOfView, distortion, k3 }) => {
      const [ce, se] = [cos(elevation), sin(elevation)];
      const [ca, sa] = [cos(azimuth), sin(azimuth)];
      const outward = vec3(ce.mul(sa), se, ce.mul(ca));
      // Up direction tangential to the sphere, defined at the poles too.
      const up = vec3(se.mul(sa).neg(), ce, se.mul(ca).neg());
      return {
        viewPosition: target.add(outward.mul(distance)),
        viewAxes: viewAxes(outward.neg(), up, roll),
        lens: centredLens(fieldOfView, aspect),
        lensEdge: lensEdgeOf(distortion, k3),
      };
    },
  );

const pinholeView = (width: number, height: number): Kernel =>
  kernel(
    'pinholeView',
    {
      domain: 'cameras',
      reads: {
        rotation: quat,
        translation: vec3,
        focalLength: vec2,
        principalPoint: vec2,
        distortion: vec2,
        k3: f32,
      },
      writes: VIEW_FIELDS,
    },
    ({ rotation, translation, focalLength, principalPoint, distortion, k3 }) => {
      const q = normalize(rotation);
      // Rows of R are the camera's axes in the world: x right, y down, z forward.
      const [right, down, forward] = [vec3(1, 0, 0), vec3(0, 1, 0), vec3(0, 0, 1)].map((axis) =>
        rotateInverse(q, axis),
      );
      const viewAxes = mat33(...right.components, ...down.neg().components, ...forward.components);
      return {
        viewPosition: transpose(mat33(...right.components, ...down.components, ...forward.components))
          .mul(translation)
          .neg(),
        viewAxes,
        // Column c has device x (2 c + 1 - W)/W, row r device y (H - 1 - 2 r)/H; Y points up, so Y = -y.
        lens: vec4(
          focalLength.x.mul(2 / width),
          focalLength.y.mul(2 / height),
          principalPoint.x.mul(2 / width).add((1 - width) / width),
          principalPoint.y.mul(-2 / height).add((height - 1) / height),
        ),
        lensEdge: lensEdgeOf(distortion, k3),
      };
    },
  );
