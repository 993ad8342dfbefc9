import { dot, norm, subtract, type Vector, vectorAt } from '@gradsim/base';
import type { NearestPoint } from '../distance/nearest-point.ts';
import type { TetMesh } from '../mesh.ts';
import type { SharpFeatures } from './features.ts';
import { marginOf } from './quality.ts';

/**
 * Minimum difference of dihedral angles from 0 and 180 degrees, in degrees, that moving a vertex must keep, unless the
 * move improves the worst one.
 */
const MIN_ANGLE_MARGIN = 15.5;
/** Maximum number of sweeps over the vertices of elements with poor angles. */
const MAX_SWEEPS = 8;

/**
 * Improves a mesh of tetrahedra in place. Moves surface vertices to the corners and sharp edges of the given surface;
 * then moves the vertices of elements with poor angles, those on the surface along it, those inside anywhere. No move
 * may make the worst angle around a vertex poorer than `MIN_ANGLE_MARGIN`, or poorer than it was if that is less.
 *
 * @param mesh whose positions are changed.
 * @param onSurface indices of the vertices that lie on the surface.
 */
export function improveTets(
  mesh: TetMesh,
  onSurface: Iterable<number>,
  given: { surface: NearestPoint; features: SharpFeatures; cellSize: number },
): void {
  const { positions } = mesh;
  const vertices = new MovableVertices(mesh);
  const isOnSurface = new Set(onSurface);
  const held = new Set<number>();
  pullToCorners(vertices, isOnSurface, held, given);
  pullToEdges(vertices, isOnSurface, held, given);
  for (let round = 0; round < MAX_SWEEPS; round++) {
    const poor = vertices.poorVertices().filter((vertex) => !held.has(vertex));
    if (poor.length === 0) return;
    for (const vertex of poor) {
      const isOuter = isOnSurface.has(vertex);
      const around = vertices.neighbours(vertex).filter((other) => !isOuter || isOnSurface.has(other));
      const middle = [0, 1, 2].map(
        (axis) => around.reduce((sum, other) => sum + positions[3 * other + axis], 0) / around.length,
      );
      for (const step of [1, 0.5, 0.25, 0.1]) {
        const to = vertices.at(vertex).map((x, axis) => x + step * (middle[axis] - x));
        if (vertices.moveIfBetter(vertex, isOuter ? given.surface.nearestTo(to).point : to)) break;
      }
    }
  }
}

interface SurfaceInputs {
  readonly features: SharpFeatures;
  readonly cellSize: number;
}

/** Moves onto each corner of the surface the nearest vertex for which that is allowed. */
function pullToCorners(
  vertices: MovableVertices,
  onSurface: ReadonlySet<number>,
  held: Set<number>,
  { features, cellSize }: SurfaceInputs,
): void {
  for (const corner of features.corners) {
    const near = [...onSurface]
      .map((vertex) => ({ vertex, distance: distance(vertices.at(vertex), corner) }))
      .filter(({ vertex, distance: d }) => d < cellSize && !held.has(vertex))
      .sort((a, b) => a.distance - b.distance);
    const taken = near.find(({ vertex }) => vertices.moveIfGood(vertex, corner));
    if (taken) held.add(taken.vertex);
  }
}

/** Moves the vertices near sharp edges onto them, the nearest first. */
function pullToEdges(
  vertices: MovableVertices,
  onSurface: ReadonlySet<number>,
  held: Set<number>,
  { features, cellSize }: SurfaceInputs,
): void {
  if (features.edges.length === 0) return;
  const near = new Map<number, { to: Vector; distance: number }>();
  for (const vertex of onSurface) {
    if (held.has(vertex)) continue;
    for (const [from, end] of features.edges) {
      const to = nearestOnSegment(vertices.at(vertex), from, end);
      const d = distance(vertices.at(vertex), to);
      if (d < cellSize / 2 && d < (near.get(vertex)?.distance ?? Infinity)) near.set(vertex, { to, distance: d });
    }
  }
  for (const [vertex, { to }] of [...near].sort(([, a], [, b]) => a.distance - b.distance)) {
    if (vertices.moveIfGood(vertex, to)) held.add(vertex);
  }
}

/** Vertices of a mesh that move only if the elements around them keep good angles. */
class MovableVertices {
  readonly #mesh: TetMesh;
  readonly #around: number[][];
  /** Cached {@link marginOf} each element, degrees; NaN if not computed. */
  readonly #margins: Float64Array;

  constructor(mesh: TetMesh) {
    this.#mesh = mesh;
    const { positions, tets } = mesh;
    this.#margins = new Float64Array(tets.length / 4).fill(Number.NaN);
    this.#around = Array.from({ length: positions.length / 3 }, () => []);
    for (let k = 0; k < tets.length; k++) this.#around[tets[k]].push(k - (k % 4));
  }
  at(vertex: number): Vector {
    return vectorAt(this.#mesh.positions, vertex);
  }
  neighbours(vertex: number): number[] {
    const all = new Set(this.#around[vertex].flatMap((t) => [...this.#mesh.tets.subarray(t, t + 4)]));
    all.delete(vertex);
    return [...all];
  }
  /** Returns the vertices of elements whose angles are nearer to 0 or 180 degrees than `MIN_ANGLE_MARGIN`. */
  poorVertices(): number[] {
    const found = new Set<number>();
    const { tets } = this.#mesh;
    for (let t = 0; t < tets.length; t += 4) {
      if (this.#margin(t) < MIN_ANGLE_MARGIN) for (let k = 0; k < 4; k++) found.add(tets[t + k]);
    }
    return [...found];
  }
  moveIfGood(vertex: number, to: ArrayLike<number>): boolean {
    return this.#move(vertex, to, (before, after) => after >= Math.min(before, MIN_ANGLE_MARGIN));
  }
  moveIfBetter(vertex: number, to: ArrayLike<number>): boolean {
    return this.#move(vertex, to, (before, after) => after > before);
  }
  #move(vertex: number, to: ArrayLike<number>, accepts: (before: number, after: number) => boolean): boolean {
    const from = this.at(vertex);
    const around = this.#around[vertex];
    const margins = around.map((t) => this.#margin(t));
    this.#mesh.positions.set(to, 3 * vertex);
    const moved = around.map((t) => marginOf(this.#mesh, t));
    const isTaken = accepts(Math.min(...margins), Math.min(...moved));
    if (!isTaken) this.#mesh.positions.set(from, 3 * vertex);
    else for (let k = 0; k < around.length; k++) this.#margins[around[k] / 4] = moved[k];
    return isTaken;
  }
  #margin(t: number): number {
    if (Number.isNaN(this.#margins[t / 4])) this.#margins[t / 4] = marginOf(this.#mesh, t);
    return this.#margins[t / 4];
  }
}

const distance = (a: ArrayLike<number>, b: ArrayLike<number>): number => norm(subtract(a, b));

function nearestOnSegment(p: ArrayLike<number>, a: Vector, b: Vector): Vector {
  const along = subtract(b, a);
  const part = Math.min(Math.max(dot(along, subtract(p, a)) / dot(along, along), 0), 1);
  return [a[0] + part * along[0], a[1] + part * along[1], a[2] + part * along[2]];
}
