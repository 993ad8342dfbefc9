import { ballInertia } from '@gradsim/base';
import { buildModel, createScene } from '@gradsim/core';
import { PinholeCamera } from '@gradsim/render';
import { Body, rigid } from '@gradsim/rigid';
import { createFrames, encodeFrames } from '@gradsim/video';
import { expect, it } from 'vitest';
import { measuredCamera, outlineFitStage, projectedOutline, readFilm } from '../../src/index.ts';

const SIZE = { width: 64, height: 48 };
const [RADIUS, FRAMES] = [0.2, 4];

it('is refused before anything runs if no frame that is compared has an outline', async () => {
  const pictures = await encodeFrames(createFrames({ ...SIZE, channels: 3, frameRate: 30 }, FRAMES), 'gif');
  const film = await readFilm(pictures, { mask: 'none', without: [1] });
  const scene = createScene([
    rigid(),
    projectedOutline({ ...SIZE, camera: PinholeCamera, centre: Body.position, radius: RADIUS }),
  ]);
  scene.add(Body, { mass: 1, inertia: ballInertia(RADIUS) });
  const camera = await measuredCamera(film, { fieldOfView: 60, eye: [0, 0, 3], target: [0, 0, 0] });
  scene.add(PinholeCamera, camera.values);
  const model = buildModel(scene);
  const of = (first: number, last = first) =>
    outlineFitStage(film, model, {
      name: 'ball',
      substeps: 2,
      outlines: Array.from({ length: FRAMES }, (_, k) =>
        k >= first && k <= last ? { x: 32, y: 24, size: 3 } : undefined,
      ),
      parameters: [{ name: 'speed', field: Body.velocity, component: 0, initial: 1 }],
      options: { search: { horizons: [0.25, 0.5, 1] } },
    });
  expect(() => of(1)).toThrowCode('film/not-seen');
  // Horizons hold their shares of the outlines, wherever these are, and none is empty.
  const horizons = (first: number, last: number) => of(first, last).problem.options!.search!.horizons;
  expect(horizons(0, 3)).toEqual([0.25, 0.75, 1]);
  expect(horizons(2, 3)).toEqual([0.75, 1]);
  expect(horizons(2, 2)).toEqual([0.75, 1]);
});
