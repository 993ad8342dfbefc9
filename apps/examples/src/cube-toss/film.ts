import type { Device } from '@gradsim/core';
import { recordOf, usualRate } from '@gradsim/core';
import type { RenderedFrames } from '@gradsim/optim';
import type { Poses } from '@gradsim/recordings/poses';
import { startUnknowns, timelineOf } from '@gradsim/recordings/poses';
import { layoutOf, Pixel, toRows } from '@gradsim/render';
import type { CubePicture, Material } from './cube.ts';
import { CUBE, cubeModel, PICTURE, SAMPLE_TOSS, SUBSTEPS, TRUTH } from './cube.ts';
import { readToss } from './poses.ts';

/**
 * Renders a toss for the report: the sample with its true material, or another table from the start of its flight with
 * the given material.
 */
export async function cubeFrames(poses: string | undefined, start: Material, device: Device): Promise<RenderedFrames> {
  const { toss, flight } = await readToss(poses);
  const picture = pictureOf(toss);
  const isSample = poses === undefined;
  const model = isSample
    ? cubeModel(SAMPLE_TOSS.start, TRUTH, picture)
    : cubeModel(startUnknowns(flight).state, start, picture);
  const frames = isSample ? SAMPLE_TOSS.frames : toss.poses.length - flight.frame;
  const run = { device, ...timelineOf(toss, isSample ? 0 : flight.frame), frames };
  const film = await recordOf(model, Pixel.rgba, { ...run, substeps: SUBSTEPS });
  const frameRate = usualRate(toss);
  return { ...PICTURE, channels: 4, frameRate, data: toRows(layoutOf(model), Float32Array.from(film), 4) };
}

/** View whose picture contains the whole recorded path. */
function pictureOf({ poses }: Poses): CubePicture {
  const [low, high] = [Math.min, Math.max].map((of) =>
    [0, 1, 2].map((k) => of(...poses.flatMap((pose) => (pose ? [pose.position[k]] : [])))),
  );
  return {
    target: low.map((c, k) => (c + high[k]) / 2),
    distance: 1.6 * (Math.hypot(...low.map((c, k) => high[k] - c)) + 2 * CUBE.width),
  };
}
