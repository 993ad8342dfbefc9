import { sum, vectorAt } from '@gradsim/base';
import { addCloth, cloth } from '@gradsim/cloth';
import { contact, contactOf, HalfSpace } from '@gradsim/contact';
import {
  buildModel,
  createScene,
  defect,
  definePlugin,
  GradsimError,
  type Model,
  type Plugin,
  Surfaces,
} from '@gradsim/core';
import { addSoftBody, fem } from '@gradsim/fem';
import { placeMesh, plane, type TetMesh, type TriangleMesh, tetrahedralise, tetVolume } from '@gradsim/mesh';
import { Particle, ParticlePush, particles } from '@gradsim/particles';
import type { Color } from '../looks.ts';
import { addPicture, type Picture, picturePlugins } from '../picture.ts';
import { PUSH_SECONDS } from '../rigid/scene.ts';
import { scaledMesh } from '../shapes/shapes.ts';

/** Shapes used for soft bodies: those that tetrahedra of size {@link CELL} can fill. */
export const SOFT_SHAPES = ['box', 'sphere', 'cone', 'cylinder', 'capsule', 'torus', 'pear'] as const;
/** Edge length of a cell that is filled with tetrahedra, relative to the size of the object. */
const CELL = 0.22;
/**
 * Edge lengths relative to {@link CELL}, tried in order. How much of a thin part the cells fill depends on where they
 * cut it, so a torus of some proportions falls apart at the first one.
 */
const CELL_FACTORS = [1, 0.9, 0.8, 0.7];
/** Number of squares along each side of a cloth. */
const SQUARES = 10;

/** Parameters that soft bodies and cloths share: an object thrown onto the ground y = 0, and its picture. */
interface Deforming extends Picture {
  readonly scale: readonly number[];
  /** Pose of the undeformed mesh: position of its origin, m, and quaternion (x, y, z, w). */
  readonly position: readonly number[];
  readonly orientation: readonly number[];
  /** Initial velocity, m/s, and angular velocity about `position`, rad/s. */
  readonly velocity: readonly number[];
  readonly angularVelocity: readonly number[];
  /** Contact material of each particle: ke, N/m, kd and kf, N s/m, and mu, dimensionless. */
  readonly material: { readonly ke: number; readonly kd: number; readonly kf: number; readonly mu: number };
  /** Energy parameters mu and lambda, and damping: Pa and Pa s of a soft body, N/m and N s/m of a cloth. */
  readonly elasticity: { readonly mu: number; readonly lambda: number; readonly damping: number };
  /** Density: kg/m^3 of a soft body, kg/m^2 of a cloth. */
  readonly density: number;
  /**
   * Colours at the two corners of the mesh's bounding box; each channel varies linearly along its own axis in between.
   */
  readonly colors: readonly [Color, Color];
  /** Substeps per frame, which follow from stiffness, damping and mass. */
  readonly substeps: number;
}

/** Everything that was drawn for a film of a soft body. */
export interface SoftScene extends Deforming {
  readonly kind: 'soft';
  readonly shape: (typeof SOFT_SHAPES)[number];
  /**
   * Impulse, N s, spread over the first {@link PUSH_SECONDS} and over all particles in proportion to their mass.
   * Undefined in the dataset.
   */
  readonly impulse?: readonly number[];
}

/** Everything that was drawn for a film of a cloth. */
export interface ClothScene extends Deforming {
  readonly kind: 'cloth';
  readonly shape: 'sheet';
  /** Bending stiffness of a hinge, N m, and coefficients of lift and drag, kg/m^3. */
  readonly bendStiffness: number;
  readonly drag: number;
  readonly lift: number;
}

/** Scene of an object that deforms. */
export type DeformingScene = SoftScene | ClothScene;

