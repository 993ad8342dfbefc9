import { articulated, Link } from '@gradsim/articulated';
import { createScene, GradsimError } from '@gradsim/core';
import { box, formatObj, formatStl } from '@gradsim/mesh';
import { addRobot, readMjcf, readUrdf, refuseMimics, withFixedJoints } from '@gradsim/robots';
import { describe, type ExpectedError, expect, it } from 'vitest';
import { ARM_MJCF, ARM_URDF } from './support/arms.ts';

const file = { file: 'arm' };
const urdf = (from: string, to: string) => () => {
  expect(ARM_URDF).toContain(from);
  return readUrdf(ARM_URDF.replace(from, to), file);
};
const mjcf = (from: string, to: string) => () => {
  expect(ARM_MJCF).toContain(from);
  return readMjcf(ARM_MJCF.replace(from, to), file);
};

describe('readers of robot files refuse', () => {
  it.each<[string, () => Promise<unknown>, ExpectedError]>([
    ['no XML at all', () => readUrdf('hello', file), { code: 'robots/not-xml', values: ['arm'] }],
    ['an empty file', () => readUrdf('', file), { code: 'robots/not-xml', values: ['arm'] }],
    ['an SDF file', () => readUrdf('<sdf/>', file), { code: 'robots/file-invalid', values: [1] }],
    [
      'macros of xacro',
      urdf(
        '<link name="base"/>',
        '<link name="base"/><xacro:finger xmlns:xacro="http://ros.org/wiki/xacro" side="l"/>',
      ),
      { code: 'robots/not-supported', values: ['<xacro:finger>', 'xacro FILE'] },
    ],
    ['a tag that is not closed', urdf('<link name="base"/>', '<link name="base">'), 'robots/not-xml'],
    ['an attribute twice', urdf('<link name="base"/>', '<link name="base" name="b"/>'), 'robots/not-xml'],
    ['an undefined entity', urdf('name="arm"', 'name="&arm;"'), 'robots/not-xml'],
    [
      'a document type',
      urdf('<robot', '<!DOCTYPE r [<!ENTITY a "b">]><robot'),
      { code: 'robots/not-xml', values: [2, 'arm'] },
    ],
    [
      'a value that is no number',
      urdf('xyz="0 0 1"', 'xyz="0 0 one"'),
      { code: 'robots/value-invalid', values: ['"0 0 one"', 22, 3] },
    ],
    [
      'an infinite mass',
      urdf('value="1.5"', 'value="1e999"'),
      { code: 'robots/value-invalid', values: ['"1e999"', 7] },
    ],
    ['too few numbers', urdf('xyz="0 0 1"', 'xyz="0 1"'), { code: 'robots/value-invalid', values: ['"0 1"'] }],
    ['a mass below 0', urdf('value="1.5"', 'value="-1.5"'), { code: 'robots/value-invalid', values: ['"-1.5"', 0] }],
    ['a mass without a value', urdf(' value="1.5"', ''), { code: 'robots/part-missing', values: ['<mass>', 'value'] }],
    [
      'an unknown type of joint',
      urdf('"continuous"', '"screw"'),
      { code: 'robots/value-invalid', values: ['"shoulder"', '"screw"'] },
    ],
    [
      'a planar joint',
      urdf('"continuous"', '"planar"'),
      { code: 'robots/not-supported', values: ['"shoulder"', '"planar"'] },
    ],
    [
      'an axis without direction',
      urdf('<axis xyz="0 1 0"/>', '<axis xyz="0 0 0"/>'),
      { code: 'robots/value-invalid', field: 'xyz', values: ['"0 0 0"'] },
    ],
    ['limits out of order', urdf('lower="-0.2"', 'lower="0.4"'), { code: 'robots/file-invalid', values: [0.4, 0.3] }],
    [
      'an unknown parent link',
      urdf('parent link="base"', 'parent link="wall"'),
      { code: 'robots/no-such-name', values: ['"shoulder"', '"wall"'] },
    ],
    [
      'a link name twice',
      urdf('link name="lower"', 'link name="upper"'),
      { code: 'robots/name-taken', values: ['"upper"', 4] },
    ],
    [
      'a loop of joints',
      urdf('parent link="base"', 'parent link="lower"'),
      { code: 'robots/not-a-tree', values: ['upper', 'lower'] },
    ],
    [
      'two bases',
      urdf('<link name="base"/>', '<link name="base"/><link name="other"/>'),
      { code: 'robots/not-a-tree', values: [2] },
    ],
    [
      'a child of two joints',
      urdf('<child link="lower"/>', '<child link="upper"/>'),
      { code: 'robots/not-a-tree', values: ['"elbow"', '"upper"'] },
    ],
    [
      'a shape without a size',
      urdf(' size="0.05 0.05 0.4"', ''),
      { code: 'robots/part-missing', values: ['<box>', 'size'] },
    ],
    [
      'a box of thickness 0',
      urdf('size="0.05 0.05 0.4"', 'size="0.05 0 0.4"'),
      { code: 'robots/value-invalid', values: ['"0.05 0 0.4"'] },
    ],
    [
      'an unknown class of defaults',
      mjcf('childclass="elbows"', 'childclass="knees"'),
      { code: 'robots/no-such-name', values: ['"knees"'] },
    ],
    ['an unknown shape', mjcf('type="box"', 'type="cube"'), { code: 'robots/value-invalid', values: ['"cube"'] }],
    [
      'a mesh that no asset has',
      mjcf('type="box"', 'type="mesh" mesh="m"'),
      { code: 'robots/no-such-name', values: ['"m"'] },
    ],
    [
      'an included file without a readFile',
      mjcf('<worldbody>', '<include file="more.xml"/><worldbody>'),
      { code: 'robots/no-read-file', values: ['more.xml', 'readFile'] },
    ],
    [
      'an included file outside of the folder',
      mjcf('<worldbody>', '<include file="../more.xml"/><worldbody>'),
      { code: 'robots/file-outside', values: ['../more.xml'] },
    ],
    [
      'a file that includes itself',
      () =>
        readMjcf('<mujoco><include file="more.xml"/></mujoco>', {
          readFile: () => new TextEncoder().encode('<mujoco>\n<include file="more.xml"/></mujoco>'),
        }),
      { code: 'robots/file-invalid', values: [2, 'more.xml'] },
    ],
    [
      'an element that copies a body',
      mjcf('<worldbody>', '<worldbody><replicate count="3"/>'),
      { code: 'robots/not-supported', values: ['<replicate>'] },
    ],
    [
      'an inertial element without moments of inertia',
      mjcf(' diaginertia="0.02 0.02 0.003"', ''),
      { code: 'robots/part-missing', values: ['<inertial>', 'diaginertia'] },
    ],
    ...(
      [
        ['<pid joint="elbow" input="pos" kp="1" ki="2"/>', 'not-supported', ['ki']],
        ['<pid joint="elbow" kp="1"/>', 'not-supported', ['input="pos"']],
        ['<pid joint="elbow" input="pos"/>', 'part-missing', ['kp']],
        [
          '<dcmotor joint="elbow" motorconst="0.1" resistance="1" inductance="0.1 0"/>',
          'not-supported',
          ['inductance'],
        ],
        ['<dcmotor joint="elbow" motorconst="0.1"/>', 'part-missing', ['resistance']],
        ['<dcmotor joint="elbow" motorconst="0.1" resistance="-1"/>', 'value-invalid', ['-1']],
        ['<dcmotor joint="elbow" nominal="24 2 30" resistance="1"/>', 'file-invalid', ['nominal']],
        ['<dcmotor joint="elbow" nominal="24 2 30" input="pos"/>', 'not-supported', ['voltage']],
        ['<dcmotor joint="elbow" nominal="24 2 30" saturation="1 2"/>', 'not-supported', ['saturation']],
      ] as const
    ).map(([element, code, values]): [string, () => Promise<unknown>, { code: string; values: string[] }] => [
      `the actuator ${element}`,
      mjcf('<actuator>', `<actuator>${element}`),
      { code: `robots/${code}`, values: [...values] },
    ]),
    ['a motor on no joint', mjcf('joint="elbow"', 'joint="knee"'), { code: 'robots/no-such-name', values: ['"knee"'] }],
    [
      'a free joint within another body',
      mjcf('<joint name="elbow"', '<freejoint/><joint name="elbow"'),
      { code: 'robots/not-supported', values: ['<freejoint>'] },
    ],
    [
      'a joint of the world',
      mjcf('<worldbody>', '<worldbody><joint name="a"/>'),
      { code: 'robots/file-invalid', values: ['"a"'] },
    ],
    [
      'autolimits of false',
      mjcf('<compiler', '<compiler autolimits="false"'),
      { code: 'robots/file-invalid', values: ['"false"'] },
    ],
    [
      'a body name twice',
      mjcf('body name="lower"', 'body name="upper"'),
      { code: 'robots/name-taken', values: ['"upper"'] },
    ],
  ])('%s', async (_, read, expected) => {
    await expect(read()).rejects.toThrowCode(expected);
    await expect(read()).rejects.toBeInstanceOf(GradsimError);
  });

  it('an unknown option', async () => {
    const read = readUrdf(ARM_URDF, { ...file, limitStifness: 1 } as object);
    await expect(read).rejects.toThrowCode({
      code: 'base/unknown-option',
      values: ['"limitStifness"', '"limitStiffness"', 'readUrdf'],
    });
  });

  it('XML entities that expand to 2^30 copies', async () => {
    const levels = Array.from({ length: 30 }, (_, k) => `<!ENTITY a${k + 1} "&a${k};&a${k};">`).join('');
    const text = `<!DOCTYPE robot [<!ENTITY a0 "ha">${levels}]><robot name="&a30;"><link name="&a30;"/></robot>`;
    await expect(readUrdf(text)).rejects.toThrowCode('robots/not-xml');
  });

  it('elements nested 200,000 deep, and not closed', async () => {
    await expect(readMjcf(`<mujoco><worldbody>${'<body>'.repeat(200_000)}`)).rejects.toThrowCode({
      code: 'robots/not-xml',
      values: [400],
    });
  });

  it.each([
    ['with attributes that hold />', '<body name="/>">'],
    ["with attributes that hold '>' and no name of letters", "<é a='>'>"],
    ['with namespaces', '<a:b xmlns:a="c">'],
  ])('elements nested 10,000 deep %s', async (_, tag) => {
    const end = `</${tag.slice(1, tag.indexOf(' '))}>`;
    const text = `<mujoco><worldbody>${tag.repeat(10_000)}${end.repeat(10_000)}</worldbody></mujoco>`;
    await expect(readMjcf(text)).rejects.toThrowCode({ code: 'robots/not-xml', values: [1, 400] });
    await expect(readUrdf(text)).rejects.toBeInstanceOf(GradsimError);
  });

  it('elements of several files that together are nested more than 400 deep', async () => {
    const bodies = (more: string): string => `${'<body>'.repeat(300)}${more}${'</body>'.repeat(300)}`;
    const files = (path: string): Uint8Array =>
      new TextEncoder().encode(
        `<mujoco>${bodies(Number(path) > 40 ? '' : `<include file="${Number(path) + 1}"/>`)}</mujoco>`,
      );
    const text = `<mujoco><worldbody>${bodies('<include file="1"/>')}</worldbody></mujoco>`;
    await expect(readMjcf(text, { readFile: files })).rejects.toThrowCode({
      code: 'robots/not-xml',
      values: [400, '1, line 1'],
    });
  });

  it('an invalid number of 400,000 digits, within 60 s', async () => {
    const text = ARM_URDF.replace('xyz="0 0 1"', `xyz="0 0 ${'1'.repeat(400_000)}x"`);
    await expect(readUrdf(text, file)).rejects.toThrowCode({ code: 'robots/value-invalid', values: ['1111'] });
  }, 60_000);
});

