import type { Plugin } from '@gradsim/core';
import { definePlugin, kernel, vec2, vec4 } from '@gradsim/core';

/** Width and height in pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

const cutOut = (whole: Size, window: Size) =>
  kernel(
    'cutOut',
    { domain: 'cameras', reads: { lens: vec4, corner: vec2 }, writes: { lens: vec4 } },
    ({ lens, corner }) => {
      const zoom = whole.height / window.height;
      return {
        lens: vec4(
          lens.x.mul(zoom),
          lens.y.mul(zoom),
          corner.x.mul(-2 / window.width).add(whole.width / window.width - 1),
          corner.y.mul(2 / window.height).add(1 - whole.height / window.height),
        ),
      };
    },
  );

/**
 * Pictures that are a window of a larger one, at another place in every frame: a small thing that moves far needs few
 * pixels. Register it after `render`, whose size is the window's; the camera's field of view is that of the whole
 * picture.
 *
 * @param corners column and row of the window's first pixel in the whole picture, frame by frame.
 */
export function pictureWindow(whole: Size, window: Size, corners: ArrayLike<number>): Plugin {
  return definePlugin({
    name: 'ball-drop/window',
    contract: 1,
    requires: ['@gradsim/render'],
    build: ({ model }) => {
      model.addField('cameras', 'corner', vec2, { over: 'frame', values: corners });
      model.addPass('pose', cutOut(whole, window), { after: ['@gradsim/render'] });
    },
  });
}
