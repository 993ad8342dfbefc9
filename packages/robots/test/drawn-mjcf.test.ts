// Masses and motion of drawn models, compared with MuJoCo's WebAssembly.

import type { Quaternion } from '@gradsim/base';
import { readMjcf } from '@gradsim/robots';
import loadMujoco from '@mujoco/mujoco';
import { describe, expect, it } from 'vitest';
import { randomNumbers, seedOfRun } from '../../../scripts/vitest/draws.ts';

import { parametersOfRobot } from '../src/logs/physical.ts';
import { rigidRegressor } from '../src/logs/regressor.ts';
import { turnTensor } from '../src/pose.ts';

const SEED = seedOfRun('drawn MJCF');
const random = randomNumbers(SEED);
const between = (a: number, b: number): number => a + (b - a) * random();
const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)];
const some = (chance: number, text: () => string): string => (random() < chance ? text() : '');
const numbers = (count: number, size = 1): string =>
  Array.from({ length: count }, () => between(-size, size).toFixed(4)).join(' ');

/** An L prism, which is not convex but seen whole from its middle, or a tetrahedron. */
function meshAsset(name: string): string {
  const mode = pick(['', 'inertia="exact"', 'inertia="legacy"', 'inertia="shell"', 'inertia="convex"']);
  const scale = some(
    0.5,
    () => `scale="${between(0.5, 2).toFixed(3)} ${between(0.5, 2).toFixed(3)} ${between(0.5, 2).toFixed(3)}"`,
  );
  if (random() < 0.5 || mode === 'inertia="convex"')
    return `<mesh name="${name}" ${mode} ${scale} vertex="0 0 0  .3 0 0  0 .2 0  0 .05 .25" face="0 2 1  0 1 3  1 2 3  0 3 2"/>`;
  const outline = [
    [0, 0],
    [2, 0],
    [2, 1],
    [1, 1],
    [1, 2],
    [0, 2],
  ];
  const vertices = [0, 1].flatMap((z) => outline.map(([x, y]) => `${0.1 * x} ${0.1 * y} ${0.1 * z}`));
  const caps = [
    [0, 3, 1],
    [1, 3, 2],
    [0, 5, 3],
    [3, 5, 4],
  ];
  const sides = outline.flatMap((_, i) => {
    const j = (i + 1) % 6;
    return [
      [i, j, j + 6],
      [i, j + 6, i + 6],
    ];
  });
  const faces = [...caps, ...caps.map(([a, b, c]) => [a + 6, c + 6, b + 6]), ...sides];
  return `<mesh name="${name}" ${mode} ${scale} vertex="${vertices.join(' ')}" face="${faces.flat().join(' ')}"/>`;
}

function geom(): string {
  const size = (count: number): string => Array.from({ length: count }, () => between(0.02, 0.2).toFixed(4)).join(' ');
  const type = pick(['sphere', 'capsule', 'cylinder', 'box', 'ellipsoid', 'mesh', 'ends'] as const);
  const shape = {
    sphere: () => `type="sphere" size="${size(1)}"`,
    capsule: () => `type="capsule" size="${size(2)}"`,
    cylinder: () => `type="cylinder" size="${size(2)}"`,
    box: () => `type="box" size="${size(3)}"`,
    ellipsoid: () => `type="ellipsoid" size="${size(3)}"`,
    mesh: () => `type="mesh" mesh="${pick(['m0', 'm1'])}"`,
    ends: () => `type="${pick(['capsule', 'cylinder'])}" size="${size(1)}" fromto="${numbers(6, 0.3)}"`,
  }[type]();
  const place = type === 'ends' ? '' : `pos="${numbers(3, 0.2)}" ${some(0.5, () => `quat="${numbers(4)}"`)}`;
  return `<geom ${shape} ${place} ${pick(['', `mass="${between(0.1, 3).toFixed(3)}"`, `density="${between(50, 5000).toFixed(1)}"`])} ${type === 'mesh' ? '' : some(0.3, () => 'shellinertia="true"')} group="${pick([0, 0, 0, 1, 3])}"/>`;
}

