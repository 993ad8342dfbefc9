import { contact, contactOf, HalfSpace } from '@gradsim/contact';
import { buildModel, createScene, type Model } from '@gradsim/core';
import { type MassProperties, massProperties, type TriangleMesh } from '@gradsim/mesh';
import { Body, BodyPush, rigid } from '@gradsim/rigid';
import { type Look, patternTexture, projectedUvs, triangleColors } from '../looks.ts';
import { addPicture, type Picture, picturePlugins } from '../picture.ts';
import { SHAPES, type ShapeName, scaledMesh } from '../shapes/shapes.ts';

/** Time after the start over which the impulse is spread, s. */
export const PUSH_SECONDS = 0.1;

/** All drawn values of a film of a rigid body tossed onto the ground y = 0. */
export interface RigidScene extends Picture {
  readonly kind: 'rigid';
  readonly shape: ShapeName;
  /** Scale factors of the shape's axes, dimensionless. */
  readonly scale: readonly number[];
  /** Density, kg/m^3. */
  readonly density: number;
  /** Contact material: ke, N/m, kd and kf, N s/m, and mu, dimensionless. */
  readonly material: { readonly ke: number; readonly kd: number; readonly kf: number; readonly mu: number };
  /** Initial position of the centre of mass, m, and quaternion (x, y, z, w). */
  readonly position: readonly number[];
  readonly orientation: readonly number[];
  /** Initial velocity, m/s, and angular velocity, rad/s. */
  readonly velocity: readonly number[];
  readonly angularVelocity: readonly number[];
  /**
   * Impulse, N s, over the first {@link PUSH_SECONDS}, and its point of application in body axes relative to the centre
   * of mass, m.
   */
  readonly impulse: readonly number[];
  readonly impulsePoint: readonly number[];
  readonly look: Look;
  /** Substeps per frame, which follow from stiffness, damping and mass. */
  readonly substeps: number;
}

/** The mesh of a scene's body, in its size and colours. */
export function sceneMesh({ shape, scale, look }: Pick<RigidScene, 'shape' | 'scale' | 'look'>): TriangleMesh {
  const solid = SHAPES[shape];
  return {
    ...scaledMesh(shape, scale),
    colors: triangleColors(solid, look),
    colorsOn: 'triangles',
    textures: [patternTexture(look.pattern)],
    uvs: projectedUvs(solid.mesh),
  };
}

/** Mass, centre of mass and inertia of a scene's body, in the axes of its mesh; SI units. */
export const sceneMass = ({ shape, scale, density }: Pick<RigidScene, 'shape' | 'scale' | 'density'>): MassProperties =>
  massProperties(scaledMesh(shape, scale), { density });

/** Options for a scene's model; `picture: false` leaves the renderer out. */
export interface RigidModelOptions {
  readonly picture?: boolean;
}

/** Builds the model of a scene. */
export function rigidModel(given: RigidScene, { picture = true }: RigidModelOptions = {}): Model {
  const scene = createScene([rigid(), contact(), ...(picture ? picturePlugins(given, 'face') : [])]);
  const { density, position, orientation, velocity, angularVelocity } = given;
  const body = scene.add(
    Body,
    { mesh: sceneMesh(given), density, position, orientation, velocity, angularVelocity },
    'the object',
  );
  scene.attach(body, contactOf(Body), { ...given.material });
  scene.add(HalfSpace, {}, 'the ground');
  const force = given.impulse.map((each) => each / PUSH_SECONDS);
  scene.add(BodyPush, { body, force, point: given.impulsePoint, start: 0, end: PUSH_SECONDS });
  if (picture) addPicture(scene, given);
  return buildModel(scene);
}
