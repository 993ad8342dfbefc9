import type { BufferGeometry } from 'three';
import {
  BoxGeometry,
  CylinderGeometry,
  Float32BufferAttribute,
  Mesh,
  MeshLambertMaterial,
  MeshPhysicalMaterial,
  SphereGeometry,
} from 'three';
import type { Bend, Pose, Solid } from '../shot.ts';

/** Number of intervals along the length of a drawn strip. */
const STATIONS = 48;
/**
 * Numbers of meridians and parallels of a ball's mesh; its outline lies at most 0.1 % of the radius inside the circle.
 */
const BALL = [72, 40] as const;

/** Builds the mesh of a solid, with a colour for each triangle. */
export function meshOf(solid: Solid): Mesh {
  const geometry = geometryOf(solid).toNonIndexed();
  paint(geometry, solid);
  const { roughness, clearcoat } = solid.paint;
  // What is all dull is the same without the cost of highlights.
  const material =
    roughness === 1
      ? new MeshLambertMaterial({ vertexColors: true })
      : new MeshPhysicalMaterial({ vertexColors: true, roughness, clearcoat });
  const mesh = new Mesh(geometry, material);
  mesh.castShadow = true;
  mesh.receiveShadow = true;
  return mesh;
}

function geometryOf(solid: Solid): BufferGeometry {
  switch (solid.shape) {
    case 'sphere':
      return new SphereGeometry(solid.radius, ...BALL);
    case 'ellipsoid':
      return new SphereGeometry(1, ...BALL).scale(...solid.radii);
    case 'box': {
      const [x, y, z] = solid.halfSizes;
      return new BoxGeometry(2 * x, 2 * y, 2 * z);
    }
    case 'prism':
      return new CylinderGeometry(solid.radius, solid.radius, solid.width, solid.sides).rotateX(Math.PI / 2);
    case 'rod':
      return new CylinderGeometry(solid.radius, solid.radius, solid.length, 16);
    case 'strip': {
      const { length, thickness, width } = solid;
      return new BoxGeometry(length, thickness, width, STATIONS, 1, 1).translate(length / 2, 0, 0);
    }
  }
}

/**
 * Index of a triangle's colour, out of `count`, from its centroid: colours alternate over sectors of a ball or prism,
 * faces of a box, and lengths of a strip.
 */
function partOf(solid: Solid, [x, y, z]: readonly number[], triangle: number, count: number): number {
  switch (solid.shape) {
    case 'box':
      return Math.floor(triangle / 2) % count;
    case 'prism':
      return Math.floor(((Math.atan2(y, x) + Math.PI) / (2 * Math.PI)) * 2 * count) % count;
    case 'strip':
      return Math.floor(Math.max(x / solid.length, 0) * 12) % count;
    default:
      return Math.floor((Math.atan2(z, x) / Math.PI + 1) * 3) % count;
  }
}

function paint(geometry: BufferGeometry, solid: Solid): void {
  const { array } = geometry.getAttribute('position');
  const { colors } = solid.paint;
  const painted = new Float32Array(array.length);
  for (let triangle = 0; triangle < array.length / 9; triangle++) {
    const middle = [0, 1, 2].map((c) => {
      const at = 9 * triangle + c;
      return (array[at] + array[at + 3] + array[at + 6]) / 3;
    });
    const color = colors[partOf(solid, middle, triangle, colors.length) % colors.length];
    for (let corner = 0; corner < 3; corner++) painted.set(color, 9 * triangle + 3 * corner);
  }
  geometry.setAttribute('color', new Float32BufferAttribute(painted, 3));
}

export function pose(mesh: Mesh, { position, orientation }: Pose): void {
  mesh.position.set(...position);
  mesh.quaternion.set(...orientation);
}

/**
 * Bends a strip's mesh along a centre line, from its straight vertices; cross-sections stay plane and perpendicular to
 * the line.
 */
export function bend(mesh: Mesh, straight: Float32Array, line: Bend, length: number): void {
  const position = mesh.geometry.getAttribute('position');
  for (let v = 0; v < position.count; v++) {
    const station = Math.round((straight[3 * v] / length) * (line.length - 1));
    const [x, y, slope] = line[station];
    const [sine, cosine] = [Math.sin(Math.atan(slope)), Math.cos(Math.atan(slope))];
    const height = straight[3 * v + 1];
    position.setXYZ(v, x - height * sine, y + height * cosine, straight[3 * v + 2]);
  }
  position.needsUpdate = true;
  mesh.geometry.computeVertexNormals();
}
