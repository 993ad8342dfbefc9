export { ballInertia, boxInertia } from '@gradsim/base';
export { type Bounds, boundsOf } from './bounds.ts';
export { checkMesh } from './check.ts';
export { SignedDistance } from './distance/signed-distance.ts';
export { cornersOf } from './elements.ts';
export { readMesh, readTetMesh, writeMesh } from './files.ts';
export { parseGltf } from './formats/gltf/gltf.ts';
export { formatGlb } from './formats/gltf/write-glb.ts';
export { formatMotion, type MeshMotion, type MovingMesh } from './formats/gltf/write-motion.ts';
export type { GmshOptions } from './formats/gmsh.ts';
export { parseGmsh } from './formats/gmsh.ts';
export { parseObj } from './formats/obj/obj.ts';
export { formatObj } from './formats/obj/write-obj.ts';
export type { ReadBeside, ReadOptions } from './formats/read-beside.ts';
export { formatAsciiStl, formatStl, parseStl } from './formats/stl.ts';
export { parseTet } from './formats/tet.ts';
export { type MassProperties, massProperties, pointMassProperties } from './mass.ts';
export { foldAngle, longestEdge, tetVolume, triangleArea } from './measures.ts';
export {
  type LineMesh,
  lineCount,
  type Mesh,
  type TetMesh,
  type Texture,
  type TriangleMesh,
  tetCount,
  triangleCount,
  vertexCount,
} from './mesh.ts';
export { bowl } from './primitives/bowl.ts';
export { box } from './primitives/box.ts';
export { plane, tetrahedron } from './primitives/flat.ts';
export { chain, lattice, net } from './primitives/lines.ts';
export { capsule, cone, cylinder } from './primitives/round.ts';
export { icosphere, uvSphere } from './primitives/sphere.ts';
export { tetBox } from './primitives/tet-box.ts';
export { torus } from './primitives/torus.ts';
export { type PrincipalAxes, principalAxes } from './principal-axes.ts';
export { checkSolid, signedVolume } from './solid.ts';
export {
  type TetQuality,
  type Tetrahedralisation,
  type TetrahedraliseOptions,
  tetrahedralise,
} from './tetrahedralise/tetrahedralise.ts';
export { findHinges } from './topology/hinges.ts';
export { type RefinedTets, refineTets } from './topology/refine-tets.ts';
export { surfaceTriangles, tetSurface } from './topology/tet-surface.ts';
export { checkVerticesUsed, dropUnusedVertices, type PartOfMesh } from './topology/unused.ts';
export { flipMesh, type Placement, placeMesh } from './transform.ts';
export { weldMesh } from './weld.ts';
