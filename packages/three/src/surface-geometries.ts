import type { Simulation, Surface, Texture } from '@gradsim/core';
import { describeValue, GradsimError, refuseUnknownOptions, Surfaces } from '@gradsim/core';
import { BufferAttribute, BufferGeometry, Quaternion, Vector3 } from 'three';

/** Options of {@link surfaceGeometries}. */
export interface SurfaceGeometriesOptions {
  /** Index of the world that is shown. Default 0. */
  readonly world?: number;
}

/** A surface of a simulation as a geometry of three.js. */
export interface SurfaceGeometry {
  /** Name of the surface, such as that of its body; undefined if it has none. */
  readonly name: string | undefined;
  /**
   * World positions, m, and normals; `color` if the surface has colours, in linear light, as three.js computes; `uv` if it
   * has textures, and then a group for each run of triangles of one texture, whose `materialIndex` is the texture's.
   */
  readonly geometry: BufferGeometry;
  /** Textures that multiply the colours: red, green, blue in [0, 1] in linear light, row by row from the top. */
  readonly textures: readonly Texture[];
}

/** All surfaces of a simulation as geometries of three.js. */
export interface SurfaceGeometries {
  readonly surfaces: readonly SurfaceGeometry[];
  /**
   * Moves the geometries to the current positions of the simulation, which has taken a step or a run. On the devices `cpu`
   * and `f64` they have moved when it returns its promise.
   */
  update(): Promise<void>;
  /** Frees the geometries' memory on the graphics card. */
  dispose(): void;
}

/**
 * Makes a geometry of three.js for every surface of a simulation: rigid bodies, links, cloth, soft bodies. Triangles with a
 * colour each, or with texture coordinates, do not share vertices, so that they are shaded flat; others are shaded smoothly.
 *
 * ```ts
 * const { surfaces, update } = surfaceGeometries(simulation);
 * for (const { geometry } of surfaces) scene.add(new Mesh(geometry, new MeshStandardMaterial()));
 * simulation.step();
 * await update();
 * ```
 * @throws GradsimError if no plugin of the model has surfaces, and for a world that there is not.
 */
export function surfaceGeometries(simulation: Simulation, options: SurfaceGeometriesOptions = {}): SurfaceGeometries {
  refuseUnknownOptions<SurfaceGeometriesOptions>('surfaceGeometries', options, { world: 0 });
  const { world = 0 } = options;
  if (!(Number.isInteger(world) && world >= 0 && world < simulation.worlds))
    throw new GradsimError(
      'three/option-out-of-range',
      `world is ${describeValue(world)}, and there are ${simulation.worlds}.`,
      {
        field: 'world',
        element: 'surfaceGeometries',
        hint: 'Worlds count from 0.',
      },
    );
  const offered = simulation.model.offered(Surfaces);
  if (offered.length === 0)
    throw new GradsimError('three/no-surface', 'The model has no surface that could be shown.', {
      hint: 'Give bodies or links a mesh, or add cloth or soft bodies.',
    });
  const shown = offered.map((surface) => new ShownSurface(surface));
  const fields = [...new Set(shown.flatMap((each) => each.fields))];
  const values = new Map(
    fields.map((field): [SurfaceField, Float32Array] => [field, new Float32Array(sizeOf(simulation, field))]),
  );
  const inWorld = (field: SurfaceField): Float32Array => {
    const all = values.get(field) as Float32Array;
    const size = all.length / simulation.worlds;
    return all.subarray(world * size, (world + 1) * size);
  };
  return {
    surfaces: shown.map(({ surface, geometry }) => ({
      name: surface.name,
      geometry,
      textures: surface.textures ?? [],
    })),
    update: async () => {
      for (const [field, into] of values)
        if (simulation.waits) await simulation.read(field, { into });
        else simulation.readSync(field, { into });
      for (const each of shown) each.updatePositions(inWorld);
    },
    dispose: () => {
      for (const { geometry } of shown) geometry.dispose();
    },
  };
}

