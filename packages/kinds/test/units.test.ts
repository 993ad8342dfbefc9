import { describe, expect, it } from 'vitest';
import { type Measure, readValue } from '../src/define/index.ts';

const length: Measure = { what: 'Radius, m.', type: 'positive', quantity: 'length' };
const angle: Measure = { what: 'Angle, degrees.', type: 'positive', quantity: 'angle' };
const pull: Measure = { what: 'Gravity, m/s^2.', type: 'positive', quantity: 'acceleration' };
const sides: Measure = { what: 'Sides, m.', type: 'vector', quantity: 'length' };
const plain: Measure = { what: 'Frames a second.', type: 'positive' };

describe('readValue', () => {
  it.each([
    [length, '0.098', 0.098],
    [length, '0,098', 0.098],
    [length, ' 9.8 cm ', 0.098],
    [length, '98mm', 0.098],
    [length, '9,8e1 mm', 0.098],
    [length, '.5', 0.5],
    [angle, '12 deg', 12],
    [angle, '12°', 12],
    [angle, '0.5 rad', 28.6478897565412],
    [pull, '981 cm/s^2', 9.81],
    [pull, '9,81 m/s²', 9.81],
    [sides, '0.07,0.04,0.05', [0.07, 0.04, 0.05]],
    [sides, '7, 4, 5 cm', [0.07, 0.04, 0.05]],
    [sides, '70 mm, 4 cm, 0.05 m', [0.07, 0.04, 0.05]],
    [sides, '0,07; 0,04; 0,05', [0.07, 0.04, 0.05]],
    [plain, '29,97', 29.97],
  ])('reads %o "%s" as %o', (measure, text, value) => {
    expect(readValue('it', measure, text)).toEqual(value);
  });

  it.each([
    [length, '9.8 kg'],
    [length, '9.8.1'],
    [length, 'cm'],
    [length, '1 2'],
    [length, '-3 cm'],
    [plain, '30 m'],
    [sides, '7, 4 cm'],
  ])('refuses %o "%s"', (measure, text) => {
    expect(() => readValue('it', measure, text)).toThrowCode('kinds/measure-wrong');
  });

  it('reads "null" and "unknown" as null, where a measure may be unknown', () => {
    for (const text of ['null', 'unknown']) {
      expect(readValue('it', { ...pull, default: null }, text)).toBeNull();
      expect(() => readValue('it', pull, text)).toThrowCode('kinds/measure-wrong');
    }
  });

  it('names the units that it takes', () => {
    expect(() => readValue('--set radius', length, '9 kg')).toThrow(
      '--set radius takes a number above 0, with a unit (m, cm, mm, km, in, ft) or without, not "9 kg".',
    );
  });
});
