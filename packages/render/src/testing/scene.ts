import type { Plugin, Texture } from '@gradsim/core';
import { createScene, definePlugin, Surfaces, vec3 } from '@gradsim/core';
import { randomNumbers } from '@gradsim/core/testing';
import { OrbitCamera } from '../cameras.ts';
import { DirectionalLight } from '../light.ts';
import type { RenderOptions } from '../plugin.ts';
import { render } from '../plugin.ts';

/** Default size of the pictures, px: neither side is a multiple of the tile size, nor of the other. */
export const PICTURE_SIZE = { width: 27, height: 19 } as const;

/**
 * Vertices of an octahedron in front of a triangle that extends beyond the picture: 9 faces, some hidden, some seen
 * from behind.
 */
const SCENE_POINTS = [
  [1, 0, 0],
  [-1, 0, 0],
  [0, 1, 0],
  [0, -1, 0],
  [0, 0, 1],
  [0, 0, -1],
  [-1.1, -0.9, -1.6],
  [2.6, -0.2, -1.3],
  [-0.4, 1.3, -1.9],
];
/** Corners of a ground triangle, two of which are behind a camera that looks from above along -z. */
const GROUND_CORNERS = [
  [-7, -1.2, 8],
  [7, -1.3, 8],
  [0.3, -1.1, -9],
];
const OCTAHEDRON = [4, 0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 5, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3];
const TRIANGLE_BEHIND = [6, 7, 8];

const texture = (random: () => number, width: number, height: number, wrap: Texture['wrap']): Texture => ({
  width,
  height,
  wrap,
  colors: Array.from({ length: 3 * width * height }, random),
});

/** Plugin with two surfaces over static points, with a random colour per face and, if `textured`, random textures. */
function surfaces(seed: number, { textured, texels = 1, reachesBehind = false }: CheckedLook): Plugin {
  const random = randomNumbers(seed);
  const points = [...SCENE_POINTS.slice(0, 6), ...(reachesBehind ? GROUND_CORNERS : SCENE_POINTS.slice(6))]
    .flat()
    .map((x) => 0.6 * x + 0.2 * (random() - 0.5));
  return definePlugin({
    name: 'surfaces-of-the-check',
    contract: 1,
    offers: [Surfaces],
    build: ({ model }) => {
      model.addDomain('points', SCENE_POINTS.length);
      const position = model.addField('points', 'position', vec3, { values: points });
      const wraps = ['repeat', 'clamp'] as const;
      [OCTAHEDRON, TRIANGLE_BEHIND].forEach((triangles, k) =>
        model.offer(Surfaces, {
          position,
          triangles,
          triangleColors: Array.from({ length: triangles.length }, () => 0.2 + 0.8 * random()),
          ...(textured && {
            textures: [texture(random, texels * (5 - k), texels * (3 + 2 * k), wraps[k])],
            uvs: Array.from({ length: 2 * triangles.length }, () => 1.6 * random() - 0.3),
          }),
        }),
      );
    },
  });
}

/** Options of a scene of `checkRenderer`, besides the renderer. */
export interface CheckedLook {
  /** True if the triangle behind the octahedron is a ground plane that extends behind the camera. */
  readonly reachesBehind?: boolean;
  readonly textured: boolean;
  /** Factor by which the numbers of texels per side are multiplied, so that there are mip maps. Default 1. */
  readonly texels?: number;
  readonly lit: boolean;
  readonly cameras: number;
  readonly options: Omit<RenderOptions, 'width' | 'height'>;
  /** Width and height of the pictures, px. Default 27 x 19. */
  readonly size?: { readonly width: number; readonly height: number };
}

/** Creates a scene of `checkRenderer`: its surfaces, cameras, the given renderer and further plugins. */
export function checkedScene(seed: number, renderer: Plugin, look: CheckedLook, plugins: readonly Plugin[] = []) {
  const { size = PICTURE_SIZE } = look;
  const scene = createScene([surfaces(seed, look), render({ ...size, ...look.options }), renderer, ...plugins]);
  for (let k = 0; k < look.cameras; k++) {
    scene.add(OrbitCamera, {
      distance: 2.6 + 0.4 * k,
      elevation: 0.35 - 0.3 * k,
      azimuth: 0.4 + 0.5 * k,
      roll: 0.2,
      target: [0.05, -0.1, 0],
      fieldOfView: 0.8,
      distortion: [0.1, -0.05],
      ...(look.reachesBehind ? {} : { k3: -0.02, tangential: [0.01, -0.015] }),
    });
  }
  if (look.lit) {
    const specular = look.options.shading === 'phong' ? [0.5, 0.4, 0.6] : [0, 0, 0];
    scene.add(DirectionalLight, {
      direction: [0.7, 1.1, 0.9],
      color: [0.6, 0.5, 0.7],
      specular,
      shininess: 5,
    });
  }
  return scene;
}
