import { GradsimError } from '@gradsim/core';
import { describe, expect, it } from 'vitest';
import { type Estimate, EstimateError } from '../../src/result.ts';
import { errorOf, failureOf } from '../../src/worker/failure.ts';

const cause = new GradsimError('core/not-finite', 'x is NaN.', {
  field: 'bodies.position',
  element: 'the ball',
  kernel: 'pull',
  hint: 'Raise `substeps`.',
});

describe('an error sent to another thread', () => {
  it('keeps its code, place, field, element, hint and causes', () => {
    const outer = new GradsimError('optim/no-finite-start', 'No start is finite.', { cause });
    const received = errorOf(structuredClone(failureOf(outer)));
    expect(received).toBeInstanceOf(GradsimError);
    expect((received as GradsimError).toJSON()).toEqual(outer.toJSON());
    expect((received.cause as GradsimError).toJSON()).toEqual(cause.toJSON());
  });

  it('stays a plain error if it was one', () => {
    const received = errorOf(structuredClone(failureOf(new TypeError('no function'))));
    expect(received).not.toBeInstanceOf(GradsimError);
    expect(received).toMatchObject({ name: 'TypeError', message: 'no function' });
  });
});

describe('an estimation that fails after its first iteration', () => {
  const best = {} as Estimate;
  it('has the code, field, element and hint of the cause', () => {
    const { code, field, element, hint } = cause;
    expect(new EstimateError(cause.message, best, cause)).toMatchObject({ code, field, element, hint });
  });
  it('has the code optim/estimate-stopped if the cause has none', () => {
    expect(new EstimateError('stopped', best, new Error('stopped')).code).toBe('optim/estimate-stopped');
  });
});
