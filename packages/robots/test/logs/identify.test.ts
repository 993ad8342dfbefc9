import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { identifyRobot, readJointLog, readMjcf, unloggedJoints, withFixedJoints } from '@gradsim/robots';
import { beforeAll, describe, expect, it } from 'vitest';
import { PLANAR, simulatedLog } from './support.ts';

const folder = fileURLToPath(new URL('../../../../../shared/data/robot-logs/', import.meta.url));
let text = '';
beforeAll(async () => {
  text = await simulatedLog(await readMjcf(PLANAR));
});

/** Replaces the values of a column. */
function changed(column: string, of: (value: number, row: number) => number | string): string {
  const [header, ...rows] = text.split('\n');
  const at = header.split(',').indexOf(column);
  const edit = (row: string, k: number): string =>
    row
      .split(',')
      .map((cell, i) => (i === at ? of(Number(cell), k) : cell))
      .join(',');
  return [header, ...rows.map(edit)].join('\n');
}

/** Absolute torques, in columns of another name. */
function unsigned(of: string): string {
  const [header, ...rows] = text.split('\n');
  const edit = (row: string): string => {
    const [t, q1, q2, ...torques] = row.split(',').map(Number);
    return [t, q1, q2, ...torques.map((x, j) => (4 + 9 * j) * Math.abs(x))].join(',');
  };
  return [header.replaceAll('tau_', `${of}_`), ...rows.map(edit)].join('\n');
}

