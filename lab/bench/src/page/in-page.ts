// What the page runs: the sheet frame by frame, shown on a canvas; what it took is posted to where the page came from.
import type { DeviceName } from '@gradsim/core';
import { createSimulation, profileDevice, selectDevice } from '@gradsim/core';
import { pause } from '@gradsim/core/internal';
import { layoutOf, toRows } from '@gradsim/render';
import { FRAME_RATE, sheetOnBall, substepsOf } from './scene.ts';

export interface PageSettings {
  readonly device: DeviceName;
  readonly selfContact: boolean;
  readonly cells: number;
  readonly size: number;
  readonly frames: number;
  /** True to measure the time of each pass; passes then run one by one. */
  readonly profile: boolean;
}

export interface PageTimes {
  readonly device?: string;
  /** Intervals between frames, ms. */
  readonly frames?: readonly number[];
  /** Times of each part of a frame, ms. */
  readonly parts?: Readonly<Record<string, readonly number[]>>;
  /** Time per frame of each pass, ms. */
  readonly passes?: Readonly<Record<string, number>>;
  /** Heights of the lowest and the highest vertex at the end, m. */
  readonly heights?: readonly [number, number];
  readonly error?: string;
}

async function run({ device: name, frames: count, profile, ...scene }: PageSettings): Promise<PageTimes> {
  const plain = await selectDevice(name);
  const profiling = profile ? profileDevice(plain) : null;
  const device = profiling ?? plain;
  const model = sheetOnBall(scene);
  const simulation = await createSimulation(model, {
    device,
    frameRate: FRAME_RATE,
    substeps: substepsOf(scene),
    record: ['pixels.rgba'],
  });
  const layout = layoutOf(model);
  const canvas = document.body.appendChild(document.createElement('canvas'));
  Object.assign(canvas, { width: scene.size, height: scene.size });
  const context = canvas.getContext('2d')!;
  const image = context.createImageData(scene.size, scene.size);
  const pixels = new Uint8ClampedArray(4 * layout.pixels);
  const frames: number[] = [];
  const parts: Record<string, number[]> = {};
  for (let frame = 0; frame < count; frame++) {
    const began = performance.now();
    let last = began;
    const lap = (part: string): void => {
      const now = performance.now();
      parts[part] ??= [];
      parts[part].push(now - last);
      last = now;
    };
    simulation.step();
    lap('step');
    await simulation.read('pixels.rgba', { into: pixels });
    lap('read');
    toRows(layout, pixels, 4, image.data);
    context.putImageData(image, 0, 0);
    lap('show');
    // A page lets go between frames, and only then do its workers start.
    await pause();
    frames.push(performance.now() - began);
  }
  const heights = (await simulation.read('particles.position')).filter((_, k) => k % 3 === 1);
  const description = plain.description;
  const passes = profiling?.profile() ?? [];
  simulation.dispose();
  device.dispose();
  return {
    device: `${plain.kind}: ${description}`,
    frames,
    parts,
    heights: [Math.min(...heights), Math.max(...heights)],
    passes: Object.fromEntries(
      passes.map(({ program, pass, milliseconds }) => [`${program}: ${pass}`, milliseconds / count]),
    ),
  };
}

const settings: PageSettings = JSON.parse(document.querySelector<HTMLMetaElement>('meta[name=settings]')!.content);
const times = await run(settings).catch((error: Error): PageTimes => ({ error: String(error.stack ?? error) }));
await fetch('/report', { method: 'POST', body: JSON.stringify(times) });
