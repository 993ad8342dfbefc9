import { abs, cross, dot, f32, field, kernel, norm, normalize, vec3 } from '@gradsim/core';
import { Particle } from '@gradsim/particles';
import { Triangle } from './components.ts';

/** Velocity of the air, m/s, world axes. */
export const wind = field('world', 'wind', vec3, { unit: 'm/s' });

/**
 * Force of the air on a triangle of area A and unit normal n, with v the mean velocity of its vertices relative to the
 * wind: drag -kd A |n.v| v, lift -kl A (n.v) |v| n, a third to each vertex. Drag and lift and their derivatives are 0
 * at v = 0.
 */
export const airForce = kernel(
  'airForce',
  {
    domain: Triangle,
    reads: {
      vertices: Triangle.vertices,
      position: Particle.position,
      velocity: Particle.velocity,
      drag: Triangle.drag,
      lift: Triangle.lift,
      wind,
    },
    adds: { force: Particle.force },
  },
  ({ vertices, position, velocity, drag, lift, wind, force }) => {
    const [x0, x1, x2] = vertices.map((vertex) => position.at(vertex));
    const [v0, v1, v2] = vertices.map((vertex) => velocity.at(vertex));
    const twice = cross(x1.sub(x0), x2.sub(x0));
    const n = normalize(twice);
    const area = norm(twice).mul(0.5);
    const v = v0.add(v1).add(v2).div(3).sub(wind);
    const across = dot(n, v);
    const onTriangle = v
      .mul(drag.mul(abs(across)))
      .add(n.mul(lift.mul(across).mul(norm(v))))
      .mul(area.neg());
    const share = onTriangle.div(f32(3));
    for (const vertex of vertices) force.add(vertex, share);
  },
);
