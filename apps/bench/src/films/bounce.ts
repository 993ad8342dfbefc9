import type { Plugin } from '@gradsim/core';
import { column, defineComponent, definePlugin, f32, kernel, max, sqrt, vec3, when } from '@gradsim/core';
import { addGravity, Gravity, gravity } from '@gradsim/physics';

/** A ball without spin that bounces on the smooth floor y = 0. */
export const Ball = defineComponent('balls', {
  position: column(vec3, { unit: 'm' }),
  velocity: column(vec3, { unit: 'm/s' }),
  radius: column(f32, { unit: 'm', range: 'positive' }),
  /** Speed after over speed before an impact, which takes no time. */
  restitution: column(f32, { range: 'nonNegative' }),
});

const { position, velocity, radius, restitution } = Ball;

/**
 * Flight, and an impact in the substep where the floor is met, at its own time: h + v t - g t^2 / 2 = 0 has the later root
 * t = (v + sqrt(v^2 + 2 g h)) / g. The state is then a smooth function of everything, with the derivatives of the continuous
 * motion, where contact by forces must resolve a touch that is far shorter than a frame.
 */
const fly = kernel(
  'fly',
  {
    domain: Ball,
    reads: { position, velocity, radius, restitution, gravity },
    writes: { position, velocity },
  },
  ({ position, velocity, radius, restitution, gravity }, { dt }) => {
    const g = gravity.y.neg();
    const height = position.y.sub(radius);
    const after = height.add(velocity.y.mul(dt)).sub(g.mul(dt).mul(dt).mul(0.5));
    const next = when(
      after.lt(0),
      () => {
        const impact = sqrt(max(velocity.y.mul(velocity.y).add(g.mul(height).mul(2)), 1e-12));
        const left = dt.sub(velocity.y.add(impact).div(g));
        const speed = impact.mul(restitution);
        // What would meet the floor twice in a substep has come to rest.
        return {
          height: max(speed.mul(left).sub(g.mul(left).mul(left).mul(0.5)), 0),
          speed: speed.sub(g.mul(left)),
        };
      },
      () => ({ height: after, speed: velocity.y.sub(g.mul(dt)) }),
    );
    return {
      position: vec3(
        position.x.add(velocity.x.mul(dt)),
        next.height.add(radius),
        position.z.add(velocity.z.mul(dt)),
      ),
      velocity: vec3(velocity.x, next.speed, velocity.z),
    };
  },
);

/** Balls that bounce under `world.gravity`. */
export const bounce = (): Plugin =>
  definePlugin({
    name: 'bench/bounce',
    contract: 1,
    components: [Ball, Gravity],
    build: (context) => {
      addGravity(context);
      context.model.addPass('integrate', fly);
    },
  });
