import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cameraPosition, type GreyPicture, projectPoint, readCamera } from '@gradsim/cameras';
import { createFrames, encodePng } from '@gradsim/video';
import { describe, expect, it } from 'vitest';
import { type Drawn, drawBoard, type Placed, seenAt } from '../../../cameras/test/drawn-board.ts';
import { gradsim, temporaryFolder } from '../support.ts';

const CAMERA: Drawn = { width: 320, height: 240, f: [300, 302], c: [161, 117], k: [-0.15, 0.03, 0, 0, 0] };
const BOARD = { columns: 6, rows: 5, square: 0.04 };
const VIEWS: readonly Placed[] = [
  [0.5, 0, 0],
  [-0.5, 0.1, 0.1],
  [0, 0.5, 0.2],
  [0.1, -0.5, -0.1],
  [0.4, 0.4, 0],
].map(([a, b, c]) => ({ turned: [a, b, c], moved: [-0.1, -0.08, 0.42] }));

async function write(path: string, { width, height, data }: GreyPicture): Promise<string> {
  const frames = createFrames({ width, height, channels: 1, frameRate: 1 }, 1);
  frames.data.set(Array.from(data, (v) => Math.min(1, Math.max(0, v))));
  writeFileSync(path, await encodePng(frames));
  return path;
}

