import { f64Device } from '@gradsim/core';
import type { EstimateOptions, Loss, Problem } from '@gradsim/optim';
import { deviationPenalty, EstimateError, estimate, lossOf, smoothOverTime } from '@gradsim/optim';
import { describe, expect, it } from 'vitest';
import { normalNumbers, randomNumbers, seedOfRun } from '../../../../scripts/vitest/draws.ts';
import { carts, rolled, TRACK } from '../carts.ts';
import { gravity, motesModel, motesProblem, seenBy, vx } from '../motes.ts';

const device = f64Device();
const noisy = await seenBy(motesModel(), 0.02, normalNumbers(randomNumbers(seedOfRun('losses', 8))));

/** Loss function that computes the mean of squared residuals, as observations do. */
const squares = (target: ArrayLike<number>, weight = 1): Loss =>
  lossOf({
    name: 'squares',
    weight,
    recordedFields: { seen: 'motes.seen' },
    evaluate: ({ seen }) => {
      const off = seen.map((x, k) => x - target[k]);
      return {
        value: off.reduce((sum, d) => sum + d * d, 0) / off.length,
        gradient: { seen: off.map((d) => (2 * d) / off.length) },
      };
    },
  });
const asLosses = (losses: readonly Loss[], rest: Partial<Problem> = {}): Problem => {
  const { observations: _, ...problem } = motesProblem(noisy);
  return { ...problem, losses, ...rest };
};
const precise: EstimateOptions = { search: { tolerance: 1e-13, iterations: 300 } };

describe('a loss that is a function of recorded fields', () => {
  it('leads by L-BFGS to the same estimate as equivalent observations, without standard errors', async () => {
    const bySquares = await estimate(motesProblem(noisy, { options: precise }), { device });
    const found = await estimate(asLosses([squares(noisy)], { options: precise }), { device });
    expect(found.method).toBe('l-bfgs');
    expect(found.stopped).toBe('tolerance');
    for (const [name, { estimate: value, standardError }] of Object.entries(bySquares.parameters)) {
      expect(Math.abs(found.parameters[name].estimate - value)).toBeLessThan(1e-3 * standardError!);
      expect(found.parameters[name].standardError).toBeNull();
    }
    expect(found.loss).toBeCloseTo(bySquares.loss, 10);
    expect(found.residual).toBeNull();
    expect(found.leastDetermined).toBeNull();
    expect(found.correlation).toEqual([]);
    expect(found.withoutErrors).toBe(
      'There are no standard errors: they come from residuals, and the loss squares is no sum of squared residuals.',
    );
    expect(found.predicted['motes.seen']).toHaveLength(noisy.length);
  });

  it('is added to observations and other losses times its weight, and listed by name in the result', async () => {
    // Half as observations and half as a function makes the whole; a third loss pulls vx to 1.
    const pull = deviationPenalty('motes.velocity', [1, 1, 0, -0.2, 2, 0], { weight: 0, name: 'nothing' });
    const found = await estimate(
      { ...motesProblem(noisy), losses: [squares(noisy, 3), pull], options: precise },
      { device },
    );
    const whole = await estimate(motesProblem(noisy, { options: precise }), { device });
    expect(found.parameters.vx.estimate).toBeCloseTo(whole.parameters.vx.estimate, 6);
    expect(found.loss).toBeCloseTo(4 * whole.loss, 9);
    expect(found.parts.squares).toBeCloseTo(3 * found.parts.observations, 9);
    expect(found.parts.nothing).toBe(0);
    expect(found.residual).toBeCloseTo(whole.residual!, 9);
  });

  it('may be asynchronous, and receives frames, frame rate, substeps and shapes', async () => {
    const shapes: unknown[] = [];
    await estimate(
      asLosses(
        [
          lossOf({
            name: 'late',
            recordedFields: { seen: 'motes.seen' },
            unknowns: { speed: 'motes.velocity' },
            evaluate: async ({ seen, speed }, run) => {
              shapes.push(run);
              await Promise.resolve();
              const value = seen.reduce((sum, x) => sum + x * x, 0);
              return { value, gradient: { seen: seen.map((x) => 2 * x), speed: speed.map(() => 0) } };
            },
          }),
        ],
        { options: { search: { iterations: 1 } } },
      ),
      { device },
    );
    expect(shapes[0]).toEqual({
      frames: 24,
      frameRate: 24,
      substeps: 2,
      shapes: { seen: [24, 2, 3], speed: [1, 2, 3] },
    });
  });

  it('leads from three starts to the same estimate as equivalent observations', async () => {
    const found = await estimate(
      asLosses([squares(noisy)], {
        parameters: [
          { ...gravity, initial: -18 },
          { ...vx, range: [-5, 5], initial: -4 },
        ],
        options: { search: { ...precise.search, starts: 3, scan: 20 } },
      }),
      { device },
    );
    const whole = await estimate(motesProblem(noisy, { parameters: [gravity, vx] }), { device });
    expect(found.parameters.vx.estimate).toBeCloseTo(whole.parameters.vx.estimate, 5);
  });
});

