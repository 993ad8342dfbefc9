import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Strip } from '@gradsim/optim';
import { beforeAll, describe, expect, it } from 'vitest';
import { html, lineChart } from '../../src/components/index.ts';
import { checkedStrip } from '../../src/experiment/checked-strip.ts';
import { curvesPage } from '../../src/report/curves-page.ts';
import { stripFigure } from '../../src/report/strip.ts';
import { FALLING_MOTE, gradsim, MANY_MASSES } from '../support.ts';

describe('the report of gradsim estimate', () => {
  let page = '';
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gradsim-report-'));
    const out = join(folder, 'out');
    await gradsim(['estimate', FALLING_MOTE, '--device', 'cpu', '--out', out, '--quiet', '--seed', '9']);
    page = readFileSync(join(out, 'report.html'), 'utf8');
    rmSync(folder, { recursive: true });
  });

  it('is one file that loads nothing from outside', () => {
    expect(page).not.toMatch(/https?:|<link|<script[^>]|@import|url\(/);
    expect(page).toContain(`content="default-src 'none'; img-src data:;`.replaceAll("'", '&#39;'));
    const sources = [...page.matchAll(/\b(?:src|href)="([^"]{0,30})/g)].map(([, source]) => source);
    expect(sources.every((source) => source.startsWith('data:image/png;base64,'))).toBe(true);
    // Target, estimate and difference of eight frames, and the sheet of all of them; and where they differ.
    expect(sources).toHaveLength(26);
  });

  it('shows loss, traces and error bars, remarks as text, and the command to repeat the run', () => {
    // Three of the motion, four over the iterations and frames.
    expect(page.match(/class="curve" d="M[^"]+"/g)).toHaveLength(7);
    const order = ['class="parameters"', '<h3>Frames', '<h3>Motion', '<details>', '<h3>Over the iterations'];
    const places = order.map((part) => page.indexOf(part));
    expect(places).toEqual(places.filter((at) => at >= 0).sort((a, b) => a - b));
    expect(page).toMatch(/changes in motes\.seen/);
    // Of two parameters, and of what is derived from them.
    expect(page.match(/class="error-bar"/g)).toHaveLength(3);
    expect(page).toContain('terminal speed</span>');
    // Over the target and the estimate, in the player.
    expect(page.match(/<canvas data-overlay/g)).toHaveLength(1);
    expect(page).toContain('Seen &lt;from the side&gt;.');
    expect(page).toMatch(/gradsim estimate \S+falling-mote\.ts --seed 9 --device cpu/);
    // The base64 letters of a picture may spell anything.
    expect(page.replaceAll(/base64,[^"]+/g, '')).not.toMatch(/NaN|undefined/);
  });
});

it('with 36 like parameters, the report shows them in a picture, lists all below, draws curves of 11, and leaves out correlations', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gradsim-report-'));
  const out = join(folder, 'out');
  await gradsim(['estimate', MANY_MASSES, '--device', 'cpu', '--out', out, '--quiet', '--iterations', '1']);
  const page = readFileSync(join(out, 'report.html'), 'utf8');
  rmSync(folder, { recursive: true });
  const [picture] = /<figure class="chart field">.*?<\/figure>/s.exec(page)!;
  expect(picture.match(/<circle /g)).toHaveLength(36);
  expect(page).toContain('All 36 numbers');
  // All 36 masses are in the table; beside the loss and the residual by frame, 11 have a curve.
  expect(page.match(/class="name">mass/g)).toHaveLength(36);
  expect(page.match(/<figure class="chart">/g)).toHaveLength(13);
  expect(page).not.toContain('Correlations');
});

it('a line chart draws its curve and reference curves on the same axes, all within the chart', () => {
  const points = [8, 4, 2].map((y, x) => ({ x, y }));
  const others = [{ name: 'published', points: [16, 8, 4, 2, 1].map((y, x) => ({ x, y })) }];
  const chart = { title: 'error', points, isLog: true, width: 420, height: 230 };
  const alone = lineChart(chart).markup;
  const { markup } = lineChart({ ...chart, others });
  const paths = [...markup.matchAll(/class="curve[^"]*" d="([^"]+)"/g)].map(([, d]) =>
    [...d.matchAll(/[ML]([\d.]+),([\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]),
  );
  expect(paths.map((path) => path.length)).toEqual([5, 3]);
  // Equal values are at the same height, and nothing leaves the chart.
  expect(paths[0][1][1]).toBeCloseTo(paths[1][0][1], 6);
  for (const [x, y] of paths.flat()) expect(x >= 64 && x <= 406 && y >= 12 && y <= 196).toBe(true);
  expect(markup).toContain('</span>published');
  expect(alone).not.toContain('other');
});

it('a page of curves draws curves and reference curves on the same axes, and a marker', () => {
  const points = [
    { x: 0, y: 1 },
    { x: 2, y: 0 },
  ];
  const page = curvesPage('Losses', 'Of <two>.', [
    {
      title: 'loss',
      xLabel: 'mass, kg',
      yLabel: 'loss',
      curves: [
        { name: 'ours', points },
        { name: 'theirs', points, isReference: true },
      ],
      marker: { x: 1, label: 'truth' },
    },
  ]);
  // As in the other reports, a page of a robot among them: nothing is loaded, and no script runs that is not its own.
  expect(page).toMatch(/http-equiv="Content-Security-Policy" content="default-src (?:'|&#39;)none/);
  expect(page).toContain('Of &lt;two&gt;.');
  expect(page.match(/class="curve( reference)?" d="M52,18L464,256"/g)).toHaveLength(2);
  expect(page).toContain('<line class="marker" x1="258" x2="258"');
  expect(page).not.toMatch(/https?:|<script|NaN|undefined/);
});

it('html`` escapes text and keeps markup', () => {
  expect(html`<p title="${'"'}">${['<b>', html`<i>${1}</i>`]}</p>`.markup).toBe(
    '<p title="&quot;">&lt;b&gt;<i>1</i></p>',
  );
});

describe('line charts', () => {
  const chart = (ys: number[], isLog = false): string =>
    lineChart({ title: 't', points: ys.map((y, x) => ({ x, y })), isLog, width: 200, height: 100 }).markup;

  it('are drawn for a single value, for equal values, and for a loss that reaches 0', () => {
    for (const svg of [chart([3]), chart([0, 0]), chart([1, 0.1, 0], true), chart([1e-30, 1e-30], true)]) {
      expect(svg).toContain('class="curve"');
      expect(svg).not.toContain('NaN');
    }
  });

  it('leave out values that are not finite, and are empty if no other is there', () => {
    expect(chart([1, Number.NaN, 2])).not.toContain('NaN');
    expect(chart([Number.NaN])).toBe('');
  });
});

describe('strips of pictures', () => {
  const strip = {
    width: 2,
    height: 1,
    frames: [0, 1],
    target: () => new Float32Array(6),
    estimate: () => new Float32Array(6).fill(0.5),
  };
  const figure = async (of: Strip): Promise<string> =>
    (await stripFigure(checkedStrip(of, 'The strip'), { frameRate: 30 })).markup;

  it('state the factor by which differences are brightened', async () => {
    expect(await figure(strip)).toContain('difference × 2');
  });

  it('are refused when the array of a picture has a wrong length', async () => {
    const estimate = (k: number): Float32Array => new Float32Array(k === 0 ? 6 : 3);
    await expect(figure({ ...strip, estimate })).rejects.toThrowCode({
      code: 'gradsim/experiment-wrong',
      values: [3, 1, 2, 6],
    });
  });

  it('are refused when the function of a picture throws, naming the function', async () => {
    const target = (): Float32Array => new Float32Array(-1);
    await expect(figure({ ...strip, target })).rejects.toThrowCode({
      code: 'gradsim/experiment-failed',
      values: ['`target`'],
    });
  });

  it('hold PNGs reduced to the displayed size', async () => {
    const [width, height] = [800, 8];
    const picture = (): Float32Array => new Float32Array(3 * width * height);
    const frames = [...Array(8).keys()];
    const markup = await figure({ width, height, frames, target: picture, estimate: picture });
    const pictures = [...markup.matchAll(/<img src="data:image\/png;base64,([^"]+)" width="(\d+)" height="(\d+)"/g)];
    expect(pictures).toHaveLength(24);
    // Eight stand side by side on a page of 1000 pixels, of which a dense screen shows twice as many.
    for (const [, png, wide, high] of pictures) {
      expect([wide, high]).toEqual(['250', '3']);
      expect(Buffer.from(png, 'base64').readUInt32BE(16)).toBe(250);
    }
  });

  it('play each frame until the time of the next one, and the last for the mean duration', async () => {
    const frames = [0, 3, 4, 10];
    const markup = await figure({ ...strip, frames });
    // The last one for the mean duration of the others, 10/3 frames.
    expect(markup).toContain('data-seconds="0.1 0.0333333 0.2 0.111111"');
  });

  it('skip frames evenly if the film is too large for a page: 20 of 50 remain', async () => {
    const [width, height, count] = [400, 500, 50];
    const picture = new Float32Array(width * height * 3);
    const frames = [...Array(count).keys()];
    const markup = await figure({ width, height, frames, target: () => picture, estimate: () => picture });
    const shown = /data-frames="([^"]*)"/.exec(markup)![1].split(' ').map(Number);
    expect(shown).toHaveLength(20);
    expect([shown[0], shown[1], shown.at(-1)]).toEqual([0, 3, 49]);
  });
});
