import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createFrames, type Frames, readFrames } from '@gradsim/video';
import { FILES, frameName, INDEX, type IndexLine, type SampleRecord, type Split } from './sample.ts';

/** A sample of a dataset; files are read on request. */
export interface Sample extends IndexLine {
  /** Path of the sample's folder. */
  readonly path: string;
  /** Path of the folder with a PNG per frame, which `gradsim estimate --video` accepts. */
  readonly video: string;
  /** Reads the sample's record: all drawn values, and a rigid body's poses. */
  readonly record: () => Promise<SampleRecord>;
  /** Reads the film, or one of every few frames of it: red, green and blue in [0, 1]. */
  readonly frames: (options?: { readonly every?: number }) => Promise<Frames>;
  /** Reads the masks: fraction of each pixel that the object covers, in [0, 1], one channel. */
  readonly masks: () => Promise<Frames>;
  /** Reads the particles of a deforming object: their positions in every frame, m, `[frame][particle][x, y, z]`. */
  readonly particles: () => Promise<Float32Array>;
}

/** Selection of a dataset's samples. */
export interface ReadDatasetOptions {
  /** `train` or `test`; both by default. */
  readonly split?: Split;
}

/**
 * Iterates over the samples of a dataset in order. Memory does not grow with their number.
 *
 * ```ts
 * for await (const sample of readDataset('out/dataset', { split: 'test' })) {
 *   const { scene, poses } = await sample.record();
 *   const film = await sample.frames();
 * }
 * ```
 * @throws if the folder has no index.
 */
export async function* readDataset(folder: string, { split }: ReadDatasetOptions = {}): AsyncGenerator<Sample> {
  const index = await open(join(folder, INDEX)).catch((cause: NodeJS.ErrnoException) => {
    const hint = 'A dataset has one once the command that makes it has ended, by itself or by Ctrl+C.';
    throw new Error(`${folder} has no ${INDEX} that can be read (${cause.code}). ${hint}`, { cause });
  });
  try {
    for await (const text of index.readLines()) {
      const line: IndexLine = JSON.parse(text);
      if (split === undefined || line.split === split) yield sampleOf(folder, line);
    }
  } finally {
    await index.close();
  }
}

function sampleOf(folder: string, line: IndexLine): Sample {
  const path = join(folder, line.folder);
  const video = join(path, FILES.frames);
  const record = async (): Promise<SampleRecord> => JSON.parse(await readFile(join(path, FILES.scene), 'utf8'));
  return {
    ...line,
    path,
    video,
    record,
    frames: async ({ every = 1 } = {}) => {
      const { frames, frameRate } = await record();
      const files = Array.from({ length: frames }, (_, frame) => join(video, frameName(frame)));
      return readFrames(files, { frameRate, channels: 3, every });
    },
    masks: async () => {
      const { frames, frameRate } = await record();
      const { width, height, data } = await readFrames([join(path, FILES.masks)], { frameRate, channels: 1 });
      const masks = createFrames({ width, height: height / frames, channels: 1, frameRate }, frames);
      masks.data.set(data);
      return masks;
    },
    particles: async () => {
      const bytes = await readFile(join(path, FILES.particles));
      return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
    },
  };
}
