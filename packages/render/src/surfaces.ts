import type { FieldOf, Kernel, Model, Surface, Vec3 } from '@gradsim/core';
import { field, fieldOn, GradsimError, index, kernel, Surfaces, vec3 } from '@gradsim/core';
import type { SurfaceTextures } from './appearance/textures.ts';

const GREY = [0.75, 0.75, 0.75];
const WHITE = [1, 1, 1];

/**
 * References to the vertex fields of all visible surfaces: `position` in the world (m), observed by 3D supervision for
 * any kind of surface.
 */
export const Vertex = { position: field('vertices', 'position', vec3, { unit: 'm' }) } as const;

/** Kernel that copies the vertex positions of the surfaces over one domain into `vertices`. */
function showSurface(position: FieldOf<Vec3>): Kernel {
  return kernel(
    `show_${position.domain}`,
    {
      domain: position.domain,
      reads: { position, shown: index('vertices') },
      adds: { shownPosition: fieldOn(Vertex.position) },
    },
    ({ position, shown, shownPosition }) => shownPosition.add(shown, position),
  );
}

/**
 * Gathers the surfaces that physics packages offer into the domains `vertices` (world `position`) and `faces`
 * (`corners`), with `albedo` in `faces` or in `vertices`, as `colors` says.
 *
 * @returns the textures of each surface and how its faces are mapped to them.
 * @throws if no package offers a surface, or a surface has the wrong number of colours.
 */
export function addSurfaces(model: Model, colors: 'face' | 'corner'): readonly SurfaceTextures[] {
  const surfaces = model.offered(Surfaces);
  const corners: number[] = [];
  const albedo: number[] = [];
  /** Index of the first face of each surface. */
  const starts: number[] = [];
  let faces = 0;
  const first = new Map<Surface['position'], number>();
  let vertices = 0;
  for (const { position } of surfaces) {
    if (first.has(position)) continue;
    first.set(position, vertices);
    vertices += model.domain(position.domain).size;
  }
  for (const surface of surfaces) {
    const { position, triangles, triangleColors, vertexColors } = surface;
    const { domain } = position;
    const count = triangles.length / 3;
    const base = first.get(position)!;
    starts.push(faces);
    faces += count;
    for (let k = 0; k < 3 * count; k++) corners.push(base + triangles[k]);
    // One by one: a surface has more colours than a call may have arguments.
    if (colors === 'face') for (const value of faceColors(surface, count)) albedo.push(value);
    const given = triangleColors?.length ?? count * 3;
    if (given !== count * 3) {
      throw new GradsimError(
        'render/wrong-size',
        `The surface over ${domain} has ${count} triangles, but ${given / 3} triangle colours.`,
      );
    }
    const size = model.domain(domain).size;
    if (vertexColors && vertexColors.length !== size * 3) {
      throw new GradsimError(
        'render/wrong-size',
        `The surface over ${domain} has ${size} vertices, but ${vertexColors.length / 3} vertex colours.`,
      );
    }
  }
  if (faces === 0) {
    throw new GradsimError(
      'render/no-surface',
      'There is nothing to render: no plugin of the scene offers a surface.',
      { hint: 'Add a body with a mesh.' },
    );
  }
  if (colors === 'corner') for (const value of cornerColors(model, first)) albedo.push(value);
  const describe = (face: number): string => {
    const surface = starts.findLastIndex((start) => start <= face);
    const triangle = face - starts[surface];
    return surfaces[surface].describe?.(triangle) ?? `triangle ${triangle} of surface ${surface}`;
  };
  model.addDomain('vertices', vertices, { elementsTogether: true });
  model.addDomain('faces', faces, { elementsTogether: true, componentsTogether: true, describe });
  model.addField(Vertex.position);
  model.addIndex('faces', 'corners', 'vertices', 3, corners);
  if (colors === 'face') model.addField('faces', 'albedo', vec3, { values: albedo });
  else model.addField('vertices', 'albedo', vec3, { values: albedo });
  for (const [position, base] of first) {
    const { domain } = position;
    const { size } = model.domain(domain);
    model.addIndex(
      domain,
      'shown',
      'vertices',
      1,
      Uint32Array.from({ length: size }, (_, v) => base + v),
    );
    model.addPass('pose', showSurface(position));
  }
  return surfaces.map(({ position, triangles, textures, triangleTextures, uvs }) => ({
    faces: triangles.length / 3,
    textures,
    triangleTextures,
    uvs,
    name: `The surface over ${position.domain}`,
  }));
}

/** Default colour of a surface: white under a texture, which is then shown unchanged. */
const defaultColor = ({ textures }: Surface): readonly number[] => (textures?.length ? WHITE : GREY);

/** Returns one colour per triangle: its own, or the mean of its vertices' colours, or the surface's default. */
function faceColors(surface: Surface, count: number): number[] {
  const { triangles, triangleColors, vertexColors } = surface;
  if (triangleColors) return Array.from(triangleColors);
  return Array.from({ length: count }, (_, t) => t).flatMap((t) =>
    defaultColor(surface).map((own, channel) =>
      vertexColors ? [0, 1, 2].reduce((sum, k) => sum + vertexColors[3 * triangles[3 * t + k] + channel] / 3, 0) : own,
    ),
  );
}

/** Returns one colour per vertex: its own, or the mean of the surrounding triangles' colours, or the default. */
function cornerColors(model: Model, first: ReadonlyMap<Surface['position'], number>): number[] {
  return [...first.keys()].flatMap((position) => {
    const { size } = model.domain(position.domain);
    const sums = new Float64Array(size * 3);
    const counts = new Float64Array(size);
    for (const surface of model.offered(Surfaces).filter((s) => s.position === position)) {
      const { triangles, triangleColors, vertexColors } = surface;
      if (vertexColors) return Array.from(vertexColors);
      for (let k = 0; k < triangles.length; k++) {
        counts[triangles[k]]++;
        for (let channel = 0; channel < 3; channel++) {
          sums[3 * triangles[k] + channel] +=
            triangleColors?.[3 * Math.floor(k / 3) + channel] ?? defaultColor(surface)[channel];
        }
      }
    }
    return Array.from(sums, (sum, k) =>
      counts[Math.floor(k / 3)] > 0 ? sum / counts[Math.floor(k / 3)] : GREY[k % 3],
    );
  });
}
