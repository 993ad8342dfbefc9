import type { DemoSource } from './demo.ts';

const texts = import.meta.glob<string>('../demos/*.js', { query: '?raw', import: 'default', eager: true });

/** Order in which the gallery lists its demos. */
const DEMO_ORDER = 'toss ball cloth beam walker gear jellyfish swing-up arm stack smoke pendulum'.split(' ');

/** Demos of the gallery, with their sources. The first line is for this repository's checks. */
export const DEMOS: readonly DemoSource[] = DEMO_ORDER.map((name) => {
  const code = texts[`../demos/${name}.js`].replace(/^\/\/ @ts-nocheck.*\n/, '');
  const [, title = name] = /title: '([^']*)'/.exec(code) ?? [];
  const [, frames, frameRate] = /run: { frames: (\d+), frameRate: (\d+)/.exec(code)!;
  return { name, title, seconds: Number(frames) / Number(frameRate), code };
});