interface Drawn {
  readonly text: string;
  readonly joints: number;
}

function model(): Drawn {
  let count = 0;
  const body = (depth: number): string => {
    const k = count++;
    const joint = `<joint name="j${k}" type="${pick(['hinge', 'hinge', 'slide'])}" pos="${numbers(3, 0.1)}" axis="${numbers(3)}" ${some(0.4, () => `armature="${between(0.01, 0.2).toFixed(3)}"`)}/>`;
    const isThin = random() < 0.3;
    const inertial = () =>
      `<inertial pos="${numbers(3, 0.2)}" mass="${between(0.01, 2).toFixed(4)}" quat="${numbers(4)}" diaginertia="${isThin && balanced ? '.01 .01 .05' : '.02 .03 .04'}"/>`;
    const geoms = Array.from({ length: 1 + Math.floor(random() * 3) }, geom);
    const children = depth < 3 ? Array.from({ length: Math.floor(random() * 3) }, () => body(depth + 1)) : [];
    return `<body name="b${k}" pos="${numbers(3, 0.4)}" ${some(0.5, () => `euler="${numbers(3, 90)}"`)}>${joint}${some(0.4, inertial)}<geom size="0.05"/>${geoms.join('')}${children.join('')}</body>`;
  };
  const balanced = random() < 0.5;
  const compiler = [
    some(0.4, () => `boundmass="${between(0.1, 2).toFixed(3)}"`),
    some(0.4, () => `boundinertia="${between(0.001, 0.05).toFixed(4)}"`),
    balanced ? 'balanceinertia="true"' : '',
    some(0.3, () => 'inertiagrouprange="0 2"'),
    some(0.3, () => 'inertiafromgeom="true"'),
    some(0.3, () => `settotalmass="${between(1, 20).toFixed(2)}"`),
  ].join(' ');
  const assets = `<asset>${meshAsset('m0')}${meshAsset('m1')}</asset>`;
  const bodies = body(0);
  const drives = Array.from({ length: count }, (_, k) => {
    const gear = some(0.5, () => `gear="${between(0.5, 5).toFixed(2)}"`);
    const kp = between(1, 200).toFixed(2);
    return pick([
      `<position joint="j${k}" kp="${kp}" dampratio="${between(0.2, 2).toFixed(2)}" ${gear}/>`,
      `<position joint="j${k}" kp="${kp}" kv="${between(0, 5).toFixed(2)}" ${gear}/>`,
      `<general joint="j${k}" gainprm="${kp}" biastype="affine" biasprm="0 -${kp} ${between(0.2, 2).toFixed(2)}" ${gear}/>`,
      `<pid joint="j${k}" input="pos" kp="${kp}" dampratio="${between(0.2, 2).toFixed(2)}" ${gear}/>`,
      `<dcmotor joint="j${k}" motorconst="${between(0.05, 0.3).toFixed(3)}${some(0.5, () => ' 0.1')}" resistance="${between(0.5, 3).toFixed(2)}" saturation="0.2" ${gear}/>`,
      `<dcmotor joint="j${k}" nominal="24 ${between(1, 5).toFixed(2)} ${between(5, 50).toFixed(1)}" ${gear}/>`,
      `<velocity joint="j${k}" kv="${between(1, 5).toFixed(2)}" ${gear}/>`,
    ]);
  });
  return {
    joints: count,
    text: `<mujoco><compiler ${compiler}/><option><flag contact="disable"/></option>${assets}<worldbody>${bodies}</worldbody><actuator>${drives.join('')}</actuator></mujoco>`,
  };
}

/** MuJoCo has the inertia of an ellipsoid's surface from a difference of two solids, to some 3e-6. */
const TOLERANCE = 2e-5;
const near = (a: ArrayLike<number>, b: ArrayLike<number>, what: string): void => {
  const size = Math.max(1e-6, ...Array.from(b, Math.abs));
  Array.from(a).forEach((x, k) => {
    expect(Math.abs(x - b[k]) / size, `${what} ${k}: ${x} and ${b[k]}`).toBeLessThan(TOLERANCE);
  });
};

