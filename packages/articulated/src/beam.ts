import type { Entity, Scene } from '@gradsim/core';
import type { TriangleMesh } from '@gradsim/mesh';
import { Link } from './link.ts';

/** A beam of one rectangular section. SI units. */
export interface BeamSize {
  readonly length: number;
  /** Across the plane in which it bends. */
  readonly width: number;
  /** In that plane. */
  readonly thickness: number;
  readonly density: number;
  /** Default 4. */
  readonly hinges?: number;
}

/** A beam and where it is clamped. */
export interface BeamOptions extends BeamSize {
  /** Pa. */
  readonly youngsModulus: number;
  /** Of its first mode. Default 0. */
  readonly dampingRatio?: number;
  /** Where its middle line leaves the clamp. Default the origin, m. */
  readonly clamp?: readonly number[];
  /** Quaternion (x, y, z, w): the beam goes along its x, and bends in its x and y. Default none. */
  readonly orientation?: readonly number[];
}

const HINGES = 4;
/** 1.8751 squared, of the first mode of a cantilever. */
const FIRST_MODE = 3.516015;
/** A chain of n hinges swings 1 + 0.2307 / n^2 times as fast as the beam, n from 4 to 16. */
const CHAIN_IS_FASTER = 0.2307;

/**
 * A cantilever that bends in a plane, as a chain of rigid links (H. Hencky, 1920): n hinges with springs E I n / L, in the
 * middles of n equal parts. Nothing in it stretches, so nothing locks and substeps may be long. The first mode is that of the
 * slender beam of Euler and Bernoulli; its springs are weaker than E I n / L by what n hinges make it too fast, so that it is so
 * to 1e-3. Damping is that of the material: the ratio grows with frequency. With 4 hinges, a first frequency f and a damping
 * ratio z a second takes more than 10^4 f max(z, 0.0126) substeps; 6 take five times as many.
 *
 * ```ts
 * const scene = createScene([articulated()]);
 * addBeam(scene, { length: 0.5, width: 0.03, thickness: 0.02, density: 1100, youngsModulus: 5e6 });
 * ```
 *
 * @returns the links with hinges, from the clamp on. A link that does not move holds them.
 * @throws for a size that is not above 0, and fewer than 4 hinges.
 */
export function addBeam(scene: Scene, options: BeamOptions): Entity[] {
  const { length, width, thickness, density, clamp = [0, 0, 0], orientation = [0, 0, 0, 1] } = options;
  const count = hingesOf(options);
  const part = length / count;
  const piece = (own: number, isEnd = false) => {
    const mass = density * width * thickness * own;
    const [x, y, z] = [own, thickness, width].map((side) => (mass * side ** 2) / 12);
    return {
      ...{ mass, centre: [own / 2, 0, 0], inertia: [y + z, 0, 0, 0, x + z, 0, 0, 0, x + y] },
      mesh: tube(own, thickness, width, isEnd),
    };
  };
  const spring = beamHinge(options, options);
  let parent = scene.add(Link, {
    ...{ joint: 'fixed', anchor: clamp, restOrientation: orientation, ...piece(part / 2) },
  });
  return Array.from({ length: count }, (_, k) => {
    const isEnd = k === count - 1;
    parent = scene.add(Link, {
      ...{ parent, joint: 'revolute', axis: [0, 0, 1], anchor: [k === 0 ? part / 2 : part, 0, 0] },
      ...{ ...piece(isEnd ? part / 2 : part, isEnd), ...spring },
    });
    return parent;
  });
}

/**
 * The springs of a beam's hinges, for ties of an estimate: `links.stiffness`, N m/rad, and `links.damping`, N m s/rad.
 *
 * ```ts
 * const ties = [{ field: Link.stiffness, elements, of: ({ E }) => beamHinge(size, { youngsModulus: E }).stiffness }];
 * ```
 */
export function beamHinge(
  size: BeamSize,
  { youngsModulus, dampingRatio = 0 }: Pick<BeamOptions, 'youngsModulus' | 'dampingRatio'>,
): { readonly stiffness: number; readonly damping: number } {
  const count = hingesOf(size);
  const { length, width, thickness } = size;
  const bending = (youngsModulus * width * thickness ** 3) / 12;
  const stiffness = ((bending * count) / length) * (1 + CHAIN_IS_FASTER / count ** 2) ** -2;
  return { stiffness, damping: (2 * dampingRatio * stiffness) / beamFrequency(size, youngsModulus) };
}

/** Of the first mode of a slender cantilever, rad/s: 1.8751^2 sqrt(E I / (rho A L^4)). It goes with the root of E. */
export const beamFrequency = ({ length, thickness, density }: BeamSize, youngsModulus: number): number =>
  (FIRST_MODE * Math.sqrt((youngsModulus * thickness ** 2) / 12 / density)) / length ** 2;

function hingesOf({ hinges = HINGES, ...size }: BeamSize): number {
  for (const name of ['length', 'width', 'thickness', 'density'] as const)
    if (!(size[name] > 0 && Number.isFinite(size[name])))
      throw new Error(`addBeam: ${name} is ${size[name]}; it must be a number above 0.`);
  if (!(Number.isInteger(hinges) && hinges >= 4))
    throw new Error(`addBeam: hinges is ${hinges}; it must be a whole number of at least 4.`);
  return hinges;
}

/** The faces along x of a box from the origin on, and that at its end where it is the last. */
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
