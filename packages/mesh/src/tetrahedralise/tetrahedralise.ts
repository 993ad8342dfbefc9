import { describeValue, GradsimError, refuseUnknownOptions } from '@gradsim/base';
import { boundsOf } from '../bounds.ts';
import { checkMesh } from '../check.ts';
import { NearestPoint } from '../distance/nearest-point.ts';
import type { TetMesh, TriangleMesh } from '../mesh.ts';
import { checkClosed, signedVolume } from '../solid.ts';
import { tetSurface } from '../topology/tet-surface.ts';
import { type PartOfMesh, pickRows } from '../topology/unused.ts';
import { bodiesOf } from './bodies.ts';
import { findCrossings } from './crossings.ts';
import { greatestDistance } from './distance.ts';
import { findFeatures } from './features.ts';
import { improveTets } from './improve.ts';
import { Lattice } from './lattice.ts';
import { anglesOfAll, piecesOf, volumeOf } from './quality.ts';
import { stuffLattice } from './stuff.ts';

/** Options of {@link tetrahedralise}. */
export interface TetrahedraliseOptions {
  /** Edge length of the lattice's cubes, m. A body of volume V becomes about 12 V / cellSize^3 tetrahedra. */
  readonly cellSize: number;
  /**
   * Maximum accepted distance between the given surface and that of the tetrahedra, m. With the default, 1.5
   * `cellSize`, cut-off corners of boxes are accepted, and lost parts thinner than a cell are refused. `Infinity`
   * accepts any distance.
   */
  readonly tolerance?: number;
}

/** Quality of a mesh of tetrahedra, and its distance from the surface that it was made from. */
export interface TetQuality {
  /** Smallest dihedral angle of all elements, degrees; `greatestAngle` is the largest. */
  readonly leastAngle: number;
  readonly greatestAngle: number;
  /**
   * Largest distance of the tetrahedra's surface from the given surface, m; its vertices lie on the given surface.
   * Sampled on a grid in each triangle with a spacing of at most a quarter of a cell, as is `meshToSurface`.
   */
  readonly surfaceToMesh: number;
  /** Largest distance of the given surface from the tetrahedra's surface, m: parts are cut off at edges and corners. */
  readonly meshToSurface: number;
  /** Relative volume error: (volume of the tetrahedra - volume of the given mesh) / volume of the given mesh. */
  readonly volumeError: number;
}

/** Result of {@link tetrahedralise}: a mesh of tetrahedra, its surface, and its quality. */
export interface Tetrahedralisation extends TetMesh {
  /** Surface of the tetrahedra; its `vertices` are the indices of its vertices in the mesh of tetrahedra. */
  readonly surface: PartOfMesh<TriangleMesh>;
  readonly quality: TetQuality;
}

/**
 * Fills a closed surface with tetrahedra of uniform size and good angles.
 *
 * The surface is overlaid on a body-centred cubic lattice. Lattice points close to it are moved onto it, and lattice
 * tetrahedra that it cuts are split by fixed patterns (isosurface stuffing: Labelle, Shewchuk, 2007). Then vertices
 * near sharp edges and corners are moved onto them, and vertices of elements with poor angles are moved, as long as no
 * angle gets below 15.5 or above 164.5 degrees by it. Without these moves, the patterns gave angles from 9.3 to 161.7
 * degrees over lattices with random signs and intersections, which no surface has, and from 9.9 to 159.8 for a sphere
 * four cells wide.
 *
 * The mesh may have several parts, and cavities (whose walls face inwards). Parts thinner than a cell are lost where no
 * lattice point lies inside; `tolerance` refuses that by default, since only you know whether it matters.
 *
 * @throws GradsimError naming the triangle, edge or place when the mesh is invalid ({@link checkMesh}), is open, has an
 * edge with more than two triangles or neighbours that face opposite ways, faces inwards, or overlaps itself; when
 * cells are too large for it (nothing is left of it, it falls apart, or more than `tolerance` is cut off), or too small
 * to be handled.
 *
 * @example
 * const body = tetrahedralise(torus({ radius: 0.1, tube: 0.04 }), { cellSize: 0.02 });
 * addSoftBody(scene, body, { mu: 1e4, lambda: 2e4, density: 1000 }); // of @gradsim/fem
 */
export function tetrahedralise(mesh: TriangleMesh, options: TetrahedraliseOptions): Tetrahedralisation {
  refuseUnknownOptions('tetrahedralise', options, { cellSize: true, tolerance: true });
  const { cellSize } = options;
  const name = mesh.name ?? 'the mesh';
  if (!(Number.isFinite(cellSize) && cellSize > 0))
    throw new GradsimError('mesh/option-out-of-range', `tetrahedralise: cellSize is ${describeValue(cellSize)}.`, {
      field: 'cellSize',
      hint: 'It must be a length above 0, in metres.',
    });
  const { tolerance = 1.5 * cellSize } = options;
  if (!(typeof tolerance === 'number' && tolerance > 0))
    throw new GradsimError('mesh/option-out-of-range', `tetrahedralise: tolerance is ${describeValue(tolerance)}.`, {
      field: 'tolerance',
      hint: 'It must be a length above 0, in metres.',
    });
  checkMesh(mesh);
  checkClosed(mesh);
  const lattice = new Lattice(boundsOf(mesh), cellSize);
  const crossings = findCrossings(lattice, { ...mesh, name, positions: lattice.fromMetres(mesh.positions) });
  const stuffed = stuffLattice(lattice, crossings);
  const positions = lattice.toMetres(stuffed.points);
  const tets = Uint32Array.from(stuffed.tets);
  if (tets.length === 0)
    throw new GradsimError(
      'mesh/cells-too-large',
      `tetrahedralise: ${name} is thinner everywhere than cells of ${cellSize} m.`,
      { field: name, hint: 'Take smaller cells.' },
    );
  const pieces = piecesOf({ positions, tets });
  if (pieces > bodiesOf(mesh) && tolerance < Infinity)
    throw new GradsimError(
      'mesh/cells-too-large',
      `tetrahedralise: ${name} falls into ${pieces} pieces where it is thinner than cells of ${cellSize} m.`,
      { hint: 'Take smaller cells.' },
    );

  const given = new NearestPoint(mesh);
  const { vertices, triangles } = tetSurface({ positions, tets });
  improveTets({ positions, tets }, vertices, { surface: given, features: findFeatures(mesh), cellSize });

  const surface = { positions: pickRows(positions, vertices), triangles, vertices };
  const outside = greatestDistance(surface, given, cellSize / 4);
  const missed = greatestDistance(mesh, new NearestPoint(surface), cellSize / 4);
  const worst = outside.distance > missed.distance ? outside : missed;
  if (worst.distance > tolerance) {
    const at = worst.point.map((x) => x.toPrecision(4)).join(', ');
    throw new GradsimError(
      'mesh/cells-too-large',
      `tetrahedralise: at (${at}) the tetrahedra's surface and ${name} are ${worst.distance.toPrecision(3)} m apart, more than tolerance ${tolerance.toPrecision(3)} m: cells of ${cellSize} m are too large there.`,
      { hint: 'Take smaller cells, or a larger tolerance.' },
    );
  }
  return {
    ...(mesh.name && { name: mesh.name }),
    positions,
    tets,
    surface,
    quality: {
      ...anglesOfAll({ positions, tets }),
      surfaceToMesh: outside.distance,
      meshToSurface: missed.distance,
      volumeError: volumeOf({ positions, tets }) / signedVolume(mesh) - 1,
    },
  };
}
