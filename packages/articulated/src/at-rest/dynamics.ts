import { add, cross, dot, normalize, rotate, scale, sumOfProducts, type Vector } from '@gradsim/base';
import type { Entity, Scene } from '@gradsim/core';
import { hasAxis } from '../joint.ts';
import { Link } from '../link.ts';
import type { TreeLink } from '../ranks.ts';
import type { Pose } from './pose.ts';
import { poseOf } from './pose.ts';

/*
 * Trees at rest in the pose of their scene, in doubles, for numbers that a model needs before it runs. All motions and
 * wrenches are six numbers in world axes about the world's origin: angular then linear, moment then force. So nothing
 * is shifted between links.
 */

/** A 6 x 6 matrix in one flat array, row by row. */
type Matrix = Float64Array;

/** Links of one or several trees at rest, with their inertias, 6 x 6, and joint motions. */
export interface TreesAtRest {
  readonly trees: readonly TreeLink[];
  /** Indices of the links, parents before their children. */
  readonly order: readonly number[];
  readonly inertias: readonly Matrix[];
  /**
   * Motions at unit rate of each joint, six numbers each: none for a fixed joint, one for a joint with an axis, three
   * for a ball joint, six for a free one.
   */
  readonly motions: readonly (readonly Float64Array[])[];
  readonly armatures: readonly number[];
}

const UNITS: readonly Vector[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];
const times = (m: Matrix, v: ArrayLike<number>): Float64Array =>
  Float64Array.from({ length: 6 }, (_, i) => sumOfProducts(m.subarray(6 * i, 6 * i + 6), v));

/** Returns the trees of a scene in its initial pose. */
export function treesAtRest(scene: Scene, links: readonly Entity[], trees: readonly TreeLink[]): TreesAtRest {
  const poses = new Map<Entity, Pose>();
  const at = links.map((link) => poseOf(scene, link, poses));
  return {
    trees,
    order: rootsFirst(trees),
    inertias: links.map((link, k) => inertiaOf(scene, link, at[k])),
    motions: links.map((link, k) => motionsOf(scene, link, trees[k], at[k])),
    armatures: links.map((link) => scene.get(link, Link, 'armature')[0]),
  };
}

/**
 * Returns the inertia of a link about the world's origin, with first moment h and inertia J: moment = J alpha + h x a,
 * force = m a - h x alpha.
 */
function inertiaOf(scene: Scene, link: Entity, { position, orientation }: Pose): Matrix {
  const [mass] = scene.get(link, Link, 'mass');
  const own = scene.get(link, Link, 'inertia');
  const c = add(rotate(orientation, scene.get(link, Link, 'centre')), position);
  const axes = UNITS.map((e) => rotate(orientation, e));
  const m = new Float64Array(36);
  for (let i = 0; i < 3; i++) {
    m[6 * (i + 3) + i + 3] = mass;
    const column = cross(scale(c, mass), UNITS[i]);
    for (let j = 0; j < 3; j++) {
      m[6 * j + i + 3] = column[j];
      m[6 * (i + 3) + j] = column[j];
      let sum = mass * ((i === j ? dot(c, c) : 0) - c[i] * c[j]);
      for (let a = 0; a < 3; a++) for (let b = 0; b < 3; b++) sum += axes[a][i] * own[3 * a + b] * axes[b][j];
      m[6 * i + j] = sum;
    }
  }
  return m;
}

function motionsOf(scene: Scene, link: Entity, { joint }: TreeLink, { position, orientation }: Pose): Float64Array[] {
  const about = (axis: readonly number[]): Float64Array => Float64Array.from([...axis, ...cross(position, axis)]);
  if (joint === 'fixed') return [];
  if (!hasAxis(joint)) {
    const turns = UNITS.map(about);
    return joint === 'ball' ? turns : [...turns, ...UNITS.map((e) => Float64Array.from([0, 0, 0, ...e]))];
  }
  const axis = rotate(orientation, normalize(scene.get(link, Link, 'axis')));
  return [joint === 'revolute' ? about(axis) : Float64Array.from([0, 0, 0, ...axis])];
}

function rootsFirst(trees: readonly TreeLink[]): number[] {
  const below = trees.map((): number[] => []);
  const order: number[] = [];
  trees.forEach(({ parent }, k) => {
    (parent < 0 ? order : below[parent]).push(k);
  });
  for (let next = 0; next < order.length; next++) order.push(...below[order[next]]);
  return order;
}

/**
 * Returns the inertia that each joint moves with the other joints locked, including its armature: kg m^2 about the axis
 * of a revolute joint, the mean of the three axes of a ball joint; kg along a prismatic joint. Links beyond a free
 * joint do not count.
 */
