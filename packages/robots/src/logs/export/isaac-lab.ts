import type { ParameterRange, RangedParameter } from './ranges.ts';

const AXES = ['x', 'y', 'z'] as const;

/**
 * Text of a Python module with an event term of Isaac Lab for each link and joint: `randomize_rigid_body_mass` (with inertias
 * in proportion) and `randomize_rigid_body_com`, which adds to centres; `randomize_joint_parameters` sets armatures and scales
 * dry friction, since its `abs` would give viscous friction the same numbers.
 *
 * ```ts
 * await writeFile('events.py', isaacLabEvents(rangesOf(found, found.draw({ count: 64 })), 'arm.xml'));
 * ```
 * @param source name of the file that was calibrated, for people.
 */
export function isaacLabEvents(ranges: readonly ParameterRange[], source: string): string {
  const terms: string[] = [];
  const damping: string[] = [];
  for (const of of new Set(ranges.map((range) => range.of))) {
    const own = new Map(ranges.filter((range) => range.of === of).map((range) => [range.parameter, range]));
    const get = (parameter: RangedParameter): ParameterRange | undefined => own.get(parameter);
    const mass = get('mass');
    if (mass) {
      const entity = `SceneEntityCfg("robot", body_names=${quoted(of)})`;
      terms.push(
        term(`mass_${of}`, 'randomize_rigid_body_mass', mass, [
          `"asset_cfg": ${entity}`,
          `"mass_distribution_params": ${pair(mass.low, mass.high)}`,
          '"operation": "abs"',
          '"distribution": "uniform"',
        ]),
      );
      const centre = AXES.map((axis) => get(`centre ${axis}`)!);
      const offsets = centre.map(
        ({ low, high, calibrated }, k) => `"${AXES[k]}": ${pair(low - calibrated, high - calibrated)}`,
      );
      terms.push(
        term(`com_${of}`, 'randomize_rigid_body_com', centre[0], [
          `"asset_cfg": ${entity}`,
          `"com_range": {${offsets.join(', ')}}`,
        ]),
      );
    }
    const [armature, dry, viscous] = (['armature', 'dryFriction', 'damping'] as const).map(get);
    if (!armature || !dry || !viscous) continue;
    const entity = `SceneEntityCfg("robot", joint_names=${quoted(of)})`;
    terms.push(
      term(`armature_${of}`, 'randomize_joint_parameters', armature, [
        `"asset_cfg": ${entity}`,
        `"armature_distribution_params": ${pair(armature.low, armature.high)}`,
        '"operation": "abs"',
        '"distribution": "uniform"',
      ]),
    );
    if (dry.calibrated > 0)
      terms.push(
        term(`friction_${of}`, 'randomize_joint_parameters', dry, [
          `"asset_cfg": ${entity}`,
          `"friction_distribution_params": ${pair(dry.low / dry.calibrated, dry.high / dry.calibrated)}`,
          '"operation": "scale"',
          '"distribution": "uniform"',
        ]),
      );
    damping.push(`#   ${of}: ${number(viscous.low)} to ${number(viscous.high)} ${viscous.unit}`);
  }
  return `"""Events of Isaac Lab that randomise the robot of ${source} as its logs allow, for the asset "robot".

Import the calibrated file (--export): centres and friction are drawn relative to it. Names are those of its links
and joints; the importer may merge links of fixed joints. Each number is drawn on its own here: robots drawn together,
with inertias that fit them, are those of --variants. Undetermined: the logs do not tell it alone.
"""

import isaaclab.envs.mdp as mdp
from isaaclab.managers import EventTermCfg as EventTerm
from isaaclab.managers import SceneEntityCfg
from isaaclab.utils import configclass

# Viscous friction, for the damping of an actuator that has no other:
${damping.join('\n')}


@configclass
class CalibratedEventsCfg:
${terms.join('\n')}
`;
}

function term(name: string, func: string, { isDetermined, unit }: ParameterRange, params: readonly string[]): string {
  return `    # ${params.some((one) => one.includes('"scale"')) ? 'Factor' : unit}${isDetermined ? '' : '; undetermined'}
    ${name.replace(/\W/g, '_')} = EventTerm(
        func=mdp.${func},
        mode="startup",
        params={
${params.map((one) => `            ${one},`).join('\n')}
        },
    )`;
}

/** A string of Python that matches a name as a regular expression. */
const quoted = (name: string): string => JSON.stringify(name.replace(/[.*+?^$()[\]{}|\\]/g, '\\$&'));
const number = (x: number): string => String(Number(x.toPrecision(5)));
const pair = (low: number, high: number): string => `(${number(low)}, ${number(high)})`;
