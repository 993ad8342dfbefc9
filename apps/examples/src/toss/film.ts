import { recordOf, selectDevice } from '@gradsim/core';
import { colorRows, layoutOf, Pixel } from '@gradsim/render';
import { writeFrames } from '@gradsim/video';
import { TOSS_TIMELINE, tossModel } from '../scenes/tossed.ts';
import { SAMPLE, SAMPLE_SOFTNESS } from './scene.ts';

/** Renders the sample film with the current simulator, and writes it in the highest quality of VP9. */
export async function writeSample(path: string): Promise<void> {
  const model = tossModel(SAMPLE, { softness: SAMPLE_SOFTNESS });
  const device = await selectDevice('cpu');
  const layout = layoutOf(model);
  const { width, height } = layout;
  const data = colorRows(layout, await recordOf(model, Pixel.rgba, { device, ...TOSS_TIMELINE }));
  const film = { width, height, channels: 3, frameRate: TOSS_TIMELINE.frameRate, data } as const;
  await writeFrames(path, film, { overwrite: true, quantizer: 0, chroma: 'full' });
}
