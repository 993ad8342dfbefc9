// The matcher `toThrowCode` of the tests, by which they tell errors apart: by code, not by wording.

import { expect } from 'vitest';
import { isGradsimError } from '../../packages/base/src/error.ts';

declare module 'vitest' {
  /** Expected error: its code, or that with more of its properties. */
  type ExpectedError =
    | string
    | {
        readonly code: string;
        /** Field, option or setting at fault. */
        readonly field?: string;
        /** Element at fault, as its owner calls it. */
        readonly element?: string;
        /** Names and values that the message must state: a number as a whole, text as it is, or a pattern. */
        readonly values?: readonly (number | string | RegExp)[];
      };

  // biome-ignore lint/suspicious/noExplicitAny: the interface that it adds to has this parameter
  interface Matchers<T = any> {
    /**
     * Expects a `GradsimError` of this code: from a function, or behind `rejects`.
     *
     * ```ts
     * expect(() => scene.add(Mote, { mass: -1 })).toThrowCode('core/value-out-of-range');
     * await expect(readFrames(film)).rejects.toThrowCode({ code: 'video/too-few-frames', values: [6, 'a.mp4'] });
     * ```
     */
    toThrowCode(expected: ExpectedError): T;
  }
}

const MISSING = Symbol('nothing was thrown');

function thrownBy(received: unknown, isRejection: boolean): unknown {
  if (isRejection) return received;
  if (typeof received !== 'function')
    throw new TypeError('toThrowCode() takes a function, or stands behind `rejects`.');
  try {
    received();
  } catch (error) {
    return error;
  }
  return MISSING;
}

/** Returns whether a message states a name or value; a number is found as a whole, so that 1 is not found in 0.12. */
function states(message: string, value: number | string | RegExp): boolean {
  if (value instanceof RegExp) return value.test(message);
  if (typeof value === 'string') return message.includes(value);
  const digits = `${value}`.replaceAll('.', '\\.').replaceAll('+', '\\+');
  return new RegExp(`(?<![\\w.])${digits}(?!\\w|\\.\\d)`).test(message);
}

expect.extend({
  toThrowCode(received: unknown, expected) {
    const error = thrownBy(received, this.promise === 'rejects');
    const { code, field, element, values = [] } = typeof expected === 'string' ? { code: expected } : expected;
    const wrong: string[] = [];
    if (error === MISSING) wrong.push('Nothing was thrown.');
    else if (!isGradsimError(error)) wrong.push(`Thrown: ${error}, which has no code.`);
    else {
      if (error.code !== code) wrong.push(`Code: ${error.code}.`);
      if (field !== undefined && error.field !== field) wrong.push(`Field: ${error.field}, expected ${field}.`);
      if (element !== undefined && error.element !== element)
        wrong.push(`Element: ${error.element}, expected ${element}.`);
      for (const value of values) if (!states(error.message, value)) wrong.push(`The message does not state ${value}.`);
      if (wrong.length > 0) wrong.push(`Message: ${error.message}`);
    }
    return {
      pass: wrong.length === 0,
      message: () => [`Expected ${this.isNot ? 'no ' : ''}error ${code}.`, ...wrong].join('\n'),
    };
  },
});
