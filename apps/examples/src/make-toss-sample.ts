// Makes sample/toss.webm, the film that the experiment `toss` estimates from: npm run -s sample --prefix apps/examples
import { fileURLToPath } from 'node:url';
import { recordOf, selectDevice } from '@gradsim/core';
import { colorRows, layoutOf, Pixel } from '@gradsim/render';
import { writeFrames } from '@gradsim/video';
import { TOSS_TIMELINE, tossModel } from './scenes/tossed.ts';
import { SAMPLE, SAMPLE_SOFTNESS } from './toss/scene.ts';

const model = tossModel(SAMPLE, { softness: SAMPLE_SOFTNESS });
const device = await selectDevice('cpu');
const layout = layoutOf(model);
const { width, height } = layout;
const { frames, frameRate } = TOSS_TIMELINE;
const data = colorRows(layout, await recordOf(model, Pixel.rgba, { device, ...TOSS_TIMELINE }));
const path = process.argv[2] ?? fileURLToPath(new URL('../sample/toss.webm', import.meta.url));
const options = { overwrite: true, quantizer: 1, chroma: 'full' } as const;
await writeFrames(path, { width, height, channels: 3, frameRate, data }, options);
process.stderr.write(`${path}: ${frames} frames of ${width} x ${height}\n`);