it('robot files may start with a byte order mark', async () => {
  expect((await readUrdf(`\uFEFF${ARM_URDF}`)).links).toEqual((await readUrdf(ARM_URDF)).links);
  expect((await readMjcf(`\uFEFF${ARM_MJCF}`)).links).toEqual((await readMjcf(ARM_MJCF)).links);
});

describe('mesh files of robots', () => {
  const named = (name: string) =>
    `<robot name="r"><link name="l"><visual><geometry><mesh filename="${name}" scale="2 2 -2"/></geometry></visual></link></robot>`;
  const asked: string[] = [];
  const files: Readonly<Record<string, Uint8Array>> = {
    'parts/meshes/cube.stl': formatStl(box()),
    'cube.obj': new TextEncoder().encode(formatObj(box())),
    'bad.stl': new Uint8Array(3),
  };
  const readFile = (path: string): Uint8Array => {
    asked.push(path);
    if (!Object.hasOwn(files, path)) throw new Error('there is no such file');
    return files[path];
  };

  it.each(['package://parts/meshes/cube.stl', 'parts/./x/../meshes/cube.stl', 'cube.obj'])(
    '%s is read',
    async (name) => {
      const { links, passedOver } = await readUrdf(named(name), { readFile });
      expect(passedOver).toEqual([]);
      expect(Math.max(...(links[0].values.mesh?.positions ?? []))).toBe(1);
    },
  );

  it.each([
    '../secret.stl',
    'a/../../secret.stl',
    '/etc/secret.stl',
    'file:///etc/secret.stl',
    'https://example.com/a.stl',
    'package://../secret.stl',
    '..\\secret.stl',
    '%2e%2e/secret.stl',
    'C:\\secret.stl',
    'package:///etc/secret.stl',
  ])('%s leads out of the folder, and is refused without a request', async (name) => {
    const before = asked.length;
    await expect(readUrdf(named(name), { readFile })).rejects.toThrowCode({
      code: 'robots/file-outside',
      values: [name],
    });
    await expect(
      readMjcf(
        `<mujoco><asset><mesh name="m" file="${name.replace('package://', '/')}"/></asset><worldbody><geom type="mesh" mesh="m"/></worldbody></mujoco>`,
        { readFile },
      ),
    ).rejects.toThrowCode({ code: 'robots/file-outside', values: ['<mesh name="m">'] });
    expect(asked.length).toBe(before);
  });

  it('that are missing or broken are refused with their name', async () => {
    await expect(readUrdf(named('none.stl'), { readFile })).rejects.toThrowCode({
      code: 'robots/mesh-unreadable',
      values: [1, 'none.stl'],
    });
    await expect(readUrdf(named('bad.stl'), { readFile })).rejects.toThrowCode({
      code: 'robots/mesh-unreadable',
      values: ['bad.stl'],
    });
  });

  it('of other formats, or without readFile, are listed as ignored', async () => {
    expect((await readUrdf(named('arm.dae'), { readFile })).passedOver).toEqual([
      'the robot, line 1: <mesh>: the mesh arm.dae is not read; .obj, .stl, .gltf and .glb are.',
    ]);
    expect((await readUrdf(named('cube.obj'))).passedOver[0]).toMatch(
      /cube.obj is not read, since there is no readFile/,
    );
  });

  it('give an MJCF body its mass, and are refused if open, or if that mass is needed without readFile', async () => {
    const text = (mesh: string) =>
      `<mujoco><compiler meshdir="parts/meshes"/><asset><mesh file="${mesh}" scale="0.1 0.1 0.1"/></asset><worldbody><body><geom type="mesh" mesh="cube"/></body></worldbody></mujoco>`;
    const { links } = await readMjcf(text('cube.stl'), { readFile });
    expect(links[0].values.mass).toBeCloseTo(1, 6);
    await expect(readMjcf(text('cube.stl'))).rejects.toThrowCode({
      code: 'robots/mass-unknown',
      values: ['<geom>'],
    });
    const weightless = text('cube.stl').replace('mesh="cube"', 'mesh="cube" mass="0"');
    expect((await readMjcf(weightless)).links[0].values.mass).toBe(0);
    const sheet = { ...box(), triangles: box().triangles.slice(3) };
    await expect(readMjcf(text('cube.stl'), { readFile: () => formatStl(sheet) })).rejects.toThrowCode({
      code: 'robots/mass-unknown',
      values: ['<geom>'],
    });
  });
});

