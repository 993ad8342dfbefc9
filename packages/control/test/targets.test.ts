// Goals from pictures of other renderers: silhouettes before a plain ground, and texts of key frames.
import { addCloth, cloth } from '@gradsim/cloth';
import { buildModel, createScene } from '@gradsim/core';
import { plane } from '@gradsim/mesh';
import { particles } from '@gradsim/particles';
import { OrbitCamera, render } from '@gradsim/render';
import { softRas } from '@gradsim/render-softras';
import { describe, expect, it } from 'vitest';
import { goalImages, keyedRun, parseKeyFrames, silhouetteOf } from '../src/index.ts';

const [width, height] = [12, 10];

/** Picture of a disc of radius 3 px about (5, 4), in two shades of a colour, in front of a plain background. */
function disc(colour: readonly number[], ground: readonly number[], channels: 3 | 4 = 3) {
  const isIn = (k: number): boolean => Math.hypot((k % width) - 5, Math.floor(k / width) - 4) < 3;
  const data = Float32Array.from({ length: width * height * channels }, (_, at) => {
    const [k, c] = [Math.floor(at / channels), at % channels];
    if (c === 3) return isIn(k) ? 1 : 0;
    return isIn(k) ? colour[c] * (k % 2 === 0 ? 1 : 0.7) : ground[c];
  });
  return { width, height, channels, data, isIn };
}

describe('the silhouette of a picture', () => {
  it.each([
    ['green before white', [0, 0.6, 0], [1, 1, 1]],
    ['white before black', [1, 1, 1], [0, 0, 0]],
    ['yellow before blue', [0.9, 0.9, 0.1], [0.1, 0.2, 0.8]],
  ])('has alpha 1 where it differs from the background, else 0: %s', (_, colour, ground) => {
    const picture = disc(colour, ground);
    const { alpha } = silhouetteOf(picture);
    expect(Array.from(alpha)).toEqual(Array.from({ length: width * height }, (__, k) => Number(picture.isIn(k))));
  });

  it('is the opacity of a picture with an alpha channel', () => {
    const picture = disc([0.5, 0.5, 0.5], [0.5, 0.5, 0.5], 4);
    const { alpha } = silhouetteOf(picture);
    expect(Array.from(alpha)).toEqual(Array.from({ length: width * height }, (_, k) => Number(picture.isIn(k))));
  });

  it('has its outline where soft edges are half covered', () => {
    const size = 24;
    const radius = (k: number): number => Math.hypot((k % size) - 11.3, Math.floor(k / size) - 11.6);
    // From covered to not over three pixels.
    const data = Float32Array.from(
      { length: 3 * size * size },
      (_, at) => 1 - Math.min(Math.max(0.5 + (7 - radius(Math.floor(at / 3))) / 3, 0), 1),
    );
    const { alpha } = silhouetteOf({ width: size, height: size, channels: 3, data });
    expect(Array.from(alpha)).toEqual(Array.from({ length: size * size }, (_, k) => Number(radius(k) <= 7)));
  });

  it('is refused if the picture is blank, has no plain background or wrong size, or with a threshold of 2', () => {
    const { data } = disc([0, 1, 0], [1, 1, 1]);
    const blank = { width, height, channels: 3, data: new Float32Array(3 * width * height).fill(0.5) };
    expect(() => silhouetteOf(blank, { name: 'goal.png' })).toThrowCode({
      code: 'control/nothing-shown',
      values: ['The picture goal.png'],
    });
    const mixed = { ...blank, data: Float32Array.from(data, (_, k) => (k % 7) / 7) };
    expect(() => silhouetteOf(mixed)).toThrowCode('control/no-plain-ground');
    expect(() => silhouetteOf({ ...blank, height: 9 })).toThrowCode({
      code: 'control/wrong-size',
      values: [360, 12, 9],
    });
    expect(() => silhouetteOf(blank, { threshold: 2 })).toThrowCode({
      code: 'control/option-out-of-range',
      values: [2],
    });
  });

  it('of another size than the pictures of a scene is refused by goalImages, with its name', () => {
    const scene = createScene([particles(), cloth(), render({ width: 16, height: 12 }), softRas()]);
    addCloth(scene, plane({ size: [1, 1] }), { mu: 1, lambda: 1, mass: 1 });
    scene.add(OrbitCamera, { distance: 4 });
    const image = silhouetteOf(disc([0, 1, 0], [1, 1, 1]), { name: 'goal.png' });
    expect(() => goalImages(buildModel(scene), { images: [{ frame: 0, image }] })).toThrowCode({
      code: 'control/other-shape',
      values: [12, 10, 16, 'goal.png'],
    });
  });
});

describe('a text of key frames', () => {
  it('is parsed to time (s), file and line number of each picture', () => {
    const text = '# a jump\r\n\nat 0.5 s: crouched.png\n  at 1.25 s : in the air.png\nat 3s: landed.png\n';
    expect(parseKeyFrames(text)).toEqual([
      { time: 0.5, file: 'crouched.png', line: 3 },
      { time: 1.25, file: 'in the air.png', line: 4 },
      { time: 3, file: 'landed.png', line: 5 },
    ]);
  });

  it.each([
    ['at 1 s: a.png\nthen b.png', { code: 'control/key-frame-line', values: ['"then b.png"', 2] }],
    ['at one s: a.png', { code: 'control/key-frame-line', values: ['"one"', 1] }],
    ['\nat -1 s: a.png', { code: 'control/key-frame-line', values: ['"-1"', 2] }],
    ['at 2 s: a.png\nat 2 s: b.png', { code: 'control/key-frames-out-of-order', values: [2, 1] }],
    ['at 1 s:', { code: 'control/key-frame-line', values: ['"at 1 s:"'] }],
    ['# nothing', 'control/no-key-frames'],
  ])('is refused if invalid: %o', (text, expected) => {
    expect(() => parseKeyFrames(text)).toThrowCode(expected);
  });

  it('yields the smallest number of frames that includes every key frame, or is refused for times after the end or between substeps', () => {
    const keys = parseKeyFrames('at 1 s: a.png\nat 1.5 s: b.png');
    const run = keyedRun(keys, { seconds: 3, rate: 960 });
    expect(run).toEqual({ frames: 7, frameRate: 2, substeps: 480, keyFrameNumbers: [2, 3] });
    expect(keyedRun(parseKeyFrames('at 3 s: a.png'), { seconds: 3, rate: 960 })).toEqual({
      frames: 2,
      frameRate: 1 / 3,
      substeps: 2880,
      keyFrameNumbers: [1],
    });
    expect(() => keyedRun(keys, { seconds: 1.25, rate: 960 })).toThrowCode({
      code: 'control/key-frame-time',
      values: [2, 1.5],
    });
    expect(() => keyedRun(parseKeyFrames('at 0.1 s: a.png'), { seconds: 1, rate: 64 })).toThrowCode({
      code: 'control/key-frame-time',
      values: [0.1],
    });
  });
});
