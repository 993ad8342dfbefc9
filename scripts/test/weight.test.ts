// What users install is light, and what they import first is there at once.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { LARGEST_INSTALLED, weights } from '../pack/weight.js';
import { root } from '../root.js';

it.each(LARGEST_INSTALLED)('an installation of $asked weighs less than $bytes bytes', ({ asked, bytes }) => {
  const all = weights(asked);
  const table = [...all].sort(([, a], [, b]) => b - a).map(([name, size]) => `${(size / 1e6).toFixed(2)} MB ${name}`);
  const total = [...all.values()].reduce((sum, size) => sum + size, 0);
  console.info(`${(total / 1e6).toFixed(2)} MB: ${table.join(', ')}`);
  expect(total, table.join('\n')).toBeLessThan(bytes);
  // Base comes with all, and outweighs a comment or a map that comes back.
  expect(all.get('@gradsim/base')).toBeGreaterThan(1e5);
});

it('importing core takes less than 60 ms of the processor', () => {
  const program = `const before = process.cpuUsage();
    await import('@gradsim/core');
    const { user, system } = process.cpuUsage(before);
    console.log((user + system) / 1000);`;
  const times = Array.from({ length: 7 }, () => {
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
      cwd: join(root, 'packages/rigid'),
      env: { ...process.env, NODE_OPTIONS: '' },
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    return Number(stdout);
  });
  console.info(`importing core: ${Math.min(...times)} ms at best, of ${times.join(', ')}`);
  expect(Math.min(...times)).toBeGreaterThan(1);
  expect(Math.min(...times)).toBeLessThan(60);
});
