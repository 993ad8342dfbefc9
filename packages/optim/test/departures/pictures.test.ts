import { exp, f32, f64Device, kernel, Model, perWorld, recordOf } from '@gradsim/core';
import type { Estimate, GivenSpec } from '@gradsim/optim';
import { estimate } from '@gradsim/optim';
import { describe, expect, it } from 'vitest';
import { normalNumbers, randomNumbers, seedOfRun } from '../../../../scripts/vitest/draws.ts';

// Films of a bright spot that crosses a picture of two tiles by three, one of them padded, past another that stands still.
const device = f64Device();
const normal = normalNumbers(randomNumbers(seedOfRun('departures in pictures', 12)));
const [WIDTH, HEIGHT, TILE, TILES_X, TILES_Y] = [24, 14, 8, 3, 2];
/** Number of pixels of a picture, including padding to whole tiles. */
const PIXELS = TILES_X * TILES_Y * TILE ** 2;
const RUN = { frames: 30, frameRate: 30, substeps: 1 } as const;
const TRUTH = { x: 4, y: 3, vx: 16, vy: 8 } as const;

/** Column and row of each pixel in the order of {@link PixelGrid}, including padding. */
const places = Array.from({ length: PIXELS }, (_, e) => {
  const [tile, own] = [Math.floor(e / TILE ** 2), e % TILE ** 2];
  return {
    x: (tile % TILES_X) * TILE + (own % TILE),
    y: Math.floor(tile / TILES_X) * TILE + Math.floor(own / TILE),
  };
});

const move = kernel(
  'move',
  { domain: 'world', reads: { x: f32, y: f32, vx: f32, vy: f32 }, writes: { x: f32, y: f32 } },
  ({ x, y, vx, vy }, { dt }) => ({ x: x.add(vx.mul(dt)), y: y.add(vy.mul(dt)) }),
);
const shine = kernel(
  'shine',
  {
    domain: 'pixels',
    reads: { column: f32, row: f32, still: f32, x: perWorld(f32), y: perWorld(f32), colour: perWorld(f32) },
    writes: { light: f32 },
  },
  ({ column, row, still, x, y, colour }) => {
    const [a, b] = [column.sub(x), row.sub(y)];
    return { light: still.add(colour.mul(exp(a.mul(a).add(b.mul(b)).mul(-0.2)))) };
  },
);
const still = ({ x, y }: { x: number; y: number }): number => 0.5 * Math.exp(-0.1 * ((x - 19) ** 2 + (y - 3) ** 2));

function pictureModel(): Model {
  const model = new Model();
  model.addDomain('pixels', PIXELS, { grid: { width: WIDTH, height: HEIGHT, tile: TILE } });
  for (const [name, fill] of Object.entries(TRUTH)) model.addField('world', name, f32, { fill });
  model.addField('world', 'colour', f32, { fill: 1 });
  model.addField('pixels', 'column', f32, { values: places.map(({ x }) => x) });
  model.addField('pixels', 'row', f32, { values: places.map(({ y }) => y) });
  model.addField('pixels', 'still', f32, { values: places.map(still) });
  model.addField('pixels', 'light', f32);
  model.addPass('integrate', move);
  model.addPass('observe', shine);
  return model;
}
const model = pictureModel();
const right = await recordOf(model, 'pixels.light', { device, ...RUN });
const CENTRE = { x: (WIDTH - 1) / 2, y: (HEIGHT - 1) / 2 };

/** Film of a camera whose pixel at (x, y), px from the centre, shows what the model shows at `elsewhere(x, y)`. */
const seenAt = (elsewhere: (x: number, y: number) => readonly [number, number]): Float64Array =>
  Float64Array.from({ length: PIXELS * RUN.frames }, (_, k) => {
    const t = Math.floor(k / PIXELS) / RUN.frameRate;
    const place = places[k % PIXELS];
    const [x, y] = elsewhere(place.x - CENTRE.x, place.y - CENTRE.y).map((u, d) => u + (d === 0 ? CENTRE.x : CENTRE.y));
    const [a, b] = [x - TRUTH.x - TRUTH.vx * t, y - TRUTH.y - TRUTH.vy * t];
    return still({ x, y }) + Math.exp(-0.2 * (a * a + b * b));
  });

