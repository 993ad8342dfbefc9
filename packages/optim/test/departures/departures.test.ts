import { createSimulation, f64Device } from '@gradsim/core';
import type { Estimate, Problem } from '@gradsim/optim';
import { estimate } from '@gradsim/optim';
import { describe, expect, it } from 'vitest';
import { normalNumbers, randomNumbers, seedOfRun } from '../../../../scripts/vitest/draws.ts';
import { LINE, lineModel, lineParameters, PIXELS } from '../line.ts';
import { gravity, motesModel, motesProblem, seenBy, TRUTH, vx } from '../motes.ts';

// Films of a bright spot that differs from the model of `line.ts`.
const device = f64Device();
const model = lineModel();
const normal = normalNumbers(randomNumbers(seedOfRun('departures', 8)));
const bell = (d: number): number => Math.exp(-d * d);
const right = await shown();

async function shown(): Promise<Float64Array> {
  const simulation = await createSimulation(model, { device, ...LINE, record: ['pixels.light'] });
  simulation.forward();
  const seen = await simulation.readFrames('pixels.light');
  simulation.dispose();
  return seen;
}
/**
 * Position of the spot in a frame, px, as the model computes it in substeps; `lag`, px/s^3, adds a motion that it
 * lacks.
 */
const place = (frame: number, lag = 0): number => {
  const t = frame / LINE.frameRate;
  return 6 + 8.2 * t + 6 * t * t - lag * t ** 3;
};
const film = (light: (pixel: number, frame: number) => number): Float64Array =>
  right.map((_, k) => light(k % PIXELS, Math.floor(k / PIXELS)));

const estimated = (clean: Float64Array, size = 0.02, rest: Partial<Problem> = {}): Promise<Estimate> =>
  estimate(
    {
      model,
      ...LINE,
      parameters: lineParameters(0.1),
      observations: [{ field: 'pixels.light', target: clean.map((value) => value + size * normal()) }],
      ...rest,
    },
    { device },
  );
const departure = ({ verdict }: Estimate) => verdict.findings.find(({ kind }) => kind === 'departure');
const errorsOff = ({ parameters }: Estimate, name: string): number =>
  Math.abs(parameters[name].estimate - parameters[name].truth!) / parameters[name].standardError!;

describe('a model error of a film', () => {
  it('is not found if the model is right', async () => {
    const found = await estimated(film((pixel, frame) => bell((pixel - place(frame)) / 3)));
    expect(found.verdict).toMatchObject({ trusted: true, findings: [] });
  });

  it('that biases the estimated position (a texture) makes the estimate distrusted, with a finding that names the position', async () => {
    const found = await estimated(
      film((pixel, frame) => {
        const d = (pixel - place(frame)) / 3;
        return bell(d) * (1 + 0.5 * Math.tanh(3 * d));
      }),
    );
    const right = await estimated(film((pixel, frame) => bell((pixel - place(frame)) / 3)));
    const { estimate, truth } = found.parameters.centre;
    expect(Math.abs(estimate - truth!)).toBeGreaterThan(20 * right.parameters.centre.standardError!);
    expect(found.stopped).toBe('tolerance');
    expect(found.verdict.trusted).toBe(false);
    expect(departure(found)).toMatchObject({ isCritical: true });
    expect(departure(found)!.unknowns).toContain('centre');
  });

  it('that does not bias the position (50 % more brightness) is reported with its size, as not critical', async () => {
    const found = await estimated(film((pixel, frame) => 1.5 * bell((pixel - place(frame)) / 3)));
    expect(errorsOff(found, 'centre')).toBeLessThan(3);
    expect(departure(found)).toMatchObject({ isCritical: false });
    expect(departure(found)!.note).toMatch(
      /another scale(: pixels\.light is 50 % larger| of the motion: pixels\.light moves by 50 % more) than shown/,
    );
  });

  it('that leaves half of the changes unexplained (too little light) makes the estimate distrusted, with findings that state the explained share and the smaller scale', async () => {
    const found = await estimated(film((pixel, frame) => 0.603 * bell((pixel - place(frame)) / 3)));
    expect(found.verdict.trusted).toBe(false);
    const unexplained = found.verdict.findings.find(({ kind }) => kind === 'unexplained');
    expect(unexplained!.note).toMatch(/^The model explains 5[1-5] % of what changes in pixels\.light\.$/);
    expect(departure(found)!.note).toMatch(/another scale.* (smaller|less) than shown/);
  });

  it("in the object's size is found, and named as another size", async () => {
    const found = await estimated(film((pixel, frame) => bell((pixel - place(frame)) / 3.6)));
    expect(departure(found)!.note).toMatch(/^The observations depart .* It (looks like|could be) another size/);
  });

  it('that is a motion which the model lacks yields a critical finding that says so', async () => {
    const found = await estimated(
      film((pixel, frame) => bell((pixel - place(frame, 1)) / 3)),
      0.01,
    );
    expect(departure(found)).toMatchObject({ isCritical: true });
    expect(departure(found)!.note).toMatch(/something missing in the motion/);
  });
});

