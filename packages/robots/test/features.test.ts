import { readMjcf, readUrdf } from '@gradsim/robots';
import { describe, expect, it } from 'vitest';
import { ARM_URDF } from './support/arms.ts';
import { furthest } from './support/motion.ts';

describe('URDF', () => {
  it('has a free base if requested, and reads floating joints as free', async () => {
    const robot = await readUrdf(ARM_URDF.replace('"continuous"', '"floating"'), { base: 'free' });
    expect(robot.links.map(({ values }) => values.joint)).toEqual(['free', 'free', 'revolute']);
  });

  it('has the motor of a transmission, with the effort limit of its joint, and lists the mechanical reduction as ignored', async () => {
    const transmission =
      '<transmission name="t"><joint name="elbow"/><actuator name="m"><mechanicalReduction>50</mechanicalReduction></actuator></transmission>';
    const robot = await readUrdf(ARM_URDF.replace('</robot>', `${transmission}</robot>`));
    expect(robot.actuators).toEqual([{ name: 'm', kind: 'motor', link: 2, gear: 1, forceRange: [-4, 4] }]);
    expect(robot.passedOver.join()).toMatch(/<mechanicalReduction> is not read/);
  });

  it.each([
    'package://arm_description/meshes/upper.stl',
    '../meshes/upper.stl',
    'file:///opt/arm/upper.stl',
    '/opt/arm/upper.STL',
    '$(find arm_description)/meshes/upper.dae',
  ])('reads no shapes where none are wanted, so that a mesh at %s stops nothing', async (path) => {
    const shape = `<geometry><mesh filename="${path}" scale="0.001 0.001 0.001"/></geometry>`;
    const text = ARM_URDF.replace('</link>', `<visual>${shape}</visual><collision>${shape}</collision></link>`);
    const robot = await readUrdf(text, { shapes: 'none' });
    expect(robot.passedOver.join()).not.toContain('mesh');
    const whole = await readUrdf(ARM_URDF);
    expect(robot.links.map(({ values: { mass, inertia } }) => [mass, inertia])).toEqual(
      whole.links.map(({ values: { mass, inertia } }) => [mass, inertia]),
    );
    const mjcf = `<mujoco><asset><mesh name="m" file="${path}"/></asset><worldbody><body><inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/><geom type="mesh" mesh="m"/></body></worldbody></mujoco>`;
    expect((await readMjcf(mjcf, { shapes: 'none' })).links[0].values.mass).toBe(2);
  });

  it('uses visual or collision shapes as requested', async () => {
    const text = `<robot name="r"><link name="l"><visual><geometry><sphere radius="1"/></geometry></visual>
      <collision><origin xyz="5 0 0"/><geometry><capsule radius="1" length="2"/></geometry></collision></link></robot>`;
    const reach = async (shapes: 'visual' | 'collision') =>
      Math.max(...((await readUrdf(text, { shapes })).links[0].values.mesh?.positions ?? []));
    expect(await reach('visual')).toBeCloseTo(1, 1);
    expect(await reach('collision')).toBeCloseTo(6, 9);
  });
});

