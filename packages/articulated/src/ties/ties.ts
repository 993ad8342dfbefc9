import type {
  Adder,
  AddSpec,
  BuildContext,
  Entity,
  FieldOf,
  Index,
  Kernel,
  Plugin,
  Quat,
  Reader,
  ReadSpec,
  Scene,
  Value,
  Vec3,
} from '@gradsim/core';
import {
  cross,
  definePlugin,
  dot,
  f32,
  field,
  fieldOn,
  GradsimError,
  index,
  kernel,
  norm,
  refuseUnknownChoice,
  rotate,
  select,
  vec3,
} from '@gradsim/core';
import type { ForceInterval } from '@gradsim/dynamics';
import { BodiesThatTouch, Integrators, intervalOf, motionToState, PointsThatTouch } from '@gradsim/dynamics';
import { limitEffort } from '../efforts/effort.ts';
import type { GroupedTie } from './stability.ts';
import { addStiffnessOfTies, addTieRates } from './stability.ts';
import type { TieEnd, TieEndElement, TieKind } from './tie.ts';
import { KINDS, Tie } from './tie.ts';

/** Kind of each tie as a number: 0 for anchors, 1 for rods, 2 for ropes. */
const law = field('ties', 'law', f32);

/**
 * Plugin of ties between bodies, links and particles, or to the world. It needs a plugin that offers bodies or points.
 */
export const ties = (): Plugin =>
  definePlugin({
    name: '@gradsim/articulated/ties',
    contract: 1,
    components: [Tie],
    takes: [BodiesThatTouch, PointsThatTouch, Integrators],
    build,
  });

function build(context: BuildContext): void {
  const { scene, model, entities } = context;
  const all = entities(Tie);
  const kinds = all.map((entity) => kindOf(scene, entity));
  model.addField(law, { values: kinds.map((kind) => KINDS.indexOf(kind)) });
  const groups = new Map<string, (GroupedTie & { readonly tie: number })[]>();
  all.forEach((entity, tie) => {
    const ends = [elementAtEnd(context, entity, 'body'), elementAtEnd(context, entity, 'other')] as const;
    const points = [scene.get(entity, Tie, 'point'), scene.get(entity, Tie, 'otherPoint')] as const;
    const key = ends.map(({ end }) => nameOf(end)).join(' ');
    groups.set(key, [...(groups.get(key) ?? []), { ends, points, tie }]);
  });
  for (const group of groups.values()) {
    const ends = [group[0].ends[0].end, group[0].ends[1].end] as const;
    const domain = `ties${ends.map((end) => nameOf(end)).join('')}`;
    model.addDomain(domain, group.length, { describe: (element) => scene.describe(all[group[element].tie]) });
    model.addIndex(
      domain,
      'tie',
      Tie.domain,
      1,
      group.map(({ tie }) => tie),
    );
    ends.forEach((end, k) => {
      if (end.kind !== 'world')
        model.addIndex(
          domain,
          ['first', 'second'][k],
          end.of.component.domain,
          1,
          group.map((one) => one.ends[k].number),
        );
    });
    model.addPass('force', tieForce(domain, ends, intervalOf(model)));
    addStiffnessOfTies(context, domain, group);
  }
  addTieRates(
    context,
    [...groups.values()].flatMap(([{ ends }]) => ends.map(({ end }) => end)),
  );
}

function kindOf(scene: Scene, entity: Entity): TieKind {
  const who = scene.describe(entity);
  const kind = scene.object(entity, Tie, 'kind') as TieKind;
  refuseUnknownChoice(`${who}: ties.kind`, kind, KINDS);
  const [length] = scene.get(entity, Tie, 'length');
  if (kind === 'anchor' && length > 0)
    throw new GradsimError('articulated/idle-value', `ties.length is ${length}, and an anchor has none.`, {
      field: 'ties.length',
      element: who,
      hint: 'Make it a rod or a rope.',
    });
  if (kind !== 'anchor' && length === 0)
    throw new GradsimError(
      'articulated/no-length',
      `ties.length is 0; a ${kind} has one. To hold two points together, make it an anchor.`,
      { field: 'ties.length', element: who },
    );
  return kind;
}

const nameOf = (end: TieEnd): string => {
  const name = end.kind === 'world' ? 'world' : end.of.component.domain;
  return name[0].toUpperCase() + name.slice(1);
};

/**
 * Returns the element at one end of a tie. @throws when the entity that a tie names is neither a body nor a point of
 * the scene.
 */
function elementAtEnd({ scene, model, entities }: BuildContext, tie: Entity, side: 'body' | 'other'): TieEndElement {
  const entity = scene.object(tie, Tie, side) as Entity | undefined;
  if (entity === undefined) return { end: { kind: 'world' }, number: 0 };
  if (side === 'other' && entity === scene.object(tie, Tie, 'body'))
    throw new GradsimError(
      'articulated/tie-to-itself',
      `ties.body and ties.other are both ${scene.describe(entity)}; a tie holds one thing to another, or to a place in the world without \`other\`.`,
      { field: 'ties.body', element: scene.describe(tie) },
    );
  for (const of of model.offered(BodiesThatTouch)) {
    const number = entities(of.component).indexOf(entity);
    if (number >= 0) return { end: { kind: 'body', of }, number };
  }
  for (const of of model.offered(PointsThatTouch)) {
    const number = entities(of.component).indexOf(entity);
    if (number >= 0) return { end: { kind: 'point', of }, number };
  }
  throw new GradsimError(
    'articulated/unknown-end',
    `ties.${side} is ${String(entity)}, which is no body, link or point of the scene.`,
    { field: `ties.${side}`, element: scene.describe(tie) },
  );
}

