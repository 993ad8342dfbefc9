// Makes the moving picture of a demo, where there is no page: the build of the site runs this in Node.
import { selectDevice } from 'gradsim/core';
import { encodePngRows } from 'gradsim/video';
import { type Demo, withAddresses } from '../gallery/demo.ts';
import { Pen } from '../gallery/pen.ts';
import { RasterCanvas } from '../gallery/raster-canvas.ts';
import { PlayedSimulation } from '../gallery/runs.ts';

/** Size of a frame, px, and the number of frames that a picture shows of a run, which the style sheet has too. */
const [WIDTH, HEIGHT, FRAMES] = [192, 120, 20];

/**
 * Frames of a run of a demo with its own values, beside one another in one PNG: a style sheet moves them past a window. Pictures
 * that move themselves, as SVGs, keep the thread of the page busy, which these do not.
 *
 * @param code of the demo.
 * @param library address of the folder of modules that it imports.
 */
export async function thumbnailOf(code: string, library: string): Promise<Uint8Array> {
  const address = `data:text/javascript,${encodeURIComponent(withAddresses(code, library))}`;
  const { default: demo } = (await import(/* @vite-ignore */ address)) as { default: Demo };
  const device = await selectDevice('cpu', { threads: 1 });
  const playing = await PlayedSimulation.create(demo, device);
  const canvas = new RasterCanvas(WIDTH, HEIGHT);
  const pen = new Pen(canvas as unknown as CanvasRenderingContext2D, demo.view);
  const chosen = Array.from({ length: FRAMES }, (_, k) => Math.floor((k * (demo.run.frames - 1)) / FRAMES));
  const strip = new Uint8Array(4 * WIDTH * FRAMES * HEIGHT);
  playing.begin();
  for (let frame = 0; frame <= chosen.at(-1)!; frame++) {
    const { values, isFirst } = playing.step();
    pen.begin(isFirst);
    demo.draw(pen, values);
    const place = chosen.indexOf(frame);
    if (place < 0) continue;
    const pixels = canvas.pixels();
    for (let row = 0; row < HEIGHT; row++)
      strip.set(pixels.subarray(4 * WIDTH * row, 4 * WIDTH * (row + 1)), 4 * WIDTH * (FRAMES * row + place));
  }
  device.dispose();
  return encodePngRows({ width: WIDTH * FRAMES, height: HEIGHT, channels: 4 }, [strip]);
}
