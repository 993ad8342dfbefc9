import type { BuildContext, Plugin } from '@gradsim/core';
import { definePlugin, describeValue, GradsimError, refuseUnknownOptions } from '@gradsim/core';
import { addGravity, BodiesThatTouch, Gravity, grid } from '@gradsim/dynamics';
import { MATERIALS } from './materials/all.ts';
import { moveNodes, NODES } from './nodes.ts';
import { leastRate } from './stability.ts';
import { gather, scatter } from './transfer.ts';
import { WALL_SHAPES } from './wall-shapes.ts';
import { wallOf, wallsOf } from './walls.ts';

/** Options of {@link mpm}: the grid, which encloses all material points. */
export interface MpmOptions {
  /** Number of nodes along each of two or three axes. */
  readonly size: readonly [number, number] | readonly [number, number, number];
  /** Distance between nodes, m. */
  readonly spacing: number;
  /** Position of the first node, m. Default 0 along each axis. */
  readonly origin?: readonly number[];
  /** For each axis, whether what is beyond one end is the other end. Default none. */
  readonly periodic?: readonly boolean[];
}

/**
 * Material points (MLS-MPM) in two or three dimensions: elastic bodies, liquids, sand, clay and snow on one grid, through
 * which they touch each other, and bodies. In two dimensions z plays no part: strain is plane, a layer one metre thick.
 *
 * ```ts
 * const scene = createScene([mpm({ size: [40, 40, 40], spacing: 0.01, origin: [-0.2, -0.03, -0.2] })]);
 * scene.add(HalfSpace, {});
 * addPoints(scene, SandPoint, {
 *   ...pointsInBox({ from: [-0.05, 0, -0.05], to: [0.05, 0.1, 0.05], spacing: 0.005 }),
 *   density: 1600, youngsModulus: 1e5, frictionAngle: 0.6,
 * });
 * ```
 * Source: Y. Hu et al., A Moving Least Squares Material Point Method, 2018.
 * @throws for unknown options, and those out of their range.
 */
export function mpm(options: MpmOptions): Plugin {
  refuseUnknownOptions<MpmOptions>('mpm', options, { size: true, spacing: true, origin: true, periodic: true });
  const { size, periodic = [] } = options;
  if (!Array.isArray(size) || size.length < 2 || size.length > 3)
    refuse('size', size, 'It takes the number of nodes along each of two or three axes.');
  if (!Array.isArray(periodic) || periodic.length > size.length || !periodic.every((is) => typeof is === 'boolean'))
    refuse('periodic', periodic, `It takes true or false for each of ${size.length} axes.`);
  return definePlugin({
    name: '@gradsim/mpm',
    contract: 1,
    components: [...[...MATERIALS, ...WALL_SHAPES].map(({ component }) => component), Gravity],
    aspects: [wallOf],
    takes: [BodiesThatTouch],
    build: (context) => build(context, options),
  });
}

function refuse(option: string, value: unknown, hint: string): never {
  throw new GradsimError('mpm/option-out-of-range', `mpm: ${option} is ${describeValue(value)}.`, {
    field: option,
    hint,
  });
}

function build(context: BuildContext, { size, spacing, origin, periodic = [] }: MpmOptions): void {
  const { model, entities } = context;
  const present = MATERIALS.filter(({ component }) => entities(component).length > 0);
  const nodes = grid(model, NODES, {
    size,
    spacing,
    origin,
    edge: size.map((_, axis) => (periodic[axis] ? 'wrap' : 'none')),
    contains: present.map(({ component }) => component.position),
  });
  addGravity(context);
  for (const material of present) {
    const { component, columns } = material;
    model.addPass('setup', leastRate(material, spacing));
    model.addStepLimit(
      component.leastRate,
      [component.density, ...Object.values(columns)],
      'less stiffness or viscosity, or more density there',
    );
    model.addPass('force', scatter(material, nodes));
  }
  if (present.length === 0) return;
  // In phase force, since bodies feel what nodes do to them.
  model.addPass('force', moveNodes(nodes, wallsOf(context, nodes)));
  for (const material of present) {
    model.addPass('integrate', gather(material, nodes));
    if (material.after) model.addPass('integrate', material.after());
  }
}