/** Field that positions of a surface are read from. */
type SurfaceField = Surface['position'] | NonNullable<Surface['axes']>['orientation'];

function sizeOf(simulation: Simulation, field: SurfaceField): number {
  const { elements, components } = simulation.shape(field);
  return elements * components * simulation.worlds;
}

/** A surface and its geometry. */
class ShownSurface {
  readonly surface: Surface;
  readonly geometry = new BufferGeometry();
  /** Element of the domain of `position` for each vertex of the geometry. */
  readonly #elements: Uint32Array;
  readonly #positions: Float32Array;

  constructor(surface: Surface) {
    this.surface = surface;
    const { triangles, triangleColors, vertexColors, uvs } = surface;
    const hasOwnCorners = triangleColors !== undefined || uvs !== undefined;
    const used = hasOwnCorners ? [] : [...new Set(Array.from(triangles))].sort((a, b) => a - b);
    this.#elements = Uint32Array.from(hasOwnCorners ? triangles : used);
    this.#positions = new Float32Array(3 * this.#elements.length);
    if (!hasOwnCorners) {
      const vertexOf = new Map(used.map((element, vertex) => [element, vertex]));
      const corners = Uint32Array.from(triangles, (element) => vertexOf.get(element) as number);
      this.geometry.setIndex(new BufferAttribute(corners, 1));
    }
    this.geometry.setAttribute('position', new BufferAttribute(this.#positions, 3));
    const colorOf = triangleColors
      ? (vertex: number, axis: number) => triangleColors[3 * Math.floor(vertex / 3) + axis]
      : vertexColors && ((vertex: number, axis: number) => vertexColors[3 * this.#elements[vertex] + axis]);
    if (colorOf) this.#set('color', 3, colorOf);
    // Textures of three.js have v = 0 at the bottom.
    if (uvs) this.#set('uv', 2, (corner, axis) => (axis === 0 ? uvs[2 * corner] : 1 - uvs[2 * corner + 1]));
    if (surface.textures) this.#group(surface.triangleTextures ?? []);
  }

  #set(name: string, size: number, of: (vertex: number, component: number) => number): void {
    const values = Float32Array.from({ length: size * this.#elements.length }, (_, k) =>
      of(Math.floor(k / size), k % size),
    );
    this.geometry.setAttribute(name, new BufferAttribute(values, size));
  }

  #group(textures: ArrayLike<number>): void {
    const count = this.surface.triangles.length / 3;
    for (let first = 0, end = 0; first < count; first = end) {
      const texture = textures[first] ?? 0;
      while (end < count && (textures[end] ?? 0) === texture) end++;
      this.geometry.addGroup(3 * first, 3 * (end - first), texture);
    }
  }

  /** Fields that {@link updatePositions} takes: the axes of a rigid surface and its vertices in them, else the positions. */
  get fields(): SurfaceField[] {
    const { axes, position } = this.surface;
    return axes ? [axes.origin, axes.orientation, axes.local] : [position];
  }

  /** Moves the vertices. @param valuesOf current values of a field in the world that is shown. */
  updatePositions(valuesOf: (field: SurfaceField) => Float32Array): void {
    const { axes, position } = this.surface;
    const local = valuesOf(axes ? axes.local : position);
    this.#elements.forEach((element, vertex) => {
      for (let axis = 0; axis < 3; axis++) this.#positions[3 * vertex + axis] = local[3 * element + axis];
    });
    const positions = this.geometry.getAttribute('position');
    if (axes) {
      const origin = new Vector3().fromArray(valuesOf(axes.origin), 3 * axes.element);
      const orientation = new Quaternion().fromArray(valuesOf(axes.orientation), 4 * axes.element);
      const at = new Vector3();
      for (let vertex = 0; vertex < positions.count; vertex++)
        at.fromBufferAttribute(positions, vertex)
          .applyQuaternion(orientation)
          .add(origin)
          .toArray(this.#positions, 3 * vertex);
    }
    positions.needsUpdate = true;
    this.geometry.computeVertexNormals();
    this.geometry.computeBoundingSphere();
  }
}
