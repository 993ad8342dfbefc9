// Loops and couplings of files, compared with MuJoCo's WebAssembly.

import { articulated, Gravity, Link } from '@gradsim/articulated';
import type { Quaternion } from '@gradsim/base';
import { buildModel, createScene, createSimulation, f64Device } from '@gradsim/core';
import type { Robot, RobotPlace } from '@gradsim/robots';
import { addRobot, readMjcf, refuseLoops, withFixedJoints } from '@gradsim/robots';
import loadMujoco from '@mujoco/mujoco';
import { describe, expect, it } from 'vitest';

const mujoco = await loadMujoco();
const [SECONDS, RATE] = [1, 20];
type Path = readonly (readonly number[])[];

/** Coordinates of all hinges and slides in a second, by MuJoCo and its default integrator. */
function byMujoco(text: string, step: number): Path {
  const model = mujoco.MjModel.from_xml_string(text)!;
  model.opt.timestep = step;
  const data = new mujoco.MjData(model);
  try {
    const path = [[...data.qpos]];
    for (let k = 1; k <= Math.round(SECONDS / step); k++) {
      mujoco.mj_step(model, data);
      if (k % Math.round(1 / (RATE * step)) === 0) path.push([...data.qpos]);
    }
    return path;
  } finally {
    data.delete();
    model.delete();
  }
}

async function here(robot: Robot, step: number, place: RobotPlace = {}, gravity = [0, 0, -9.81]): Promise<Path> {
  const scene = createScene([articulated()]);
  scene.add(Gravity, { acceleration: gravity });
  addRobot(scene, robot, place);
  const frames = SECONDS * RATE + 1;
  const simulation = await createSimulation(buildModel(scene), {
    device: f64Device(),
    frames,
    frameRate: RATE,
    substeps: Math.round(1 / (RATE * step)),
    record: [Link.coordinate],
  });
  simulation.forward();
  const all = await simulation.readFrames(Link.coordinate);
  simulation.dispose();
  const count = robot.links.length;
  const moved = robot.links.flatMap(({ values }, k) => (values.axis ? [k] : []));
  return Array.from({ length: frames }, (_, f) => moved.map((k) => all[count * f + k]));
}
const apart = (a: Path, b: Path): number =>
  Math.max(...a.flatMap((row, f) => row.map((x, j) => Math.abs(x - b[f][j]))));

/** MuJoCo's constraints are springs; these are as stiff as its substep of 1 ms allows. */
const STIFF = 'solref="0.003 1" solimp="0.9999 0.9999 0.001"';
const mjcf = (bodies: string, equality: string): string =>
  `<mujoco><compiler angle="radian"/><default><geom contype="0" conaffinity="0"/></default><worldbody>${bodies}</worldbody><equality>${equality}</equality></mujoco>`;
const bar = (length: number): string => `<geom type="capsule" size=".02" fromto="0 0 0 ${length} 0 0"/>`;

/** A plane loop of three bars and the ground, upright; the crank is above its pin. */
const fourBar = (equality: string): string =>
  mjcf(
    `<body name="crank" pos="0 0 1"><joint name="a" axis="0 1 0" damping=".02"/>
       <geom type="capsule" size=".02" fromto="0 0 0 0 0 .2"/>
       <body name="coupler" pos="0 0 .2"><joint name="b" axis="0 1 0" pos=".01 0 0"/>${bar(0.6)}
         <site name="end" pos=".6 0 0" euler="0 .3 0"/></body></body>
     <body name="rocker" pos=".5 0 .8"><joint name="c" axis="0 1 0" armature=".01" frictionloss=".01"/>
       <geom type="capsule" size=".03" fromto="0 0 0 .1 0 .4"/><site name="top" pos=".1 0 .4"/></body>`,
    equality,
  );

