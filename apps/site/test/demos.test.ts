// Every demo of the gallery: its code runs as a visitor's would, and its derivatives are those of differences in doubles.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { f64Device } from 'gradsim/core';
import { describe, expect, it } from 'vitest';
import type { Demo } from '../src/gallery/demo.ts';
import { withAddresses } from '../src/gallery/demo.ts';
import type { Pen } from '../src/gallery/pen.ts';
import { DerivativeRun, PlayedSimulation } from '../src/gallery/runs.ts';

const folder = fileURLToPath(new URL('../src/demos', import.meta.url));
const names = readdirSync(folder).map((file) => file.replace(/\.js$/, ''));
const sourceOf = (name: string): string => readFileSync(join(folder, `${name}.js`), 'utf8');
const demoOf = async (name: string): Promise<Demo> =>
  ((await import(`../src/demos/${name}.js`)) as { default: Demo }).default;

/** A pen that counts its strokes, and refuses numbers that are not finite. */
function countingPen(): { pen: Pen; strokes: () => number } {
  let strokes = 0;
  const areFinite = (value: unknown): boolean =>
    typeof value === 'number'
      ? Number.isFinite(value)
      : !(ArrayBuffer.isView(value) || Array.isArray(value)) || (value as number[]).every(areFinite);
  const pen = new Proxy(
    {},
    {
      get:
        () =>
        (...given: unknown[]) => {
          strokes++;
          if (!given.every(areFinite)) throw new Error('A stroke is not finite.');
        },
    },
  );
  return { pen: pen as Pen, strokes: () => strokes };
}

describe('demos of the gallery', () => {
  it('are listed, each once, with a title, in at most 60 lines of code', () => {
    const listed = /const DEMO_ORDER = '([^']*)'/.exec(readFileSync(join(folder, '../gallery/demos.ts'), 'utf8'))![1];
    expect(listed.split(' ').sort()).toEqual(names.sort());
    expect(names).toHaveLength(12);
    for (const name of names) {
      expect(sourceOf(name)).toMatch(/^ {2}title: '.+',$/m);
      // The first line is not shown.
      expect({ name, lines: sourceOf(name).trimEnd().split('\n').length - 1 <= 60 }).toEqual({ name, lines: true });
    }
  });

  it('import the modules of the library alone', () => {
    for (const name of names) {
      const code = withAddresses(sourceOf(name), 'https://host/lib/');
      expect(code).not.toMatch(/from 'gradsim/);
      const addresses = [...code.matchAll(/from '([^']+)'/g)].map(([, address]) => address);
      expect(addresses.length).toBeGreaterThan(1);
      for (const address of addresses) expect(address).toMatch(/^https:\/\/host\/lib\/[a-z]+\.js$/);
    }
  });

  it.each(names)(
    '%s: each derivative is that of differences, at values other than those it begins with too',
    async (name) => {
      const demo = await demoOf(name);
      const device = f64Device({ threads: 1 });
      const derived = await DerivativeRun.create(demo, device, true);
      const starts = [
        demo.sliders.map(({ value }) => value),
        demo.sliders.map(
          ({ value, range: [least, most] }) =>
            value + 0.03 * (value > (least + most) / 2 ? least - most : most - least),
        ),
      ];
      for (const values of starts) {
        const { output, gradient } = await derived.gradient(values);
        expect(output).toSatisfy(Number.isFinite);
        const differences = await derived.differences(values);
        demo.sliders.forEach(({ name: slider, range: [least, most] }, k) => {
          // What a slider moves over its range, beside what the one that counts most does.
          const span = (each: number[]): number => each[k] * (most - least);
          const largest = Math.max(
            ...demo.sliders.map(({ range }, j) => Math.abs(gradient[j] * (range[1] - range[0]))),
          );
          const error = Math.abs(span(gradient) - span(differences)) / largest;
          expect({ slider, error: error < 1e-3 }).toEqual({ slider, error: true });
        });
      }
      derived.dispose();
    },
  );

  it.each(names)('%s is drawn in every frame, and its sliders change it while it runs', async (name) => {
    const demo = await demoOf(name);
    const device = f64Device({ threads: 1 });
    const playing = await PlayedSimulation.create(demo, device);
    await playing.prepare(device);
    const { pen, strokes } = countingPen();
    const run = (values: readonly number[]): number[] => {
      playing.begin();
      let ends: number[] = [];
      for (let frame = 0; ; frame++) {
        // A third into the run.
        if (frame === Math.floor(demo.run.frames / 3)) playing.set(values);
        const before = strokes();
        const { values: seen, isLast } = playing.step();
        demo.draw(pen, seen);
        expect(strokes()).toBeGreaterThan(before);
        ends = seen.flatMap((each) => Array.from(each));
        if (isLast) return ends;
      }
    };
    const initial = demo.sliders.map(({ value }) => value);
    const usual = run(initial);
    for (const [
      k,
      {
        range: [least, most],
        isStart,
      },
    ] of demo.sliders.entries()) {
      if (isStart) continue;
      const other = run(initial.map((value, j) => (j === k ? (value > (least + most) / 2 ? least : most) : value)));
      expect({ slider: demo.sliders[k].name, isChanged: other.some((value, j) => value !== usual[j]) }).toEqual({
        slider: demo.sliders[k].name,
        isChanged: true,
      });
      run(initial);
    }
  });
});
