import type { Model } from '@gradsim/core';
import { buildModel, createScene } from '@gradsim/core';
import type { TriangleMesh } from '@gradsim/mesh';
import { box, capsule, cylinder } from '@gradsim/mesh';
import { randomNumbers } from '@gradsim/optim';
import { DirectionalLight, OrbitCamera, render } from '@gradsim/render';
import { Body, BodyPush, rigid } from '@gradsim/rigid';
import { sphereUvs } from '../appearance/sphere-uvs.ts';
import { between, logBetween, startFarFrom } from '../scenes/draws.ts';
import { randomRotation } from '../scenes/random-toss.ts';
import type { SceneRenderer } from '../scenes/renderers.ts';
import { PUSH_SECONDS } from '../scenes/tossed.ts';
import { lens } from '../soft/instance.ts';

/**
 * Looks of a body: `color`, one uniform colour, so that only the outline is visible; `shading`, with light as well;
 * `texture`, with a texture.
 */
export const LOOKS = ['color', 'shading', 'texture'] as const;
export type CueLook = (typeof LOOKS)[number];

export const THROW_TIMELINE = { frames: 16, frameRate: 20, substeps: 8 } as const;
/** Reflectance of the untextured body, and mean of the random texture; the same for each colour channel, 0 to 1. */
const GREY = 0.6;
/** Brightness of the background, 0 to 1: close to that of the body, so that outlines do not dominate the loss. */
const BACKDROP = 0.4;
/** Width, and also height, of the texture in texels. */
const TEXELS = 16;
const MASSES = [1, 4] as const;
/** Distance of the camera from the point at which it looks, m. */
const DISTANCE = 6;

/** A grey body, or with a texture around the same grey, that is thrown and pushed off its centre. */
export interface ThrownBody {
  readonly mesh: TriangleMesh;
  /** True mass, and mass at which estimates start (`start`), kg. */
  readonly mass: number;
  readonly start: number;
  readonly texture: Float64Array;
  readonly orientation: readonly number[];
  readonly angularVelocity: readonly number[];
  readonly impulse: readonly number[];
  readonly point: readonly number[];
  readonly azimuth: number;
}

/** Draws a thrown body from a seed; its motion does not depend on the look. */
export function randomThrown(seed: number): ThrownBody {
  const random = randomNumbers(seed);
  const shapes = [
    box({ size: [1, 0.6, 0.7] }),
    capsule({ radius: 0.3, height: 0.6, segments: 12, rings: 3 }),
    cylinder({ radius: 0.4, height: 0.8, segments: 16 }),
  ];
  const vector = (size: number): number[] => [0, 1, 2].map(() => between(random, -size, size));
  const mass = logBetween(random, ...MASSES);
  return {
    mesh: shapes[seed % shapes.length],
    mass,
    start: startFarFrom(random, mass, [mass / 3, mass * 3]),
    texture: Float64Array.from({ length: 3 * TEXELS * TEXELS }, () => 2 * GREY * random()),
    orientation: randomRotation(random),
    angularVelocity: vector(2),
    impulse: [between(random, 1, 2), between(random, 1, 2), between(random, -0.5, 0.5)],
    point: vector(0.15),
    azimuth: between(random, -0.3, 0.3),
  };
}

/** Options of the film of a thrown body. */
export interface CueFilm {
  readonly renderer: SceneRenderer;
  /** Width, and also height, of the pictures, px. */
  readonly size: number;
  /** Factor by which all light is multiplied. */
  readonly exposure: number;
}

/** Model of a thrown body with one look and its true mass. */
export function thrownModel(thrown: ThrownBody, look: CueLook, { renderer, size, exposure }: CueFilm): Model {
  const { mesh, mass, texture, orientation, angularVelocity, impulse, point, azimuth } = thrown;
  const scene = createScene([
    rigid(),
    render({ width: size, height: size, ambient: grey(exposure * (look === 'shading' ? 0.2 : 1)) }),
    renderer({
      ...lens(size, { distance: DISTANCE, reach: 1.5, depthSoftness: 0.5 }),
      backgroundColor: grey(BACKDROP),
    }),
  ]);
  const { positions, triangles } = mesh;
  const surface =
    look === 'texture'
      ? { uvs: sphereUvs(mesh), textures: [{ width: TEXELS, height: TEXELS, colors: texture }] }
      : { colors: new Float64Array(triangles.length).fill(GREY), colorsOn: 'triangles' as const };
  const body = scene.add(Body, {
    mesh: { positions, triangles, ...surface },
    mass,
    orientation,
    angularVelocity,
    position: [-0.5, 1.2, 0],
    velocity: [0.2, 1, 0],
  });
  scene.add(BodyPush, {
    body,
    point,
    force: impulse.map((j) => j / PUSH_SECONDS),
    start: 0,
    end: PUSH_SECONDS,
  });
  scene.add(OrbitCamera, {
    target: [0, 1, 0],
    distance: DISTANCE,
    elevation: 0.2,
    azimuth,
    fieldOfView: 0.7,
  });
  if (look === 'shading') scene.add(DirectionalLight, { direction: [1, 1, 1], color: grey(exposure) });
  return buildModel(scene);
}

const grey = (value: number): [number, number, number] => [value, value, value];
