import type { Entity, Scene } from '@gradsim/core';
import { describeValue, GradsimError, refuseUnknownOptions, refuseWrongType } from '@gradsim/core';
import type { TetMesh } from '@gradsim/mesh';
import { checkMesh, checkVerticesUsed, tetCount, vertexCount } from '@gradsim/mesh';
import type { OneOrEach, ParticleOptions } from '@gradsim/particles';
import { addParticles, PARTICLE_OPTIONS, perElement } from '@gradsim/particles';
import { QuadraticTetArm, TetArm } from './maxwell-arm.ts';
import { averageEdgeEnds, concatenateNodes, quadraticMesh } from './quadratic-mesh.ts';
import { QuadraticTet } from './quadratic-tet.ts';
import { Tet } from './tet.ts';

/** A Maxwell arm: a spring and a dashpot in series, beside each element's own spring and damping. */
export interface MaxwellArm {
  /** Shear modulus of the arm's spring over that of the element, dimensionless: 3/4 ratio mu, Pa. */
  readonly ratio: OneOrEach;
  /** Relaxation time of the arm, s. Above 0. */
  readonly relaxationTime: OneOrEach;
}

/** Options of {@link addSoftBody} for particles and elements: one value for all of them, or one for each. */
export interface SoftBodyOptions extends ParticleOptions {
  /**
   * `'linear'` (default): constant strain in each element, a `Tet`; cheap, and too stiff in bending. `'quadratic'`:
   * strain that varies linearly, a {@link QuadraticTet} for each of the mesh's elements, with nodes added in the middle
   * of edges; it bends as it should.
   */
  readonly elements?: 'linear' | 'quadratic';
  /**
   * Energy parameter mu, Pa: 4/3 of Lame's shear modulus G. `...stiffnessOf({ youngsModulus, poissonRatio })` sets mu
   * and lambda.
   */
  readonly mu: OneOrEach;
  /** Energy parameter lambda, Pa: Lame's lambda plus 5/6 G. Above 0. */
  readonly lambda: OneOrEach;
  /** Damping c on the Green strain, Pa s: stress c F (F'^T F + F^T F'). Default 0. */
  readonly damping?: OneOrEach;
  /**
   * Maxwell arms of every element. With one the body is a standard linear solid with a dashpot (`damping`) beside it:
   * stiffer against fast motion than at rest by the factor 1 + ratio, and damped most near the angular frequency 1 /
   * (relaxationTime sqrt(1 + ratio)). With several, a Prony series. Default none.
   */
  readonly arms?: readonly MaxwellArm[];
  /**
   * Actuation a of elements, dimensionless: added to the preferred volume ratio, so positive values expand. Default 0.
   */
  readonly actuation?: OneOrEach;
  /** Density, kg/m^3. Default 0: then each particle has `mass`. */
  readonly density?: OneOrEach;
}

const OPTIONS = {
  elements: true,
  mu: true,
  lambda: true,
  damping: true,
  arms: true,
  actuation: true,
  density: true,
} as const;

/**
 * Adds the particles and elements of a soft body.
 *
 * ```ts
 * const beam = addSoftBody(scene, tetBox({ cells: [10, 2, 2], size: [1, 0.2, 0.2] }), {
 *   elements: 'quadratic', mu: 1e4, lambda: 1e4, density: 1000, damping: 5,
 * });
 * ```
 * Quadratic elements have a particle in the middle of every edge too, after those of the mesh's vertices
 * (`quadraticMesh` says which). A value given for each vertex becomes, at the middle of an edge, the mean of both ends;
 * it is fixed if both ends are.
 * @returns the new entities, in the mesh's order: particles, elements of domain `tets` or `quadraticTets`, and for each
 * of `arms` those of domain `tetArms` or `quadraticTetArms`.
 * @throws for an unknown option, when the mesh is invalid (`checkMesh` of `@gradsim/mesh`), a vertex is in no element,
 * `fixed` names a vertex that does not exist, or a value is refused by the scene.
 */
