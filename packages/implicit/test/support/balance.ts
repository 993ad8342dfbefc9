import type { PlainTouch } from '../../../contact/test/plain-law.ts';
import { plainContact } from '../../../contact/test/plain-law.ts';
import type { Block, Drawn, Material } from './random-scene.ts';
import { blockMesh } from './random-scene.ts';
import type { Columns, Vec } from './vectors.ts';
import {
  cofactors,
  cross,
  determinant,
  dot,
  inverse,
  length,
  minus,
  plus,
  product,
  rotate,
  scaled,
  sumOf,
  times,
  transposed,
} from './vectors.ts';

/*
 * The equation of an implicit step in plain numbers, from the formulas of the physics and with nothing of gradsim: m
 * (v' - v) = dt (m g + f(x', v')) for particles, and what they do to a body is what it does to them.
 */

/** State of particles and bodies between two substeps. */
export interface State {
  readonly position: ArrayLike<number>;
  readonly velocity: ArrayLike<number>;
  readonly body?: {
    readonly position: ArrayLike<number>;
    readonly orientation: ArrayLike<number> & Iterable<number>;
    readonly velocity: ArrayLike<number>;
    readonly angularVelocity: ArrayLike<number>;
  };
}

const at = (values: ArrayLike<number>, k = 0): Vec => [values[3 * k], values[3 * k + 1], values[3 * k + 2]];

/** Contact force on a point, N. */
function pressure(touch: Omit<PlainTouch, 'leaving'>, normal: Vec, velocity: Vec, material: Material): Vec {
  const vn = dot(normal, velocity);
  const slip = minus(velocity, times(vn, normal));
  const speed = length(slip);
  const { normal: fn, friction } = plainContact({ ...touch, leaving: vn }, speed, material);
  return minus(times(fn, normal), times(friction / (speed || 1), slip));
}

const mixed = (a: Material, b: Material): Material => ({
  ke: (a.ke + b.ke) / 2,
  kd: (a.kd + b.kd) / 2,
  kf: (a.kf + b.kf) / 2,
  mu: Math.sqrt(a.mu * b.mu),
});

function toBox(p: Vec, size: Vec): { distance: number; normal: Vec } {
  const past = p.map((x, k) => Math.abs(x) - size[k] / 2);
  const side = p.map((x) => (x >= 0 ? 1 : -1));
  const out = past.map((d) => Math.max(d, 0));
  const outside = Math.hypot(...out);
  if (outside > 0) return { distance: outside, normal: out.map((d, k) => (d * side[k]) / outside) as unknown as Vec };
  const face = past.indexOf(Math.max(...past));
  return { distance: past[face], normal: side.map((s, k) => (k === face ? s : 0)) as unknown as Vec };
}

const edgesOf = (x: (k: number) => Vec): Columns => [minus(x(1), x(0)), minus(x(2), x(0)), minus(x(3), x(0))];

/** Returns the masses of all particles, kg; those of blocks from the share density V / 4 of each element. */
function massesOf({ points, blocks }: Drawn): number[] {
  const masses = points.map((p) => p.mass);
  for (const block of blocks) {
    const { positions, tets } = blockMesh(block);
    const first = masses.length;
    for (let k = 0; k < positions.length / 3; k++) masses.push(0);
    for (let t = 0; t < tets.length; t += 4) {
      const volume = determinant(edgesOf((k) => at(positions, tets[t + k]))) / 6;
      for (let k = 0; k < 4; k++) masses[first + tets[t + k]] += (block.density * volume) / 4;
    }
  }
  return masses;
}

const fixedOf = ({ points, blocks }: Drawn): boolean[] => [
  ...points.map((p) => p.fixed > 0),
  ...blocks.flatMap((block) =>
    Array.from({ length: blockMesh(block).positions.length / 3 }, (_, k) => block.fixed.includes(k)),
  ),
];

/** Adds the forces of a block, with the size of the terms that cancel in them. */
function ofBlock(block: Block, first: number, x: readonly Vec[], v: readonly Vec[], add: Add): void {
  const { positions, tets } = blockMesh(block);
  const { mu, lambda, damping } = block;
  for (let t = 0; t < tets.length; t += 4) {
    const rest = edgesOf((k) => at(positions, tets[t + k]));
    const inverseRest = inverse(rest);
    const F = product(
      edgesOf((k) => x[first + tets[t + k]]),
      inverseRest,
    );
    const rate = product(
      edgesOf((k) => v[first + tets[t + k]]),
      inverseRest,
    );
    const Ic = F.reduce((sum, c) => sum + dot(c, c), 0);
    const alpha = 1 + mu / lambda - mu / (4 * lambda);
    const elastic = sumOf(scaled(mu * (1 - 1 / (Ic + 1)), F), scaled(lambda * (determinant(F) - alpha), cofactors(F)));
    // kd F (F'^T F + F^T F')
    const half = product(transposed(rate), F);
    const damped = scaled(damping, product(F, sumOf(half, transposed(half))));
    const volume = determinant(rest) / 6;
    const H = scaled(-volume, product(sumOf(elastic, damped), transposed(inverseRest)));
    const size = volume * (mu + lambda) * length(inverseRest.map(length) as unknown as Vec);
    H.forEach((f, k) => {
      add(first + tets[t + k + 1], f, size);
      add(first + tets[t], times(-1, f), size);
    });
  }
}

/** Adds a force on a particle, with the size of the terms that cancel in it. */
type Add = (particle: number, force: Vec, size: number) => void;

