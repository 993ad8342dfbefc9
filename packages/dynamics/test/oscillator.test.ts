import { oscillationOf, oscillatorOf } from '@gradsim/dynamics';
import { describe, expect, it } from 'vitest';

describe('an oscillation', () => {
  it('has the frequency and logarithmic decrement of a simulated damped oscillator, which give its stiffness and damping back', () => {
    const oscillator = { stiffness: 50, damping: 0.8, mass: 0.4 };
    const { frequency, logarithmicDecrement } = oscillationOf(oscillator);
    // Semi-implicit steps so short that the first period is resolved to five digits: from one maximum to the next.
    const dt = 1e-6;
    let [x, v, t] = [1, 0, 0];
    let tops = 0;
    while (tops < 1) {
      const before = v;
      v -= (dt * (oscillator.stiffness * x + oscillator.damping * v)) / oscillator.mass;
      x += dt * v;
      t += dt;
      if (before > 0 && v <= 0) tops++;
    }
    expect(frequency * t).toBeCloseTo(1, 4);
    expect(logarithmicDecrement).toBeCloseTo(-Math.log(x), 4);
    const back = oscillatorOf({ frequency, logarithmicDecrement }, oscillator.mass);
    expect(back.stiffness).toBeCloseTo(oscillator.stiffness, 10);
    expect(back.damping).toBeCloseTo(oscillator.damping, 12);
  });

  it('of an overdamped system, of negative stiffness, or of zero frequency is refused', () => {
    expect(() => oscillationOf({ stiffness: 1, damping: 3, mass: 1 })).toThrowCode({
      code: 'dynamics/overdamped',
      values: [1.5],
    });
    expect(() => oscillationOf({ stiffness: -1, damping: 0, mass: 1 })).toThrowCode({
      code: 'dynamics/value-out-of-range',
      values: [-1],
    });
    expect(() => oscillatorOf({ frequency: 0, logarithmicDecrement: 1 }, 1)).toThrowCode({
      code: 'dynamics/value-out-of-range',
      values: [0],
    });
  });
});