export function addSoftBody(
  scene: Scene,
  mesh: TetMesh,
  options: SoftBodyOptions,
): { particles: Entity[]; tets: Entity[]; arms: Entity[][] } {
  refuseUnknownOptions<SoftBodyOptions>('addSoftBody', options, { ...PARTICLE_OPTIONS, ...OPTIONS });
  const { elements = 'linear' } = options;
  refuseWrongType('addSoftBody: elements', elements, "'linear' or 'quadratic'", typeof elements === 'string');
  if (elements !== 'linear' && elements !== 'quadratic')
    throw new GradsimError(
      'fem/unknown-choice',
      `addSoftBody: elements is ${describeValue(elements)}; it is 'linear' or 'quadratic'.`,
      { field: 'elements' },
    );
  const { arms = [] } = options;
  refuseWrongType('addSoftBody: arms', arms, 'a list of arms', Array.isArray(arms) && arms.every(isObject));
  checkMesh(mesh);
  checkVerticesUsed(mesh);
  const count = tetCount(mesh);
  const material = {
    mu: perElement(options.mu, count),
    lambda: perElement(options.lambda, count),
    damping: perElement(options.damping, count),
    actuation: perElement(options.actuation, count),
    density: perElement(options.density, count),
  };
  const { mass, velocity, fixed } = options;
  const name = scene.nameGroup('soft body', options.name ?? mesh.name);
  const label = (element: number): string => `tetrahedron ${element} of ${name}`;
  const addArms = (add: (values: ArmValues, label: (element: number) => string) => Entity[]): Entity[][] =>
    arms.map(({ ratio, relaxationTime }, k) =>
      add(
        { ratio: perElement(ratio, count), relaxationTime: perElement(relaxationTime, count) },
        (element) => `arm ${k} of ${label(element)}`,
      ),
    );
  const corners = vertexCount(mesh);
  const vertexLabel = (vertex: number): string =>
    vertex < corners ? `vertex ${vertex} of ${name}` : `mid-edge node ${vertex} of ${name}`;
  if (elements === 'linear') {
    const particles = addParticles(scene, mesh.positions, { mass, velocity, fixed }, vertexLabel);
    const vertices = Array.from(mesh.tets, (vertex) => particles[vertex]);
    const tets = scene.addMany(Tet, count, { vertices, ...material }, label);
    return {
      particles,
      tets,
      arms: addArms((own, name) => scene.addMany(TetArm, count, { element: tets, vertices, ...own }, name)),
    };
  }
  const { positions, nodes, edges } = quadraticMesh(mesh);
  const particles = addParticles(scene, positions, nodeOptions({ mass, velocity, fixed }, mesh, edges), vertexLabel);
  const own = Array.from(nodes, (node) => particles[node]);
  const tets = scene.addMany(QuadraticTet, count, { nodes: own, ...material }, label);
  return {
    particles,
    tets,
    arms: addArms((arm, name) => scene.addMany(QuadraticTetArm, count, { element: tets, nodes: own, ...arm }, name)),
  };
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** Values of an arm's columns, element by element. */
interface ArmValues {
  readonly ratio: ReturnType<typeof perElement>;
  readonly relaxationTime: ReturnType<typeof perElement>;
}

/** Extends the options of the vertices' particles to mid-edge nodes. */
function nodeOptions({ mass, velocity, fixed }: ParticleOptions, mesh: TetMesh, edges: Uint32Array): ParticleOptions {
  const vertices = vertexCount(mesh);
  const extended = (name: string, values: ArrayLike<number>, components: number): Float64Array => {
    if (values.length !== vertices * components)
      throw new GradsimError(
        'fem/wrong-size',
        `addSoftBody: ${name}: ${vertices} vertices need ${vertices} x ${components} values, got ${values.length}.`,
      );
    return concatenateNodes(values, averageEdgeEnds(values, edges, components));
  };
  const isIterable = fixed === undefined || (typeof fixed === 'object' && fixed !== null && Symbol.iterator in fixed);
  refuseWrongType('addSoftBody: fixed', fixed, 'a list of numbers of vertices', isIterable);
  const held = new Set(fixed);
  for (const vertex of held)
    if (!(Number.isInteger(vertex) && vertex >= 0 && vertex < vertices))
      throw new GradsimError(
        'fem/no-such-vertex',
        `addSoftBody: fixed names vertex ${String(vertex)}, but there are ${vertices}, 0 to ${vertices - 1}.`,
        { field: 'fixed' },
      );
  const middles = Array.from({ length: edges.length / 2 }, (_, k) => k)
    .filter((k) => held.has(edges[2 * k]) && held.has(edges[2 * k + 1]))
    .map((k) => vertices + k);
  return {
    mass: mass === undefined || typeof mass === 'number' ? mass : extended('mass', mass, 1),
    velocity: velocity === undefined || velocity.length === 3 ? velocity : extended('velocity', velocity, 3),
    fixed: [...held, ...middles],
  };
}
