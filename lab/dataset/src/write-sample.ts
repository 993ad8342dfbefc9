import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodePngRows } from '@gradsim/video';
import type { DeformingFilm } from './deforming/film.ts';
import { FILM } from './picture.ts';
import type { Pictures } from './pictures.ts';
import type { RigidFilm } from './rigid/film.ts';
import type { Motion } from './rigid/motion.ts';
import { sceneMass } from './rigid/scene.ts';
import { type DatasetScene, FILES, folderOf, frameName, type IndexLine, type SampleRecord } from './sample.ts';
import { splitOf } from './split.ts';

/** Data from which a sample's folder is written. */
interface WrittenFilm {
  readonly sample: number;
  readonly scene: DatasetScene;
  readonly mass: number;
  readonly redrawn: Readonly<Record<string, number>>;
  readonly pictures: Pictures;
}

/**
 * Writes the folder of a rigid body's film: one PNG per frame in `frames`, all masks below one another in `masks.png`,
 * and `scene.json` with the poses.
 *
 * @param folder folder of the sample, which is created.
 * @returns the sample's line of the index.
 */
export function writeRigid(folder: string, film: RigidFilm, pictures: Pictures, seed: number): Promise<IndexLine> {
  const { sample, scene, motion, redrawn } = film;
  const { mass } = sceneMass(scene);
  const values = { mass, density: scene.density, ...scene.material };
  return write(folder, { sample, scene, mass, redrawn, pictures }, { seed, values, poses: posesOf(motion) });
}

/**
 * Writes the folder of a deforming object's film, like {@link writeRigid} but with particle positions in
 * `particles.f32` instead of poses.
 */
export async function writeDeforming(folder: string, film: DeformingFilm, seed: number): Promise<IndexLine> {
  const { density, elasticity, material } = film.scene;
  const { mu: elasticMu, lambda: elasticLambda, damping } = elasticity;
  const values = { mass: film.mass, density, elasticMu, elasticLambda, damping, ...material };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, FILES.particles), new Uint8Array(film.particles.buffer));
  return write(folder, film, { seed, values });
}

async function write(
  folder: string,
  { sample, scene, mass, redrawn, pictures }: WrittenFilm,
  {
    seed,
    values,
    poses,
  }: { readonly seed: number; readonly values: IndexLine['values'] } & Pick<SampleRecord, 'poses'>,
): Promise<IndexLine> {
  const { size, kind, shape, substeps } = scene;
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
  const bytes = await encodePngRows({ width: size, height: FILM.frames * size, channels: 1 }, [masks]);
  writeFileSync(join(folder, FILES.masks), bytes);
  const split = splitOf(seed, sample);
  const record: SampleRecord = { format: 1, sample, seed, split, ...FILM, scene, mass, redrawn, poses };
  writeFileSync(join(folder, FILES.scene), `${JSON.stringify(record)}\n`);
  return { sample, folder: folderOf(sample), split, kind, shape, values, substeps, redrawn };
}

/** Extracts some channels from RGBA pixels. */
function channelsOf(rgba: Uint8Array, first: number, count: number, channels: readonly number[]): Uint8Array {
  const chosen = new Uint8Array(count * channels.length);
  for (let k = 0, o = 0; k < count; k++) for (const channel of channels) chosen[o++] = rgba[4 * (first + k) + channel];
  return chosen;
}

/** Poses with each number rounded to nine digits, which suffice to determine it in single precision. */
function posesOf({ position, orientation }: Motion): SampleRecord['poses'] {
  const part = (all: Float64Array, frame: number, count: number): number[] =>
    Array.from(all.subarray(frame * count, (frame + 1) * count), (x) => Number(x.toPrecision(9)));
  return Array.from({ length: FILM.frames }, (_, frame) => ({
    position: part(position, frame, 3),
    orientation: part(orientation, frame, 4),
  }));
}
