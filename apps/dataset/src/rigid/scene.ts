import { contact, contactOf, HalfSpace } from '@gradsim/contact';
import { buildModel, createScene, type Model } from '@gradsim/core';
import { type MassProperties, massProperties, type TriangleMesh } from '@gradsim/mesh';
import { DirectionalLight, OrbitCamera, render } from '@gradsim/render';
import { softRas } from '@gradsim/render-softras';
import { Body, BodyPush, rigid } from '@gradsim/rigid';
import { type Color, type Look, patternTexture, projectedUvs, triangleColors } from '../looks.ts';
import { SHAPES, type ShapeName } from '../shapes/shapes.ts';

/** Frames of a film and rate at which they are taken: 2 s, as in the paper. */
export const FILM = { frames: 60, frameRate: 30 } as const;

/** Seconds over which the impulse is spread from the start on. */
export const PUSH_SECONDS = 0.1;

/** Everything that was drawn for a film of a rigid body that is tossed onto the ground y = 0. */
export interface RigidScene {
  readonly kind: 'rigid';
  readonly shape: ShapeName;
  /** Factors of the shape's axes. */
  readonly scale: readonly number[];
  /** kg/m^3 */
  readonly density: number;
  /** Contact material: N/m, N s/m, N s/m, and no unit. */
  readonly material: { readonly ke: number; readonly kd: number; readonly kf: number; readonly mu: number };
  /** Position of the centre of mass, m, and quaternion (x, y, z, w), at the beginning. */
  readonly position: readonly number[];
  readonly orientation: readonly number[];
  /** m/s and rad/s */
  readonly velocity: readonly number[];
  readonly angularVelocity: readonly number[];
  /** N s, over the first {@link PUSH_SECONDS}, at a point in body axes from the centre of mass, m. */
  readonly impulse: readonly number[];
  readonly impulsePoint: readonly number[];
  readonly look: Look;
  readonly light: { readonly direction: readonly number[]; readonly color: Color; readonly ambient: Color };
  readonly background: Color;
  readonly camera: {
    readonly target: readonly number[];
    readonly distance: number;
    readonly elevation: number;
    readonly azimuth: number;
    readonly fieldOfView: number;
  };
  /** Pixels of each side of the square pictures. */
  readonly size: number;
  /** Substeps a frame, which follow from stiffness, damping and mass. */
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

/** Returns a shape's mesh with its axes scaled. */
export function scaledMesh(shape: ShapeName, scale: readonly number[]): TriangleMesh {
  const { mesh } = SHAPES[shape];
  return { ...mesh, positions: mesh.positions.map((x, k) => x * scale[k % 3]) };
}

/** Mass, centre of mass and inertia of a scene's body, in the axes of its mesh. */
export const sceneMass = ({ shape, scale, density }: Pick<RigidScene, 'shape' | 'scale' | 'density'>): MassProperties =>
  massProperties(scaledMesh(shape, scale), { density });

/** Outlines as soft as in pictures of 180 pixels with a variance of a pixel: squared distance in device coordinates. */
const softnessOf = (size: number): number => 3e-5 * (180 / size) ** 2;

/** Parts of a scene's model; `picture: false` leaves the renderer out. */
export interface SceneModelOptions {
  readonly picture?: boolean;
}

/**
 * The model that a film of the dataset was made with: its pictures are the film's, before rounding to 8 bits.
 *
 * ```ts
 * const model = sceneModel(sample.scene);
 * const film = await filmModel(model, { ...FILM, substeps: sample.scene.substeps }, { device });
 * ```
 */
export function sceneModel(given: RigidScene, { picture = true }: SceneModelOptions = {}): Model {
  const { size, camera, light } = given;
  const plugins = [rigid(), contact()];
  if (picture)
    plugins.push(
      render({ width: size, height: size, ambient: [light.ambient[0], light.ambient[1], light.ambient[2]] }),
      softRas({
        sigma: softnessOf(size),
        gamma: 1e-3,
        compositing: 'coverage',
        near: 1,
        far: 50,
        backgroundColor: [...given.background],
      }),
    );
  const scene = createScene(plugins);
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
  if (picture) {
    scene.add(OrbitCamera, { ...camera });
    scene.add(DirectionalLight, { direction: light.direction, color: light.color });
  }
  return buildModel(scene);
}
