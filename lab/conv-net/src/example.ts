import type { RigidScene, Sample } from '@gradsim/dataset';
import { sceneMass } from '@gradsim/dataset';
import { type Frames, frameAt } from '@gradsim/video';

/** Width and height of the films, px. */
const SIZE = 64;
/** Width and height of a patch, px; a patch is the kernel of the first convolution. */
const PATCH = 4;
/** Number of frames of a film that are fed to the network. */
export const FRAMES = 10;
/** Interval between the frames fed to the network, in frames of the film. */
const FRAME_STRIDE = 6;

/** Number of patches per frame. */
export const PATCHES = (SIZE / PATCH) ** 2;
/** Number of values per patch: red, green and blue of each pixel. */
export const PATCH_VALUES = 3 * PATCH * PATCH;

/** Unknowns that the network predicts, in order. */
export const UNKNOWNS = ['mass', 'ke', 'kd', 'kf', 'mu'] as const;

/** Input and target of the network for one film. */
export interface Example {
  /** Pixel values of 8 bits, flat, in the order `[frame][patch row][patch column][row][column][channel]`. */
  readonly patches: Uint8Array;
  /** Colour of the background, 0 to 1. */
  readonly background: readonly number[];
  /** Quantities of a scene that the other methods know besides the film: impulse, initial state and camera; see {@link knownOf}. */
  readonly known: readonly number[];
  /** True values in the order of {@link UNKNOWNS}; `mass` is given by the density, kg/m^3. */
  readonly truth: readonly number[];
}

/**
 * Reads an example from a sample of a rigid body filmed at 64 x 64 px.
 *
 * @throws for another kind or size.
 */
export async function readExample(sample: Sample): Promise<Example> {
  const { scene } = await sample.record();
  if (scene.kind !== 'rigid' || scene.size !== SIZE)
    throw new Error(
      `${sample.path} is ${scene.kind} with ${scene.size} pixels a side; the network takes rigid bodies with ${SIZE}.`,
    );
  const { density, material } = scene;
  return {
    patches: patchesOf(await sample.frames({ every: FRAME_STRIDE })),
    background: scene.background,
    known: knownOf(scene),
    truth: [density, material.ke, material.kd, material.kf, material.mu],
  };
}

/**
 * Known quantities of a scene. The impulse is given by its direction and the logarithm of its magnitude per volume, N s/m^3:
 * the density is that magnitude over a change of velocity, which the film shows.
 */
function knownOf(scene: RigidScene): number[] {
  const { target, distance, elevation, azimuth, fieldOfView } = scene.camera;
  const volume = sceneMass(scene).mass / scene.density;
  const magnitude = Math.hypot(...scene.impulse);
  // A quaternion and its negative are the same orientation.
  const sign = Math.sign(scene.orientation[3]) || 1;
  return [
    Math.log(magnitude / volume),
    Math.log(volume),
    ...scene.impulse.map((part) => part / magnitude),
    ...scene.impulsePoint,
    ...scene.position,
    ...scene.orientation.map((part) => sign * part),
    ...scene.velocity,
    ...scene.angularVelocity,
    ...[target[0], target[1], distance, elevation, azimuth, fieldOfView],
  ];
}

/** Cuts the frames fed to the network into patches. @param film one of every {@link FRAME_STRIDE} frames. */
export function patchesOf(film: Frames): Uint8Array {
  const across = SIZE / PATCH;
  const patches = new Uint8Array(FRAMES * PATCHES * PATCH_VALUES);
  for (let k = 0; k < FRAMES; k++) {
    const frame = frameAt(film, k);
    for (let y = 0; y < SIZE; y++)
      for (let x = 0; x < SIZE; x++) {
        const patch = Math.floor(y / PATCH) * across + Math.floor(x / PATCH);
        const at = (k * PATCHES + patch) * PATCH_VALUES + 3 * ((y % PATCH) * PATCH + (x % PATCH));
        for (let c = 0; c < 3; c++) patches[at + c] = Math.round(255 * frame[3 * (y * SIZE + x) + c]);
      }
  }
  return patches;
}
