import type { Entity, Scene } from '@gradsim/core';
import { describeValue, GradsimError } from '@gradsim/core';
import type { TriangleMesh } from '@gradsim/mesh';
import { Link } from '../link.ts';
import type { Quadrature } from './gauss-jacobi.ts';
import { gaussJacobi } from './gauss-jacobi.ts';

/** Dimensions, m, and density, kg/m^3, of a beam of constant rectangular section. */
export interface BeamSize {
  readonly length: number;
  /** Width of the section, perpendicular to the plane in which the beam bends, m. */
  readonly width: number;
  /** Thickness of the section, in the plane in which the beam bends, m. */
  readonly thickness: number;
  readonly density: number;
  /** Number of hinges, at least 2. Default 3. */
  readonly hinges?: number;
}

/** Material of a beam. */
export interface BeamMaterial {
  /** Young's modulus, Pa. */
  readonly youngsModulus: number;
  /** Damping ratio of the first mode, dimensionless. Default 0. */
  readonly dampingRatio?: number;
}

/** Options of {@link addBeam}: a beam and the place where it is clamped. */
export interface BeamOptions extends BeamSize, BeamMaterial {
  /** Point where the centre line of the beam leaves the clamp, m. Default: the origin. */
  readonly clamp?: readonly number[];
  /**
   * Orientation, a quaternion (x, y, z, w): the beam extends along the x axis of these axes, and bends in their x-y
   * plane. Default: the identity.
   */
  readonly orientation?: readonly number[];
  /** Name of the beam in messages, such as `link 1 of beam "rod"`. Default: its number in the scene. */
  readonly name?: string;
}

/** Default number of hinges of a beam. */
const DEFAULT_HINGES = 3;
/**
 * Square of 1.8751, the first root of the cantilever's frequency equation: omega = FIRST_MODE sqrt(E I / (rho A)) /
 * L^2, rad/s.
 */
const FIRST_MODE = 3.516015;

/**
 * A cantilever that bends in a plane, as a chain of rigid links on hinges with springs (H. Hencky, 1920). Nothing in it
 * stretches, so nothing locks.
 *
 * Places of hinges and stiffnesses of springs follow from the nodes and weights of a quadrature (Gauss-Jacobi, for the
 * square of the distance from the free end, to which the moment of the beam's weight is proportional): displacements
 * under its own weight and under a force at its end are exact at that end, and in the mean. With 3 hinges, the default,
 * its first mode is that of the slender beam of Euler and Bernoulli to 1e-4, and its second to 1 %, for small
 * deflections; for a beam that sags by 15 % of its length, a modulus estimated with 3 hinges is 0.12 % below that with
 * 5 hinges. Shear is left out, as in that theory. Damping is that of the material: the ratio grows with frequency.
 * Stable motion needs more than 1000 f (0.05 + z) substeps per second with 3 hinges, and 4000 f (0.025 + z) with 4,
 * where f is the first frequency, Hz, and z the damping ratio.
 *
 * ```ts
 * const scene = createScene([articulated()]);
 * addBeam(scene, { length: 0.5, width: 0.03, thickness: 0.02, density: 1100, youngsModulus: 5e6 });
 * ```
 *
 * @returns the links on hinges, from the clamp on. They hang on a further link, which is fixed.
 * @throws for a size that is not above 0, and fewer than 2 hinges.
 */
export function addBeam(scene: Scene, options: BeamOptions): Entity[] {
  const { length, width, thickness, density, clamp = [0, 0, 0], orientation = [0, 0, 0, 1], name } = options;
  const parts = partsOf(options);
  const piece = (own: number, isEnd = false) => {
    const mass = density * width * thickness * own;
    const [x, z] = [own, width].map((side) => (mass * side ** 2) / 12);
    return {
      // Point masses, as in the theory of thin beams: the rotary inertia of the section matters less than shear, which
      // it neglects as well.
      mass,
      centre: [own / 2, 0, 0],
      inertia: [z, 0, 0, 0, x + z, 0, 0, 0, x],
      mesh: tube(own, thickness, width, isEnd),
    };
  };
  const springs = hingeSprings(options, options);
  const called = scene.nameGroup('beam', name);
  let parent = scene.add(
    Link,
    {
      joint: 'fixed',
      anchor: clamp,
      restOrientation: orientation,
      ...piece(parts[0] * length),
    },
    `clamp of ${called}`,
  );
  return springs.map((spring, k) => {
    const own = parts[k + 1] * length;
    parent = scene.add(
      Link,
      {
        parent,
        joint: 'revolute',
        axis: [0, 0, 1],
        anchor: [parts[k] * length, 0, 0],
        ...piece(own, k === springs.length - 1),
        ...spring,
      },
      `link ${k} of ${called}`,
    );
    return parent;
  });
}

