import type { Entity, Scene, Vec3 } from '@gradsim/core';
import {
  column,
  computed,
  defineAspect,
  dot,
  exp,
  f32,
  GradsimError,
  kernel,
  mat33,
  select,
  vec3,
} from '@gradsim/core';
import { Link } from './link.ts';

/**
 * Mass, centre of mass and inertia of a link as ten numbers, any values of which give a physical body: the log-Cholesky
 * factors of the pseudo-inertia (Rucker and Wensing 2022), in the link's axes. With c the centre of mass and S the
 * second moments of the mass about it, S = tr(I) / 2 - I,
 *
 * m = e^(2 logScale), c = massCentre, S = m D D^T, D upper triangular with e^spread on its diagonal and shear above it.
 *
 * A link with this aspect takes mass, centre and inertia from it; those of {@link Link} are then ignored. All ten can
 * be parameters, and gradients exist with respect to each.
 */
export const LogCholesky = defineAspect(
  Link,
  'LogCholesky',
  {
    /** Half the natural logarithm of the mass in kg. */
    logScale: column(f32, { default: 0 }),
    /**
     * Natural logarithms of the diagonal of D in m: extent of the mass along x, y and z, without the part that is
     * correlated with the later axes.
     */
    spread: column(vec3, { default: 0 }),
    /** Entries (1, 2), (1, 3) and (2, 3) of D, m. */
    shear: column(vec3, { default: 0, unit: 'm' }),
    /** Centre of mass in the link's axes, m. */
    massCentre: column(vec3, { default: 0, unit: 'm' }),
  },
  {
    /** 1 for links that have the aspect, else 0. */
    hasLogCholesky: computed(f32),
  },
);

/** Mass properties of a body: mass, kg, centre of mass, m, and inertia about it, kg m^2, row by row. */
export interface BodyMasses {
  readonly mass: number;
  readonly centre: readonly number[];
  readonly inertia: readonly number[];
}
/** The ten numbers, by column of {@link LogCholesky}. */
export interface LogCholeskyFactors {
  readonly logScale: number;
  readonly spread: readonly number[];
  readonly shear: readonly number[];
  readonly massCentre: readonly number[];
}

/**
 * Returns the log-Cholesky factors of a body.
 *
 * ```ts
 * const factors = logCholeskyOf({ mass: 2, centre: [0, -0.1, 0], inertia: [0.02, 0, 0, 0, 0.01, 0, 0, 0, 0.02] });
 * ```
 * @throws for a body without extent along some direction (a point, a rod without thickness or a plate): the logarithm
 * of its extent is infinite.
 */
export function logCholeskyOf({ mass, centre, inertia }: BodyMasses): LogCholeskyFactors {
  if (!(mass > 0))
    throw new GradsimError('articulated/mass-not-positive', `logCholeskyOf: mass is ${mass}.`, {
      field: 'mass',
      hint: 'It must be above 0.',
    });
  const half = (inertia[0] + inertia[4] + inertia[8]) / 2;
  const s = (i: number, j: number): number =>
    ((i === j ? half : 0) - (inertia[3 * i + j] + inertia[3 * j + i]) / 2) / mass;
  const root = (square: number): number => {
    // A smaller fraction of the total is rounding.
    if (!(square > 1e-14 * (s(0, 0) + s(1, 1) + s(2, 2))))
      throw new GradsimError(
        'articulated/inertia-not-physical',
        `logCholeskyOf: inertia is (${inertia.join(', ')}), of a mass without extent along some line, or of none that there is; every principal moment must be below the sum of the other two.`,
        { field: 'inertia', hint: 'Give it a thickness.' },
      );
    return Math.sqrt(square);
  };
  const third = root(s(2, 2));
  const [s13, s23] = [s(0, 2) / third, s(1, 2) / third];
  const second = root(s(1, 1) - s23 * s23);
  const s12 = (s(0, 1) - s13 * s23) / second;
  const first = root(s(0, 0) - s12 * s12 - s13 * s13);
  return {
    logScale: Math.log(mass) / 2,
    spread: [Math.log(first), Math.log(second), Math.log(third)],
    shear: [s12, s13, s23],
    massCentre: [...centre],
  };
}