describe('a loss that kernels compute', () => {
  // Targets lie in a field over frames, and so does the weight of each frame.
  const wanted = rolled(2, (_, cart) => (cart === 0 ? 3 : -1));
  const problem = (rest: Partial<Problem>): Problem => ({
    model: carts(),
    ...TRACK,
    values: { 'carts.wanted': wanted, 'world.counts': [0, 1, 1, 1, 1, 2] },
    parameters: [{ name: 'wind', field: 'world.wind', initial: 0 }],
    ...rest,
  });

  it('is the sum of a field over frames, and is minimised by one unknown that acts in all frames', async () => {
    // One wind w for both carts: the sum of counts ((k w - 3 k)^2 + (k w + k)^2) is least at w = 1.
    const { parameters, loss, parts, unmoved } = await estimate(
      problem({ losses: [{ field: 'world.missed' }], options: { search: { tolerance: 1e-12 } } }),
      { device },
    );
    expect(parameters.wind.estimate).toBeCloseTo(1, 6);
    const far = rolled(2, () => 1);
    const expected = far.reduce((sum, x, k) => sum + [0, 1, 1, 1, 1, 2][Math.floor(k / 2)] * (x - wanted[k]) ** 2, 0);
    expect(loss).toBeCloseTo(expected, 9);
    expect(parts).toEqual({ 'world.missed': loss });
    expect(unmoved).toEqual([]);
  });

  it('may have chosen frames, a weight and a name, and allows horizons', async () => {
    const one = await estimate(
      problem({ losses: [{ field: 'world.missed', frames: 'last', weight: 0.5, name: 'end' }] }),
      { device },
    );
    const [end, there] = [rolled(2, () => 1).slice(-2), wanted.slice(-2)];
    const expected = 0.5 * 2 * end.reduce((sum, x, k) => sum + (x - there[k]) ** 2, 0);
    expect(one.parts.end).toBeCloseTo(expected, 6);
    const { history } = await estimate(
      problem({ losses: [{ field: 'world.missed' }], options: { search: { horizons: [0.5, 1] } } }),
      { device },
    );
    expect([...new Set(history.map(({ horizon }) => horizon))]).toEqual([0.5, 1]);
  });

  it('has the same minimum as least squares of its differences with target 0, by Levenberg-Marquardt', async () => {
    const { parameters, method } = await estimate(
      problem({ observations: [{ field: 'carts.off', target: new Float64Array(2 * TRACK.frames) }] }),
      { device },
    );
    expect(method).toBe('levenberg-marquardt');
    expect(parameters.wind.estimate).toBeCloseTo(1, 6);
    expect(parameters.wind.standardError).toBeGreaterThan(0);
  });
});

