import { defect, GradsimError, isGradsimError } from '@gradsim/base';
import { describe, expect, it } from 'vitest';

const details = { field: 'bodies.mass', element: 'the ball', hint: 'Give one of them.' };

describe('a GradsimError', () => {
  it('has a message of element or kernel, problem, and hint', () => {
    const error = new GradsimError('rigid/no-mass', 'bodies.mass is 0.', details);
    expect(error.message).toBe('the ball: bodies.mass is 0. Give one of them.');
    expect(error).toMatchObject({ code: 'rigid/no-mass', where: { package: 'rigid' }, ...details });
    expect(new GradsimError('rigid/no-mass', 'has no mesh.', details).message).toBe(
      'the ball has no mesh. Give one of them.',
    );
    expect(new GradsimError('base/wrong-type', '"x" is no vector.', { kernel: 'pull' }).message).toBe(
      'kernel pull: "x" is no vector.',
    );
  });

  it('does not repeat what the problem already names', () => {
    const { message } = new GradsimError('a/b', 'Of the ball the mass is 0. Give one of them.', details);
    expect(message).toBe('Of the ball the mass is 0. Give one of them.');
  });

  it('survives a round trip through JSON, as between threads', () => {
    const cause = new Error('why');
    const error = new GradsimError('core/not-finite', 'x is NaN.', { ...details, pass: 'sweeps', kernel: 'pull' });
    const again = GradsimError.from(JSON.parse(JSON.stringify(error)), cause);
    expect(again.toJSON()).toEqual(error.toJSON());
    expect(again.where).toEqual({ package: 'core', pass: 'sweeps', kernel: 'pull' });
    expect(again.cause).toBe(cause);
  });

  it('is recognised by isGradsimError, also by its code', () => {
    const error = new GradsimError('a/b', 'x.');
    expect(isGradsimError(error)).toBe(true);
    expect(isGradsimError(error, 'a/b')).toBe(true);
    expect(isGradsimError(error, 'a/c')).toBe(false);
    expect(isGradsimError(Object.assign(new Error('no file'), { code: 'ENOENT' }))).toBe(false);
    expect(isGradsimError('a/b')).toBe(false);
  });

  it('has a single code for internal defects', () => {
    const error = defect('slots were reserved twice');
    expect(error.code).toBe('internal');
    expect(error.message).toMatch(/^slots were reserved twice\. This is a defect of gradsim: please report it/);
  });
});
