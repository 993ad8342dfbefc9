import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatCamera, undistort } from '@gradsim/cameras';
import { createFrames, encodeFrames, frameAt } from '@gradsim/video';
import { afterAll, afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { lastSearched } from '../../src/look/cuts.ts';
import { gradsim, temporaryFolder } from '../support.ts';

/** Spy on warnings: no experiment that is written here may cause one. */
const warned = vi.spyOn(console, 'warn');
afterEach(() => expect(warned.mock.calls).toEqual([]));

const SIZE = { width: 160, height: 160 };
/** Frame rate of the films, frames/s. */
const RATE = 30;
const BALL = { radius: 0.1, restitution: 0.75, height: 0.9, across: 0.5, gravity: 9.81 };
/** Pixels per metre at the depth of the ball, 3 m from the camera. */
const SCALE = 100;
/** Vertical field of view for which the ball's scale is `SCALE`, degrees. */
const FIELD = (2 * Math.atan(SIZE.height / 2 / (3 * SCALE)) * 180) / Math.PI;

const BLUE = [0.1, 0.2, 0.9] as const;

const FIELD_SET = `fieldOfView=${FIELD}`;

/** Height of a bouncing ball at a time, m, computed flight by flight in closed form. */
function heightAt(time: number): number {
  const { radius, restitution, gravity } = BALL;
  let [height, speed, left] = [BALL.height - radius, 0, time];
  for (;;) {
    const end = (speed + Math.sqrt(speed * speed + 2 * gravity * height)) / gravity;
    if (left < end) return radius + height + speed * left - (gravity * left * left) / 2;
    [height, speed, left] = [0, restitution * (gravity * end - speed), left - end];
  }
}

const NO_LENS = [0, 0, 0, 0, 0] as const;
/** Distortion k1, k2, p1, p2, k3 of a strong lens: it displaces the picture's corners by 1.5 to 10.5 px. */
const STRONG_LENS = [-0.4, 0.2, 0.02, -0.03, -0.1] as const;
type Lens = typeof NO_LENS | typeof STRONG_LENS;

/** Position in pixels without distortion for a point seen through the lens. */
function withoutLens(lens: Lens, x: number, y: number): [number, number] {
  const focal = 3 * SCALE;
  const [u, v] = undistort(lens, [(x - SIZE.width / 2) / focal, (y - SIZE.height / 2) / focal]);
  return [SIZE.width / 2 + focal * u, SIZE.height / 2 + focal * v];
}

/** Returns a function that calls `make` once for each lens. */
function onceForLens<Made>(make: (lens: Lens) => Made): (lens?: Lens) => Made {
  const made = new Map<Lens, Made>();
  return (lens = NO_LENS) => {
    if (!made.has(lens)) made.set(lens, make(lens));
    return made.get(lens)!;
  };
}

/** Positions without distortion of all pixels, x and y. */
const placesWithout = onceForLens((lens) => {
  const found = new Float64Array(2 * SIZE.width * SIZE.height);
  for (let p = 0; p < SIZE.width * SIZE.height; p++)
    found.set(withoutLens(lens, (p % SIZE.width) + 0.5, Math.floor(p / SIZE.width) + 0.5), 2 * p);
  return found;
});

/**
 * Text of a camera file for the films: the camera is level, 0.6 m above the floor, 3 m from the plane of the motion.
 */
const cameraFile = (distortion: Lens, format: 'gradsim' | 'opencv' = 'gradsim', isPlaced = true): string =>
  formatCamera(
    {
      ...SIZE,
      focalLength: [3 * SCALE, 3 * SCALE],
      principalPoint: [79.5, 79.5],
      distortion,
      ...(isPlaced ? { pose: { rotation: [1, 0, 0, 0], translation: [0, 0.6, 3] } } : {}),
    },
    format,
  );

/** GIF of a blue ball in front of a grey gradient, seen from 3 m by a level camera, 0.6 m above the floor. */
const filmOfBall = onceForLens((lens) => filmOfBallAnd(lens));

/** The same film, with another thing if given. */
function filmOfBallAnd(
  lens: Lens,
  other?: { readonly x: number; readonly width: number; readonly height: number; readonly speed: number },
): Promise<Uint8Array> {
  const middles = Array.from({ length: 36 }, (_, k) => [BALL.across * (k / RATE) - 0.3, heightAt(k / RATE) - 0.6, -3]);
  // Distance of a pixel's ray from the ball's middle: away from the middle of the picture a ball looks larger.
  const inside = (k: number, u: number, v: number): number => {
    const ray = [(u - SIZE.width / 2) / (3 * SCALE), (SIZE.height / 2 - v) / (3 * SCALE), -1];
    const [x, y, z] = middles[k];
    const away = Math.hypot(y * ray[2] - z * ray[1], z * ray[0] - x * ray[2], x * ray[1] - y * ray[0]);
    const ball = SCALE * (BALL.radius - away / Math.hypot(...ray));
    if (!other) return ball;
    // A board that passes at the picture's upper edge.
    const across = Math.abs((u - SIZE.width / 2) / SCALE - other.x - (other.speed * k) / RATE) - other.width / 2;
    const above = v / SCALE - other.height;
    return Math.max(ball, -SCALE * Math.max(across, above));
  };
  return filmOf(middles.length, inside, lens, true);
}

/** Conversion from stored values (sRGB) to linear light, and back. */
const light = (value: number): number => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
const stored = (value: number): number => (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055);

/** GIF of blue things on a grey gradient. `inside` returns the depth of a pixel inside the things in a frame, px. */
async function filmOf(
  count: number,
  inside: (frame: number, x: number, y: number) => number,
  lens: Lens = NO_LENS,
  inLight = false,
): Promise<Uint8Array> {
  const frames = createFrames({ ...SIZE, channels: 3, frameRate: RATE }, count);
  const at = placesWithout(lens);
  for (let k = 0; k < count; k++) {
    const frame = frameAt(frames, k);
    for (let p = 0; p < SIZE.width * SIZE.height; p++) {
      const part = Math.min(Math.max(inside(k, at[2 * p], at[2 * p + 1]) + 0.5, 0), 1);
      const ground = 0.5 + 0.1 * Math.sin(p / 1900);
      BLUE.forEach((colour, c) => {
        frame[3 * p + c] = inLight
          ? stored((1 - part) * light(ground) + part * light(colour))
          : (1 - part) * ground + part * colour;
      });
    }
  }
  return encodeFrames(frames, 'gif');
}

type Corner = readonly number[];

/** Convex hull of points, in order around it. Source: A. M. Andrew, 1979. */
function hullOf(points: readonly Corner[]): Corner[] {
  const sorted = [...points].sort(([a, b], [c, d]) => a - c || b - d);
  const half = (all: readonly Corner[]): Corner[] => {
    const kept: Corner[] = [];
    for (const point of all) {
      while (kept.length > 1 && side(kept[kept.length - 2], kept[kept.length - 1], point) <= 0) kept.pop();
      kept.push(point);
    }
    return kept.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

const side = ([a, b]: Corner, [c, d]: Corner, [x, y]: Corner): number => (c - a) * (y - b) - (d - b) * (x - a);

/** Depth of a point within a convex outline, px; below 0 outside. */
const depthIn = (outline: readonly Corner[], x: number, y: number): number =>
  Math.min(
    ...outline.map((from, k) => {
      const to = outline[(k + 1) % outline.length];
      return side(from, to, [x, y]) / Math.hypot(to[0] - from[0], to[1] - from[1]);
    }),
  );

/** Creates a folder in which gradsim is installed. It is within the repository, so that Node's types are found. */
function newFolder(): string {
  const folder = mkdtempSync(fileURLToPath(new URL('../../.new-', import.meta.url)));
  // As from `npm init`: not of type module.
  writeFileSync(join(folder, 'package.json'), '{ "name": "mine" }');
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(fileURLToPath(new URL('../..', import.meta.url)), join(folder, 'node_modules/gradsim'), 'junction');
  return folder;
}

/** Creates such a folder for one test, and removes it afterwards. */
function folderWithPackages(): string {
  const folder = newFolder();
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * Folder that collects all experiments written by the tests, one subfolder each: the last test type-checks them in one
 * run of TypeScript.
 */
const written = newFolder();
afterAll(() => rmSync(written, { recursive: true, force: true }));

function keepForTypes(folder: string): void {
  cpSync(folder, join(written, `${readdirSync(written).length}`), { recursive: true });
}

/**
 * Checks that a camera given by measurements, with their tolerances, leads to the same results as an exact camera file.
 */
function expectWithin(
  measured: Awaited<ReturnType<typeof tried>>['parameters'],
  exact: typeof measured,
  names: readonly string[],
  wider = 1.05,
): void {
  for (const name of names) {
    const [one, other] = [measured[name], exact[name]];
    expect(Math.abs(one.estimate - other.estimate) / one.standardError).toBeLessThan(2);
    expect(other.standardError).toBeLessThan(wider * one.standardError);
  }
}

describe('gradsim new', () => {
  const cameras = [
    ['where the camera is known', [FIELD_SET, 'eye=0,0.6,3', 'target=0,0.6,0'], NO_LENS],
    ['by a level camera of which nothing is known', [], NO_LENS],
    ['through a lens that a file tells, with its place', ['camera=camera.json'], STRONG_LENS],
    [
      'through a lens that a file tells, placed by hand',
      ['camera=lens.yml', 'eye=0,0.6,3', 'target=0,0.6,0'],
      STRONG_LENS,
    ],
  ] as const;
  it.each(cameras)('writes an experiment that finds the restitution of a filmed ball, %s', async (_, camera, lens) => {
    const folder = folderWithPackages();
    const film = join(folder, 'bounce.gif');
    writeFileSync(film, await filmOfBall(lens));
    writeFileSync(join(folder, 'camera.json'), cameraFile(lens));
    writeFileSync(join(folder, 'lens.yml'), cameraFile(lens, 'opencv', false));
    const sets = camera.map((set) => set.replace('camera=', `camera=${folder}/`));
    const out = join(folder, 'ball');
    const made = await gradsim([
      ...['new', 'ball', '--video', film, '--out', out],
      ...[`radius=${BALL.radius}`, ...sets].flatMap((set) => ['--set', set]),
    ]);
    expect(made.code, made.stderr.join('\n')).toBe(0);
    expect(made.stdout.at(-1)).toMatch(/^Next: npx gradsim estimate .*ball\.ts$/);
    keepForTypes(out);
    const results = join(folder, 'results');
    const run = await gradsim(['estimate', join(out, 'ball.ts'), '--out', results, '--device', 'cpu']);
    expect(run.code, run.stdout.join('\n')).toBe(0);
    const { stages } = JSON.parse(readFileSync(join(results, 'result.json'), 'utf8'));
    const { restitution, 'velocity x': across } = stages[0].parameters;
    // Pictures of 160 pixels with the colours of a GIF.
    expect(restitution.standardError).toBeLessThan(0.003);
    expect(Math.abs(restitution.estimate - BALL.restitution)).toBeLessThan(2.5 * restitution.standardError);
    // The floor slips under this ball: a gripping one would make it come towards the camera.
    expect(Math.abs(across.estimate - BALL.across)).toBeLessThan(0.01);
  });

  it('writes an experiment of ten lines, and what was measured, each with what it is', async () => {
    const folder = folderWithPackages();
    const film = join(folder, 'bounce.mp4');
    writeFileSync(film, 'not read yet');
    const out = join(folder, 'ball');
    await gradsim(['new', 'ball', '--video', film, '--set', 'radius=0.1', '--out', out]);
    const text = readFileSync(join(out, 'measured.ts'), 'utf8');
    expect(text).toContain("  /** The film: a file, or a folder of pictures. */\n  video: '../bounce.mp4',\n");
    expect(text).toContain(
      '  /** Radius of the ball, m; null if a length is marked, and nobody measured it. */\n  radius: 0.1,\n',
    );
    expect(text).toContain('  gravity: 9.81,\n');
    const experiment = readFileSync(join(out, 'ball.ts'), 'utf8');
    expect(experiment.trimEnd().split('\n').length).toBeLessThanOrEqual(10);
  });

  it('writes an experiment of a kind of others, by the code of the guide, which finds gravity', async () => {
    const folder = folderWithPackages();
    const film = join(folder, 'film.gif');
    writeFileSync(film, await filmOfBall());
    const guide = readFileSync(new URL('../../../../docs/guide/kind.md', import.meta.url), 'utf8');
    const module = join(folder, 'drop.ts');
    writeFileSync(module, /```ts\n(.*?)```/s.exec(guide)![1]);
    const told = ['--set', 'radius=0.1', '--set', FIELD_SET, '--set', 'last=11', '--set', 'chroma=centre'];
    const { gravity } = (await tried(folder, module, film, told, 'drop')).parameters;
    expect(Math.abs(gravity.estimate - BALL.gravity)).toBeLessThan(3 * gravity.standardError!);
    expect(gravity.standardError).toBeLessThan(0.5);
  });

  it('finds the kind of an installed package without a scope, after those of gradsim', async () => {
    const folder = folderWithPackages();
    const installed = join(folder, 'node_modules/my-kind');
    mkdirSync(installed, { recursive: true });
    writeFileSync(join(installed, 'package.json'), '{"name":"my-kind","type":"module","exports":"./index.js"}');
    writeFileSync(join(installed, 'index.js'), 'export const a = 1;');
    const before = process.cwd();
    process.chdir(folder);
    onTestFinished(() => process.chdir(before));
    const { stderr } = await gradsim(['new', 'my-kind', '--video', 'a.mp4']);
    expect(stderr.join('\n')).toContain('my-kind exports no kind of experiment');
  });

  it('refuses modules without a kind, and packages that are not there', async () => {
    const folder = temporaryFolder();
    const empty = join(folder, 'empty.mjs');
    writeFileSync(empty, 'export const a = 1;');
    for (const [kind, says] of [
      [empty, 'exports no kind of experiment'],
      ['@nobody/kind', 'The package @nobody/kind is not installed'],
      [join(folder, 'absent.ts'), 'There is no file'],
    ]) {
      const { code, stderr } = await gradsim(['new', kind, '--video', empty, '--out', join(folder, 'x')]);
      expect(code).toBe(1);
      expect(stderr.join('\n')).toContain(says);
    }
  });

  it('copies the source of a kind, whose experiment gives the same numbers', async () => {
    const folder = folderWithPackages();
    const film = join(folder, 'film.gif');
    writeFileSync(film, await filmOfBall());
    // Up to the second bounce.
    const told = ['--set', 'radius=0.1', '--set', FIELD_SET, '--set', 'last=22', '--set', 'chroma=centre'];
    const own = await tried(folder, 'ball', film, told);
    const copied = await tried(folder, 'ball', film, [...told, '--copy'], 'copied');
    expect(existsSync(join(folder, 'copied', 'kind', 'stages.ts'))).toBe(true);
    expect(copied.parameters.restitution.estimate).toBe(own.parameters.restitution.estimate);
  });

  it('lists missing measurements, and refuses unknown kinds, invalid or contradictory measurements, and a folder in use', async () => {
    const folder = temporaryFolder();
    const film = join(folder, 'film.gif');
    writeFileSync(film, await filmOfBall());
    const refused = async (...args: string[]): Promise<string> => {
      const { code, stderr } = await gradsim(['new', ...args, '--out', join(folder, 'x')]);
      expect(code).toBe(1);
      expect(existsSync(join(folder, 'x'))).toBe(false);
      return stderr.join('\n');
    };
    expect(await refused('bal')).toContain('There is no kind "bal" of experiment; there are:\n  ball:');
    const missing = await refused('ball');
    expect(missing).toContain('--video FILE  The film');
    expect(missing).toContain('--set radius=...  Radius of the ball, m');
    expect(await refused('ball', '--video', film, '--set', 'radius=-1')).toContain(
      '--set radius takes a number above 0, with a unit (m, cm, mm, km, in, ft) or without, not "-1"',
    );
    expect(await refused('ball', '--video', film, '--set', 'radios=1')).toContain('Did you mean "radius"');
    expect(await refused('ball', '--video', film, '--set', 'radius=1', '--set', 'eye=1,2')).toContain('three numbers');
    expect(await refused('ball', '--video', join(folder, 'no.gif'), '--set', 'radius=1')).toContain('no.gif');
    writeFileSync(join(folder, 'y'), '');
    writeFileSync(join(folder, 'camera.json'), cameraFile(NO_LENS));
    writeFileSync(join(folder, 'lens.json'), cameraFile(NO_LENS, 'gradsim', false));
    const by = (...sets: string[]): string[] => ['--video', film, ...sets.flatMap((set) => ['--set', set])];
    const own = `camera=${join(folder, 'camera.json')}`;
    const lens = `camera=${join(folder, 'lens.json')}`;
    expect(await refused('ball', ...by('radius=1', own, 'fieldOfView=40'))).toContain('Leave --set fieldOfView');
    expect(await refused('ball', ...by('radius=1', own, 'eye=0,1,2', 'target=0,0,0'))).toContain(
      'says where the camera stands. Leave --set eye and target away',
    );
    expect(await refused('ball', ...by('radius=1', 'up=z'))).toContain('Give --set camera=FILE');
    expect(await refused('ball', ...by('ends=1,2,300,4'))).toContain('--set ends takes --set span');
    expect(await refused('ball', ...by('ends=1,2,300,4', 'span=1', 'eye=0,1,2', 'target=0,0,0'))).toContain(
      'and so do eye, target and pivot',
    );
    expect(await refused('ball', ...by('radius=1', 'eye=0,1,2'))).toContain('--set eye takes --set target');
    expect(await refused('ball', ...by('radius=1', `camera=${folder}/none.json`))).toContain('none.json is not there');
    expect(await refused('slide', ...by('size=1,1,1', 'angle=20', lens))).toContain(
      'needs to know where the camera stands, and',
    );
    const taken = await gradsim(['new', 'ball', '--video', film, '--set', 'radius=1', '--out', folder]);
    expect(taken.stderr.join('\n')).toContain('holds something already. Name another with --out');
  });
});

/**
 * Swings of a ball at a light rod, theta'' = -w^2 sin theta - 2 c theta', integrated with steps far shorter than a
 * frame interval.
 */
const PENDULUM = { length: 0.8, radius: 0.08, gravity: 9.81, damping: 0.15, angle: 0.5 };
function anglesOf(count: number): number[] {
  const { length, radius, gravity, damping, angle } = PENDULUM;
  const square = gravity / length / (1 + (0.4 * radius ** 2) / length ** 2);
  const steps = 2000;
  let [theta, rate] = [angle, 0];
  return Array.from({ length: count }, () => {
    const seen = theta;
    for (let k = 0; k < steps; k++) {
      rate += (-square * Math.sin(theta) - 2 * damping * rate) / (RATE * steps);
      theta += rate / (RATE * steps);
    }
    return seen;
  });
}

const CAMERA = ['--set', `fieldOfView=${FIELD}`, '--set', 'eye=0,0.6,3', '--set', 'target=0,0.6,0'];
const pixel = (x: number, y: number): [number, number] => [
  SIZE.width / 2 + SCALE * x,
  SIZE.height / 2 - SCALE * (y - 0.6),
];

describe('gradsim new ball', () => {
  it('asks whether another unit was meant by implausible values, and names a cut in the frames that are used', async () => {
    const folder = folderWithPackages();
    const film = join(folder, 'joined.gif');
    const frames = createFrames({ width: 32, height: 24, channels: 3, frameRate: RATE }, 12);
    for (let k = 0; k < 12; k++) frameAt(frames, k).forEach((_, i, frame) => (frame[i] = k < 7 ? 0.3 : 0.6));
    writeFileSync(film, await encodeFrames(frames, 'gif'));
    const asked = async (...sets: string[]): Promise<string> => {
      const out = join(folder, `${sets.length}-${sets[0]}`);
      const args = ['new', 'ball', '--video', film, '--out', out, ...sets.flatMap((set) => ['--set', set])];
      const { code, stderr } = await gradsim(args);
      expect(code, stderr.join('\n')).toBe(0);
      return stderr.join('\n');
    };
    const cut = 'Between frames 6 and 7 all of the picture changes: a cut, or two films that were joined.';
    const said = await asked('radius=7.93', 'fieldOfView=0.63', 'gravity=981');
    expect(said).toContain(
      'radius is given as 7.93, which is in m: were 7.93 cm or 7.93 mm meant? Then give 0.0793 or 0.00793.',
    );
    expect(said).toContain('fieldOfView is given as 0.63, which is in degrees: were 0.63 rad meant? Then give 36.1.');
    expect(said).toContain('were 981 cm/s^2 meant? Then give 9.81.');
    expect(said).toContain(cut);
    const usual = await asked('radius=0.0793', 'fieldOfView=36.1');
    expect(usual).not.toContain('meant?');
    expect(usual).toContain(cut);
    expect(await asked('radius=0.1', 'first=7')).not.toContain(cut);
  });

  it('reads lengths with units, and looks for cuts after it has written the experiment', async () => {
    const folder = folderWithPackages();
    const film = join(folder, 'still.gif');
    writeFileSync(
      film,
      await encodeFrames(createFrames({ width: 32, height: 24, channels: 3, frameRate: RATE }, 3), 'gif'),
    );
    const args = ['new', 'ball', '--video', film, '--out', join(folder, 'ball'), '--set', 'radius=9,8 cm'];
    const { code, stdout } = await gradsim([...args, '--set', 'eye=0; 90 cm; 3', '--set', 'target=0,90,0 cm']);
    expect(code).toBe(0);
    const measured = readFileSync(join(folder, 'ball', 'measured.ts'), 'utf8');
    for (const line of ['radius: 0.098,', 'eye: [0, 0.9, 3],', 'target: [0, 0.9, 0],'])
      expect(measured).toContain(line);
    expect(stdout.at(-1)).toMatch(/^Next: /);
    expect(lastSearched({ width: 320, height: 240, frameCount: 300 }, 0)).toBe(299);
    expect(lastSearched({ width: 3840, height: 2160, frameCount: 4800 }, 100)).toBe(148);
  });

  it('writes an experiment that chooses the bouncing track, not that of a larger object, and refuses a missing track', async () => {
    const folder = folderWithPackages();
    const film = join(folder, 'bounce.gif');
    writeFileSync(film, await filmOfBallAnd(NO_LENS, { x: 0.35, width: 0.3, height: 0.5, speed: -0.5 }));
    const { run, parameters } = await tried(folder, 'ball', film, ['--set', `radius=${BALL.radius}`, ...CAMERA]);
    expect(run.stderr.join('\n')).toContain('bounces in track 2; the first');
    const { restitution } = parameters;
    expect(Math.abs(restitution.estimate / BALL.restitution - 1)).toBeLessThan(0.01);
    const other = await gradsim([
      ...['new', 'ball', '--video', film, '--out', join(folder, 'third')],
      ...[`radius=${BALL.radius}`, 'track=9'].flatMap((set) => ['--set', set]),
    ]);
    expect(other.code).toBe(0);
    const run3 = await gradsim(['estimate', join(folder, 'third', 'ball.ts'), '--device', 'cpu']);
    expect(run3.stderr.join('\n')).toContain('There is no track 9 in the film.');
  });

  it('writes an experiment that refuses a frame rate of 25 of a film whose time stamps say 30', async () => {
    const folder = folderWithPackages();
    const film = join(folder, 'bounce.gif');
    writeFileSync(film, await filmOfBall());
    const out = join(folder, 'ball');
    await gradsim([
      ...['new', 'ball', '--video', film, '--out', out],
      ...[`radius=${BALL.radius}`, 'frameRate=25'].flatMap((set) => ['--set', set]),
    ]);
    const { code, stderr } = await gradsim(['estimate', join(out, 'ball.ts'), '--device', 'cpu']);
    expect(code).not.toBe(0);
    expect(stderr.join('\n')).toMatch(/plays \d+(\.\d+)? frames a second by its time stamps, and frameRate is 25/);
  });

  it('writes an experiment that distrusts a radius given 20 % too large, by the size of the outlines', async () => {
    const folder = folderWithPackages();
    const film = join(folder, 'bounce.gif');
    writeFileSync(film, await filmOfBall());
    const { run } = await tried(folder, 'ball', film, ['--set', `radius=${1.2 * BALL.radius}`, ...CAMERA]);
    expect(run.code).toBe(3);
    expect(run.stdout.join('\n')).toMatch(/outline bias, size is \d+ standard deviations of its prior below/);
  });
});

describe('gradsim new pendulum', () => {
  const { length, radius } = PENDULUM;
  const angles = anglesOf(70);
  const filmBy = onceForLens((lens) =>
    filmOf(
      70,
      (k, x, y) => {
        const [sine, cosine] = [Math.sin(angles[k]), Math.cos(angles[k])];
        const [u, v] = pixel(length * sine, 1.1 - length * cosine);
        const [a, b] = pixel(0, 1.1);
        const along = ((x - a) * (u - a) + (y - b) * (v - b)) / Math.hypot(u - a, v - b) ** 2;
        const away = Math.hypot(x - a - along * (u - a), y - b - along * (v - b));
        const rod = along > 0 && along < 1 ? 0.8 - away : -1;
        return Math.max(SCALE * radius - Math.hypot(x - u, y - v), rod);
      },
      lens,
    ),
  );

  it('writes an experiment that finds gravity to 2 % and damping to 5 %, and the same by a camera file', async () => {
    const folder = folderWithPackages();
    const film = join(folder, 'swing.gif');
    writeFileSync(film, await filmBy(NO_LENS));
    const { run, parameters, out } = await tried(folder, 'pendulum', film, [
      ...['--set', `length=${length}`, '--set', `radius=${radius}`, ...CAMERA],
    ]);
    keepForTypes(out);
    expect(run.code, run.stderr.join('\n')).toBe(0);
    const { gravity, damping } = parameters;
    expect(Math.abs(gravity.estimate / PENDULUM.gravity - 1)).toBeLessThan(0.02);
    expect(Math.abs(damping.estimate / PENDULUM.damping - 1)).toBeLessThan(0.05);
    writeFileSync(join(folder, 'camera.json'), cameraFile(NO_LENS));
    const byFile = await tried(
      folder,
      'pendulum',
      film,
      [
        ...[`length=${length}`, `radius=${radius}`, `camera=${join(folder, 'camera.json')}`].flatMap((set) => [
          '--set',
          set,
        ]),
      ],
      'by-file',
    );
    expectWithin(parameters, byFile.parameters, ['gravity', 'damping']);
  });

  it('writes an experiment that finds gravity and damping to 0.5 % through a calibrated distorting lens', async () => {
    const folder = folderWithPackages();
    const curved = join(folder, 'curved.gif');
    writeFileSync(curved, await filmBy(STRONG_LENS));
    const throughLens: Awaited<ReturnType<typeof tried>>['parameters'][] = [];
    for (const lens of [STRONG_LENS, NO_LENS]) {
      const name = lens === NO_LENS ? 'without-lens' : 'with-lens';
      const file = join(folder, `${name}.json`);
      writeFileSync(file, cameraFile(lens));
      const found = await tried(
        folder,
        'pendulum',
        curved,
        [`length=${length}`, `radius=${radius}`, 'lengthTolerance=1e-4', `camera=${file}`].flatMap((set) => [
          '--set',
          set,
        ]),
        name,
      );
      throughLens.push(found.parameters);
    }
    const [told, untold] = throughLens;
    expect(Math.abs(told.gravity.estimate / PENDULUM.gravity - 1)).toBeLessThan(0.005);
    expect(Math.abs(told.damping.estimate / PENDULUM.damping - 1)).toBeLessThan(0.005);
    // The lens is used: without it the residuals are more than twice as large.
    expect(told.gravity.standardError).toBeLessThan(untold.gravity.standardError / 2);
  });

  it('writes an experiment that distrusts a radius given 20 % too large, by the size of the outlines', async () => {
    const folder = folderWithPackages();
    const film = join(folder, 'swing.gif');
    writeFileSync(film, await filmBy(NO_LENS));
    const { run } = await tried(folder, 'pendulum', film, [
      ...['--set', `length=${length}`, '--set', `radius=${1.2 * radius}`, ...CAMERA],
    ]);
    expect(run.code).toBe(3);
    expect(run.stdout.join('\n')).toMatch(/outline bias, size is \d+ standard deviations of its prior below/);
  });
});

describe('gradsim new slide', () => {
  it('writes an experiment that finds the friction of a box on an incline to 5 %', async () => {
    const folder = folderWithPackages();
    const film = join(folder, 'slide.gif');
    const [tilt, mu, speed] = [0.7, 0.85, 0.9];
    const [sine, cosine] = [Math.sin(tilt), Math.cos(tilt)];
    const acceleration = 9.81 * (sine - mu * cosine);
    const size = [0.24, 0.16, 0.2];
    const outlines = Array.from({ length: 24 }, (_, k) => {
      const t = k / RATE;
      const way = -0.35 + speed * t + (acceleration * t * t) / 2;
      const corners = [-1, 1].flatMap((a) => [-1, 1].flatMap((b) => [-1, 1].map((c) => [a, b, c])));
      return hullOf(
        corners.map(([a, b, c]) => {
          const [u, v] = [way + (a * size[0]) / 2, ((b + 1) * size[1]) / 2];
          const near = 3 / (3 - (c * size[2]) / 2);
          const [px, py] = [u * cosine + v * sine, v * cosine - u * sine];
          return [SIZE.width / 2 + SCALE * near * px, SIZE.height / 2 - SCALE * near * py];
        }),
      );
    });
    writeFileSync(film, await filmOf(24, (k, x, y) => depthIn(outlines[k], x, y)));
    const { run, parameters, out } = await tried(folder, 'slide', film, [
      ...['--set', `size=${size.join(',')}`, '--set', `angle=${(tilt * 180) / Math.PI}`],
      ...['--set', 'point=0,0.6,0', ...CAMERA],
    ]);
    keepForTypes(out);
    const { friction } = parameters;
    expect(run.code, run.stderr.join('\n')).toBe(0);
    expect(Math.abs(friction.estimate / mu - 1)).toBeLessThan(0.05);
    writeFileSync(join(folder, 'camera.json'), cameraFile(NO_LENS));
    const byFile = await tried(
      folder,
      'slide',
      film,
      [
        ...['--set', `size=${size.join(',')}`, '--set', `angle=${(tilt * 180) / Math.PI}`],
        ...['--set', 'point=0,0.6,0', '--set', `camera=${join(folder, 'camera.json')}`],
      ],
      'by-file',
    );
    // Each run fits outlines of its own to the pixels, with uncertainties of their own.
    expectWithin(parameters, byFile.parameters, ['friction', 'speed'], 1.3);
  });
});

/** Writes an experiment of a beam, for a film and for TypeScript. */
async function writeBeam(folder: string, film: string, name: string, camera: readonly string[]): Promise<void> {
  const set = [`background=${film}`, 'length=0.5', 'thickness=0.03', 'width=0.04', 'density=1000'];
  const out = join(folder, name);
  const sets = set.flatMap((one) => ['--set', one]);
  const made = await gradsim(['new', 'beam', '--video', film, '--out', out, ...camera, ...sets]);
  expect(made.code, made.stderr.join('\n')).toBe(0);
  keepForTypes(out);
}

describe('gradsim new beam', () => {
  it('asks for missing measurements, and writes an experiment with a measured camera or a camera file', async () => {
    const folder = folderWithPackages();
    const film = join(folder, 'film.gif');
    writeFileSync(film, await filmOfBall());
    const asked = await gradsim(['new', 'beam', '--video', film, '--out', join(folder, 'x')]);
    for (const name of ['background', 'length', 'thickness', 'width', 'density', 'fieldOfView', 'eye', 'target'])
      expect(asked.stderr.join('\n')).toContain(`--set ${name}=...`);
    await writeBeam(folder, film, 'measured', CAMERA);
    writeFileSync(join(folder, 'camera.json'), cameraFile(NO_LENS));
    await writeBeam(folder, film, 'by-file', ['--set', `camera=${join(folder, 'camera.json')}`]);
  });

  it("writes an experiment that finds Young's modulus to 0.5 % and damping to 5 %, and distrusts a length 30 % too large", async () => {
    const folder = folderWithPackages();
    const [film, background] = [join(folder, 'swing.gif'), join(folder, 'empty.gif')];
    const [length, thickness, width, density, ratio] = [1, 0.08, 0.06, 600, 0.04];
    const frequency = 2 * Math.PI * 3.7;
    // Of a slender beam: w = 3.516 sqrt(E I / (rho A)) / L^2, and its sag rho A g L^4 / (8 E I).
    const modulus = ((frequency * length ** 2) / 3.516) ** 2 * ((12 * density) / thickness ** 2);
    const sag = (3.516 ** 2 * 9.81) / (8 * frequency ** 2);
    // At the camera's height its front alone is seen.
    const near = 3 / (3 - width / 2);
    const tipAt = (time: number): number => {
      const damped = frequency * Math.sqrt(1 - ratio ** 2);
      const swing = Math.cos(damped * time) + ((ratio * frequency) / damped) * Math.sin(damped * time);
      return -sag * (1 - Math.exp(-ratio * frequency * time) * swing);
    };
    writeFileSync(
      film,
      await filmOf(45, (k, x, y) => {
        const part = (0.5 - (x - SIZE.width / 2) / SCALE / near) / length;
        const up = (SIZE.height / 2 - y) / SCALE / near;
        const bent = part < 0 ? 0 : (tipAt(k / RATE) * (6 * part ** 2 - 4 * part ** 3 + part ** 4)) / 3;
        const along = length * Math.min(part, 1 - part);
        return SCALE * near * Math.min(along, thickness / 2 - Math.abs(up - bent));
      }),
    );
    writeFileSync(background, await filmOf(1, () => -1));
    const sets = [`thickness=${thickness}`, `width=${width}`, `density=${density}`, 'clamp=0.5,0.6,0'];
    const args = (told: number): string[] => [
      ...CAMERA,
      ...[`background=${background}`, `length=${told}`, ...sets].flatMap((set) => ['--set', set]),
    ];
    const { run, parameters } = await tried(folder, 'beam', film, args(length));
    expect(run.code, run.stderr.join('\n')).toBe(0);
    const { "Young's modulus": found, 'damping ratio': damping } = parameters;
    expect(Math.abs(found.estimate / modulus - 1)).toBeLessThan(0.005);
    expect(Math.abs(damping.estimate / ratio - 1)).toBeLessThan(0.05);
    const wrong = await tried(folder, 'beam', film, args(1.3 * length), 'wrong');
    expect(wrong.run.code).toBe(3);
  });
});

describe('gradsim new toss', () => {
  it('asks for missing measurements of box and camera, and writes an experiment with unknown gravity', async () => {
    const folder = folderWithPackages();
    const film = join(folder, 'film.gif');
    writeFileSync(film, await filmOfBall());
    const asked = await gradsim(['new', 'toss', '--video', film, '--out', join(folder, 'x')]);
    expect(asked.code).not.toBe(0);
    for (const name of ['size', 'fieldOfView', 'eye', 'target'])
      expect(asked.stderr.join('\n')).toContain(`--set ${name}=...`);
    const out = join(folder, 'toss');
    const made = await gradsim([
      ...['new', 'toss', '--video', film, '--out', out, ...CAMERA, '--set', 'size=0.16,0.1,0.06'],
      ...['--set', 'gravity=null', '--set', `background=${film}`],
    ]);
    expect(made.code, made.stderr.join('\n')).toBe(0);
    keepForTypes(out);
    expect(readFileSync(join(out, 'measured.ts'), 'utf8')).toContain('gravity: null,');
  });
});

/** Writes an experiment for a film with `gradsim new`, and runs it. */
async function tried(folder: string, kind: string, film: string, args: readonly string[], name: string = kind) {
  const out = join(folder, name);
  const made = await gradsim(['new', kind, '--video', film, '--out', out, ...args]);
  expect(made.code, made.stderr.join('\n')).toBe(0);
  const results = join(folder, `${name}-results`);
  const run = await gradsim([
    'estimate',
    join(out, `${basename(kind, '.ts')}.ts`),
    '--out',
    results,
    '--device',
    'cpu',
  ]);
  const { stages } = JSON.parse(readFileSync(join(results, 'result.json'), 'utf8'));
  console.info(`${kind}: ${run.stdout.join('\n')}`);
  return { run, out, parameters: stages[0].parameters };
}

describe('a written experiment', () => {
  it('type-checks by its tsconfig.json, the same for every experiment written by these tests', async () => {
    const folder = folderWithPackages();
    const film = join(folder, 'film.gif');
    writeFileSync(film, await filmOfBall());
    await writeBeam(folder, film, 'alone', CAMERA);
    const folders = readdirSync(written).filter((name) => !['package.json', 'node_modules'].includes(name));
    const [config, ...others] = folders.map((name) => readFileSync(join(written, name, 'tsconfig.json'), 'utf8'));
    for (const other of others) expect(other).toBe(config);
    writeFileSync(join(written, 'tsconfig.json'), config);
    // With the packages' sources: they may not be built.
    const compiler = fileURLToPath(new URL('../../../../node_modules/.bin/tsc', import.meta.url));
    const args = ['-p', written, '--customConditions', '@gradsim/source', '--listFiles'];
    const { status, stdout } = spawnSync(compiler, args, { encoding: 'utf8', maxBuffer: 2 ** 24 });
    expect(status, stdout).toBe(0);
    for (const name of folders) expect(stdout).toContain(join(written, name, 'measured.ts'));
  });
});