describe('the identification of a robot from a log', () => {
  it('recovers what the motion determines from a model that is wrong, and names what it does not', async () => {
    const truth = await readMjcf(PLANAR);
    const wrong = PLANAR.replace('mass="0.5"', 'mass="0.8"')
      .replace('mass="0.4"', 'mass="0.3"')
      .replace('0.003 0.003', '0.006 0.006');
    const model = await readMjcf(wrong);
    const { combinations, undetermined, robot, delay } = identifyRobot(model, [readJointLog(text, model)]);
    const named = (part: string) => combinations.find(({ name }) => name.startsWith(part));
    // A band of 5 Hz leaves less than a per cent of these motions, of 0.7 to 1.9 Hz.
    for (const part of ['m cz of upper', 'm cz of lower', 'Jyy of upper', 'Jyy of lower']) {
      const found = named(part);
      const expected = found?.valueFor(truth) as number;
      expect(Math.abs((found?.estimate as number) / expected - 1), part).toBeLessThan(0.02);
    }
    expect(Math.abs(delay.estimate)).toBeLessThan(0.005);
    expect(named('m cz of upper')?.name).toBe('m cz of upper - 0.3 m of lower');
    const mass = undetermined.find(({ name }) => name.startsWith('m of lower'));
    expect(mass?.name).toContain('+ 0.3 m cz of upper');
    expect(mass?.standardError).toBe(Number.POSITIVE_INFINITY);
    for (const { values } of robot.links) {
      const [x, y, z] = [0, 4, 8].map((k) => values.inertia[k]);
      expect(Math.min(values.mass, x + y - z, y + z - x, z + x - y)).toBeGreaterThan(0);
    }
  });

  it('finds the zeros from which positions count in each log', async () => {
    const model = await readMjcf(PLANAR);
    const log = readJointLog(text, model, 'first');
    const other = {
      ...log,
      name: 'second',
      positions: log.positions.map((q, j) => q.map((x) => x + [0.03, -0.08][j])),
    };
    const { zeros, combinations, predictTorques } = identifyRobot(model, [log, other], { zeros: 2 });
    expect(zeros.map(({ name }) => name)).toEqual(['zero of shoulder in second', 'zero of elbow in second']);
    expect(zeros[0].estimate).toBeCloseTo(0.03, 3);
    expect(zeros[1].estimate).toBeCloseTo(-0.08, 3);
    const moment = combinations.find(({ name }) => name.startsWith('m cx of upper'));
    expect(moment?.estimate).toBeCloseTo(0, 3);
    const { from, predicted, inBand } = predictTorques({ ...other, name: 'another' });
    expect(from).toBe(401);
    expect(predicted[0][600]).toBeCloseTo(inBand[0][600], 1);
  });

  it('finds gain and bias of torques, where bodies are known, and names what the motion does not tell them from', async () => {
    const model = await readMjcf(PLANAR);
    const log = readJointLog(text, model);
    const [gains, biases] = [
      [0.5, 20],
      [0.04, -1],
    ];
    const logged = { ...log, torques: log.torques.map((own, j) => own.map((x) => gains[j] * x + biases[j])) };
    const found = identifyRobot(model, [logged], { torqueGain: 'unknown', torqueBias: 'unknown' });
    expect(found.torqueSensors.map(({ name }) => name)).toEqual(
      ['gain', 'bias'].flatMap((what) => ['shoulder', 'elbow'].map((joint) => `torque ${what} of ${joint}`)),
    );
    found.torqueSensors.forEach(({ estimate, standardError, name }, k) => {
      const error = Math.abs(estimate - [...gains, ...biases][k]) / gains[k % 2];
      expect(error, name).toBeLessThan(0.02);
      expect(standardError / gains[k % 2], name).toBeLessThan(0.05);
    });
    const currents = readJointLog(text.replaceAll('tau_', 'current_'), model, 'currents.csv');
    expect(currents.torques).toEqual(log.torques);
    expect(() => identifyRobot(model, [currents])).toThrowCode({ code: 'robots/log-currents' });
    expect(readJointLog(text.replaceAll(/tau_(\w+)/g, 'tau_$1 [mA]'), model).torques[1][7]).toBeCloseTo(
      log.torques[1][7] / 1000,
    );
    expect(() => readJointLog(text.replace('tau_elbow', 'current_elbow'), model)).toThrowCode({
      code: 'robots/log-currents-mixed',
    });
    const { predicted, inBand } = found.predictTorques({ ...logged, hasCurrents: true });
    expect(predicted[1][600]).toBeCloseTo(inBand[1][600], 1);
    // About a vertical axis a body has one inertia and no weight: its gain is that of its armature too.
    const flat = await readMjcf(
      PLANAR.replace(/<body name="lower"[\s\S]*?<\/body>/, '')
        .replace('axis="0 -1 0"', 'axis="0 0 1"')
        .replace('<motor joint="elbow"/>', '')
        .replace('pos="0 0 -0.2"', 'pos="0.2 0 0"'),
    );
    const one = { ...log, positions: [log.positions[0]], torques: [log.torques[0]] };
    const { undetermined } = identifyRobot(flat, [one], { torqueGain: 'unknown', delay: 0 });
    expect(undetermined.at(-1)?.name).toMatch(/^torque gain of shoulder - [\d.e+]+ gain armature of shoulder$/);
  });

  it('finds gains of currents without signs, which the motion gives', async () => {
    const model = await readMjcf(PLANAR.replace(/damping="[^"]*"/g, ''));
    const logged = readJointLog(unsigned('current'), model, 'currents.csv');
    expect(logged.readingNotes).toContain('currents without signs');
    expect(() => identifyRobot(model, [logged])).toThrowCode({ code: 'robots/log-currents' });
    const found = identifyRobot(model, [logged], { torqueGain: 'unknown' });
    found.torqueSensors.forEach(({ name, estimate }, j) => {
      expect(Math.abs(estimate / (4 + 9 * j) - 1), name).toBeLessThan(0.02);
    });
    const { torques } = readJointLog(text, model);
    const wrong = found.corrected(logged).torques.map((own, j) => {
      const most = Math.max(...own.map(Math.abs));
      return own.filter((x, s) => x * torques[j][s] < 0 && Math.abs(x) > 0.05 * most).length / own.length;
    });
    for (const part of wrong) expect(part).toBeLessThan(0.01);
  });

  it('finds what voltages drive: gains of motors, and the back-EMF within the damping', async () => {
    const model = await readMjcf(PLANAR);
    const log = readJointLog(text, model);
    const [gains, drops] = [
      [4, 9],
      [0.05, 0.02],
    ];
    const rate = (j: number, s: number): number => {
      const [a, b] = [Math.max(s - 1, 0), Math.min(s + 1, log.time.length - 1)];
      return (log.positions[j][b] - log.positions[j][a]) / (log.time[b] - log.time[a]);
    };
    // A DC motor: torque = voltage / gain - drop rate.
    const [header, ...rows] = text.split('\n');
    const table = rows.map((row, s) => {
      const [t, q1, q2] = row.split(',');
      return [t, q1, q2, ...[0, 1].map((j) => gains[j] * (log.torques[j][s] + drops[j] * rate(j, s)))].join(',');
    });
    const logged = readJointLog([header.replaceAll('tau_', 'voltage_'), ...table].join('\n'), model, 'volts.csv');
    expect(() => identifyRobot(model, [logged])).toThrowCode({ code: 'robots/log-voltages' });
    // A motor in the file says what a volt makes, but not what a part of a supply's voltage does.
    const driven = await readMjcf(PLANAR.replace(/<motor /g, '<dcmotor motorconst="0.4" resistance="1.5" '));
    const asVoltage = [header.replaceAll('tau_', 'voltage_'), ...table].join('\n');
    expect(readJointLog(asVoltage, driven).servos).toHaveLength(2);
    expect(readJointLog(asVoltage.replaceAll('voltage_', 'pwm_'), driven).servos).toBe(undefined);
    const found = identifyRobot(model, [logged], { torqueGain: 'unknown' });
    for (const [j, joint] of ['shoulder', 'elbow'].entries()) {
      const { name, estimate } = found.torqueSensors[j];
      expect(name).toBe(`torque gain of ${joint}`);
      expect(Math.abs(estimate / gains[j] - 1), name).toBeLessThan(0.02);
      const damping = found.combinations.find((one) => one.name === `damping and back-EMF of ${joint}`);
      // The log is simulated with dampings of 0.02 and 0.01 N m s/rad.
      expect(damping?.estimate, joint).toBeCloseTo(drops[j] + [0.02, 0.01][j], 2);
    }
    // Beside torques and currents, voltages are not read.
    const both = [`${header},pwm_shoulder,pwm_elbow`, ...rows.map((row) => `${row},0.1,-0.2`)].join('\n');
    expect(readJointLog(both, model).torques).toEqual(log.torques);
    expect(() => readJointLog(text.replace('tau_elbow', 'voltage_elbow'), model)).toThrowCode({
      code: 'robots/log-currents-mixed',
    });
  });

  it('finds the inertia of a rod with a mass for the torque-limited pendulum, though torque and motion contradict each other in parts of its log', async () => {
    if (!existsSync(folder)) {
      console.log('robot-logs: skipped, ../shared/data is not there');
      return;
    }
    const model = await readMjcf(`<mujoco><worldbody><body name="arm"><joint name="pivot" axis="0 -1 0"/>
      <inertial pos="0 0 -0.3" mass="0.6" diaginertia="0.01 0.01 0.001"/></body></worldbody></mujoco>`);
    const log = readJointLog(readFileSync(`${folder}pendulum-a.csv`, 'utf8'), model);
    const { combinations } = identifyRobot(model, [log], { delay: 0 });
    const of = (part: string) => combinations.find(({ name }) => name.startsWith(part))?.estimate as number;
    // The frequency of small swings follows from length and mass alone: m l / (m l^2) = 1 / l, with l of 0.5 m.
    expect(Math.abs((-of('m cz of arm') / of('Jyy of arm')) * 0.5 - 1)).toBeLessThan(0.05);
  });
});

it('reads names with the joint before the word and the unit at the end', async () => {
  const robot = await readMjcf(PLANAR);
  const [, ...rows] = text.split('\n');
  const header = 'time_s,shoulder_angle_deg,elbow_angle_deg,shoulder_torque_Nm,elbow torque (mNm)';
  const { positions, torques } = readJointLog([header, ...rows].join('\n'), robot);
  const [, angle, , , torque] = rows[200].split(',').map(Number);
  expect(positions[0][200]).toBeCloseTo((angle * Math.PI) / 180, 12);
  expect(torques[1][200]).toBeCloseTo(torque / 1000, 12);
});

it('reads quoted names, semicolons with decimal commas, and angles that begin anew after a turn', async () => {
  const robot = await readMjcf(PLANAR);
  const [header, ...rows] = text.split('\n');
  const turned = rows.map((row, k) => {
    const cells = row.split(',').map(Number);
    cells[1] = 3 * Math.sin(k / 100) + (Math.sin(k / 100) > 0 ? -2 * Math.PI : 0);
    return cells.map((x) => String(x).replace('.', ',')).join(';');
  });
  const quoted = header.split(',').map((name) => `"${name}"`);
  const { positions } = readJointLog(['# by hand, twice', quoted.join(';'), ...turned].join('\n'), robot);
  positions[0].forEach((q, k) => {
    expect(Math.abs(q - positions[0][0] - 3 * Math.sin(k / 100))).toBeLessThan(1e-9);
  });
});

describe('logs are refused', () => {
  const read = async (of: string) => readJointLog(of, await readMjcf(PLANAR), 'log.csv');

  it.each<[string, () => string, string]>([
    ['without a column', () => text.replace('tau_elbow', 'other'), 'robots/log-column-missing'],
    [
      'with a value that is no number',
      () => changed('pos_elbow', (v, k) => (k === 300 ? 'NaN' : v)),
      'robots/log-not-a-number',
    ],
    ['with time that jumps', () => changed('time', (v, k) => (k > 300 ? v + 4 : v)), 'robots/log-time-jumps'],
    ['with time that goes back', () => changed('time', (v, k) => (k > 300 ? v - 1 : v)), 'robots/log-time-jumps'],
    [
      'in degrees without saying so',
      () => changed('pos_shoulder', (v) => (v * 180) / Math.PI),
      'robots/log-unit-unclear',
    ],
    ['in an unknown unit', () => text.replace('tau_elbow', 'tau_elbow [lbf]'), 'robots/log-unit-unknown'],
    ['that are too short', () => text.split('\n').slice(0, 20).join('\n'), 'robots/log-too-short'],
  ])('%s', async (_, damaged, code) => {
    await expect(read(damaged())).rejects.toThrowCode({ code });
  });

  it('with velocities in degrees, or of turned sign', async () => {
    const withVelocity = (factor: number): string => {
      const [header, ...rows] = text.split('\n');
      const q = rows.map((row) => Number(row.split(',')[1]));
      const rate = (k: number): number => (factor * ((q[k + 1] ?? q[k]) - (q[k - 1] ?? q[k]))) / 0.01;
      return [`${header},vel_shoulder`, ...rows.map((row, k) => `${row},${rate(k)}`)].join('\n');
    };
    await read(withVelocity(1));
    await expect(read(withVelocity(180 / Math.PI))).rejects.toThrowCode({ code: 'robots/log-velocity-apart' });
    await expect(read(withVelocity(-1))).rejects.toThrowCode({ code: 'robots/log-velocity-apart' });
  });

  it('with small angles in degrees, by what the torques need', async () => {
    const model = await readMjcf(PLANAR);
    const log = readJointLog(text, model);
    const degrees = { ...log, positions: log.positions.map((q) => q.map((x) => (x * 180) / Math.PI)) };
    expect(() => identifyRobot(model, [degrees])).toThrowCode({ code: 'robots/log-degrees' });
  });

  it('with a joint that moves in none of them; in one it may stand still', async () => {
    const model = await readMjcf(PLANAR);
    const log = readJointLog(text, model, 'moving');
    const still = readJointLog(
      changed('pos_elbow', () => 0.2),
      model,
      'still',
    );
    expect(() => identifyRobot(model, [still])).toThrowCode({ code: 'robots/log-joint-still', element: 'elbow' });
    const { slides } = identifyRobot(model, [log, still]).predictTorques(still);
    expect([slides[0].some((x) => x > 0), slides[1].some((x) => x > 0)]).toEqual([true, false]);
  });

  it('of commands without gains, and beside logs of torques', async () => {
    const model = await readMjcf(PLANAR);
    const [header, ...rows] = text.split('\n');
    const asked = rows.map((row) => {
      const [t, q1, q2] = row.split(',').map(Number);
      return [t, q1, q2, q1 + 0.1, q2 - 0.1].join(',');
    });
    const titles = header.replaceAll('tau_shoulder', 'target_pos_shoulder').replaceAll('tau_elbow', 'action.elbow.pos');
    const log = readJointLog([titles, ...asked].join('\n'), model, 'asked');
    expect([log.commands?.commanded[1][7], log.torques[1][7]]).toEqual([
      expect.closeTo(log.positions[1][7] - 0.1, 12),
      expect.closeTo(-0.1, 12),
    ]);
    expect(log.readingNotes).toContain('commands of positions');
    expect(() => identifyRobot(model, [log])).toThrowCode({ code: 'robots/log-commands' });
    const rates = titles
      .replace('target_pos_shoulder', 'cmd_vel_shoulder')
      .replace('action.elbow.pos', 'target_speed_elbow');
    const ofRates = readJointLog([rates, ...asked].join('\n'), model, 'rates');
    expect([ofRates.commands?.quantity, ofRates.commands?.commanded]).toEqual(['velocities', log.commands?.commanded]);
    expect(() => identifyRobot(model, [log, ofRates], { torqueGain: 'unknown' })).toThrowCode({
      code: 'robots/log-kinds-mixed',
    });
    const mixed = [readJointLog(text, model), log];
    expect(() => identifyRobot(model, mixed, { torqueGain: 'unknown' })).toThrowCode({
      code: 'robots/log-kinds-mixed',
    });
  });

  it('with voltages without signs, and a payload that tells no gain', async () => {
    await expect(read(unsigned('voltage'))).rejects.toThrowCode({ code: 'robots/log-voltages-unsigned' });
    const model = await readMjcf(PLANAR);
    const log = readJointLog(text, model, 'loaded');
    const carrying = (link: string) => [{ ...log, payload: { link, mass: 1, centre: [0, 0, -0.1] as const } }];
    const options = { torqueGain: 'unknown' } as const;
    // Without a log that is not loaded, the payload may as well be a part of the links.
    expect(() => identifyRobot(model, carrying('lower'), options)).toThrowCode({ code: 'robots/payload-unseen' });
    expect(() => identifyRobot(model, carrying('hand'), options)).toThrowCode({ code: 'robots/payload-link' });
  });

  it('with torques of turned sign, by the log and the joint', async () => {
    const model = await readMjcf(PLANAR);
    const turned = changed('tau_elbow', (v) => -v);
    const logs = [readJointLog(text, model, 'right'), readJointLog(turned, model, 'turned')];
    expect(() => identifyRobot(model, logs)).toThrowCode({
      code: 'robots/log-torque-turned',
      element: 'elbow',
      values: ['turned'],
    });
  });

  it('in other units, by inertias and weights of the model', async () => {
    const model = await readMjcf(PLANAR);
    const log = readJointLog(text, model, 'a.csv');
    const scaled = (time: number, torque: number) => [
      { ...log, time: log.time.map((t) => t * time), torques: log.torques.map((of) => of.map((x) => x * torque)) },
    ];
    const options = { motionBand: 15, torqueBand: 5 };
    const slow = { motionBand: options.motionBand / 1000, torqueBand: options.torqueBand / 1000, delay: 0 };
    for (const [logs, own, hint] of [
      [scaled(1000, 1), slow, 'time [ms]'],
      [scaled(1, 1000), options, 'tau1 [mNm]'],
      [scaled(1, 100), options, 'tau1 [Ncm]'],
    ] as const)
      expect(() => identifyRobot(model, logs, own)).toThrowCode({ code: 'robots/log-unit-unlikely', values: [hint] });
  });

  it('with times in ms that do not say so, by their rate', async () => {
    await expect(read(changed('time', (v) => 1000 * Number(v)))).rejects.toThrowCode({
      code: 'tables/time-unit',
      values: ['time [ms]'],
    });
  });
});

describe('tables of other programs', () => {
  const rowsOf = () =>
    text
      .split('\n')
      .slice(1)
      .map((row) => row.split(','));
  const same = async (other: string | Uint8Array): Promise<string> => {
    const model = await readMjcf(PLANAR);
    const [a, b] = [readJointLog(text, model), readJointLog(other, model)];
    for (const of of ['positions', 'torques'] as const)
      a[of].forEach((values, j) => {
        values.forEach((x, k) => {
          expect(Math.abs(b[of][j][k] - x)).toBeLessThan(1e-12);
        });
      });
    a.time.forEach((t, k) => {
      expect(Math.abs(b.time[k] - b.time[0] - (t - a.time[0]))).toBeLessThan(1e-6);
    });
    return b.readingNotes!;
  };
  // time, shoulder and elbow: positions, then torques.
  const cells = () => rowsOf().map(([t, q1, q2, tau1, tau2]) => ({ t: Number(t), q: [q1, q2], tau: [tau1, tau2] }));
  it.each<[string, () => string | Uint8Array, string]>([
    [
      'rostopic: names of joints in the rows, stamps of its own',
      () =>
        [
          '%time,field.header.seq,field.header.stamp,field.header.frame_id,field.name0,field.name1,field.position0,field.position1,field.effort0,field.effort1',
          ...cells().map(
            ({ t, q, tau }, k) =>
              `1700000000999999999,${k},${1_700_000_000_000 + Math.round(1000 * t)}000000,base,elbow,shoulder,${q[1]},${q[0]},${tau[1]},${tau[0]}`,
          ),
        ].join('\n'),
      'time in ns since 1970',
    ],
    [
      'PlotJuggler: paths',
      () =>
        [
          '__time,/joint_states/shoulder/position,/joint_states/elbow/position,/joint_states/shoulder/effort,/joint_states/elbow/effort',
          ...cells().map(({ t, q, tau }) => [(1.7e9 + t).toFixed(6), ...q, ...tau].join(',')),
        ].join('\n'),
      'time in s since 1970',
    ],
    [
      'RTDE: blanks, numbers from 0, targets beside what was measured',
      () =>
        [
          'timestamp target_q_0 target_q_1 actual_q_0 actual_q_1 target_moment_0 target_moment_1 actual_moment_0 actual_moment_1',
          ...cells().map(({ t, q, tau }) => [t, 9, 9, ...q, 7, 7, ...tau].join(' ')),
        ].join('\n'),
      'time in s',
    ],
    [
      'a spreadsheet: semicolons, decimal commas, UTF-16, milliseconds, degrees in headings',
      () => {
        const lines = cells().map(({ t, q, tau }) =>
          [(1000 * t).toFixed(3), ...q, ...tau].join(';').replaceAll('.', ','),
        );
        const all = ['t/ms;pos_shoulder [rad];pos_elbow [rad];tau_shoulder (Nm);tau_elbow (Nm)', ...lines].join('\r\n');
        return new Uint8Array(Buffer.from(`\uFEFF${all}`, 'utf16le'));
      },
      'decimal commas',
    ],
    [
      'a line that is there twice',
      () =>
        text
          .split('\n')
          .flatMap((line, k) => (k === 40 ? [line, line] : [line]))
          .join('\n'),
      '1 repeated lines left out',
    ],
  ])('are read: %s', async (_, other, said) => {
    expect(await same(other())).toContain(said);
  });

  it('evens out times that are rounded so that neighbours are alike', async () => {
    const model = await readMjcf(PLANAR);
    const [header, ...rows] = text.split('\n');
    const step = Number(rows[1].split(',')[0]) - Number(rows[0].split(',')[0]);
    const rounded = rows.map((row, k) =>
      [(Math.round((k * step) / 0.01) * 0.01 * 1).toFixed(2), ...row.split(',').slice(1)].join(','),
    );
    const log = readJointLog([header, ...rounded].join('\n'), model);
    log.time.forEach((t, k) => {
      expect(Math.abs(t - k * step)).toBeLessThan(0.006);
    });
  });

  it('names joints of which a log has nothing, and calibrates the others with those fixed', async () => {
    const gripper = PLANAR.replace(
      '</worldbody>',
      '<body name="finger" pos="1 0 0"><joint name="grip" type="slide"/><inertial pos="0 0 0" mass="0.1" diaginertia="1e-5 1e-5 1e-5"/></body></worldbody>',
    );
    const model = await readMjcf(gripper);
    expect(unloggedJoints(text, model)).toEqual(['grip']);
    // A column that fits no joint may be that of the gripper.
    expect(unloggedJoints(text.replace('tau_elbow', 'tau_elbow,pos_gripper'), model)).toEqual([]);
    expect(() => readJointLog(text, model)).toThrowCode({
      code: 'robots/log-column-missing',
      values: ['grip', 'type="fixed"'],
    });
    const arm = withFixedJoints(model, ['grip']);
    const { combinations } = identifyRobot(arm, [readJointLog(text, arm)]);
    const plain = await readMjcf(PLANAR);
    const alone = identifyRobot(plain, [readJointLog(text, plain)]).combinations;
    for (const { name, estimate } of alone) {
      const own = combinations.find((one) => one.name === name);
      expect(own && Math.abs(own.estimate - estimate) < 1e-6 + 1e-6 * Math.abs(estimate), name).toBe(true);
    }
  });
});