const estimated = (film: Float64Array, given: GivenSpec[] = []): Promise<Estimate> =>
  estimate(
    {
      model,
      ...RUN,
      parameters: Object.entries(TRUTH).map(([name, truth]) => ({
        name,
        field: `world.${name}`,
        initial: 1.02 * truth,
        truth,
      })),
      given,
      observations: [
        {
          field: 'pixels.light',
          target: film.map((value) => value + 0.02 * normal()),
          weights: places.map(({ x, y }) => Number(x < WIDTH && y < HEIGHT)),
        },
      ],
    },
    { device },
  );
const noteOf = ({ verdict }: Estimate): string | undefined =>
  verdict.findings.find(({ kind }) => kind === 'departure')?.note;

describe('a model error of pictures', () => {
  it('is not found if the model is right', async () => {
    const off = seenAt((x, y) => [x, y]).map((value, k) => Math.abs(value - right[k]));
    expect(off.reduce((most, value) => Math.max(most, value))).toBeLessThan(1e-6);
    const { verdict } = await estimated(right);
    expect(verdict).toMatchObject({ trusted: true, findings: [] });
  });

  it('is named if the film shows everything 4 % larger: the percentage, and cameras.fieldOfView as the unknown to add', async () => {
    const found = await estimated(seenAt((x, y) => [x / 1.04, y / 1.04]));
    expect(found.verdict.trusted).toBe(false);
    expect(noteOf(found)).toMatch(/too small \(.*add \{ name: 'view', field: 'cameras\.fieldOfView'/);
    const [, percent] = /shows everything ([\d.]+) %/.exec(noteOf(found)!)!;
    expect(Number(percent)).toBeCloseTo(4, 0);
  });

  it('is named if the camera is rolled: the angle, and cameras.roll as the unknown to add', async () => {
    const found = await estimated(seenAt((x, y) => [x - 0.04 * y, y + 0.04 * x]));
    expect(noteOf(found)).toContain("add { name: 'roll', field: 'cameras.roll', initial: 0 }");
    const [, degrees] = /by (-?[\d.]+) degrees/.exec(noteOf(found)!)!;
    expect(Math.abs(Number(degrees))).toBeCloseTo((180 / Math.PI) * 0.04, 0);
  });

  it('is named, and the estimate distrusted, if a lens distorts the picture by 8 % at its sides', async () => {
    const found = await estimated(
      seenAt((x, y) => {
        const bent = 1 + 0.08 * ((x * x + y * y) / (WIDTH / 2) ** 2);
        return [x * bent, y * bent];
      }),
    );
    expect(found.verdict.trusted).toBe(false);
    expect(noteOf(found)).toMatch(/a lens that bends the picture, by [78](\.\d)? % at its sides/);
  });

  it('is named, and the estimate distrusted, if the camera was moved in the middle of the film', async () => {
    const [before, after] = [seenAt((x, y) => [x, y]), seenAt((x, y) => [x + 0.5, y - 0.3])];
    const found = await estimated(before.map((value, k) => (k < before.length / 2 ? value : after[k])));
    expect(found.verdict.trusted).toBe(false);
    expect(noteOf(found)).toContain('another place');
  });

  it('in the colour of what moves is named if the colour is told as exact, and found if it is told to 5 %', async () => {
    const film = right.map((value, k) => value + 0.06 * (value - still(places[k % PIXELS])));
    expect(noteOf(await estimated(film))).toMatch(
      /another colour or light of the foreground: it stands out by [67](\.\d)? % more/,
    );
    const told = await estimated(film, [{ name: 'colour', field: 'world.colour', value: 1, tolerance: 0.05 }]);
    expect(told.verdict).toMatchObject({ trusted: true, findings: [] });
    expect(Math.abs(told.given.colour.estimate - 1.06)).toBeLessThan(4 * told.given.colour.standardError!);
    expect(told.given.colour.standardError).toBeLessThan(0.01);
  });
});