describe('forty drawn models', async () => {
  const mujoco = await loadMujoco();
  it.each(Array.from({ length: 40 }, (_, k) => k))('model %d has masses, servos and torques as in MuJoCo', async () => {
    const { text, joints } = model();
    const theirs = mujoco.MjModel.from_xml_string(text)!;
    expect(theirs, text).toBeTruthy();
    const robot = await readMjcf(text);
    const links = robot.links;
    expect(links).toHaveLength(joints);
    for (const [k, { values }] of links.entries()) {
      const at = <T extends ArrayLike<number>>(of: T, count: number): number[] =>
        Array.from(of).slice(count * (k + 1), count * (k + 2));
      const jointAt = Array.from(theirs.jnt_pos as number[]).slice(3 * k, 3 * k + 3);
      const [w, x, y, z] = at(theirs.body_iquat, 4);
      const [a, b, c] = at(theirs.body_inertia, 3);
      near([values.mass], at(theirs.body_mass, 1), `${text}\nmass of body ${k}`);
      near(
        values.centre.map((v, i) => v + jointAt[i]),
        at(theirs.body_ipos, 3),
        `${text}\ncentre of body ${k}`,
      );
      near(
        values.inertia,
        turnTensor([x, y, z, w] as Quaternion, [a, 0, 0, 0, b, 0, 0, 0, c]),
        `${text}\ninertia of body ${k}`,
      );
    }
    // Torques of inverse dynamics: what every motion follows from.
    const data = new mujoco.MjData(theirs);
    const draw = () => Array.from({ length: joints }, () => between(-1, 1));
    const [q, v, acceleration] = [draw(), draw(), draw()];
    data.qpos.set(q);
    data.qvel.set(v);
    data.qacc.set(acceleration);
    mujoco.mj_inverse(theirs, data);
    const parameters = parametersOfRobot(robot);
    const rows = rigidRegressor(robot, { q, v, a: acceleration }, [0, 0, -9.81]);
    const torques = rows.map(
      (row, j) =>
        Array.from(row).reduce((sum, value, p) => sum + value * parameters[p], 0) +
        (links[j].values.armature ?? 0) * acceleration[j],
    );
    near(torques, data.qfrc_inverse as ArrayLike<number>, `${text}\ntorque`);
    const controls = draw();
    data.ctrl.set(controls);
    mujoco.mj_forward(theirs, data);
    robot.actuators.forEach(({ kind, link, gear, kp = 0, kv = 0, gain = 0, bias = [0, 0, 0], forceRange }, k) => {
      const own = kind === 'position' ? [kp, -kp, -kv] : kind === 'velocity' ? [kv, 0, -kv] : [gain, bias[1], bias[2]];
      const force = own[0] * controls[k] + gear * (own[1] * q[link] + own[2] * v[link]);
      const [low, high] = forceRange ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
      const within = Math.min(Math.max(force, low), high);
      near([within], [(data.actuator_force as number[])[k]], `${text}\nforce of actuator ${k}`);
    });
    data.delete();
    theirs.delete();
  });
});

it('a mesh that its scale mirrors has the masses of its mirror image', async () => {
  const masses = async (scale: string) => {
    const mesh = `<mesh name="m" scale="${scale}" vertex="0 0 0  .3 0 0  0 .2 0  0 .05 .25" face="0 2 1  0 1 3  1 2 3  0 3 2"/>`;
    const body = '<body><joint/><geom type="mesh" mesh="m"/></body>';
    const text = `<mujoco><asset>${mesh}</asset><worldbody>${body}</worldbody></mujoco>`;
    return (await readMjcf(text)).links[0].values;
  };
  const [plain, mirrored] = [await masses('1 2 1'), await masses('1 -2 1')];
  near(
    [mirrored.mass, ...mirrored.centre],
    [plain.mass, plain.centre[0], -plain.centre[1], plain.centre[2]],
    'mirrored',
  );
});

