import { bind, f32, f64Device, fieldOn, index, kernel, max, min, norm, vec3, when } from '@gradsim/core';
import { describe, expect, it } from 'vitest';
// By path: the benchmark of the same name prints the figures whose bounds are tested here.
import {
  ballCase,
  boxCase,
  convergence,
  heldCase,
  particleCase,
} from '../../../lab/bench/src/contact-convergence/cases.ts';
import { touchWithPoint } from '../src/half-space.ts';
import { POINTS } from './offers.ts';

/** Contact of a particle with the half-space y <= 0, by the contact law with s = 1 in every substep. */
const touchInWholeSubsteps = kernel(
  'touchInWholeSubsteps',
  {
    domain: touchWithPoint(POINTS, 'around').form.domain,
    reads: {
      thing: index('particles'),
      position: fieldOn('particles', vec3),
      velocity: fieldOn('particles', vec3),
      ke: fieldOn('particles', f32),
      kd: fieldOn('particles', f32),
      kf: fieldOn('particles', f32),
      mu: fieldOn('particles', f32),
      thickness: fieldOn('particles', f32),
    },
    adds: { force: fieldOn('particles', vec3) },
  },
  (c) => {
    const { thing: at } = c;
    const v = c.velocity.at(at);
    const C = c.thickness.at(at).sub(c.position.at(at).y);
    const fn = max(f32(0), c.ke.at(at).mul(C).sub(c.kd.at(at).mul(v.y)));
    const u = vec3(v.x, 0, v.z);
    const ft = u.mul(min(c.kf.at(at), c.mu.at(at).mul(fn).div(norm(u)))).neg();
    c.force.add(
      at,
      when(
        C.gt(0),
        () => ft.add(vec3(0, fn, 0)),
        () => vec3(0, 0, 0),
      ),
    );
  },
);

describe('derivatives through contact converge to those of the continuous motion', () => {
  // Against m y'' = -ke y - kd y' - m g while that pushes, free flight before and after, and sliding friction: in
  // closed form, see `bounce`. Semi-implicit Euler is of first order, and the beginning of the touch, counted in parts,
  // leaves an error of second order in the state that varies with where in a substep it falls: of first order in
  // derivatives.
  it.each([particleCase(), ballCase()])('$name that bounces, sliding', async (of) => {
    const found = await convergence(of, f64Device());
    expect(found.map(({ derivative }) => derivative)).toHaveLength(4 * 5 - 2);
    for (const { derivative, order, errors } of found) {
      expect(order, derivative).toBeGreaterThan(0.85);
      expect(errors.at(-1)! / errors[0], derivative).toBeLessThan(1 / 32);
    }
  });

  // No closed form: against central differences of runs with substeps an eighth as long as the shortest. With s = 1
  // always all these errors stay what they are, from 0.09 (x'/kd) to 4.4 (y/mu). With s = 1 in friction the errors of x
  // and x' by height and velocity stay 2.6 to 47 however short the substep: friction sets in with kf x' at the
  // beginning of the touch.
  it('a particle that bounces, with sticking friction', async () => {
    const found = await convergence(heldCase(), f64Device());
    expect(found.map(({ derivative }) => derivative)).toHaveLength(4 * 6 - 4);
    for (const { derivative, order, errors } of found) {
      expect(order, derivative).toBeGreaterThan(0.85);
      expect(errors.at(-1)! / errors[0], derivative).toBeLessThan(1 / 32);
    }
  });

  it('a box that lands on its corner, twice, and then on another', async () => {
    for (const { derivative, order, errors } of await convergence(boxCase(), f64Device())) {
      expect(order, derivative).toBeGreaterThan(0.85);
      expect(errors.at(-1)! / errors[0], derivative).toBeLessThan(1 / 32);
    }
  });

  it('but do not if damping sets in at whole substeps', async () => {
    const of = particleCase();
    const at = of.model.passes.findIndex(
      ({ pass }) => pass.kind === 'kernel' && pass.kernel === touchWithPoint(POINTS, 'around'),
    );
    of.model.passes[at] = { ...of.model.passes[at], pass: bind(touchInWholeSubsteps) };
    const found = await convergence(of, f64Device());
    // Parameters that move the beginning of the contact: the error of the bounce is kd times the change of height,
    // however short the substep.
    for (const derivative of ["x'/height", "y'/height", "x'/velocity", "y'/velocity"]) {
      const { errors } = found.find((f) => f.derivative === derivative)!;
      for (const error of errors) expect(error, derivative).toBeGreaterThan(0.5);
    }
  });
});
