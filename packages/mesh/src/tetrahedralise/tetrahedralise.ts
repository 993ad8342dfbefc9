import { GradsimError, refuseUnknownOptions } from '@gradsim/kernel';
import { boundsOf } from '../bounds.ts';
import { checkMesh } from '../check.ts';
import { NearestPoint } from '../distance/nearest-point.ts';
import type { TetMesh, TriangleMesh } from '../mesh.ts';
import { checkClosed, signedVolume } from '../solid.ts';
import { tetSurface } from '../topology/tet-surface.ts';
import { type PartOfMesh, picked } from '../topology/unused.ts';
import { bodiesOf } from './bodies.ts';
import { findCrossings } from './crossings.ts';
import { greatestDistance } from './distance.ts';
import { findFeatures } from './features.ts';
import { improve } from './improve.ts';
import { Lattice } from './lattice.ts';
import { anglesOfAll, piecesOf, volumeOf } from './quality.ts';
import { stuff } from './stuff.ts';

/** Options of {@link tetrahedralise}. */
export interface TetrahedraliseOptions {
  /** Edge of the lattice's cubes, m. A body of volume V becomes about 12 V / cellSize^3 tetrahedra. */
  readonly cellSize: number;
  /**
   * Maximum accepted distance between both surfaces, m. Default 1.5 `cellSize`, which the cut-off corners of boxes
   * satisfy, and parts thinner than a cell, which are lost, do not; `Infinity` accepts any.
   */
  readonly tolerance?: number;
}

/** Quality of a mesh of tetrahedra, and its distance from the surface that it was made from. */
export interface TetQuality {
  /** Smallest and largest dihedral angle of an element, degrees. */
  readonly leastAngle: number;
  readonly greatestAngle: number;
  /**
   * Largest distance of the tetrahedra's surface from the given one, m. All its vertices lie on that; distances are
   * taken at points of a grid on each triangle, at most a quarter of a cell apart, here and in `meshToSurface`.
   */
  readonly surfaceToMesh: number;
  /** Largest distance of the given surface from the tetrahedra's, m: the parts cut off at edges and corners. */
  readonly meshToSurface: number;
  /** (volume of the tetrahedra - volume of the mesh) / volume of the mesh. */
  readonly volumeError: number;
}

/** Result of {@link tetrahedralise}: a mesh, its surface, and its quality. */
export interface Tetrahedralisation extends TetMesh {
  /** Surface, with the numbers of its vertices in the mesh. */
  readonly surface: PartOfMesh<TriangleMesh>;
  readonly quality: TetQuality;
}

/**
 * Fills a closed surface with tetrahedra whose angles are good, of one size throughout.
 *
 * The surface is laid over a body-centred cubic lattice; lattice points close to it are moved onto it, and lattice
 * tetrahedra that it cuts are cut up by fixed patterns (isosurface stuffing: Labelle, Shewchuk, 2007). Then vertices
 * next to sharp edges and corners are pulled onto them, and vertices of elements with poor angles are moved, where no
 * angle comes below 15.5 or above 164.5 degrees by it. The patterns alone gave 9.3 to 161.7 degrees over lattices with
 * signs and cuts by chance, which no surface has, and 9.9 to 159.8 for a sphere four cells wide.
 *
 * The mesh may have several parts, and cavities (walls that face the other way). What is thinner than a cell is lost
 * where no lattice point falls into it; that is refused, by `tolerance`, since only you know whether it matters.
 *
 * @throws GradsimError when the mesh is none ({@link checkMesh}), is open, has an edge with more than two triangles or
 * neighbours that face opposite ways, faces inwards, or overlaps itself, with the triangle, edge or place; when cells
 * are too large for it (nothing is left of it, it falls apart, or more than `tolerance` of it is cut off), with the
 * place, or too small to be handled.
 *
 * @example
 * const body = tetrahedralise(torus({ radius: 0.1, tube: 0.04 }), { cellSize: 0.02 });
 * addSoftBody(scene, body, { mu: 1e4, lambda: 2e4, density: 1000 }); // of @gradsim/fem
 */
export function tetrahedralise(mesh: TriangleMesh, options: TetrahedraliseOptions): Tetrahedralisation {
  const { cellSize, tolerance = 1.5 * cellSize, ...others } = options;
  refuseUnknownOptions('tetrahedralise', others, { cellSize: true, tolerance: true });
  const name = mesh.name ?? 'the mesh';
  if (!(cellSize > 0 && cellSize < Infinity))
    throw new GradsimError('mesh/option-out-of-range', `tetrahedralise: cellSize is ${cellSize}.`, {
      field: 'cellSize',
      hint: 'It must be a length above 0, in metres.',
    });
  if (!(tolerance > 0))
    throw new GradsimError('mesh/option-out-of-range', `tetrahedralise: tolerance is ${tolerance}.`, {
      field: 'tolerance',
      hint: 'It must be a length above 0, in metres.',
    });
  checkMesh(mesh);
  checkClosed(mesh);
  const lattice = new Lattice(boundsOf(mesh), cellSize);
  const crossings = findCrossings(lattice, { ...mesh, name, positions: lattice.fromMetres(mesh.positions) });
  const stuffed = stuff(lattice, crossings);
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
  improve({ positions, tets }, vertices, { surface: given, features: findFeatures(mesh), cellSize });

  const surface = { positions: picked(positions, vertices), triangles, vertices };
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
