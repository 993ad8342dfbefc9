import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeH264, writePng } from './encode.ts';
import type { Photographer } from './photograph.ts';
import { recordOf } from './record.ts';
import { shotOf } from './shot-of.ts';
import type { Recording } from './take.ts';

/**
 * Writes a film, the picture of its empty scene, and finally its record, whose existence shows that the film is
 * complete.
 *
 * @param out folder in which they go.
 */
export async function makeFilm(out: string, name: string, take: Recording, photographer: Photographer): Promise<void> {
  const began = performance.now();
  const { width, height } = take.camera;
  const { frames, plate } = await photographer.photograph(shotOf(take));
  await writeH264(
    join(out, `${name}.mp4`),
    { width, height, data: frames },
    take.times ?? take.frameRate,
    take.quality,
  );
  await writePng(join(out, `${name}.plate.png`), { width, height, data: plate });
  const record = join(out, `${name}.json`);
  await writeFile(`${record}.part`, `${JSON.stringify(recordOf(take, `${name}.mp4`), null, 1)}\n`);
  await rename(`${record}.part`, record);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  process.stderr.write(`${name}: ${take.frames - take.lost.length} frames of ${width} x ${height} in ${seconds} s\n`);
}
