import type { F32 } from '@gradsim/kernel';
import { atan2, dot, f32, kernel, quat, select, sqrt, vec3, when } from '@gradsim/kernel';
import type { KernelForm } from '@gradsim/kernel/internal';
import { adjoint, tangent } from '@gradsim/kernel/internal/derivatives';

/**
 * Squared tangent of half the rotation angle below which the angle is computed by a series: the derivative of the
 * formula loses precision there.
 */
const SMALL_SQUARED_TANGENT = 1e-3;
/**
 * Coefficients of 2 atan(sqrt(x)) / sqrt(x) in powers of x, highest first, accurate to double precision for x below
 * {@link SMALL_SQUARED_TANGENT}.
 */
const ARCTANGENT_SERIES = [2 / 9, -2 / 7, 2 / 5, -2 / 3, 2];

/**
 * Computes the rotation from one orientation to another, q = r q0, as a rotation vector in world axes with an angle of
 * at most pi. Quaternions may have any length and either sign.
 */
const rotationVectorKernel = kernel(
  'turn',
  { domain: 'turned', reads: { shown: quat, target: quat }, writes: { turned: vec3 } },
  ({ shown, target }) => {
    const relative = shown.mul(target.conjugate());
    // Of the two signs, the one with the smaller angle.
    const sign = select(relative.w.lt(0), f32(-1), f32(1));
    const v = relative.vector.mul(sign);
    const w = relative.w.mul(sign);
    const squares = dot(v, v);
    const scale = when(
      squares.lt(w.mul(w).mul(SMALL_SQUARED_TANGENT)),
      () => {
        const ratio = squares.div(w.mul(w));
        return ARCTANGENT_SERIES.reduce((sum: F32, term) => sum.mul(ratio).add(term), f32(0)).div(w);
      },
      () => {
        const n = sqrt(squares);
        return atan2(n, w).mul(2).div(n);
      },
    );
    return { turned: v.mul(scale) };
  },
);

const ALONG: ReadonlySet<string> = new Set(['shown']);

/** Kernel forms of the rotation vectors: of the values, of values with tangents, and of adjoints. */
export const ROTATION_FORMS: {
  readonly primal: KernelForm;
  readonly tangent: () => KernelForm;
  readonly adjoint: () => KernelForm;
} = {
  primal: rotationVectorKernel.form,
  tangent: () => tangent(rotationVectorKernel.form, { wrt: ALONG }),
  adjoint: () => adjoint(rotationVectorKernel.form, { wrt: ALONG, seeds: new Set(['turned']) }),
};