describe('losses of the unknowns themselves', () => {
  it('draw an unknown halfway to an expected value if their weight is the curvature of the other loss', async () => {
    // Only vx is unknown and the observation is linear in it: the loss is a + b (v - v0)^2, and with b (v - m)^2 beside
    // it the minimum is halfway between v0 and m.
    const { estimate: free } = (await estimate(motesProblem(noisy, { parameters: [vx] }), { device })).parameters.vx;
    const lossAt = async (value: number) =>
      (
        await estimate(
          motesProblem(noisy, { parameters: [{ ...vx, initial: value }], options: { search: { iterations: 0 } } }),
          {
            device,
          },
        )
      ).loss;
    const b = (await lossAt(free + 1)) - (await lossAt(free));
    const others = [0, 1, 0, -0.2, 2, 0];
    const found = await estimate(
      {
        ...motesProblem(noisy, { parameters: [vx] }),
        losses: [deviationPenalty('motes.velocity', [free + 1, ...others.slice(1)], { weight: b })],
        options: precise,
      },
      { device },
    );
    expect(found.parameters.vx.estimate).toBeCloseTo(free + 0.5, 6);
  });

  it('with smoothOverTime, make a push constant of which only the end position is given', async () => {
    // One cart should be elsewhere at the end only: by itself, any push that gets there will do; the smoothest is
    // constant.
    const goal = new Float64Array(TRACK.frames).fill(1);
    const found = await estimate(
      {
        model: carts(1),
        ...TRACK,
        values: { 'carts.wanted': goal },
        arrays: [{ name: 'push', field: 'carts.push', initial: Float64Array.from({ length: 20 }, (_, k) => k % 3) }],
        losses: [{ field: 'world.missed', frames: 'last', weight: 100 }, smoothOverTime('carts.push')],
        options: { search: { tolerance: 1e-14, iterations: 500 } },
      },
      { device },
    );
    const { estimate: push } = found.arrays.push;
    const steady = rolled(1, () => 1).at(-1)!;
    for (const force of push) expect(force).toBeCloseTo(1 / steady, 4);
  });
});

