// The moving picture of the README: a film of a bouncing ball that lab/films draws, and what gradsim estimates from it drawn
// over it. `npm run -s picture` writes docs/ball.gif, and prints what was estimated. It takes Chromium, and some minutes.
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.js';

/** Pixels of the picture: film and estimate side by side. */
const SIZE = { width: 600, height: 225 };

const [FILMS, GRADSIM] = ['lab/films/dist/make-films.js', 'packages/gradsim/dist/main.js'];
const folder = join(root, 'out/picture');

/**
 * Runs a program of the workspace, and ends with its status where it fails: the program has said why.
 * @param {string} program
 * @param {string[]} args
 */
function run(program, ...args) {
  const { status } = spawnSync(process.execPath, [join(root, 'scripts/run.js'), program, ...args], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}

rmSync(folder, { recursive: true, force: true });
run(FILMS, '--kinds', 'ball', '--each', '1', '--spoiled', '0', '--seed', '7', '--out', folder);
const { camera, measured: known } = JSON.parse(readFileSync(join(folder, 'ball-00.json'), 'utf8'));
const measured = {
  background: join(folder, 'ball-00.plate.png'),
  radius: known.radius,
  fieldOfView: (camera.fieldOfView * 180) / Math.PI,
  gravity: 'null',
  world: 'other',
  chroma: 'centre',
};
const set = Object.entries(measured).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
const [experiment, results] = [join(folder, 'ball'), join(folder, 'results')];
run(GRADSIM, 'new', 'ball', '--video', join(folder, 'ball-00.mp4'), ...set, '--out', experiment);
run(GRADSIM, 'estimate', join(experiment, 'ball.ts'), '--quiet', '--out', results);

// Of film, estimate and difference, the first two.
const pictures = join(folder, 'compared');
run(GRADSIM, 'render', results, '--compare', '--out', pictures);
const { inspectFilm, readFrames, writeFrames } = await import(join(root, 'packages/video/dist/index.js'));
const { width, height } = await inspectFilm(pictures);
const crop = { x: 0, y: 0, width: (2 * width) / 3, height };
const film = await readFrames(pictures, { frameRate: 15, crop, size: SIZE, channels: 3 });
await writeFrames(join(root, 'docs/ball.gif'), film, { overwrite: true });
