import { type Heading, type Table, withUnitAtEnd, wordsOf } from '@gradsim/base/tables';
import { GradsimError } from '@gradsim/core';

/** Columns of the poses of one body, or of all bodies that a column names. */
export interface PoseColumns {
  /** Name of the body, of tables with columns for each; else undefined. */
  readonly body?: string;
  /** x, y, z. */
  readonly position: readonly Heading[];
  /** qx, qy, qz, qw. */
  readonly orientation: readonly Heading[];
}

export const POSITION_AXES = ['x', 'y', 'z'] as const;
export const QUATERNION_AXES = ['qx', 'qy', 'qz', 'qw'] as const;
type Component = (typeof POSITION_AXES)[number] | (typeof QUATERNION_AXES)[number];

/** Words before an axis that say what it is of. */
const POSITION_WORDS = new Set(['position', 'pos', 'p', 't', 'translation', 'trans', 'location', 'loc']);
const ORIENTATION_WORDS = new Set(['orientation', 'quaternion', 'quat', 'q', 'rotation', 'rot', 'o']);
/** Words of paths that name no body. */
const NAMELESS_WORDS = new Set(['field', 'pose', 'transform', 'data', 'msg', 'rigid', 'body', 'measured']);
const SHORT_TITLE = /^([tpq])([xyzw])$/;

/**
 * Finds the columns of poses: `x`, `tx`, `pos_x`, `position.x`, `p_RS_R_x` and `qx`, `quat_x`, `orientation.x`, `q_RS_w`, of
 * one body or, where paths or header rows name them, of several; those of rigid bodies alone where a header row says what
 * columns are of (Motive). A table of eight columns without headings is one of TUM's: time, position, quaternion.
 * @throws when a column is missing, or there twice.
 */
export function poseColumns(table: Table): PoseColumns[] {
  const { headings, name } = table;
  const groups = new Map<string, Map<Component, Heading>>();
  for (const own of headings) {
    const heading = withUnitAtEnd(own, ({ quantity }) => quantity === 'length');
    const found = componentOf(heading);
    if (!found) continue;
    const { component, body } = found;
    const group = groups.get(body) ?? new Map<Component, Heading>();
    if (group.has(component))
      throw new GradsimError(
        'poses/column-twice',
        `${name} has two columns ${component}${body === '' ? '' : ` of ${body}`}.`,
        { field: name },
      );
    groups.set(body, group.set(component, heading));
  }
  const whole = [...groups].filter(([, own]) =>
    [...POSITION_AXES, ...QUATERNION_AXES].every((component) => own.has(component)),
  );
  if (whole.length === 0) throw missing(table, [...groups.values()].sort((a, b) => b.size - a.size)[0]);
  return whole.map(([body, own]) => ({
    ...(whole.length > 1 || hasBodies(headings) ? { body } : {}),
    position: POSITION_AXES.map((component) => own.get(component)!),
    orientation: QUATERNION_AXES.map((component) => own.get(component)!),
  }));
}

/** True if a header row above that of the axes names bodies. */
const hasBodies = (headings: readonly Heading[]): boolean =>
  headings.some(({ headerCells: above }) => above.length > 2);

function missing({ headings, name }: Table, own: ReadonlyMap<Component, Heading> | undefined): GradsimError {
  const absent = [...POSITION_AXES, ...QUATERNION_AXES].find((component) => !own?.has(component));
  return new GradsimError(
    'poses/column-missing',
    `${name} has no column ${absent}; it has ${headings.map(({ title }) => title).join(', ') || 'no line that names columns'}.`,
    {
      field: name,
      hint: 'A table begins with the line `time,x,y,z,qx,qy,qz,qw`. Export orientations as quaternions, not as angles.',
    },
  );
}

function componentOf({
  name,
  headerCells: above,
}: Heading): { readonly component: Component; readonly body: string } | undefined {
  if (above.length > 2) return componentBelow(above);
  const words = wordsOf(name);
  const last = words.at(-1) ?? '';
  const short = SHORT_TITLE.exec(last);
  if (short) return component(short[1] === 'q', short[2], words.slice(0, -1));
  if (!/^[xyzw]$/.test(last)) return undefined;
  if (words.length === 1 && last !== 'w') return { component: last as Component, body: '' };
  const at = words.findLastIndex(
    (word, k) => k < words.length - 1 && (POSITION_WORDS.has(word) || ORIENTATION_WORDS.has(word)),
  );
  return at < 0 ? undefined : component(ORIENTATION_WORDS.has(words[at]), last, words.slice(0, at));
}

/** Component by header rows: what the column is of, its name, and last kind and axis. */
function componentBelow(
  above: readonly string[],
): { readonly component: Component; readonly body: string } | undefined {
  const [kind, axis] = above.slice(-2).map((cell) => cell.trim().toLowerCase());
  const isTyped = /^(?:rigid body|bone|marker|rigid body marker|bone marker)$/i.test(above[0]);
  if (isTyped && !/^(?:rigid body|bone)$/i.test(above[0])) return undefined;
  if (!/^[xyzw]$/.test(axis) || !(POSITION_WORDS.has(kind) || ORIENTATION_WORDS.has(kind))) return undefined;
  return component(ORIENTATION_WORDS.has(kind), axis, [isTyped ? above[1] : above[0]], true);
}

function component(
  isTurn: boolean,
  axis: string,
  before: readonly string[],
  isName = false,
): { readonly component: Component; readonly body: string } | undefined {
  if (!isTurn && axis === 'w') return undefined;
  const body = (isName ? before : before.filter((word) => !NAMELESS_WORDS.has(word))).join(' ');
  return { component: (isTurn ? `q${axis}` : axis) as Component, body };
}