describe('a joint that follows another', () => {
  const mimic = (of: string) =>
    urdf('<axis xyz="0 1 1"/>', `<axis xyz="0 1 1"/><mimic joint="${of}" multiplier="-2" offset="0.1"/>`);
  it('is read, begins where the other leads it, and is refused where that one is fixed', async () => {
    const robot = await mimic('shoulder')();
    const [follower] = robot.mimics!;
    expect(follower).toEqual({ joint: follower.joint, leader: 'shoulder', multiplier: -2, offset: 0.1 });
    expect(robot.passedOver.join()).not.toContain('mimic');
    const scene = createScene([articulated()]);
    const links = addRobot(scene, robot, { joints: { shoulder: { coordinate: 0.2, rate: 1 } } });
    const link = links[robot.links.findIndex(({ jointName }) => jointName === follower.joint)];
    expect(scene.get(link, Link, 'coordinate')[0]).toBeCloseTo(-0.3, 12);
    expect(scene.get(link, Link, 'rate')[0]).toBeCloseTo(-2, 12);
    const half = withFixedJoints(robot, [follower.joint]);
    expect(half.mimics).toHaveLength(1);
    expect(() => addRobot(createScene([articulated()]), half)).toThrowCode({
      code: 'robots/mimic',
      field: follower.joint,
      values: ['shoulder', -2],
    });
    const fixed = withFixedJoints(robot, [follower.joint, 'shoulder']);
    expect(addRobot(createScene([articulated()]), fixed)).toHaveLength(robot.links.length);
    expect(() => refuseMimics(robot)).toThrowCode('robots/mimic');
  });
  it('is refused where that one follows it', async () => {
    const robot = await mimic('shoulder')();
    const [one] = robot.mimics!;
    const circle = { ...robot, mimics: [one, { ...one, joint: one.leader, leader: one.joint }] };
    expect(() => addRobot(createScene([articulated()]), circle)).toThrowCode('robots/mimic');
  });
  const coupled = (attributes: string) =>
    mjcf('<actuator>', `<equality><joint ${attributes} solref="0.01 1"/></equality><actuator>`);
  it('is read from an equality of MJCF alike', async () => {
    const robot = await coupled('joint1="elbow" joint2="shoulder" polycoef="0.1 -2 0 0 0"')();
    expect(robot.mimics).toEqual([{ joint: 'elbow', leader: 'shoulder', multiplier: -2, offset: 0.1 }]);
    expect(withFixedJoints(robot, ['elbow', 'shoulder']).mimics).toBeUndefined();
    const off = await coupled('joint1="elbow" joint2="shoulder" active="false"')();
    expect(off.mimics).toBeUndefined();
    const held = await coupled('joint1="elbow" polycoef="0.1 0 0 0 0"')();
    expect(held.constraints).toMatchObject([{ kind: 'gear', offset: 0.1 }]);
  });
  it('is refused for a joint that there is not', async () => {
    await expect(coupled('joint1="elbow" joint2="knee"')()).rejects.toThrowCode('robots/no-such-name');
    await expect(coupled('joint1="elbow" joint2="elbow"')()).rejects.toThrowCode('robots/file-invalid');
    await expect(coupled('joint1="elbow" joint2="shoulder" polycoef="0 1 2"')()).rejects.toThrowCode(
      'robots/not-supported',
    );
    await expect(mimic('knee')()).rejects.toThrowCode({ code: 'robots/no-such-name', values: ['knee', 29] });
  });
});