describe('a loop of links moves as it does in MuJoCo:', () => {
  it.each([
    ['connect of two bodies', fourBar(`<connect body1="coupler" body2="rocker" anchor=".6 0 0" ${STIFF}/>`)],
    ['connect of two sites', fourBar(`<connect site1="top" site2="end" ${STIFF}/>`)],
    [
      'connect with the world',
      mjcf(
        `<body name="one" pos="0 0 1"><joint name="a" axis="0 1 0"/>${bar(0.3)}
           <body name="two" pos=".3 0 0" euler="0 .7 0"><joint name="b" axis="0 1 0"/>${bar(0.3)}
             <body name="three" pos=".3 0 0" euler="0 -1.2 0"><joint name="c" axis="0 1 0" damping=".01"/>${bar(0.3)}</body></body></body>`,
        `<connect body1="three" anchor=".3 0 0" ${STIFF}/>`,
      ),
    ],
    [
      'weld of two bodies that slide and turn, about an anchor',
      mjcf(
        `<body name="one" pos="0 0 1"><joint name="a" axis="0 1 0"/>${bar(0.3)}
           <body name="two" pos=".3 0 0" euler=".2 .4 0"><joint name="b" axis="0 1 0"/>${bar(0.3)}</body></body>
         <body name="three" pos=".1 0 .7"><joint name="d" axis="0 1 0"/><joint name="e" type="slide" axis="1 0 0"/>
           <joint name="f" type="slide" axis="0 0 1"/>${bar(0.2)}</body>`,
        `<weld body1="two" body2="three" anchor=".1 0 .05" ${STIFF}/>`,
      ),
    ],
    [
      'weld with the world by a pose of its own',
      mjcf(
        `<body name="one" pos=".2 0 1" euler="0 .3 0"><joint name="a" axis="0 1 0"/>${bar(0.3)}
           <body name="two" pos=".3 0 0"><joint name="b" axis="0 1 0"/><joint name="c" type="slide" axis="1 0 0"/>
             <joint name="d" type="slide" axis="0 0 1"/>${bar(0.3)}</body></body>`,
        `<weld body1="two" ${STIFF}/>`,
      ),
    ],
    [
      'joints that follow joints, and one held',
      mjcf(
        `<body name="one" pos="0 0 1"><joint name="a" axis="0 1 0" damping=".05"/>${bar(0.3)}
           <body name="two" pos=".3 0 0"><joint name="b" axis="1 1 0"/>${bar(0.2)}
             <body name="three" pos=".2 0 0"><joint name="c" axis="0 1 0"/>${bar(0.2)}
               <body name="four" pos=".2 0 0"><joint name="d" axis="0 0 1"/>${bar(0.2)}</body></body></body></body>`,
        `<joint joint1="b" joint2="a" polycoef="0 -.5 0 0 0" ${STIFF}/><joint joint1="c" joint2="b" polycoef="0 2 0 0 0" ${STIFF}/><joint joint1="d" polycoef="0 0 0 0 0" ${STIFF}/>`,
      ),
    ],
  ])('%s', async (_, text) => {
    const robot = await readMjcf(text);
    const differences = [];
    for (const part of [1, 2]) {
      const theirs = byMujoco(text.replaceAll('solref="0.003', `solref="${0.003 / part}`), 1e-3 / part);
      expect(Math.max(...theirs.flat().map(Math.abs))).toBeGreaterThan(0.2);
      differences.push(apart(await here(robot, 1e-3 / part), theirs));
    }
    // MuJoCo leaves out J' v, which opens a connect by the square of its time constant.
    expect(differences[0]).toBeLessThan(0.01);
    expect(differences[1]).toBeLessThan(Math.max(0.6 * differences[0], 2e-5));
  });
});

describe('a robot with loops and couplings', () => {
  const loop = fourBar('<connect body1="coupler" body2="rocker" anchor=".6 0 0"/>');
  const toWorld = mjcf(
    `<body name="one" pos=".2 0 1" euler="0 .3 0"><joint name="a" axis="0 1 0"/>${bar(0.3)}
       <body name="two" pos=".3 0 0"><joint name="b" axis="0 1 0"/><joint name="c" type="slide" axis="1 0 0"/>
         <joint name="d" type="slide" axis="0 0 1"/>${bar(0.3)}</body></body>`,
    '<weld body1="two"/>',
  );
  it.each([loop, toWorld])('moves alike wherever it stands', async (text) => {
    const robot = await readMjcf(text);
    const orientation: Quaternion = [-Math.SQRT1_2, 0, 0, Math.SQRT1_2];
    const stood = await here(robot, 1e-3, { position: [3, -2, 1], orientation }, [0, -9.81, 0]);
    expect(apart(stood, await here(robot, 1e-3))).toBeLessThan(1e-6);
  });
  it('is read of a loop whose equality is of bodies, sites or the world', async () => {
    const [found] = (await readMjcf(loop)).constraints!;
    expect(found.kind).toBe('connect');
    expect(Math.hypot(found.point![0] - 0.1, found.point![2] - 0.4)).toBeLessThan(1e-12);
    expect(found.otherPoint![0]).toBeCloseTo(0.59, 12);
    await expect(readMjcf(fourBar('<connect body1="coupler" body2="wheel" anchor="0 0 0"/>'))).rejects.toThrowCode({
      code: 'robots/no-such-name',
      values: ['wheel'],
    });
    await expect(readMjcf(fourBar('<connect site1="end" site2="none"/>'))).rejects.toThrowCode('robots/no-such-name');
    await expect(readMjcf(fourBar('<connect body1="coupler" body2="rocker"/>'))).rejects.toThrowCode(
      'robots/part-missing',
    );
    await expect(readMjcf(fourBar('<connect body1="world" anchor="0 0 0"/>'))).rejects.toThrowCode(
      'robots/file-invalid',
    );
    await expect(readMjcf(fourBar('<tendon tendon1="x"/>'))).rejects.toThrowCode('robots/not-supported');
    expect((await readMjcf(fourBar('<connect body1="coupler" active="false" anchor="0 0 0"/>'))).constraints).toBe(
      undefined,
    );
  });
  it('is one whose loop is open, which a scene refuses, or of fixed joints, which closes by itself', async () => {
    const robot = await readMjcf(loop);
    await expect(here(robot, 1e-3, { joints: { a: { coordinate: 0.3 } } })).rejects.toThrowCode(
      'articulated/constraint-open',
    );
    expect(withFixedJoints(robot, ['a', 'b', 'c']).constraints).toBe(undefined);
    expect(withFixedJoints(robot, ['a', 'b']).constraints).toHaveLength(1);
    expect(() => refuseLoops(robot, 'and it is not planned')).toThrowCode('robots/closed-loop');
  });
});