describe('a loss is refused with its name', () => {
  const refused = (losses: readonly Loss[], rest: Partial<Problem> = {}) =>
    expect(estimate(asLosses(losses, rest), { device })).rejects;
  /** Loss whose function returns `given`, whatever that is. */
  const gives = (given: unknown, rest: object = {}): Loss =>
    ({ name: 'odd', recordedFields: { seen: 'motes.seen' }, evaluate: () => given, ...rest }) as Loss;
  const zeros = new Float64Array(144);

  it('by Levenberg-Marquardt', () =>
    refused([squares(noisy)], { options: { search: { method: 'levenberg-marquardt' } } }).toThrowCode({
      code: 'optim/residuals-missing',
      values: ['squares'],
    }));
  it('if standard errors are requested', () =>
    refused([squares(noisy)], { options: { uncertainty: { standardErrors: true } } }).toThrowCode({
      code: 'optim/residuals-missing',
      values: ['`standardErrors`', 'squares'],
    }));
  it('when its value is NaN or missing', async () => {
    await refused([gives({ value: Number.NaN, gradient: { seen: zeros } })]).toThrowCode({
      code: 'optim/loss-not-finite',
      values: ['NaN', 'odd'],
    });
    await refused([gives(undefined)]).toThrowCode({
      code: 'optim/wrong-loss',
      values: ['`{ value, gradient }`', 'undefined', 'odd'],
    });
    await refused([gives({ loss: 1 })]).toThrowCode({ code: 'optim/wrong-loss', values: ['odd', 'an object of loss'] });
  });
  it('when its gradient has another size, is missing, or is of a name that it does not read', async () => {
    await refused([gives({ value: 1, gradient: { seen: zeros.slice(6) } })]).toThrowCode({
      code: 'optim/wrong-gradient',
      field: 'motes.seen',
      values: [138, 144, 'odd', '24 frames x 2'],
    });
    await refused([gives({ value: 1, gradient: {} })]).toThrowCode({
      code: 'optim/wrong-gradient',
      values: ['"seen"', 'odd'],
    });
    await refused([gives({ value: 1, gradient: { seen: zeros, mass: [1] } })]).toThrowCode({
      code: 'optim/wrong-gradient',
      values: ['"mass"', 'odd', 'seen'],
    });
  });
  it('when its gradient is not finite, with field, frame, element, and start if there are several', async () => {
    const bad = zeros.map((_, k) => (k === 6 * 5 + 4 ? Number.POSITIVE_INFINITY : 0));
    await refused([gives({ value: 1, gradient: { seen: bad } })]).toThrowCode({
      code: 'optim/gradient-not-finite',
      field: 'motes.seen',
      values: [1, 'Infinity', 'odd', 'the right mote', 'in frame 5'],
    });
    await refused([gives({ value: 1, gradient: { seen: bad } })], {
      parameters: [{ ...vx, range: [-1, 1] }],
      options: { search: { starts: 2 } },
    }).toThrowCode({ code: 'optim/gradient-not-finite', values: [5, 0] });
  });
  it('when it uses a field that it does not declare, that cannot be recorded, that is no unknown, or no field at all', async () => {
    await refused([
      lossOf({
        name: 'curious',
        recordedFields: { seen: 'motes.seen' },
        evaluate: (values) => ({
          value: (values as Record<string, Float64Array>).pixels[0],
          gradient: { seen: zeros },
        }),
      }),
    ]).toThrowCode({ code: 'optim/field-not-given', values: ['"pixels"', 'curious'] });
    await refused([gives({ value: 1 }, { recordedFields: { drag: 'motes.drag' } })]).toThrowCode({
      code: 'optim/field-not-recorded',
      values: ['motes.drag', 'odd'],
    });
    await refused([{ field: 'motes.sen' }]).toThrowCode({
      code: 'core/unknown-field',
      field: 'motes.sen',
      values: ['motes.seen'],
    });
    await refused([gives({ value: 1 }, { recordedFields: {}, unknowns: { zoom: 'world.zoom' } })]).toThrowCode({
      code: 'optim/field-without-unknown',
      field: 'world.zoom',
      values: ['`unknowns`', 'world.gravity', 'motes.drag', 'motes.velocity', 'odd'],
    });
    await refused([gives({ value: 1 }, { recordedFields: {} })]).toThrowCode({
      code: 'optim/nothing-to-compare',
      values: ['odd'],
    });
  });
  it('when two share a name or a weight is NaN, and an empty list of losses', async () => {
    await refused([squares(noisy), squares(noisy)]).toThrowCode({ code: 'optim/name-taken', values: ['squares'] });
    await refused([squares(noisy, Number.NaN)]).toThrowCode({
      code: 'optim/weight-out-of-range',
      values: ['NaN', 'squares'],
    });
    await refused([]).toThrowCode('optim/nothing-to-compare');
  });
  it('with horizons, if it is a function of all frames', () =>
    refused([squares(noisy)], { options: { search: { horizons: [0.5, 1] } } }).toThrowCode({
      code: 'optim/not-with-horizons',
      values: ['squares'],
    }));
  it('together with priors, as there are no residuals to weight them against (with the name of the unknown)', () =>
    refused([squares(noisy)], {
      parameters: [{ ...vx, prior: { mean: 0, standardDeviation: 1 } }],
    }).toThrowCode({ code: 'optim/prior-without-residuals', values: ['vx'] }));
  it('for a frame after the run (with the frame)', () =>
    refused([{ field: 'motes.seen', frames: [24] }]).toThrowCode({ code: 'optim/no-such-frame', values: [24] }));
});

describe('the best point before a loss fails', () => {
  it('is in the error, with its history and the cause', async () => {
    let calls = 0;
    const failing = lossOf({
      name: 'failing',
      recordedFields: { seen: 'motes.seen' },
      evaluate: ({ seen }) => {
        if (++calls > 3) throw new Error('the disk is full');
        return { value: 1 / calls, gradient: { seen: seen.map(() => 1) } };
      },
    });
    const failed = await estimate(asLosses([failing]), { device }).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(EstimateError);
    const { best, cause, message } = failed as EstimateError;
    expect(message).toBe('the disk is full');
    expect((cause as Error).message).toBe('the disk is full');
    expect(best.loss).toBe(1 / 3);
    expect(best.history).toHaveLength(3);
    expect(Object.keys(best.parameters)).toEqual(['gravity', 'drag', 'vx']);
  });
});