describe('ignored parts of a robot file are listed:', () => {
  it.each<[string, () => ReturnType<typeof readUrdf>, RegExp]>([
    ['an element not of URDF', urdf('<link name="base"/>', '<link name="base"/><gazebo/>'), /<gazebo> is not read/],
    [
      'a colour',
      urdf('<geometry><sphere', '<material name="red"/><geometry><sphere'),
      /<material name="red"> is not read/,
    ],
    [
      'text within a joint',
      urdf('<axis xyz="0 1 0"/>', '<axis xyz="0 1 0"/>oops'),
      /line 20: <joint name="shoulder">: the text oops is not read/,
    ],
    ['a sensor', mjcf('<actuator>', '<sensor><gyro/></sensor><actuator>'), /<sensor> is not read/],
    ['a tendon', mjcf('<actuator>', '<tendon><fixed name="t"/></tendon><actuator>'), /<fixed name="t"> is not read/],
    ['a plane', mjcf('<worldbody>', '<worldbody><geom type="plane" size="1 1 1"/>'), /type="plane" is not read/],
    [
      'the timestep of the simulation',
      mjcf('<option', '<option timestep="0.01"'),
      /<option>: timestep="0.01" is not read/,
    ],
    ['the contact friction', mjcf('<geom size', '<geom friction="1" size'), /<geom>: friction="1" is not read/],
  ])('%s', async (_, read, sentence) => {
    expect((await read()).passedOver.some((each) => sentence.test(each))).toBe(true);
  });
});