/** Values of an estimate's parameters, by name. */
type ParameterValues = Readonly<Record<string, number>>;

/** A tie of an estimate for a beam: a field computed from parameters. */
export interface BeamTie {
  readonly field: typeof Link.stiffness | typeof Link.damping;
  readonly elements?: readonly number[];
  readonly compute: (values: ParameterValues) => readonly number[];
}

/**
 * Ties by which the springs of a beam, `links.stiffness` and `links.damping`, follow from parameters of its material.
 *
 * ```ts
 * const ties = beamTies(size, ({ E }) => ({ youngsModulus: E }));
 * ```
 *
 * @param beam size of the beam, as given to {@link addBeam}.
 * @param material returns the material for values of the parameters.
 * @param elements indices of the beam's links in the model, first the fixed one at the clamp. Default: all links of the
 * model.
 */
export function beamTies(
  beam: BeamSize,
  material: (values: ParameterValues) => BeamMaterial,
  elements?: readonly number[],
): BeamTie[] {
  const tied = (field: BeamTie['field'], name: keyof Spring): BeamTie => ({
    field,
    ...(elements && { elements }),
    // The clamped link has no hinge.
    compute: (values) => [0, ...hingeSprings(beam, material(values)).map((spring) => spring[name])],
  });
  return [tied(Link.stiffness, 'stiffness'), tied(Link.damping, 'damping')];
}

/** Stiffness, N m/rad, and damping, N m s/rad, of a hinge's spring. */
interface Spring {
  readonly stiffness: number;
  readonly damping: number;
}

/** Returns the springs of the hinges, from the clamp on. */
function hingeSprings(beam: BeamSize, { youngsModulus, dampingRatio = 0 }: BeamMaterial): Spring[] {
  const { length, width, thickness } = beam;
  const bending = (youngsModulus * width * thickness ** 3) / 12;
  const { nodes, weights } = quadratureOf(beam);
  // As the bending moment is u^2 times a polynomial, a hinge bends like the part w / u^2 of the beam.
  return nodes
    .map((u, k) => {
      const stiffness = (bending * u ** 2) / weights[k] / length;
      return { stiffness, damping: (2 * dampingRatio * stiffness) / beamFrequency(beam, youngsModulus) };
    })
    .reverse();
}

/** Returns the fractions of the length from the clamp to the first hinge, from there to the next, and so on. */
function partsOf(beam: BeamSize): number[] {
  const ends = [0, ...quadratureOf(beam).nodes, 1].reverse();
  return ends.slice(1).map((end, k) => ends[k] - end);
}

/**
 * Angular frequency of the first mode of a slender cantilever, rad/s: 1.8751^2 sqrt(E I / (rho A L^4)). It is
 * proportional to the square root of E.
 */
export const beamFrequency = ({ length, thickness, density }: BeamSize, youngsModulus: number): number =>
  (FIRST_MODE * Math.sqrt((youngsModulus * thickness ** 2) / 12 / density)) / length ** 2;

/** Returns the distances of the hinges from the free end, as fractions of the length, and their quadrature weights. */
function quadratureOf({ hinges = DEFAULT_HINGES, ...size }: BeamSize): Quadrature {
  for (const name of ['length', 'width', 'thickness', 'density'] as const)
    if (!(Number.isFinite(size[name]) && size[name] > 0))
      throw new GradsimError('articulated/option-out-of-range', `addBeam: ${name} is ${describeValue(size[name])}.`, {
        field: name,
        hint: 'It must be a number above 0.',
      });
  if (!(Number.isInteger(hinges) && hinges >= 2))
    throw new GradsimError('articulated/option-out-of-range', `addBeam: hinges is ${describeValue(hinges)}.`, {
      field: 'hinges',
      hint: 'It must be a whole number of at least 2.',
    });
  return gaussJacobi(hinges);
}

/**
 * Returns the faces of a box that extends from the origin along x: those parallel to x, plus the end face if it is the
 * last box.
 */
function tube(length: number, height: number, width: number, isEnd: boolean): TriangleMesh {
  const corners = [0, length].flatMap((x) =>
    [
      [-1, -1],
      [1, -1],
      [1, 1],
      [-1, 1],
    ].flatMap(([y, z]) => [x, (y * height) / 2, (z * width) / 2]),
  );
  const sides = [0, 1, 2, 3].flatMap((k) => {
    const next = (k + 1) % 4;
    return [k, next, next + 4, k, next + 4, k + 4];
  });
  return {
    positions: Float64Array.from(corners),
    triangles: Uint32Array.from([...sides, ...(isEnd ? [4, 5, 6, 4, 6, 7] : [])]),
  };
}
