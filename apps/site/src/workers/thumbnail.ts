// Makes the moving picture of a demo, where there is no page: the build of the site runs this in Node.
import { selectDevice } from 'gradsim/core';
import { type Demo, withAddresses } from '../gallery/demo.ts';
import { Pen } from '../gallery/pen.ts';
import { Playing } from '../gallery/runs.ts';
import { SvgCanvas } from '../gallery/svg-canvas.ts';

/** Size of a picture, px, and the number of frames that it shows of a run. */
const [WIDTH, HEIGHT, FRAMES] = [192, 120, 20];

/**
 * Animated SVG of a run of a demo with its own values, which stands still for visitors who ask for that.
 *
 * @param code of the demo.
 * @param library address of the folder of modules that it imports.
 */
export async function thumbnailOf(code: string, library: string): Promise<string> {
  const address = `data:text/javascript,${encodeURIComponent(withAddresses(code, library))}`;
  const { default: demo } = (await import(/* @vite-ignore */ address)) as { default: Demo };
  const device = await selectDevice('cpu', { threads: 1 });
  const playing = await Playing.create(demo, device);
  const canvas = new SvgCanvas(WIDTH, HEIGHT);
  const pen = new Pen(canvas as unknown as CanvasRenderingContext2D, demo.view);
  const { frames, frameRate } = demo.run;
  const every = Math.max(1, Math.ceil(frames / FRAMES));
  const shown: string[] = [];
  playing.begin();
  for (let frame = 0, isEnd = false; !isEnd; frame++) {
    const { values, isFirst, isLast } = playing.step();
    pen.begin(isFirst);
    demo.draw(pen, values);
    if (frame % every === 0) shown.push(canvas.frame);
    isEnd = isLast;
  }
  device.dispose();
  const seconds = (shown.length * every) / frameRate;
  const style =
    `g{visibility:hidden;animation:s ${seconds.toFixed(2)}s step-end infinite}` +
    `@keyframes s{0%{visibility:visible}${(100 / shown.length).toFixed(3)}%{visibility:hidden}}` +
    '@media(prefers-reduced-motion:reduce){g{animation:none}g:nth-of-type(8){visibility:visible}}';
  const groups = shown.map(
    (frame, k) => `<g style="animation-delay:${((k / shown.length - 1) * seconds).toFixed(3)}s">${frame}</g>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}"><style>${style}</style>${groups.join('')}</svg>`;
}
