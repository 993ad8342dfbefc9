// Mass and contact material from films that another renderer made: three.js in headless Chromium, 8 bit, with shadows and
// motion blur. --tosses 1, --first 0 of the tosses of `bench -- contact`, --films out/film, where those that are not there
// yet are made.

import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { median } from '@gradsim/base';
import { makeFilm } from '@gradsim/examples/photo/make-film';
import { createPhotographer } from '@gradsim/examples/photo/photograph';
import { besideFilm } from '@gradsim/examples/photo/record';
import photoToss from '@gradsim/examples/photo-toss';
import { estimate } from '@gradsim/optim';
import { benchOptions, print } from './support/options.ts';

const options = await benchOptions(['tosses', 'first', 'films']);
const { device } = options;
const films = options.text('films', 'out/film');
const first = options.number('first', 0);
const numbers = Array.from({ length: options.number('tosses', 1) }, (_, k) => first + k);
const pathOf = (number: number): string => join(films, `toss-${String(number).padStart(2, '0')}`);

await makeMissing(numbers.filter((number) => !isThere(pathOf(number))));
const errors: Record<string, number[]> = {};
for (const number of numbers) {
  const began = performance.now();
  const cpu = process.cpuUsage();
  const context = { device, video: pathOf(number), settings: {}, log: () => {} };
  const [stage] = await photoToss.stages(context);
  const found = await estimate(stage.problem, { device });
  const of = Object.entries(found.parameters);
  const relativeError = Object.fromEntries(
    of.map(([name, { estimate: value, truth }]) => [name, Math.abs(value / truth! - 1)]),
  );
  for (const [name, error] of Object.entries(relativeError)) {
    errors[name] ??= [];
    errors[name].push(error);
  }
  print({
    bench: 'photo',
    device: device.kind,
    toss: number,
    relativeError,
    truth: Object.fromEntries(of.map(([name, { truth }]) => [name, truth])),
    standardError: Object.fromEntries(
      of.map(([name, { standardError, truth }]) => [name, standardError && standardError / truth!]),
    ),
    residual: found.residual,
    leastDetermined: found.leastDetermined,
    undetermined: found.undetermined.map(({ note }) => note),
    seconds: (performance.now() - began) / 1000,
    cpuSeconds: process.cpuUsage(cpu).user / 1e6,
  });
}
print({
  bench: 'photo',
  summary: true,
  device: device.kind,
  tosses: numbers.length,
  median: Object.fromEntries(Object.entries(errors).map(([name, all]) => [name, median(all)])),
  worst: Object.fromEntries(Object.entries(errors).map(([name, all]) => [name, Math.max(...all)])),
  withinGoal: numbers.filter((_, k) => errors.mass[k] < 0.01 && errors.mu[k] < 0.1).length,
});

function isThere(path: string): boolean {
  return [path, ...Object.values(besideFilm(path))].every((file) => existsSync(file));
}

async function makeMissing(missing: readonly number[]): Promise<void> {
  if (missing.length === 0) return;
  const chromium = process.env.GRADSIM_CHROMIUM;
  if (!chromium)
    throw new Error(
      'Films are made in Chromium: set GRADSIM_CHROMIUM to its path, or have it on PATH and begin with `npm run`.',
    );
  mkdirSync(films, { recursive: true });
  const photographer = await createPhotographer(chromium);
  try {
    for (const number of missing) await makeFilm(number, pathOf(number), photographer, device);
  } finally {
    await photographer.dispose();
  }
}
