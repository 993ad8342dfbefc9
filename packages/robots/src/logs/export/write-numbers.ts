import { add, type Vector } from '@gradsim/base';
import { GradsimError } from '@gradsim/core';
import type { Masses } from '../../masses.ts';
import type { Robot } from '../../robot.ts';
import type { Identification } from '../identification.ts';

/** A start tag or an empty element of an XML text, with its place in it. */
interface Tag {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** Index of the tag around it, or -1. */
  readonly parent: number;
}

/** A change of a text: characters from `start` to `end` are replaced. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Comments, CDATA sections, instructions and tags, whose quoted attributes may contain > and /. */
const TAGS =
  /<!--[\s\S]*?(?:-->|$)|<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|<\?[\s\S]*?(?:\?>|$)|<\/?[^\s<>"'!?/][^<>"']*(?:"[^"<]*"[^<>"']*|'[^'<]*'[^<>"']*)*>/g;

/**
 * Writes the numbers of a calibrated robot into the text of its file, URDF or MJCF, and leaves all else as it is: masses,
 * centres and inertias of the bodies, armature (MJCF), damping and dry friction of the joints. A comment before the first
 * element has the combinations that the motion determines, with their standard errors.
 *
 * ```ts
 * const calibratedFile = writeCalibrated(text, identifyRobot(robot, logs));
 * ```
 * @param text of the file that the robot was read from.
 * @param drawnRobots one of the robots that `Identification.draw` gives, whose numbers are written in place of the calibrated ones.
 * @throws GradsimError for a body or a joint that the text does not hold, such as one of an included file, and for a body
 * whose mass comes of its shapes.
 */
export function writeCalibrated(
  text: string,
  { robot: own, combinations, delay, zeros, torqueSensors }: Identification,
  drawnRobots?: Robot,
): string {
  const robot = drawnRobots ?? own;
  const tags = tagsOf(text);
  const root = tags[0];
  const isUrdf = root?.name === 'robot';
  const edits: Edit[] = [];
  for (const { name, jointName, values } of robot.links) {
    if (values.mass > 0) edits.push(...(isUrdf ? urdfBody : mjcfBody)(text, tags, name, jointName, values));
    if (values.joint === 'fixed' || values.joint === 'free') continue;
    const { damping = 0, dryFriction = 0, armature = 0 } = values;
    const joint = tags.findIndex((tag) => tag.name === 'joint' && attribute(text, tag, 'name') === jointName);
    if (joint < 0) throw absent('joint', jointName);
    const numbers: Record<string, string> = isUrdf
      ? { damping: number(damping), friction: number(dryFriction) }
      : { damping: number(damping), frictionloss: number(dryFriction), armature: number(armature) };
    if (!isUrdf) edits.push(...withAttributes(text, tags[joint], numbers));
    else {
      const dynamics = tags.find(({ name: of, parent }) => of === 'dynamics' && parent === joint);
      if (dynamics) edits.push(...withAttributes(text, dynamics, numbers));
      else {
        const at = tags[joint].end;
        const own = `<dynamics damping="${numbers.damping}" friction="${number(dryFriction)}"/>`;
        edits.push({ start: at, end: at, text: own });
      }
    }
  }
  const lines = [...combinations, delay, ...zeros, ...torqueSensors].map(
    ({ name, unit, estimate, standardError }) =>
      `  ${name}: ${estimate.toPrecision(5)} ${unit}, standard error ${Number.isFinite(standardError) ? `${standardError.toPrecision(2)} ${unit}` : 'unknown'}`,
  );
  // Two hyphens must not stand in a comment.
  const said = lines.join('\n').replaceAll('--', '- -');
  const how = drawnRobots
    ? 'Drawn by gradsim from what logs of the joints allow; estimates are these.'
    : 'Estimated by gradsim from logs of the joints.';
  const comment = `<!-- ${how} What is not here is not determined alone.\n${said}\n-->\n`;
  edits.push({ start: root.start, end: root.start, text: comment });
  return edited(text, edits);
}

function tagsOf(text: string): Tag[] {
  const tags: Tag[] = [];
  const open: number[] = [];
  for (const { 0: found, index } of text.matchAll(TAGS)) {
    if (/^<[!?]/.test(found)) continue;
    if (found.startsWith('</')) open.pop();
    else {
      const name = /^<([^\s/>]+)/.exec(found)?.[1] ?? '';
      tags.push({ name, start: index, end: index + found.length, parent: open.at(-1) ?? -1 });
      if (!found.endsWith('/>')) open.push(tags.length - 1);
    }
  }
  return tags;
}

