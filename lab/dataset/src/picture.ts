import type { Plugin, Scene } from '@gradsim/core';
import { DirectionalLight, OrbitCamera, render } from '@gradsim/render';
import { softRas } from '@gradsim/render-softras';
import { anyColor, type Color } from './looks.ts';
import { between, type Random } from './random.ts';

/** Number of frames of a film, and frame rate, frames per second: 2 s as in the paper. */
export const FILM = { frames: 60, frameRate: 30 } as const;

/** Light, background and camera of a film, and the size of its pictures. */
export interface Picture {
  readonly light: { readonly direction: readonly number[]; readonly color: Color; readonly ambient: Color };
  readonly background: Color;
  readonly camera: {
    readonly target: readonly number[];
    readonly distance: number;
    readonly elevation: number;
    readonly azimuth: number;
    readonly fieldOfView: number;
  };
  /** Width and height of the square pictures, px. */
  readonly size: number;
}

/** Draws light, background and camera of a film at random. */
export function drawPicture(random: Random, size: number): Picture {
  const draw = ([low, high]: readonly [number, number]): number => between(random, low, high);
  const color = (range: readonly [number, number]) => [draw(range), draw(range), draw(range)] as const;
  const light = {
    direction: [draw([-1, 1]), draw([0.5, 1.5]), draw([0.2, 1.2])],
    color: color([0.5, 0.8]),
    ambient: color([0.2, 0.35]),
  };
  const background = random() < 0.5 ? color([0, 0.15]) : anyColor(random);
  const camera = {
    target: [draw([-0.2, 0.4]), draw([0.4, 0.8]), 0],
    distance: draw([4.2, 6.5]),
    elevation: draw([0.1, 0.5]),
    azimuth: draw([-0.5, 0.5]),
    fieldOfView: draw([0.6, 0.8]),
  };
  return { light, background, camera, size };
}

/**
 * Softness of outlines, a squared distance in device coordinates: it scales with the picture so that blur at 180 px has
 * a variance of about one pixel.
 */
const softnessOf = (size: number): number => 3e-5 * (180 / size) ** 2;

/** Plugins that render a picture. @param colors whether colours belong to faces or to corners. */
export function picturePlugins({ size, light, background }: Picture, colors: 'face' | 'corner'): Plugin[] {
  const { ambient } = light;
  return [
    render({
      width: size,
      height: size,
      colors,
      twoSided: colors === 'corner',
      ambient: [ambient[0], ambient[1], ambient[2]],
    }),
    softRas({
      sigma: softnessOf(size),
      gamma: 1e-3,
      compositing: 'coverage',
      near: 1,
      far: 50,
      backgroundColor: [...background],
    }),
  ];
}

/** Adds camera and light of a picture to a scene. */
export function addPicture(scene: Scene, { camera, light }: Picture): void {
  scene.add(OrbitCamera, { ...camera });
  scene.add(DirectionalLight, { direction: light.direction, color: light.color });
}
