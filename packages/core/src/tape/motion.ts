import { GradsimError } from '@gradsim/base';
import { Fields } from '../compile/steps/fields.ts';
import { listSteps } from '../compile/steps/list-steps.ts';
import type { Role } from '../compile/steps/roles.ts';
import { rolesOf } from '../compile/steps/roles.ts';
import type { FrameClock } from '../model/clock.ts';
import { clockOf } from '../model/clock.ts';
import type { Model } from '../model/model.ts';
import type { FieldKey } from '../model/references.ts';
import type { Axes, Surface, Texture } from '../model/surfaces.ts';
import { Surfaces } from '../model/surfaces.ts';
import type { Simulation } from './simulation.ts';
import { compiledOf } from './simulation.ts';

/** Recorded motion of the surfaces in a run, for programs that replay it. */
export interface Motion extends FrameClock {
  readonly meshes: readonly MovingMesh[];
}

/** A surface over the frames of a run: either a rigid mesh that moves, or a mesh whose vertices move. */
export interface MovingMesh {
  readonly mesh: {
    readonly name?: string;
    /**
     * Positions of the vertices, x, y, z of each, m: in its own axes if the mesh is rigid, else in the world at the
     * first frame.
     */
    readonly positions: Float64Array;
    readonly triangles: Uint32Array;
    readonly colors?: Float64Array;
    readonly colorsOn?: 'vertices' | 'triangles';
    readonly textures?: readonly Texture[];
    readonly triangleTextures?: ArrayLike<number>;
    readonly uvs?: ArrayLike<number>;
  };
  /**
   * Path of the axes of a rigid mesh: position, three numbers per frame, m, and orientation, a quaternion (x, y, z, w)
   * per frame.
   */
  readonly path?: { readonly translations: Float64Array; readonly rotations: Float64Array };
  /** For a mesh that is not rigid: the positions of all vertices, frame after frame, m. */
  readonly shapes?: Float64Array;
}

/**
 * Returns the fields that a simulation has to record for {@link readMotion}.
 *
 * @throws when no plugin of the model offers a surface.
 */
export function motionFields(model: Model): FieldKey[] {
  const moving = fieldsOfMotion(model);
  const fields = new Fields(model);
  const roles = rolesOf(
    fields,
    listSteps(
      fields,
      moving.map(({ key }) => key),
      false,
    ),
  );
  return moving.filter(({ key }) => changes(roles.get(key)));
}

/** Returns whether a field of that role may change from frame to frame. */
const changes = (role: Role | undefined): boolean => role === 'state' || role === 'frame';

/** Returns the fields that hold the positions of surfaces, or of their axes. */
function fieldsOfMotion(model: Model): (Surface['position'] | Axes['orientation'])[] {
  const fields = surfacesOf(model).flatMap(({ position, axes }) =>
    axes ? [axes.origin, axes.orientation] : [position],
  );
  return [...new Map(fields.map((each) => [each.key, each])).values()];
}

/**
 * Reads the motion of the surfaces of a run. `formatMotion` of `@gradsim/mesh` converts it to a file that other
 * programs can play.
 *
 * ```ts
 * const simulation = await createSimulation(model, { ...timeline, device, record: motionFields(model) });
 * simulation.forward();
 * await writeFile('toss.glb', await formatMotion(await readMotion(simulation)));
 * ```
 * @param world index of the world. Default 0.
 *
 * @throws when a field of {@link motionFields} has not been recorded, or there is no such world.
 */
export async function readMotion(simulation: Simulation, world = 0): Promise<Motion> {
  const { worlds, options, model } = simulation;
  const { roles } = compiledOf(simulation);
  if (!(Number.isInteger(world) && world >= 0 && world < worlds))
    throw new GradsimError('core/no-such-world', `World ${world} is asked for, but there are ${worlds}, from 0.`);
  const recorded = new Map<string, Float64Array>();
  for (const { key } of fieldsOfMotion(model))
    recorded.set(
      key,
      changes(roles.get(key))
        ? await simulation.readFrames(key)
        : repeated(await simulation.read(key), simulation.framesTaken),
    );
  const run: Run = {
    simulation,
    world,
    frames: ({ key }) => {
      const all = recorded.get(key)!;
      const size = all.length / simulation.framesTaken / worlds;
      return Array.from({ length: simulation.framesTaken }, (_, frame) =>
        all.subarray((frame * worlds + world) * size, (frame * worlds + world + 1) * size),
      );
    },
  };
  const meshes: MovingMesh[] = [];
  for (const surface of surfacesOf(model)) meshes.push(await movingMesh(surface, run));
  return { ...clockOf(options), meshes };
}

interface Run {
  readonly simulation: Simulation;
  readonly world: number;
  /** Returns the values of a recorded field at each frame. */
  readonly frames: (field: Surface['position'] | Axes['orientation']) => readonly Float64Array[];
}

function surfacesOf(model: Model): readonly Surface[] {
  const surfaces = model.offered(Surfaces);
  if (surfaces.length > 0) return surfaces;
  throw new GradsimError(
    'core/nothing-to-see',
    'There is nothing that moves to be seen: no plugin of the scene offers a surface.',
  );
}

async function movingMesh(surface: Surface, run: Run): Promise<MovingMesh> {
  const { axes, position, triangles } = surface;
  // Other surfaces may be over the same domain.
  const vertices = Array.from(new Set(Array.from(triangles))).sort((a, b) => a - b);
  if (!axes) {
    const frames = run.frames(position).map((all) => valuesOfElements(all, vertices));
    return { mesh: meshOf(surface, vertices, frames[0]), shapes: concatenated(frames) };
  }
  const { element } = axes;
  const all = await run.simulation.read(axes.local);
  const size = all.length / run.simulation.worlds;
  const local = valuesOfElements(all.subarray(run.world * size, (run.world + 1) * size), vertices);
  const at = (values: readonly Float64Array[], count: number): Float64Array =>
    concatenated(values.map((each) => each.subarray(count * element, count * (element + 1))));
  const path = {
    translations: at(run.frames(axes.origin), 3),
    rotations: at(run.frames(axes.orientation), 4),
  };
  return { mesh: meshOf(surface, vertices, local), path };
}

function meshOf(
  { triangles, triangleColors, vertexColors, textures, triangleTextures, uvs, name }: Surface,
  vertices: readonly number[],
  positions: Float64Array,
): MovingMesh['mesh'] {
  const numbers = new Map(vertices.map((vertex, k) => [vertex, k]));
  return {
    ...(name !== undefined && { name }),
    positions,
    triangles: Uint32Array.from(triangles, (vertex) => numbers.get(vertex)!),
    ...(triangleColors
      ? { colors: Float64Array.from(triangleColors), colorsOn: 'triangles' }
      : vertexColors && { colors: valuesOfElements(vertexColors, vertices) }),
    ...(textures && { textures }),
    ...(triangleTextures && { triangleTextures }),
    ...(uvs && { uvs }),
  };
}

/** Returns the values of some elements, three numbers each. */
function valuesOfElements(values: ArrayLike<number>, elements: readonly number[]): Float64Array {
  return Float64Array.from(
    { length: 3 * elements.length },
    (_, k) => values[3 * elements[Math.floor(k / 3)] + (k % 3)],
  );
}

const repeated = (values: Float64Array, count: number): Float64Array =>
  concatenated(Array.from({ length: count }, () => values));

function concatenated(parts: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
