import { flipMesh, signedVolume, type TriangleMesh } from '@gradsim/mesh';

/** A point, x, y, z in metres. */
export type Point = readonly [x: number, y: number, z: number];

/** A solid with named parts, each of which may have its own colour. */
export interface Shape {
  readonly mesh: TriangleMesh;
  /** Index into `partNames` for each triangle. */
  readonly parts: Uint8Array;
  readonly partNames: readonly string[];
}

interface Face {
  corners: number[];
  readonly part: string;
}

/**
 * A closed surface of polygons, built by lofting rings, extruding faces and joining faces by handles. Every operation
 * keeps the surface closed and oriented: each edge is shared by two faces that run along it in opposite directions.
 */
export class Cage {
  readonly #points: Point[] = [];
  #faces: Face[] = [];

  /** Adds a ring of points. Returns their indices. */
  ring(points: readonly Point[]): number[] {
    return points.map((point) => this.#points.push(point) - 1);
  }

  /**
   * Joins two rings with equal numbers of points by quadrilaterals. Returns these faces; face k lies between points k
   * and k + 1.
   */
  join(from: readonly number[], to: readonly number[], part: string): Face[] {
    return this.#add(
      from.map((corner, k) => {
        const next = (k + 1) % from.length;
        return { corners: [corner, from[next], to[next], to[k]], part };
      }),
    );
  }

  /**
   * Closes a ring by triangles to a point.
   *
   * @param end whether the ring is the first or the last of a loft, which determines the orientation.
   */
  close(ring: readonly number[], point: Point, part: string, end: 'first' | 'last'): Face[] {
    const [apex] = this.ring([point]);
    return this.#add(
      ring.map((corner, k) => {
        const next = ring[(k + 1) % ring.length];
        return { corners: end === 'last' ? [corner, next, apex] : [next, corner, apex], part };
      }),
    );
  }

  /**
   * Joins consecutive rings and closes both ends by triangles to a point. Returns the faces between rings,
   * `[ring][side]`.
   *
   * @param partOf name of the part between rings k and k + 1.
   */
  loft(rings: readonly (readonly Point[])[], first: Point, last: Point, partOf: (k: number) => string): Face[][] {
    const added = rings.map((ring) => this.ring(ring));
    this.close(added[0], first, partOf(0), 'first');
    const faces = added.slice(1).map((ring, k) => this.join(added[k], ring, partOf(k)));
    this.close(added[added.length - 1], last, partOf(added.length - 2), 'last');
    return faces;
  }

  /**
   * Extrudes a region of adjacent faces, with walls along its border. Returns the moved faces.
   *
   * @param move returns the new position of a corner; `k` numbers the region's corners, in the face's order if it is a
   * single face.
   */
  extrude(region: readonly Face[], part: string, move: (point: Point, k: number) => Point): Face[] {
    const moved = new Map<number, number>();
    for (const corner of region.flatMap(({ corners }) => corners))
      if (!moved.has(corner)) moved.set(corner, this.ring([move(this.#points[corner], moved.size)])[0]);
    const edges = region.flatMap(({ corners }) => edgesOf(corners));
    const inRegion = new Set(edges.map(([a, b]) => `${a},${b}`));
    this.#faces = this.#faces.filter((face) => !region.includes(face));
    const walls = edges.filter(([a, b]) => !inRegion.has(`${b},${a}`));
    this.#add(walls.map(([a, b]) => ({ corners: [a, b, moved.get(b)!, moved.get(a)!], part })));
    return this.#add(region.map(({ corners }) => ({ corners: corners.map((corner) => moved.get(corner)!), part })));
  }

  /**
   * Removes two quadrilaterals and joins their borders by a tube, such as a handle.
   *
   * @param turn index of the corner of `to` that is joined to corner 0 of `from`; the two borders run in opposite
   * directions.
   */
  bridge(from: Face, to: Face, part: string, turn: number): void {
    this.#faces = this.#faces.filter((face) => face !== from && face !== to);
    const other = from.corners.map((_, k) => to.corners[(turn - k + 2 * to.corners.length) % to.corners.length]);
    this.join(from.corners, other, part);
  }

  /** Assigns faces to another part. */
  paint(faces: readonly Face[], part: string): void {
    this.#faces = this.#faces.map((face) => (faces.includes(face) ? { ...face, part } : face));
  }

  /** Triangulates the polygons; triangles face outwards. */
  shape(name: string): Shape {
    const partNames = [...new Set(this.#faces.map(({ part }) => part))];
    const triangles = this.#faces.flatMap(({ corners: [a, b, c, d] }) =>
      d === undefined ? [a, b, c] : [a, b, c, a, c, d],
    );
    const parts = this.#faces.flatMap(({ corners, part }) => Array(corners.length - 2).fill(partNames.indexOf(part)));
    const mesh = { name, positions: Float64Array.from(this.#points.flat()), triangles: Uint32Array.from(triangles) };
    return { mesh: signedVolume(mesh) < 0 ? flipMesh(mesh) : mesh, parts: Uint8Array.from(parts), partNames };
  }

  #add(faces: Face[]): Face[] {
    this.#faces.push(...faces);
    return faces;
  }
}

const edgesOf = (corners: readonly number[]): [number, number][] =>
  corners.map((corner, k) => [corner, corners[(k + 1) % corners.length]]);