/** Builds the model of a scene. @param options `picture: false` leaves the renderer out. */
export function deformingModel(given: DeformingScene, { picture = true }: { readonly picture?: boolean } = {}): Model {
  const scene = createScene([
    particles(),
    given.kind === 'soft' ? fem() : cloth(),
    contact(),
    ...(picture ? [shadeTriangles(given.colors), ...picturePlugins(given, 'corner')] : []),
  ]);
  const { density, elasticity } = given;
  const [x, y, z] = given.position;
  const [qx, qy, qz, qw] = given.orientation;
  const placed = <M extends TetMesh | TriangleMesh>(mesh: M): M =>
    placeMesh(mesh, { rotation: [qx, qy, qz, qw], translation: [x, y, z] });
  const velocityOf = ({ positions }: { readonly positions: Float64Array }) => velocities(positions, given);
  let added: { readonly particles: Parameters<typeof scene.attach>[0][] };
  if (given.kind === 'soft') {
    const mesh = placed(softMesh(given));
    added = addSoftBody(scene, mesh, { ...elasticity, density, velocity: velocityOf(mesh) });
    const { impulse } = given;
    if (impulse)
      massShares(mesh).forEach((share, k) => {
        const force = impulse.map((each) => (share * each) / PUSH_SECONDS);
        scene.add(ParticlePush, { particle: added.particles[k], force, start: 0, end: PUSH_SECONDS });
      });
  } else {
    const { bendStiffness, drag, lift, scale } = given;
    const mesh = placed(plane({ size: [scale[0], scale[2]], segments: [SQUARES, SQUARES] }));
    added = addCloth(scene, mesh, { ...elasticity, density, bendStiffness, drag, lift, velocity: velocityOf(mesh) });
  }
  for (const particle of added.particles) scene.attach(particle, contactOf(Particle), { ...given.material });
  scene.add(HalfSpace, {}, 'the ground');
  if (picture) addPicture(scene, given);
  return buildModel(scene);
}

/** Fills the shape with the largest cells that hold it together. */
export function softMesh({ shape, scale }: Pick<SoftScene, 'shape' | 'scale'>): TetMesh {
  const mesh = scaledMesh(shape, scale);
  for (const [k, factor] of CELL_FACTORS.entries())
    try {
      return tetrahedralise(mesh, { cellSize: factor * CELL * Math.min(...scale) });
    } catch (error) {
      const isTooLarge = error instanceof GradsimError && error.code === 'mesh/cells-too-large';
      if (!isTooLarge || k === CELL_FACTORS.length - 1) throw error;
    }
  throw defect('No cells were tried');
}

/**
 * Volume of a soft body's tetrahedra, m^3: slightly less than that of its shape, whose edges and corners they leave
 * out.
 */
export function softVolume(scene: SoftScene): number {
  return sum(tetVolumes(softMesh(scene)));
}

const tetVolumes = ({ positions, tets }: TetMesh): number[] =>
  Array.from({ length: tets.length / 4 }, (_, tet) =>
    tetVolume([0, 1, 2, 3].map((k) => vectorAt(positions, tets[4 * tet + k]))),
  );

/** Fraction of a soft body's mass that each particle has: a quarter of the mass of each adjacent tetrahedron. */
function massShares(mesh: TetMesh): number[] {
  const volumes = tetVolumes(mesh);
  const shares = Array<number>(mesh.positions.length / 3).fill(0);
  mesh.tets.forEach((particle, k) => {
    shares[particle] += volumes[Math.floor(k / 4)] / 4;
  });
  const total = sum(volumes);
  return shares.map((share) => share / total);
}

/** Initial velocity of each vertex, v + omega x r with r from `position`, m/s. */
function velocities(positions: Float64Array, { position, velocity, angularVelocity: w }: Deforming): number[] {
  return Array.from(positions, (_, k) => {
    const [axis, first] = [k % 3, k - (k % 3)];
    const [next, last] = [(axis + 1) % 3, (axis + 2) % 3];
    const r = (along: number): number => positions[first + along] - position[along];
    return velocity[axis] + w[next] * r(last) - w[last] * r(next);
  });
}

/**
 * Share of a vertex's colour that alternates between neighbouring vertices, so that motion within the outline is
 * visible.
 */
const SHADE_VARIATION = 0.25;

/** Plugin that colours particles from one colour to another, each channel along one world axis, by initial position. */
function shadeTriangles([from, to]: DeformingScene['colors']): Plugin {
  return definePlugin({
    name: 'dataset/shaded',
    contract: 1,
    amends: [Surfaces],
    build: ({ model }) => {
      const positions = Array.from(model.field(Particle.position).values!);
      const ranges = [0, 1, 2].map((axis) => {
        const along = positions.filter((_, k) => k % 3 === axis);
        return [Math.min(...along), Math.max(...along)] as const;
      });
      const vertexColors = positions.map((x, k) => {
        const axis = k % 3;
        const [low, high] = ranges[axis];
        const part = high > low ? (x - low) / (high - low) : 0.5;
        const own = Math.floor(k / 3) % 2;
        const mixed = (1 - SHADE_VARIATION) * part + SHADE_VARIATION * own;
        return from[axis] + (to[axis] - from[axis]) * mixed;
      });
      model.amend(Surfaces, (surface) => ({ ...surface, vertexColors }));
    },
  });
}
