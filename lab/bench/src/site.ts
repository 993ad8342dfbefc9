// What Lighthouse says of the first page, the gallery, the first guide and the studio: scores and times, medians of `--runs`
// (default 5), one line a page, on a desktop and on a slow phone. Builds the site first.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const steps = [['apps/site/src/build/site.js'], ['apps/site/src/build/lighthouse.js', ...process.argv.slice(2)]];
for (const [k, step] of steps.entries()) {
  // Only the lines of Lighthouse are for the standard output.
  const { status } = spawnSync(process.execPath, step, {
    cwd: root,
    stdio: ['ignore', k === 0 ? 2 : 'inherit', 'inherit'],
  });
  if (status !== 0) process.exit(status ?? 1);
}
