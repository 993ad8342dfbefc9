import { Link } from '@gradsim/articulated';
import type { Plugin } from '@gradsim/core';
import { abs, definePlugin, f32, field, kernel } from '@gradsim/core';

/** Coefficients c and k of a joint's damping torque -(c + k |q'|) q'. */
export const linearDamping = field('world', 'linearDamping', f32, { unit: 'N m s/rad' });
const quadraticDamping = field('world', 'quadraticDamping', f32, { unit: 'N m s^2/rad^2' });

const damp = kernel(
  'dampJoint',
  {
    domain: Link,
    reads: { rate: Link.rate, linear: linearDamping, quadratic: quadraticDamping },
    adds: { effort: Link.effort },
  },
  ({ rate, linear, quadratic, effort }) =>
    effort.add(
      linear
        .add(quadratic.mul(abs(rate)))
        .mul(rate)
        .neg(),
    ),
);

/** Plugin that damps all joints with the same linear and quadratic coefficients. */
export const jointDamping = ({ linear, quadratic }: Readonly<Record<'linear' | 'quadratic', number>>): Plugin =>
  definePlugin({
    name: 'bench/joint-damping',
    contract: 1,
    requires: ['@gradsim/articulated'],
    build: ({ model }) => {
      model.addField(linearDamping, { fill: linear });
      model.addField(quadraticDamping, { fill: quadratic });
      model.addPass('force', damp);
    },
  });