/** Returns the ports of a kernel for one end, with prefixed names. */
function portsOf(end: TieEnd, side: string): { reads: Record<string, ReadSpec>; adds: Record<string, AddSpec> } {
  if (end.kind === 'world') return { reads: {}, adds: {} };
  const at = (refs: Readonly<Record<string, FieldOf<Value>>>) =>
    Object.fromEntries(Object.entries(refs).map(([name, ref]) => [`${side}${name}`, fieldOn(ref)]));
  const { component, position, velocity, force } = end.of;
  const turning: Readonly<Record<string, FieldOf<Value>>> =
    end.kind === 'body' ? { Orientation: end.of.orientation, Spin: end.of.angularVelocity } : {};
  return {
    reads: { [side]: index(component.domain), ...at({ Position: position, Velocity: velocity, ...turning }) },
    adds: at({ Force: force, ...(end.kind === 'body' ? { Torque: end.of.torque } : {}) }),
  };
}

/**
 * One end of a tie in a kernel: its position, whether it is a particle, its velocity at a place in the world, and a
 * function that applies a force at such a place.
 */
interface PlacedEnd {
  readonly position: Vec3;
  readonly isPoint: boolean;
  readonly velocityAt: (place: Vec3) => Vec3;
  readonly push: (force: Vec3, place: Vec3) => void;
}
type Ports = Readonly<Record<string, unknown>>;

function placeEnd(end: TieEnd, side: string, fields: Ports, point: Vec3): PlacedEnd {
  if (end.kind === 'world') return { position: point, isPoint: false, velocityAt: () => vec3(0, 0, 0), push: () => {} };
  const at = fields[side] as Index;
  const vector = (name: string): Vec3 => (fields[`${side}${name}`] as Reader<Vec3>).at(at);
  const add = (name: string, value: Vec3): void => (fields[`${side}${name}`] as Adder<Vec3>).add(at, value);
  const [position, velocity] = [vector('Position'), vector('Velocity')];
  if (end.kind === 'point')
    return { position, isPoint: true, velocityAt: () => velocity, push: (force) => add('Force', force) };
  const arm = rotate((fields[`${side}Orientation`] as Reader<Quat>).at(at), point);
  const spin = vector('Spin');
  return {
    position: position.add(arm),
    isPoint: false,
    velocityAt: (place) => velocity.add(cross(spin, place.sub(position))),
    push: (force, place) => {
      add('Force', force);
      add('Torque', cross(place.sub(position), force));
    },
  };
}

/**
 * Returns the point at which the forces on both ends act: the same for both, since forces at two points would form an
 * unbalanced couple. A point particle takes a force at its own position.
 */
function forcePoint(one: PlacedEnd, other: PlacedEnd): Vec3 {
  if (one.isPoint) return one.position;
  return other.isPoint ? other.position : one.position.add(other.position).mul(0.5);
}

const TIE_READS = {
  point: fieldOn(Tie.point),
  otherPoint: fieldOn(Tie.otherPoint),
  length: fieldOn(Tie.length),
  stiffness: fieldOn(Tie.stiffness),
  damping: fieldOn(Tie.damping),
  law: fieldOn(law),
};

/**
 * Force of a tie between ends at the distance d or length l. An anchor pulls by -k d - c d', as the distance itself has
 * no derivative where it is 0; a rod by -(k (l - l0) + c l'), along it; a rope like a limit of the
 * distance: contact in one dimension.
 */
function tieForce(domain: string, [first, second]: readonly [TieEnd, TieEnd], interval: ForceInterval): Kernel {
  const [a, b] = [portsOf(first, 'first'), portsOf(second, 'second')];
  const reads: Record<string, ReadSpec> = { tie: index(Tie.domain), ...TIE_READS, ...a.reads, ...b.reads };
  return kernel(`pull_${domain}`, { domain, reads, adds: { ...a.adds, ...b.adds } }, (fields: Ports, moment) => {
    const tie = fields.tie as Index;
    const of = <V>(name: keyof typeof TIE_READS): V => (fields[name] as Reader<V>).at(tie);
    const one = placeEnd(first, 'first', fields, of('point'));
    const other = placeEnd(second, 'second', fields, of('otherPoint'));
    const [k, c, rest, kind] = (['stiffness', 'damping', 'length', 'law'] as const).map((name) =>
      of<ReturnType<typeof f32>>(name),
    );
    const place = forcePoint(one, other);
    const d = one.position.sub(other.position);
    const v = one.velocityAt(place).sub(other.velocityAt(place));
    const length = norm(d);
    const along = d.div(select(length.eq(0), f32(1), length));
    const [excess, rate] = [length.sub(rest), dot(along, v)];
    const rod = k.mul(excess).add(c.mul(rate));
    const rope = limitEffort(
      { penetration: excess, leaving: rate.neg(), ke: k, kd: c },
      motionToState(moment, interval),
    );
    const straight = along.mul(select(kind.gt(1.5), rope, rod)).neg();
    const force = select(kind.lt(0.5), d.mul(k).add(v.mul(c)).neg(), straight);
    one.push(force, place);
    other.push(force.neg(), place);
  });
}