export interface Balance {
  /** Largest component of the momentum residual of particles, N s. */
  readonly missing: number;
  /** Largest component of the momentum residual of the body, N s, including its angular momentum divided by 1 m. */
  readonly missingOfBody: number;
  /** Largest of the momenta and impulses that cancel in the residual, N s. */
  readonly size: number;
  /** Number of contacts, and number of sliding contacts. */
  readonly touches: number;
}

/** Computes the residual of the equation of a step from one state to the next. */
export function balanceOf(drawn: Drawn, before: State, after: State, isFirstState: boolean): Balance {
  const { dt, gravity, points, links, blocks, touch, ground, sphere, box, body, drag, swirl } = drawn;
  const masses = massesOf(drawn);
  const fixed = fixedOf(drawn);
  const x = masses.map((_, k) => at(after.position, k));
  const v = masses.map((_, k) => (fixed[k] ? ([0, 0, 0] as Vec) : at(after.velocity, k)));
  const forces: Vec[] = masses.map(() => [0, 0, 0]);
  let size = 0;
  let touches = 0;
  const add: Add = (k, f, terms) => {
    forces[k] = plus(forces[k], f);
    size = Math.max(size, dt * (length(f) + terms));
  };

  for (const { ends, stiffness, damping, restLength } of links) {
    const [i, j] = ends;
    const apart = minus(x[i], x[j]);
    const d = times(1 / length(apart), apart);
    const rate = dot(d, minus(v[i], v[j]));
    const f = times(-(stiffness * (length(apart) - restLength) + damping * rate), d);
    add(i, f, stiffness * restLength);
    add(j, times(-1, f), 0);
  }
  let first = points.length;
  for (const block of blocks) {
    ofBlock(block, first, x, v, add);
    first += blockMesh(block).positions.length / 3;
  }
  let [onBody, turning]: Vec[] = [
    [0, 0, 0],
    [0, 0, 0],
  ];
  if (ground && body && before.body) {
    // Integrated explicitly; its sphere touches the ground too.
    const shift = rotate(before.body.orientation, body.sphere.position);
    const arm = minus(shift, [0, body.sphere.radius, 0]);
    const there = plus(at(before.body.velocity), cross(at(before.body.angularVelocity), arm));
    const depth = ground.offset - (before.body.position[1] + arm[1]);
    onBody = pressure({ depth, dt, isFirstState }, [0, 1, 0], there, body.sphere.material);
    turning = cross(arm, onBody);
    size = Math.max(size, dt * length(onBody));
  }
  for (const k of masses.keys()) {
    const m = masses[k];
    if (drag) add(k, times(-m * (drag.quadraticDrag * length(v[k]) + drag.linearDrag), v[k]), 0);
    if (swirl) {
      add(k, times(m, cross(v[k], swirl.field)), 0);
      add(k, times(-swirl.pull / (1 + dot(x[k], x[k])), x[k]), 0);
    }
    if (!touch) continue;
    const meet = (depth: number, normal: Vec, velocity: Vec, material: Material): Vec => {
      const f = pressure({ depth, dt, isAtEnd: true }, normal, velocity, material);
      if (depth > 0) touches++;
      add(k, f, depth > 0 ? material.ke * length(x[k]) : 0);
      return f;
    };
    if (ground) meet(touch.thickness - x[k][1] + ground.offset, [0, 1, 0], v[k], touch);
    if (sphere) {
      const away = minus(x[k], sphere.position);
      const depth = touch.thickness - length(away) + sphere.radius;
      meet(depth, times(1 / length(away), away), v[k], mixed(touch, sphere.material));
    }
    if (box) {
      const { distance, normal } = toBox(minus(x[k], box.position), box.size);
      meet(touch.thickness - distance, normal, v[k], mixed(touch, box.material));
    }
    if (body && before.body) {
      const centre = at(before.body.position);
      const shift = rotate(before.body.orientation, body.sphere.position);
      const away = minus(x[k], plus(centre, shift));
      const arm = minus(x[k], centre);
      const there = plus(at(before.body.velocity), cross(at(before.body.angularVelocity), arm));
      const depth = touch.thickness - length(away) + body.sphere.radius;
      const material = mixed(touch, body.sphere.material);
      const f = meet(depth, times(1 / length(away), away), minus(v[k], there), material);
      onBody = minus(onBody, f);
      turning = minus(turning, cross(arm, f));
    }
  }

  let missing = 0;
  for (const [k, m] of masses.entries()) {
    const moved = minus(x[k], plus(at(before.position, k), times(dt, v[k])));
    size = Math.max(size, m * (length(v[k]) + length(at(before.velocity, k)) + dt * length(gravity)));
    // Positions follow from velocities, and fixed particles stay.
    missing = Math.max(missing, (m / dt) * length(moved));
    if (fixed[k]) continue;
    const change = minus(minus(v[k], at(before.velocity, k)), times(dt, gravity));
    missing = Math.max(missing, length(minus(times(m, change), times(dt, forces[k]))));
  }
  let missingOfBody = 0;
  if (body && before.body && after.body) {
    const fall = minus(minus(at(after.body.velocity), at(before.body.velocity)), times(dt, gravity));
    const spin = minus(at(after.body.angularVelocity), at(before.body.angularVelocity));
    missingOfBody = Math.max(
      length(minus(times(body.mass, fall), times(dt, onBody))),
      length(minus(times(body.inertia, spin), times(dt, turning))),
    );
  }
  return { missing, missingOfBody, size, touches };
}