describe('MJCF', () => {
  it('positions bodies and shapes through frames, and has the shapes of the world body', async () => {
    const { links } = await readMjcf(`<mujoco><worldbody><geom type="box" size="1 1 1" pos="0 0 -1"/>
      <frame pos="1 0 0" euler="0 0 90"><body name="b" pos="2 0 0"><joint axis="1 0 0" pos="0 0 1"/>
        <frame pos="0 3 0"><geom size="1" mass="2"/></frame><body name="c" pos="0 0 4"><geom size="1"/></body>
      </body></frame></worldbody></mujoco>`);
    expect(links.map(({ name, parent }) => [name, parent])).toEqual([
      ['world 0', undefined],
      ['b', undefined],
      ['c', 1],
    ]);
    const [world, b, c] = links.map(({ values }) => values);
    expect(Math.max(...(world.mesh?.positions ?? []).filter((_, k) => k % 3 === 2))).toBe(0);
    // Turned by a right angle, 2 along x is 2 along y; the joint is 1 above.
    expect(furthest(b.anchor, [1, 2, 1])).toBeLessThan(1e-12);
    expect(furthest(b.centre, [0, 3, -1])).toBeLessThan(1e-12);
    // From the joint of its parent.
    expect(furthest(c.anchor, [0, 0, 3])).toBeLessThan(1e-12);
  });

  it('takes defaults from classes, the nearest first', async () => {
    const { links } = await readMjcf(`<mujoco><compiler angle="radian"/><default><joint damping="1" armature="2"/>
        <default class="a"><joint damping="3"/><default class="b"><joint stiffness="4"/></default></default></default>
      <worldbody><body childclass="b"><joint name="j"/><geom size="1"/>
        <body><joint name="k" class="a" damping="5"/><geom size="1"/></body></body>
        <body><joint name="l" range="-1 2"/><geom size="1"/></body></worldbody></mujoco>`);
    expect(links.map(({ values: { damping, armature, stiffness } }) => [damping, armature, stiffness])).toEqual([
      [3, 2, 4],
      [5, 2, undefined],
      [1, 2, undefined],
    ]);
    expect([links[2].values.lower, links[2].values.upper]).toEqual([-1, 2]);
  });

  it('has servos with gains and ranges, and a ball joint with its maximum rotation', async () => {
    const { actuators, links } = await readMjcf(`<mujoco><default><position kp="7"/></default><worldbody>
      <body><joint name="j"/><geom size="1"/><body><joint type="ball" range="0 90"/><geom size="1"/></body></body></worldbody>
      <actuator><position joint="j" kv="2" ctrlrange="-1 1"/><velocity name="v" joint="j" gear="3"/></actuator></mujoco>`);
    expect(actuators).toEqual([
      { name: 'j', kind: 'position', link: 0, gear: 1, kp: 7, kv: 2, controlRange: [-1, 1] },
      { name: 'v', kind: 'velocity', link: 0, gear: 3, kv: 1 },
    ]);
    expect(links[1].values.upper).toBeCloseTo(Math.PI / 2, 12);
    expect(links[1].values.lower).toBeUndefined();
  });

  it('reads included files from the folder of the main one', async () => {
    const files: Record<string, string> = {
      'parts/arm.xml':
        '<mujocoinclude><body name="arm"><joint name="j"/><geom size="1"/><include file="hand.xml"/></body></mujocoinclude>',
      'hand.xml': '<mujocoinclude><body name="hand"><geom size="0.1"/></body></mujocoinclude>',
      'classes.xml': '<mujoco><default><joint damping="3"/></default><option gravity="0 0 -1"/></mujoco>',
    };
    const { links, gravity } = await readMjcf(
      '<mujoco><include file="./classes.xml"/><worldbody><include file="parts/arm.xml"/></worldbody></mujoco>',
      { readFile: (path) => new TextEncoder().encode(files[path]) },
    );
    expect(links.map(({ name, values: { damping } }) => [name, damping])).toEqual([
      ['arm', 3],
      ['hand', undefined],
    ]);
    expect(gravity).toEqual([0, 0, -1]);
  });

  it('disables gravity by its flag, and refuses damping of a free joint', async () => {
    const text = (damping: number): string =>
      `<mujoco><option><flag gravity="disable"/></option><default><joint damping="${damping}"/></default><worldbody><body><joint name="j" type="free"/><geom size="1"/></body></worldbody></mujoco>`;
    expect((await readMjcf(text(0))).gravity).toEqual([0, 0, 0]);
    await expect(readMjcf(text(2))).rejects.toThrowCode({ code: 'robots/not-supported', values: ['damping'] });
  });

  it('limits actuator forces by those of their joint, divided by the gear', async () => {
    const { actuators, passedOver } = await readMjcf(`<mujoco><worldbody>
      <body><joint name="j" actuatorfrcrange="-6 4"/><geom size="1"/></body></worldbody>
      <actuator><motor name="a" joint="j" gear="-2" forcerange="-1.5 9"/><general name="b" joint="j" gainprm="3" biastype="affine" biasprm="1 -2 -0.5"/></actuator></mujoco>`);
    expect(actuators).toEqual([
      { name: 'a', kind: 'motor', link: 0, gear: -2, forceRange: [-1.5, 3] },
      { name: 'b', kind: 'general', link: 0, gear: 1, gain: 3, bias: [1, -2, -0.5], forceRange: [-6, 4] },
    ]);
    expect(passedOver).toEqual([
      'the robot, line 3: <general name="b">: actuatorfrcrange of the joint "j" limits each of its actuators, not their sum.',
    ]);
  });
});