describe('gradsim calibrate', () => {
  it('finds a camera from photos of a board, its pose from a board or known points on the floor, and writes JSON or OpenCV YAML', async () => {
    const folder = temporaryFolder();
    const photos = await Promise.all(
      VIEWS.map((placed, k) => write(join(folder, `photo-${k}.png`), drawBoard(CAMERA, placed, BOARD, 0.01, k))),
    );
    const lies: Placed = { turned: [0.9, 0.05, 0], moved: [-0.1, -0.05, 0.55] };
    const floor = await write(join(folder, 'floor.png'), drawBoard(CAMERA, lies, BOARD, 0.01, 9));
    const out = join(folder, 'camera.json');
    const board = ['--board', '6x5', '--square', '0.04'];
    const run = await gradsim(['calibrate', ...photos, ...board, '--lens', 'radial', '--floor', floor, '--out', out]);
    expect(run.stderr.join('\n')).toContain('The board is found in 5 of 5 pictures.');
    expect(run.code).toBe(0);
    expect(run.stdout.join('\n')).toMatch(/fx \[px\] +\d/);
    const camera = readCamera(readFileSync(out, 'utf8'));
    expect(Math.abs(camera.focalLength[0] - 300)).toBeLessThan(3 * camera.calibration!.standardErrors.fx);
    // 5 cm above the floor: board axes have it at -z.
    const [x, y] = projectPoint(camera, [0.08, 0.05, 0.04]);
    const [u, v] = seenAt(CAMERA, lies, [0.08, 0.04, -0.05]);
    expect(Math.hypot(x - u, y - v)).toBeLessThan(0.5);

    const again = ['calibrate', '--camera', out, '--floor', floor, ...board];
    const yml = join(folder, 'camera.yml');
    const other = await gradsim([...again, '--format', 'opencv', '--out', yml, '--json']);
    expect(other.code).toBe(0);
    expect(JSON.parse(other.stdout[0]).pose.translation).toHaveLength(3);
    const [a, b] = [camera, readCamera(readFileSync(yml, 'utf8'))].map((c) => cameraPosition(c.pose!));
    a.forEach((value, k) => {
      expect(b[k]).toBeCloseTo(value, 6);
    });
    expect((await gradsim([...again, '--out', out])).stderr.join()).toContain('is there already');
    expect(
      (await gradsim(['calibrate', photos[0], photos[1], ...board, '--out', join(folder, 'x')])).stderr.at(-1),
    ).toContain('It takes at least 3');

    // Known points of the floor in place of the board: pixels are counted from the corner of the picture.
    const points = join(folder, 'points.csv');
    const known = [
      [0, 0],
      [0.2, 0],
      [0.2, 0.16],
      [0, 0.16],
      [0.1, 0.1],
    ];
    const rows = known.map(([X, Z]) => [...seenAt(CAMERA, lies, [X, Z, 0]).map((p) => p + 0.5), X, 0, Z].join(','));
    writeFileSync(points, ['px,py,x,y,z', ...rows, ''].join('\n'));
    const third = join(folder, 'third.json');
    expect((await gradsim(['calibrate', '--camera', out, '--points', points, '--out', third])).code).toBe(0);
    cameraPosition(readCamera(readFileSync(third, 'utf8')).pose!).forEach((value, k) => {
      expect(Math.abs(value - a[k])).toBeLessThan(0.01);
    });
  });

  it('computes mm per pixel from a known length, by which `gradsim look` writes tracks in metres', async () => {
    const folder = temporaryFolder();
    const frames = createFrames({ width: 64, height: 40, channels: 3, frameRate: 20 }, 12);
    frames.data.forEach((_, i) => {
      const [p, f] = [Math.floor(i / 3) % 2560, Math.floor(i / 7680)];
      const a = Math.min(Math.max(4.5 - Math.hypot((p % 64) + 0.5 - 8 - 4 * f, Math.floor(p / 64) + 0.5 - 20), 0), 1);
      frames.data[i] = (1 - a) * (0.5 + 0.2 * Math.sin((p % 64) / 5)) + a * [0.1, 0.2, 0.9][i % 3];
    });
    const film = join(folder, 'film');
    mkdirSync(film);
    for (let f = 0; f < 12; f++) writeFileSync(join(film, `${10 + f}.png`), await encodePng(frames, f));
    const out = join(folder, 'camera.json');
    const length = ['--length', '0.5', '--between', '10,20,60,20'];
    const outside = await gradsim(['calibrate', film, ...length.slice(0, 3), '10,20,600,20', '--out', out]);
    expect(outside.code).toBe(1);
    expect(outside.stderr.join('\n')).toContain('has 64 x 40 pixels: both ends must be in the picture');
    const { code, stdout } = await gradsim(['calibrate', film, ...length, '--field-of-view', '40', '--out', out]);
    expect({ code, line: stdout[0] }).toEqual({ code: 0, line: '10 mm a pixel on the plane' });
    const look = join(folder, 'look');
    expect((await gradsim(['look', film, '--frame-rate', '20', '--camera', out, '--out', look])).code).toBe(0);
    const [head, ...rows] = readFileSync(join(look, 'tracks-metres.csv'), 'utf8').trim().split('\n');
    expect(head).toBe('track,frame,time,x,y,z');
    for (const row of rows) {
      const [, frame, , x, y, z] = row.split(',').map(Number);
      // The middle of the picture is the origin.
      expect(Math.abs(x - 0.01 * (8 + 4 * frame - 32))).toBeLessThan(0.003);
      expect(Math.abs(y)).toBeLessThan(0.003);
      expect(z).toBeCloseTo(0, 9);
    }
    expect(rows).toHaveLength(12);
  });

  it.each([
    [[], 'Name films or pictures of a board'],
    [['a.png'], 'The board must be known'],
    [['--camera', 'c.json'], '--camera needs --floor PICTURE or --points FILE'],
    [['a.png', '--camera', 'c.json', '--floor', 'b.png'], 'Leave out one of them'],
    [['a.png', '--length', '1'], 'takes both --length METRES and --between'],
    [['a.png', '--board', 'nine', '--square', '1'], '--board takes inner corners'],
    [['--between', '1,2,3'], '--between takes four numbers'],
    [['--camera', 'none.json', '--floor', 'b.png', '--board', '9x6', '--square', '1'], 'none.json is not there'],
  ])('refuses the arguments %j', async (args, message) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'a.png'), '');
    const placed = args.map((arg) => (arg === 'a.png' ? join(folder, arg) : arg));
    const { code, stderr } = await gradsim(['calibrate', ...placed, '--out', join(folder, 'camera.json')]);
    expect(code).toBe(1);
    expect(stderr.join('\n')).toContain(message);
  });
});
