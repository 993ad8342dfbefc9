import { type Table, tableOf } from '@gradsim/base/tables';
import { type Stamped, stampOf, timesOf } from './stamps.ts';

/** Values of some joints at a moment. */
interface JointValues extends Stamped {
  readonly names: readonly string[];
  /** Values by channel; a channel without any is empty. */
  readonly values: Readonly<Record<Channel, ArrayLike<number>>>;
}

type Message = Readonly<Record<string, unknown>>;
type Channel = (typeof CHANNELS)[number];
const CHANNELS = ['position', 'velocity', 'effort'] as const;

const listOf = (value: unknown): ArrayLike<number> =>
  Array.isArray(value) || ArrayBuffer.isView(value) ? (value as ArrayLike<number> & ArrayBufferView) : [];
const recordOf = (value: unknown): Message => (typeof value === 'object' && value !== null ? (value as Message) : {});
const namesOf = (value: unknown): string[] => Array.from(listOf(value), String);

/** Reads one message of each kind of joints by the last part of its type's name. */
const READERS: Readonly<Record<string, (message: Message) => Omit<JointValues, 'logged' | 'stamp'>>> = {
  JointState: ({ name, position, velocity, effort }) => ({
    names: namesOf(name),
    values: { position: listOf(position), velocity: listOf(velocity), effort: listOf(effort) },
  }),
  JointTrajectoryControllerState: measuredOfController,
  JointTrajectoryControllerStateStamped: measuredOfController,
  DynamicJointState: ({ joint_names, interface_values }) => {
    const interfaces = Array.from(listOf(interface_values) as ArrayLike<unknown>, (own) => {
      const { interface_names, values } = recordOf(own);
      const names = namesOf(interface_names);
      return (channel: Channel): number => listOf(values)[names.indexOf(channel)] ?? Number.NaN;
    });
    const of = (channel: Channel): number[] => {
      const own = interfaces.map((read) => read(channel));
      return own.every(Number.isNaN) ? [] : own;
    };
    return {
      names: namesOf(joint_names),
      values: { position: of('position'), velocity: of('velocity'), effort: of('effort') },
    };
  },
};

/** Measurements of a controller: `feedback`, called `actual` before. Those it was to reach are left out. */
function measuredOfController({ joint_names, feedback, actual }: Message): Omit<JointValues, 'logged' | 'stamp'> {
  const [own, before] = [recordOf(feedback), recordOf(actual)];
  const measured = listOf(own.positions).length > 0 ? own : before;
  return {
    names: namesOf(joint_names),
    values: {
      position: listOf(measured.positions),
      velocity: listOf(measured.velocities),
      effort: listOf(measured.effort),
    },
  };
}

/** True for messages of joints by the last part of their type's name. */
export const isOfJoints = (type: string): boolean => Object.hasOwn(READERS, type);

/** Reads a message of joints. @throws for one without the fields of its type. */
export function jointsIn(type: string, message: unknown, logged: bigint): JointValues[] {
  const own = recordOf(message);
  const { names, values } = READERS[type](own);
  const stamp = stampOf(recordOf(own.header).stamp);
  if (names.length === 0) throw new Error('it names no joints');
  for (const channel of CHANNELS) {
    const count = values[channel].length;
    if (count !== 0 && count !== names.length)
      throw new Error(`it has ${names.length} joints and ${count} values of ${channel}`);
  }
  return [{ names, values, logged, ...(stamp === undefined ? {} : { stamp }) }];
}

/**
 * Table of joints. Several programs may send to one topic, each its own joints (an arm, a gripper): messages of the most
 * joints are taken, and the others named.
 */
export function jointTable(messages: readonly JointValues[], name: string): Table {
  const sets = new Map<string, JointValues[]>();
  for (const message of messages) {
    const key = JSON.stringify([...message.names].sort());
    const own = sets.get(key);
    if (own) own.push(message);
    else sets.set(key, [message]);
  }
  const [taken, ...others] = [...sets.values()].sort(
    (a, b) => b[0].names.length - a[0].names.length || b.length - a.length,
  );
  const { names } = taken[0];
  const channels = CHANNELS.filter((channel) => taken.some(({ values }) => values[channel].length > 0));
  const { times, remark } = timesOf(taken);
  const rows = taken.map((message, k) => {
    // Messages may have the joints in another order.
    const at = names.map((joint) => message.names.indexOf(joint));
    return [
      times[k],
      ...channels.flatMap((channel) => {
        const own = message.values[channel];
        return at.map((j) => (own.length === 0 ? undefined : own[j]));
      }),
    ];
  });
  const left = others.map(([{ names: own }]) => own.join(' '));
  const rest = left.length > 0 ? `, messages of ${left.join('; ')} left out` : '';
  return tableOf(['stamp [ns]', ...channels.flatMap((channel) => names.map((joint) => `${joint}/${channel}`))], rows, {
    name,
    source: `${remark}${rest}`,
  });
}