it('for a dropped frame, a finding says from which frame on (within 3) the film is ahead', async () => {
  const found = await estimated(
    film((pixel, frame) => bell((pixel - place(frame < 28 ? frame : frame + 1)) / 3)),
    0.01,
  );
  expect(departure(found)!.note).toMatch(
    /from frame (2[5-9]|3[01]) on pixels\.light is (0\.\d+|1|1\.\d+) frames ahead/,
  );
});

it('an estimate with a model of twice the true damping is distrusted, with and without stated noise', async () => {
  const seen = await seenBy(motesModel(), 0.005, normal);
  for (const noise of [undefined, 0.005]) {
    const found = await estimate(
      {
        ...motesProblem(seen, { observation: { noise } }),
        model: motesModel(2 * TRUTH.drag),
        parameters: [gravity, vx],
      },
      { device },
    );
    expect(found.verdict.trusted).toBe(false);
  }
});

it('a repeated last frame of a film is named, though no frame follows', async () => {
  const found = await estimated(
    film((pixel, frame) => bell((pixel - place(Math.min(frame, LINE.frames - 2))) / 3)),
    0.01,
  );
  expect(found.verdict.trusted).toBe(false);
  expect(departure(found)!.note).toMatch(/from frame 47 on pixels\.light is .* frames behind/);
});

it('an oscillation of 0.05 px over the whole film that the model lacks yields a critical finding of missing motion', async () => {
  const found = await estimated(
    film((pixel, frame) => bell((pixel - place(frame) - 0.05 * Math.sin(0.25 * frame)) / 3)),
    0.02,
  );
  expect(departure(found)).toMatchObject({ isCritical: true });
  expect(departure(found)!.note).toMatch(/something missing in the motion/);
});

it('residuals in the foreground above what noise explains yield a critical finding that says how many times as large they are', async () => {
  const found = await estimated(
    film((pixel, frame) => bell((pixel - place(frame)) / 3) * (1 + 0.5 * normal())),
    0.01,
  );
  expect(departure(found)).toMatchObject({ isCritical: true });
  expect(departure(found)!.note).toMatch(/Residuals in the foreground are \d.* times as large as noise explains/);
});

it('a motion that the model lacks makes a standard error more than 3 times as large, and the bias less than 4 of it', async () => {
  const lag = (pixel: number, frame: number): number => bell((pixel - place(frame, 0.3)) / 3);
  const found = await estimated(film(lag), 0.01);
  const right = await estimated(
    film((pixel, frame) => bell((pixel - place(frame)) / 3)),
    0.01,
  );
  expect(departure(found)).toBeDefined();
  expect(found.parameters.push.standardError!).toBeGreaterThan(3 * right.parameters.push.standardError!);
  expect(errorsOff(found, 'push')).toBeLessThan(4);
});
