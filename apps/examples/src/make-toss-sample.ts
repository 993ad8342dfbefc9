// Makes sample/toss.webm, the film that the experiment `toss` estimates from: npm run -s sample --prefix apps/examples
import { fileURLToPath } from 'node:url';
import { createSimulation, selectDevice } from '@gradsim/core';
import { layoutOf, toRows } from '@gradsim/render';
import { createFrames, writeFrames } from '@gradsim/video';
import { TOSS_TIMELINE, tossModel } from './scenes/tossed.ts';
import { SAMPLE, SAMPLE_SOFTNESS } from './toss/scene.ts';

const model = tossModel(SAMPLE, { softness: SAMPLE_SOFTNESS });
const device = await selectDevice('cpu');
const simulation = await createSimulation(model, { device, ...TOSS_TIMELINE, record: ['pixels.rgba'] });
simulation.forward();
const recorded = await simulation.readFrames('pixels.rgba');
const layout = layoutOf(model);
const { frames, frameRate } = TOSS_TIMELINE;
const film = createFrames({ width: layout.width, height: layout.height, channels: 3, frameRate }, frames);
for (let f = 0; f < frames; f++) {
  const perFrame = recorded.length / frames;
  const rows = toRows(layout, recorded.slice(f * perFrame, (f + 1) * perFrame), 4);
  for (let p = 0; p < layout.width * layout.height; p++) {
    for (let c = 0; c < 3; c++) film.data[(f * layout.width * layout.height + p) * 3 + c] = rows[p * 4 + c];
  }
}
const path = process.argv[2] ?? fileURLToPath(new URL('../sample/toss.webm', import.meta.url));
await writeFrames(path, film, { overwrite: true, quantizer: 1, chroma: 'full' });
process.stderr.write(`${path}: ${frames} frames of ${layout.width} x ${layout.height}\n`);