export function lockedJointInertias({ trees, order, inertias, motions, armatures }: TreesAtRest): number[] {
  const all = inertias.map((inertia) => inertia.slice());
  for (const k of order.toReversed()) {
    const { parent, joint } = trees[k];
    if (parent >= 0 && joint !== 'free')
      all[k].forEach((x, c) => {
        all[parent][c] += x;
      });
  }
  return motions.map((own, k) => {
    const sum = own.reduce((total, s) => total + sumOfProducts(s, times(all[k], s)), 0);
    return sum / Math.max(own.length, 1) + armatures[k];
  });
}

/** Mobility of the joints, the other joints being free to move: M^-1 by the articulated body algorithm. */
export interface Mobility {
  /** Inverse of the inertia that each joint feels, a matrix row by row for each. */
  readonly inverses: readonly (readonly number[])[];
  /** Returns M^-1 times torques: accelerations by link and degree of freedom. Free joints have no entries. */
  readonly accelerations: (torques: readonly (readonly number[])[]) => number[][];
}

/**
 * Computes the mobility of the joints of trees at rest.
 * @param armatures armatures of the joints, kg m^2 or kg; default: those of the scene.
 */
export function mobilityOf(treesAtRest: TreesAtRest, armatures = treesAtRest.armatures): Mobility {
  const { trees, order, motions } = treesAtRest;
  const inertias = treesAtRest.inertias.map((inertia) => inertia.slice());
  const inverses: number[][] = [];
  const gains: Float64Array[][] = [];
  const wrenches: Float64Array[][] = [];
  for (const k of order.toReversed()) {
    const own = motions[k];
    const felt = own.map((s) => times(inertias[k], s));
    const matrix = own.map((s, i) => own.map((_, j) => sumOfProducts(s, felt[j]) + (i === j ? armatures[k] : 0)));
    inverses[k] = symmetricInverse(matrix);
    // Columns of U D^-1.
    gains[k] = own.map((_, j) => {
      const gain = new Float64Array(6);
      own.forEach((__, i) => {
        for (let c = 0; c < 6; c++) gain[c] += felt[i][c] * inverses[k][i * own.length + j];
      });
      return gain;
    });
    wrenches[k] = felt;
    const { parent, joint } = trees[k];
    if (parent < 0 || joint === 'free') continue;
    for (let a = 0; a < 6; a++)
      for (let b = 0; b < 6; b++) {
        let left = inertias[k][6 * a + b];
        felt.forEach((u, i) => {
          left -= u[a] * gains[k][i][b];
        });
        inertias[parent][6 * a + b] += left;
      }
  }
  const rows = inverses.map((inverse, k) =>
    motions[k].map((_, i, { length }) => inverse.slice(length * i, length * (i + 1))),
  );
  // Scratch of links, overwritten in every call: it is called a hundred times.
  const [bias, moved] = [0, 1].map(() => trees.map(() => [0, 0, 0, 0, 0, 0]));
  const left: number[][] = [];
  const accelerations = (torques: readonly (readonly number[])[]): number[][] => {
    for (const wrench of bias) wrench.fill(0);
    for (const k of order.toReversed()) {
      left[k] = motions[k].map((s, i) => (torques[k][i] ?? 0) - sumOfProducts(s, bias[k]));
      const { parent, joint } = trees[k];
      if (parent < 0 || joint === 'free') continue;
      for (let c = 0; c < 6; c++) {
        let sum = bias[k][c];
        gains[k].forEach((gain, i) => {
          sum += gain[c] * left[k][i];
        });
        bias[parent][c] += sum;
      }
    }
    const found: number[][] = [];
    for (const k of order) {
      const { parent } = trees[k];
      const a = moved[k];
      for (let c = 0; c < 6; c++) a[c] = parent < 0 ? 0 : moved[parent][c];
      const right = left[k].map((u, i) => u - sumOfProducts(wrenches[k][i], a));
      found[k] = rows[k].map((row) => sumOfProducts(row, right));
      found[k].forEach((q, i) => {
        for (let c = 0; c < 6; c++) a[c] += motions[k][i][c] * q;
      });
    }
    return found;
  };
  return { inverses, accelerations };
}

/** Returns the inverse of a symmetric positive definite matrix, row by row, by elimination. */
function symmetricInverse(matrix: readonly (readonly number[])[]): number[] {
  const n = matrix.length;
  const rows = matrix.map((row, i) => [...row, ...row.map((_, j) => (i === j ? 1 : 0))]);
  for (let i = 0; i < n; i++) {
    const pivot = rows[i][i];
    rows[i] = rows[i].map((x) => x / pivot);
    for (let j = 0; j < n; j++) {
      if (j === i) continue;
      const factor = rows[j][i];
      rows[j] = rows[j].map((x, c) => x - factor * rows[i][c]);
    }
  }
  return rows.flatMap((row) => row.slice(n));
}
