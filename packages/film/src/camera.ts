import type { ValuesOf } from '@gradsim/core';
import { buildModel, compile, createScene, definePlugin } from '@gradsim/core';
import type { CameraKind } from '@gradsim/render';
import { viewKernel } from '@gradsim/render';
import type { Size } from '@gradsim/video';
import { cameraOf, type FilmCamera } from './film-camera.ts';

/**
 * Evaluates a renderer's camera from its component's values, for pictures of a size.
 *
 * ```ts
 * const camera = await filmCamera(LookAtCamera, { eye: [0, 1, 3], target: [0, 0.5, 0] }, film.size);
 * const [x, y] = camera.project([0, 0.5, 0]);
 * ```
 * @throws for values that no such camera can have.
 */
export async function filmCamera<K extends CameraKind>(kind: K, values: ValuesOf<K>, size: Size): Promise<FilmCamera> {
  const alone = definePlugin({ name: 'film/camera', contract: 1, components: [kind], build: () => {} });
  const scene = createScene([alone]);
  scene.add(kind, values);
  const model = buildModel(scene);
  const names = Object.keys(kind.columns);
  const inputs = Object.fromEntries(
    names.map((name) => [`cameras.${name}`, Array.from(model.field(`cameras.${name}`).values!)]),
  );
  const view = await compile(viewKernel(kind, size), { sizes: { cameras: 1 }, device: 'f64' });
  // Tangential distortion moves points by both coordinates, so it is no part of the view.
  const { 'cameras.tangential': _, ...read } = inputs;
  const seen = await view.run(read);
  view.dispose();
  const given = (name: string): number[] =>
    Array.from((seen[`cameras.${name}`] ?? inputs[`cameras.${name}`]) as ArrayLike<number>);
  const [position, axes, lens] = ['viewPosition', 'viewAxes', 'lens'].map(given);
  const [[k1, k2], [k3], [p1, p2]] = ['distortion', 'k3', 'tangential'].map(given);
  const rows = [0, 3, 6].map((at) => axes.slice(at, at + 3));
  const { width, height } = size;
  return cameraOf({ width, height, position, axes: rows, lens, distortion: [k1, k2, p1, p2, k3] });
}