function urdfBody(text: string, tags: readonly Tag[], name: string, _: string, body: Masses): Edit[] {
  const link = tags.findIndex((tag) => tag.name === 'link' && attribute(text, tag, 'name') === name);
  const inside = (of: string, parent: number): number =>
    tags.findIndex((tag) => tag.name === of && tag.parent === parent);
  const inertial = inside('inertial', link);
  if (link < 0 || inertial < 0) throw absent('inertial of the link', name);
  const [xx, xy, xz, , yy, yz, , , zz] = body.inertia.map(number);
  const origin = { xyz: body.centre.map(number).join(' '), rpy: '0 0 0' };
  const at = inside('origin', inertial);
  const place = { start: tags[inertial].end, end: tags[inertial].end };
  return [
    ...(at >= 0
      ? withAttributes(text, tags[at], origin)
      : [{ ...place, text: `<origin xyz="${origin.xyz}" rpy="0 0 0"/>` }]),
    ...withAttributes(text, tags[inside('mass', inertial)], { value: number(body.mass) }),
    ...withAttributes(text, tags[inside('inertia', inertial)], {
      ixx: xx,
      ixy: xy,
      ixz: xz,
      iyy: yy,
      iyz: yz,
      izz: zz,
    }),
  ];
}

function mjcfBody(text: string, tags: readonly Tag[], name: string, jointName: string, body: Masses): Edit[] {
  const joint = tags.find((tag) => tag.name === 'joint' && attribute(text, tag, 'name') === jointName);
  const owner = joint?.parent ?? tags.findIndex((tag) => tag.name === 'body' && attribute(text, tag, 'name') === name);
  const inertial = tags.find((tag) => tag.name === 'inertial' && tag.parent === owner);
  if (!inertial) throw absent('inertial of the body', name);
  const from = (joint && attribute(text, joint, 'pos')?.trim().split(/\s+/).map(Number)) ?? [0, 0, 0];
  // A link's axes have their origin at its joint.
  const centre: Vector = add(body.centre, from);
  const [xx, xy, xz, , yy, yz, , , zz] = body.inertia.map(number);
  const gone = ['quat', 'axisangle', 'xyaxes', 'zaxis', 'euler', 'diaginertia'];
  return withAttributes(
    text,
    inertial,
    { pos: centre.map(number).join(' '), mass: number(body.mass), fullinertia: [xx, yy, zz, xy, xz, yz].join(' ') },
    gone,
  );
}

const absent = (what: string, name: string): GradsimError =>
  new GradsimError('robots/export-absent', `The file has no ${what} "${name}" to write numbers into.`, {
    element: name,
    hint: 'Name every joint, give every body an <inertial>, and put included files into one.',
  });

const pattern = (name: string): RegExp => new RegExp(`(\\s${name}\\s*=\\s*)("[^"]*"|'[^']*')`);

const attribute = (text: string, { start, end }: Tag, name: string): string | undefined =>
  pattern(name).exec(text.slice(start, end))?.[2].slice(1, -1);

/** Sets attributes of a tag, in place or at its end, and removes others. */
function withAttributes(
  text: string,
  tag: Tag,
  values: Readonly<Record<string, string>>,
  gone: readonly string[] = [],
): Edit[] {
  let own = text.slice(tag.start, tag.end);
  for (const name of gone) own = own.replace(pattern(name), '');
  for (const [name, value] of Object.entries(values))
    own = pattern(name).test(own)
      ? own.replace(pattern(name), (_, before: string) => `${before}"${value}"`)
      : own.replace(/\s*\/?>$/, (end) => ` ${name}="${value}"${end.trim()}`);
  return [{ start: tag.start, end: tag.end, text: own }];
}

const number = (x: number): string => String(Number(x.toPrecision(9)));

/** Applies edits that do not overlap; of several at one place, the first given comes first. */
function edited(text: string, edits: readonly Edit[]): string {
  let [out, at] = ['', 0];
  for (const edit of [...edits].sort((a, b) => a.start - b.start)) {
    out += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return out + text.slice(at);
}

/** The calibrated robot's numbers as JSON: what {@link writeCalibrated} writes as a comment, and what is not determined. */
export function calibrationJson({
  combinations,
  undetermined,
  parameters,
  delay,
  zeros,
  torqueSensors,
}: Identification): string {
  const shown = ({ name, unit, estimate, standardError }: Identification['delay']) => ({
    name,
    unit,
    estimate,
    standardError: Number.isFinite(standardError) ? standardError : null,
  });
  const all = { combinations, undetermined, parameters, delay: [delay], zeros, torqueSensors };
  return `${JSON.stringify(Object.fromEntries(Object.entries(all).map(([key, of]) => [key, of.map(shown)])), null, 2)}\n`;
}
