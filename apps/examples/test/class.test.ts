// A class: a sheet of films with what was measured beside each, estimated by the command.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createFrames, encodeFrames } from '@gradsim/video';
import { afterAll, expect, it } from 'vitest';

const COMMAND = fileURLToPath(new URL('../../../packages/gradsim/dist/main.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'gradsim-class-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A disc that drops onto a floor and bounces, in pictures of 160 pixels of 100 pixels a metre. */
async function filmOfBall(): Promise<Uint8Array> {
  const [rate, radius, gravity, restitution] = [30, 0.1, 9.81, 0.75];
  const size = { width: 160, height: 160, channels: 3 as const, frameRate: rate };
  const frames = createFrames(size, 24);
  let [y, v] = [0.9, 0];
  const steps = 400;
  for (let frame = 0; frame < 24; frame++) {
    for (let py = 0; py < 160; py++)
      for (let px = 0; px < 160; px++) {
        const away = Math.hypot(px + 0.5 - 80, py + 0.5 - (140 - 100 * y)) - 100 * radius;
        const part = Math.min(1, Math.max(0, 0.5 - away));
        const at = 3 * (160 * (160 * frame + py) + px);
        [0.7, 0.15, 0.1].forEach((colour, c) => {
          frames.data[at + c] = 0.6 + (colour - 0.6) * part;
        });
      }
    for (let step = 0; step < steps; step++) {
      v -= gravity / rate / steps;
      y += v / rate / steps;
      if (y < radius && v < 0) v *= -restitution;
    }
  }
  return encodeFrames(frames, 'gif');
}

it('estimates each line as gradsim new and estimate do, keeps its experiment, and says how far groups agree', async () => {
  writeFileSync(join(folder, 'a.gif'), await filmOfBall());
  const sheet = join(folder, 'class.csv');
  const lines = ['anna;a.gif;10;30', 'bela;a.gif;10,05 cm;30 deg', 'chris;a.gif;99 mm;30'];
  writeFileSync(sheet, ['group;film;radius [cm];field of view', ...lines].join('\n'));
  const out = join(folder, 'out');
  const args = ['study', sheet, '--kind', 'ball', '--out', out, '--set', 'chroma=centre', '--workers', '1'];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [COMMAND, ...args]);
  expect(stdout).toContain('3 trials done');
  const results = readFileSync(join(out, 'results.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(results.map(({ settings }) => settings.group)).toEqual(['anna', 'bela', 'chris']);
  expect(results.map(({ settings }) => settings.measured.radius)).toEqual([0.1, 0.1005, 0.099]);
  for (const { ended } of results)
    expect(Math.abs(ended.result.parameters.restitution.estimate / 0.75 - 1)).toBeLessThan(0.02);
  const measured = join(out, 'trials', results[0].id, 'experiment/measured.ts');
  expect(readFileSync(measured, 'utf8')).toContain('radius: 0.1,');
  expect(readFileSync(join(out, 'study.csv'), 'utf8')).toContain('anna');
  expect(stderr).toMatch(/restitution: 0\.7\d+ \+- \S+ +of 3; they differ by/);
});

it('refuses two sheets, and an experiment beside a kind', async () => {
  const refused = (...args: string[]): Promise<string> =>
    promisify(execFile)(process.execPath, [COMMAND, 'study', ...args]).then(
      () => 'nothing',
      ({ stderr }) => stderr,
    );
  expect(await refused('a.csv', 'b.csv', '--kind', 'ball')).toContain('takes one sheet');
  expect(await refused('a.csv', '--kind', 'ball', '--experiment', 'x.ts')).toContain('both say');
});
