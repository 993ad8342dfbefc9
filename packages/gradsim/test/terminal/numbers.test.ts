import { expect, it } from 'vitest';
import {
  formatError,
  formatEstimate,
  formatNumber,
  formatSeconds,
  formatStandardError,
} from '../../src/terminal/numbers.ts';

it('formatNumber keeps 5 significant digits, with an exponent for small and large numbers', () => {
  const numbers = [0, 1, -9.81, 1234.5678, 0.000123456, 0.0000123456, 2e7, 1e-9, Number.NaN];
  expect(numbers.map((x) => formatNumber(x))).toEqual([
    '0',
    '1',
    '-9.81',
    '1234.6',
    '0.00012346',
    '1.2346e-5',
    '2e7',
    '1e-9',
    'NaN',
  ]);
});

it('formatEstimate shows 4 to 9 digits by the standard error, and undetermined values in parentheses', () => {
  expect(formatEstimate(9.8123456, 0.01)).toBe('9.8123');
  expect(formatEstimate(9.8123456, 3)).toBe('9.812');
  expect(formatEstimate(9.8123456789, 1e-12)).toBe('9.81234568');
  expect(formatEstimate(0, 0.1)).toBe('0');
  expect(formatEstimate(9.8123456, null)).toBe('9.81235');
  expect(formatEstimate(172.718, Number.POSITIVE_INFINITY)).toBe('(170)');
  expect(formatEstimate(6.2e-44, Number.POSITIVE_INFINITY)).toBe('(0)');
  expect(formatEstimate(-6.2e-44, Number.POSITIVE_INFINITY)).toBe('(0)');
});

it('formatStandardError prints 2 digits, or if infinite "not determined" or the bound of a one-sided interval', () => {
  expect(formatStandardError(0.0123, 'none')).toBe('0.012');
  expect(formatStandardError(null, 'none')).toBe('none');
  expect(formatStandardError(Number.POSITIVE_INFINITY, 'none')).toBe('not determined');
  const everything = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const;
  expect(formatStandardError(Number.POSITIVE_INFINITY, 'none', everything)).toBe('not determined');
  expect(formatStandardError(Number.POSITIVE_INFINITY, 'none', [0.0374, everything[1]])).toBe('above 0.037');
  expect(formatStandardError(Number.POSITIVE_INFINITY, 'none', [everything[0], 18.2])).toBe('below 18');
});

it('formatStandardError prints both ends of an interval that reaches much further to one side of the estimate', () => {
  expect(formatStandardError(0.002, 'none', [0.00007, 0.0246], 0.0013)).toBe('95 %: 7e-5 to 0.025');
  expect(formatStandardError(0.1, 'none', [9.6, 10.01], 9.8)).toBe('0.1');
});

it('formatError is relative, absolute if the truth is 0, and empty without a truth', () => {
  expect(formatError(1.02, 1)).toBe('+2 %');
  expect(formatError(-10, -9.81)).toBe('-1.94 %');
  expect(formatError(-0.5, 0)).toBe('-0.5');
  expect(formatError(3, undefined)).toBe('');
});

it('formatSeconds prints minutes and seconds for times that round to 60 s or more', () => {
  expect(formatSeconds(3.14)).toBe('3.1 s');
  expect(formatSeconds(59.97)).toBe('1 min 0 s');
  expect(formatSeconds(179.8)).toBe('3 min 0 s');
});
