import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodePngRows } from '@gradsim/video';
import type { RigidFilm } from './rigid/film.ts';
import type { Motion } from './rigid/motion.ts';
import type { Pictures } from './rigid/pictures.ts';
import { FILM, sceneMass } from './rigid/scene.ts';
import { FILES, folderOf, frameName, type IndexLine, type SampleRecord } from './sample.ts';
import { splitOf } from './split.ts';

/**
 * Writes a sample's folder: a PNG a frame in `frames`, all masks below one another in `masks.png`, and `scene.json`.
 *
 * @param folder of the sample, which is made.
 * @returns its line of the index.
 */
export async function writeSample(
  folder: string,
  film: RigidFilm,
  pictures: Pictures,
  seed: number,
): Promise<IndexLine> {
  const { sample, scene, motion, redrawn } = film;
  const { size } = scene;
  const pixels = size * size;
  const frames = join(folder, FILES.frames);
  mkdirSync(frames, { recursive: true });
  const files = Array.from({ length: FILM.frames }, async (_, frame) => {
    const rgb = channelsOf(pictures, frame * pixels, pixels, [0, 1, 2]);
    const bytes = await encodePngRows({ width: size, height: size, channels: 3 }, [rgb]);
    writeFileSync(join(frames, frameName(frame)), bytes);
  });
  await Promise.all(files);
  const masks = channelsOf(pictures, 0, FILM.frames * pixels, [3]);
  writeFileSync(
    join(folder, FILES.masks),
    await encodePngRows({ width: size, height: FILM.frames * size, channels: 1 }, [masks]),
  );
  const split = splitOf(seed, sample);
  const { mass } = sceneMass(scene);
  const record: SampleRecord = {
    format: 1,
    sample,
    seed,
    split,
    ...FILM,
    scene,
    mass,
    redrawn,
    poses: posesOf(motion),
  };
  writeFileSync(join(folder, FILES.scene), `${JSON.stringify(record)}\n`);
  const { kind, shape, density, material, substeps } = scene;
  return {
    sample,
    folder: folderOf(sample),
    split,
    kind,
    shape,
    values: { mass, density, ...material },
    substeps,
    redrawn,
  };
}

/** Some channels of pixels of red, green, blue and alpha. */
function channelsOf(rgba: Uint8Array, first: number, count: number, channels: readonly number[]): Uint8Array {
  const chosen = new Uint8Array(count * channels.length);
  for (let k = 0, o = 0; k < count; k++) for (const channel of channels) chosen[o++] = rgba[4 * (first + k) + channel];
  return chosen;
}

/** Poses with the nine digits that determine a number of single precision. */
function posesOf({ position, orientation }: Motion): SampleRecord['poses'] {
  const part = (all: Float64Array, frame: number, count: number): number[] =>
    Array.from(all.subarray(frame * count, (frame + 1) * count), (x) => Number(x.toPrecision(9)));
  return Array.from({ length: FILM.frames }, (_, frame) => ({
    position: part(position, frame, 3),
    orientation: part(orientation, frame, 4),
  }));
}