describe('what is not read and changes the motion is refused', () => {
  const around = (inside: string, after = '', compiler = ''): string =>
    `<mujoco>${compiler}<worldbody><body name="b" ${after.startsWith('@') ? after.slice(1) : ''}><joint name="j"/><geom size=".1"/>${inside}</body></worldbody>${after.startsWith('@') ? '' : after}</mujoco>`;
  it.each<[string, string]>([
    ['gravcomp', around('', '@gravcomp="1"')],
    [
      'an equality of a tendon',
      around(
        '',
        '<tendon><fixed name="t"><joint joint="j" coef="1"/></fixed></tendon><equality><tendon tendon1="t"/></equality>',
      ),
    ],
    [
      'a tendon with stiffness',
      around('', '<tendon><fixed stiffness="3"><joint joint="j" coef="1"/></fixed></tendon>'),
    ],
    ['air', around('', '', '<option density="1.2"/>')],
    ['a disabled limit', around('', '', '<option><flag limit="disable"/></option>')],
    ['a filter of a servo', around('', '<actuator><position joint="j" kp="3" timeconst=".1"/></actuator>')],
    ['a muscle', around('', '<actuator><muscle joint="j"/></actuator>')],
    [
      'an actuator of a tendon',
      around(
        '',
        '<tendon><fixed name="t"><joint joint="j" coef="1"/></fixed></tendon><actuator><motor tendon="t"/></actuator>',
      ),
    ],
  ])('%s', async (_, text) => {
    await expect(readMjcf(text)).rejects.toThrowCode('robots/not-supported');
  });

  it('a force by a plugin, and an inertia that no body has', async () => {
    const plugin = '<plugin plugin="mujoco.elasticity.cable"/>';
    await expect(readMjcf(around(plugin))).rejects.toThrowCode('robots/not-supported');
    const inertial = '<inertial pos="0 0 0" mass="1" diaginertia=".01 .02 .04"/>';
    await expect(readMjcf(around(inertial))).rejects.toThrowCode({
      code: 'robots/file-invalid',
      values: ['balanceinertia'],
    });
  });

  it('terrain on a body that moves, whose mass it would be, and not where it stands still', async () => {
    const terrain = '<geom type="hfield" hfield="h"/>';
    const still = (totalMass: string) =>
      `<mujoco><compiler ${totalMass}/><worldbody><body>${terrain}</body><body><joint/><geom size=".1"/></body></worldbody></mujoco>`;
    await expect(readMjcf(around(terrain))).rejects.toThrowCode('robots/mass-unknown');
    await expect(readMjcf(still('settotalmass="3"'))).rejects.toThrowCode('robots/mass-unknown');
    expect((await readMjcf(still(''))).links.at(-1)!.values.mass).toBeGreaterThan(4);
  });

  it('springdamper, and a damped free joint', async () => {
    const joint = '<mujoco><worldbody><body><joint springdamper="1 1"/><geom size=".1"/></body></worldbody></mujoco>';
    await expect(readMjcf(joint)).rejects.toThrowCode('robots/not-supported');
  });

  it('but not where it does not act: tendons that only measure, an equality that is off, actuators that nobody wants', async () => {
    const tendon = '<tendon><fixed name="t"><joint joint="j" coef="1"/></fixed></tendon>';
    expect((await readMjcf(around('', tendon))).links).toHaveLength(1);
    const equality = '<equality><joint joint1="j" active="false"/></equality>';
    expect((await readMjcf(around('', equality))).links).toHaveLength(1);
    const group = '<option actuatorgroupdisable="2 3"/>';
    const motors = '<actuator><motor joint="j" group="3"/><motor name="m" joint="j" group="1"/></actuator>';
    expect((await readMjcf(around('', motors, group))).actuators.map(({ name }) => name)).toEqual(['m']);
    const muscle = '<actuator><muscle joint="j"/></actuator>';
    expect((await readMjcf(around('', muscle), { actuators: false })).actuators).toEqual([]);
  });
});