/**
 * Computes the mass properties for log-Cholesky factors, the inverse of {@link logCholeskyOf}. Any values give a
 * physical body.
 */
export function bodyOfLogCholesky({ logScale, spread, shear, massCentre }: LogCholeskyFactors): BodyMasses {
  const mass = Math.exp(2 * logScale);
  const [a, b, c] = spread.map(Math.exp);
  const [p, q, r] = shear;
  const rows = [
    [a, p, q],
    [0, b, r],
    [0, 0, c],
  ];
  const s = (i: number, j: number): number => mass * rows[i].reduce((sum, entry, k) => sum + entry * rows[j][k], 0);
  // I = tr(S) 1 - S, written as sums of squares where S cancels.
  const inertia = [
    ...[s(1, 1) + s(2, 2), -s(0, 1), -s(0, 2)],
    ...[-s(1, 0), s(0, 0) + s(2, 2), -s(1, 2)],
    ...[-s(2, 0), -s(2, 1), s(0, 0) + s(1, 1)],
  ];
  return { mass, centre: [...massCentre], inertia };
}

/**
 * Attaches {@link LogCholesky} to a link, with the factors of its mass, centre and inertia as initial values.
 *
 * ```ts
 * addLogCholesky(scene, arm);
 * const unknown = { name: 'spread', field: LogCholesky.spread, elements: [0], initial: -2 };
 * ```
 * @throws as {@link logCholeskyOf}.
 */
export function addLogCholesky(scene: Scene, link: Entity): void {
  const values = (name: string): number[] => Array.from(scene.get(link, Link, name));
  let factors: ReturnType<typeof logCholeskyOf>;
  try {
    factors = logCholeskyOf({ mass: values('mass')[0], centre: values('centre'), inertia: values('inertia') });
  } catch (error) {
    throw new GradsimError('articulated/inertia-not-physical', `${(error as Error).message}`, {
      element: scene.describe(link),
      cause: error,
    });
  }
  scene.attach(link, LogCholesky, factors);
}

/** Computes mass, centre and inertia of links with log-Cholesky factors, once per run. */
export const massesOfFactors = kernel(
  'massesOfFactors',
  {
    domain: Link,
    reads: {
      hasLogCholesky: LogCholesky.hasLogCholesky,
      logScale: LogCholesky.logScale,
      spread: LogCholesky.spread,
      shear: LogCholesky.shear,
      massCentre: LogCholesky.massCentre,
      mass: Link.mass,
      centre: Link.centre,
      inertia: Link.inertia,
    },
    writes: { mass: Link.mass, centre: Link.centre, inertia: Link.inertia },
  },
  ({ hasLogCholesky, logScale, spread, shear, massCentre, mass, centre, inertia }) => {
    const has = hasLogCholesky.gt(0.5);
    const made = exp(logScale.mul(2));
    const [a, b, c] = spread.components.map((one) => exp(one));
    const zero = f32(0);
    const rows: readonly Vec3[] = [vec3(a, shear.x, shear.y), vec3(zero, b, shear.z), vec3(zero, zero, c)];
    const s = (i: number, j: number) => dot(rows[i], rows[j]).mul(made);
    const [xx, yy, zz] = [s(0, 0), s(1, 1), s(2, 2)];
    const [xy, xz, yz] = [s(0, 1).neg(), s(0, 2).neg(), s(1, 2).neg()];
    const ofFactors = mat33(yy.add(zz), xy, xz, xy, xx.add(zz), yz, xz, yz, xx.add(yy));
    return {
      mass: select(has, made, mass),
      centre: select(has, massCentre, centre),
      inertia: select(has, ofFactors, inertia),
    };
  },
);
