// A robot of one's own from the outside: a URDF of two joints and logs from the closed equations of a double pendulum.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readUrdf } from '@gradsim/robots';
import { McapWriter, TempBuffer } from '@mcap/core';
import { expect, it } from 'vitest';
import { gradsim, temporaryFolder } from '../support.ts';

const G = 9.81;
/** Length between the joints, m. */
const L = 0.4;
/** Masses, kg; distances of centres from their joints, m; inertias about the centres, kg m^2; damping; dry friction; armatures. */
const TRUTH = {
  m: [1.1, 0.7],
  c: [0.22, 0.16],
  own: [0.018, 0.007],
  damping: [0.06, 0.03],
  friction: [0.08, 0.05],
  armature: [0.02, 0.01],
} as const;

const urdf = (m: readonly number[], c: readonly number[], own: readonly number[]): string => `<robot name="two">
  <link name="base"/>
  <!-- bought in spring -->
${['upper', 'lower'].map((name, k) => `  <link name="${name}"><inertial><origin xyz="0 0 ${-c[k]}"/><mass value="${m[k]}"/><inertia ixx="${own[k]}" iyy="${own[k]}" izz="0.001"/></inertial></link>`).join('\n')}
  <joint name="shoulder" type="continuous"><parent link="base"/><child link="upper"/><axis xyz="0 1 0"/></joint>
  <joint name="elbow" type="continuous"><parent link="upper"/><child link="lower"/><origin xyz="0 0 ${-L}"/><axis xyz="0 1 0"/></joint>
</robot>
`;

/** Torques of a double pendulum, with angles from straight down and of the second joint relative to the first. */
function torquesAt([q1, q2]: number[], [v1, v2]: number[], [a1, a2]: number[]): number[] {
  const { m, c, own, damping, friction, armature } = TRUTH;
  const I1 = own[0] + m[0] * c[0] ** 2 + m[1] * L ** 2;
  const I2 = own[1] + m[1] * c[1] ** 2;
  const k = m[1] * L * c[1];
  const weight = G * m[1] * c[1] * Math.sin(q1 + q2);
  const shoulder =
    (I1 + I2 + 2 * k * Math.cos(q2)) * a1 +
    (I2 + k * Math.cos(q2)) * a2 -
    k * Math.sin(q2) * (2 * v1 * v2 + v2 * v2) +
    G * (m[0] * c[0] + m[1] * L) * Math.sin(q1) +
    weight;
  const elbow = (I2 + k * Math.cos(q2)) * a1 + I2 * a2 + k * Math.sin(q2) * v1 * v1 + weight;
  const [v, a] = [
    [v1, v2],
    [a1, a2],
  ];
  return [shoulder, elbow].map(
    (torque, j) => torque + armature[j] * a[j] + damping[j] * v[j] + friction[j] * Math.sign(v[j]),
  );
}

/** A log of given motion, a sum of sines for each joint; positions are rounded as an encoder does, torques to 0.02 N m. */
function logOf(frequencies: readonly (readonly number[])[]): string {
  const lines = Array.from({ length: 2000 }, (_, s) => {
    const t = s / 200;
    const sum = (of: (w: number, phase: number) => number): number[] =>
      frequencies.map((own, j) => own.reduce((all, f, k) => all + of(2 * Math.PI * f, 2 * Math.PI * f * t + j + k), 0));
    const q = sum((_w, x) => 0.5 * Math.sin(x));
    const v = sum((w, x) => 0.5 * w * Math.cos(x));
    const a = sum((w, x) => -0.5 * w * w * Math.sin(x));
    const round = (x: number, step: number): string => (Math.round(x / step) * step).toFixed(6);
    return [t, ...q.map((x) => round(x, 2e-4)), ...torquesAt(q, v, a).map((x) => round(x, 0.02))].join(',');
  });
  return ['time,pos_shoulder,pos_elbow,tau_shoulder,tau_elbow', ...lines].join('\n');
}

/** A folder with a wrong model, a log, and a log of another motion. */
function robotFolder(): (name: string) => string {
  const folder = temporaryFolder();
  const at = (name: string): string => join(folder, name);
  writeFileSync(at('two.urdf'), urdf([0.8, 0.8], [0.2, 0.2], [0.01, 0.01]));
  writeFileSync(
    at('a.csv'),
    logOf([
      [0.4, 0.93],
      [0.6, 1.21],
    ]),
  );
  writeFileSync(
    at('b.csv'),
    logOf([
      [0.5, 0.71],
      [0.35, 1.03],
    ]),
  );
  return at;
}

it('gradsim new robot recovers a double pendulum from closed equations within four standard errors, foretells another log, and writes its file', async () => {
  const at = robotFolder();
  const args = ['new', 'robot', '--model', at('two.urdf'), '--log', at('a.csv'), '--hold-out', at('b.csv')];
  const paths = ['--export', at('calibrated.urdf'), '--out', at('out')];
  const { code, stdout, stderr } = await gradsim([...args, ...paths, '--json']);
  // What was decided about the tables comes first, then the verdict.
  expect(code).toBe(0);
  expect(stderr.slice(0, 3)).toEqual([
    'Reading two.urdf, a.csv, b.csv.',
    'a.csv: time in s; 200 samples a second',
    'b.csv: time in s; 200 samples a second',
  ]);
  const fitting = stderr.indexOf('Fitting 2000 samples of a log.');
  expect(stderr.slice(fitting + 1, fitting + 5)).toEqual([
    'Predicting the torques of all logs.',
    'Fitting b.csv alone, to compare with.',
    'Trying terms that the model is without.',
    expect.stringMatching(/^Drawing robots that the logs allow/),
  ]);
  expect(stderr[fitting + 5]).toMatch(/^Trusted: /);
  // Between them, a screen on what the fitted log covers.
  const screen = stderr.slice(3, fitting);
  expect(screen.map((line) => line.split(/ {2,}/)[0])).toEqual(
    expect.arrayContaining(['log', 'a.csv', 'joint', 'shoulder', 'elbow']),
  );
  expect(screen.length).toBeLessThan(24);
  expect(stderr.filter((line) => line.includes('   ') && line.length > 100)).toEqual([]);
  expect(stderr.find((line) => line.startsWith('damping of elbow'))).toContain(' N m s/rad ');
  const told = JSON.parse(stdout[0]);
  expect(told.verdict.trusted).toBe(true);
  const { m, c, own, damping, friction, armature } = TRUTH;
  const expected: Record<string, number> = {
    'm cz of upper - 0.4 m of lower': -m[0] * c[0] - L * m[1],
    'm cz of lower': -m[1] * c[1],
    'Jyy of lower': own[1] + m[1] * c[1] ** 2,
    'armature of elbow': armature[1],
    'damping of shoulder': damping[0],
    'damping of elbow': damping[1],
    'dryFriction of shoulder': friction[0],
    'dryFriction of elbow': friction[1],
  };
  const inertia = told.combinations.find(({ name }: { name: string }) => name.startsWith('Jyy of upper')).name;
  expect(inertia).toBe('Jyy of upper + armature of shoulder + 0.16 m of lower');
  expected[inertia] = own[0] + m[0] * c[0] ** 2 + L ** 2 * m[1] + armature[0];
  for (const [name, truth] of Object.entries(expected)) {
    const { estimate, standardError } = told.combinations.find((one: { name: string }) => one.name === name);
    expect(Math.abs(estimate - truth), name).toBeLessThan(4 * standardError);
  }
  for (const { isHeldOut, given, calibrated } of told.torques)
    if (isHeldOut) expect(calibrated).toBeLessThan(given / 10);

  const written = readFileSync(at('calibrated.urdf'), 'utf8');
  expect(written).toContain('  <!-- bought in spring -->\n');
  expect((await readUrdf(written)).links).toHaveLength(3);
  expect(readFileSync(at('out/report.html'), 'utf8')).toContain('b.csv, held out: elbow, residual');
  expect(JSON.parse(readFileSync(at('out/calibration.json'), 'utf8'))).toEqual(told);

  const again = await gradsim([...args, ...paths]);
  expect([again.code, again.stderr.join()]).toEqual([1, expect.stringContaining('gradsim/file-exists')]);
  const forced = await gradsim([...args.slice(0, 6), ...paths, '--force', '--set', 'torqueBias=unknown']);
  expect([forced.code, forced.stdout[0]]).toEqual([0, expect.stringMatching(/^Not checked\. /)]);
  expect(forced.stdout.join('\n')).toContain('torque bias of elbow');
});

it('gradsim new robot --check tells what logs cover, and ends', async () => {
  const at = robotFolder();
  const rows = logOf([[0.4, 0.93], [0]]).split('\n');
  writeFileSync(at('still.csv'), [...rows.slice(0, 800), ...rows.slice(814)].join('\n'));
  const args = ['new', 'robot', '--model', at('two.urdf'), '--log', at('still.csv'), '--check', '--out', at('out')];
  const { code, stdout } = await gradsim(args);
  expect(code).toBe(0);
  const text = stdout.join('\n');
  expect(text).toContain('no samples for 0.075 s from 3.99 s');
  expect(text).toContain('Joint "elbow" stands still in still.csv.');
  expect(text).toContain('Joint "elbow" moves through 0 rad alone');
  expect(text).toMatch(/shoulder +-\d\S* +\d/);
  expect(existsSync(at('out'))).toBe(false);
  const told = JSON.parse((await gradsim([...args, '--json'])).stdout[0]);
  expect(told.logs[0].gap.seconds).toBeCloseTo(0.075, 6);
  expect(told.undetermined.length).toBeGreaterThan(10);
});

it('gradsim new robot writes what the logs allow for other programs: mean, covariance, ranges, and drawn robots', async () => {
  const at = robotFolder();
  const args = ['new', 'robot', '--model', at('two.urdf'), '--log', at('a.csv'), '--out', at('out'), '--variants', '2'];
  const alone = await gradsim(args);
  expect([alone.code, alone.stderr.join()]).toEqual([1, expect.stringContaining('gradsim/option-missing')]);
  writeFileSync(at('arm-2.urdf'), 'mine');
  const taken = await gradsim([...args, '--export', at('arm.urdf')]);
  expect([taken.code, taken.stderr.join()]).toEqual([1, expect.stringContaining('gradsim/file-exists')]);
  const { code, stderr } = await gradsim([...args, '--export', at('arm.urdf'), '--set', 'range=0.1', '--force']);
  expect(code).toBe(0);
  expect(stderr.join('\n')).toMatch(/Drawn robots: .*arm-1\.urdf to .*arm-2\.urdf/);
  const masses = await Promise.all(
    ['arm.urdf', 'arm-1.urdf', 'arm-2.urdf'].map(async (name) => {
      const { links } = await readUrdf(readFileSync(at(name), 'utf8'));
      return links.map(({ values }) => values.mass);
    }),
  );
  for (const k of [1, 2]) {
    expect(masses[k][2]).not.toBe(masses[0][2]);
    expect(Math.abs(Math.log(masses[k][2] / masses[0][2]))).toBeLessThan(0.15);
  }
  const { combinations, covariance, undetermined, ranges } = JSON.parse(readFileSync(at('out/posterior.json'), 'utf8'));
  const told = JSON.parse(readFileSync(at('out/calibration.json'), 'utf8'));
  for (const [i, { name, mean }] of combinations.entries()) {
    const { estimate, standardError } = told.combinations.find((one: { name: string }) => one.name === name);
    expect([mean, Math.sqrt(covariance[i][i])]).toEqual([estimate, expect.closeTo(standardError, 12)]);
  }
  expect(undetermined.bounds).toContain('0.1');
  expect(ranges[0]).toMatchObject({ of: 'upper', parameter: 'mass', unit: 'kg', isDetermined: false });
  expect(readFileSync(at('out/isaac_lab_events.py'), 'utf8')).toContain('"mass_distribution_params": (');
});

/** MCAP with the log of a table as messages on a topic, in JSON, and a topic of another log. */
async function recordingOf(csv: string): Promise<Uint8Array> {
  const writable = new TempBuffer();
  const writer = new McapWriter({ writable });
  await writer.start({ profile: '', library: 'a test' });
  const encode = (value: object): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
  const schema = { name: 'sensor_msgs/JointState', encoding: 'jsonschema', data: encode({}) };
  const schemaId = await writer.registerSchema(schema);
  for (const topic of ['/arm', '/simulated']) {
    const channel = { topic, messageEncoding: 'json', schemaId, metadata: new Map<string, string>() };
    const channelId = await writer.registerChannel(channel);
    for (const [sequence, line] of csv.split('\n').slice(1).entries()) {
      const [t, shoulder, elbow, upper, lower] = line.split(',').map(Number);
      const header = { stamp: { sec: 1_700_000_000 + Math.floor(t), nsec: Math.round((t % 1) * 1e9) } };
      const data = encode({ header, name: ['elbow', 'shoulder'], position: [elbow, shoulder], effort: [lower, upper] });
      const at = BigInt(sequence);
      await writer.addMessage({ channelId, sequence, logTime: at, publishTime: at, data });
    }
  }
  await writer.end();
  return writable.get();
}

it('gradsim new robot finds the same from a recording in MCAP as from the table', async () => {
  const at = robotFolder();
  for (const name of ['a', 'b'])
    writeFileSync(at(`${name}.mcap`), await recordingOf(readFileSync(at(`${name}.csv`), 'utf8')));
  const found = async (a: string, b: string, ...more: string[]) => {
    const args = ['new', 'robot', '--model', at('two.urdf'), '--log', at(a), '--hold-out', at(b)];
    return gradsim([...args, '--out', at('out'), '--force', '--json', ...more]);
  };
  const table = await found('a.csv', 'b.csv');
  const recorded = await found('a.mcap#/arm', 'b.mcap', '--topic', '/arm');
  expect(recorded.stderr[1]).toBe('a.mcap /arm: stamps of headers; time in ns since 1970; 200 samples a second');
  const [one, other] = [table, recorded].map(({ stdout }) => JSON.parse(stdout[0]));
  expect(other.verdict.trusted).toBe(true);
  for (const [k, { name, estimate, standardError }] of one.combinations.entries()) {
    expect(other.combinations[k].name).toBe(name);
    expect(Math.abs(other.combinations[k].estimate - estimate)).toBeLessThan(1e-3 * standardError);
  }
  const unsaid = await found('a.mcap', 'b.mcap');
  expect([unsaid.code, unsaid.stderr.join()]).toEqual([1, expect.stringMatching(/\/arm .*recordings\/which-part/)]);
});

/** The rows of a log with torques of so many rows before, and other torques. */
function withTorques(log: string, rows: number, of: (torque: number, rate: number) => number): string {
  const [head, ...lines] = log.split('\n');
  const cells = lines.map((line) => line.split(',').map(Number));
  const changed = cells.slice(rows).map(([t, q1, q2], k) => {
    const rates = [1, 2].map(
      (j) => (cells[Math.min(k + rows + 1, cells.length - 1)][j] - cells[k + rows - 1]?.[j] || 0) * 100,
    );
    return [t, q1, q2, ...[3, 4].map((c, j) => of(cells[k][c], rates[j]))].join(',');
  });
  return [head, ...changed].join('\n');
}

it('gradsim new robot does not trust a model that lacks what the torques show, and says what it is', async () => {
  const at = robotFolder();
  const [a, b] = ['a.csv', 'b.csv'].map((name) => readFileSync(at(name), 'utf8'));
  const judged = async (rows: number, of: (torque: number, rate: number) => number) => {
    for (const [name, log] of [
      ['a', a],
      ['b', b],
    ])
      writeFileSync(at(`${name}2.csv`), withTorques(log, rows, of));
    const args = ['new', 'robot', '--model', at('two.urdf'), '--log', at('a2.csv'), '--hold-out', at('b2.csv')];
    const { code, stdout } = await gradsim([...args, '--out', at('out'), '--force', '--json']);
    return { code, ...JSON.parse(stdout[0]) };
  };
  const late = await judged(20, (torque) => torque);
  expect([late.code, late.verdict.findings[0].kind]).toEqual([3, 'delay']);
  const curve = await judged(0, (torque, rate) => torque + 0.1 * Math.sign(rate) * Math.exp(-((rate / 1.2) ** 2)));
  expect([curve.code, curve.verdict.findings[0]]).toEqual([
    3,
    { kind: 'lacking', isCritical: true, note: expect.stringContaining('Stribeck') },
  ]);
  const free = await judged(0, () => 0);
  expect([free.code, free.verdict.findings[0].note]).toEqual([3, expect.stringContaining('nothing gives the scale')]);
  expect(free.ratios.length).toBeGreaterThan(4);
});

it('gradsim new robot refuses what it cannot use, with a code', async () => {
  const at = robotFolder();
  writeFileSync(at('short.csv'), 'time,pos_shoulder\n0,1\n');
  writeFileSync(at('scene.xml'), '<scene/>');
  const refused: [string[], string][] = [
    [['--model', at('two.urdf')], 'gradsim/option-missing'],
    [['--model', at('two.urdf'), '--log', at('short.csv')], 'robots/log-column-missing'],
    [['--model', at('two.urdf'), '--log', at('c.csv')], 'gradsim/file-unreadable'],
    [['--model', at('scene.xml'), '--log', at('a.csv')], 'gradsim/not-a-robot'],
    [['--model', at('two.urdf'), '--log', at('a.csv'), '--hold-out', at('a.csv')], 'gradsim/options-contradict'],
    [['--model', at('two.urdf'), '--log', at('a.csv'), '--export', at('two.urdf')], 'gradsim/file-exists'],
    [['--model', at('two.urdf'), '--log', at('a.csv'), '--with-payload', at('b.csv')], 'gradsim/option-missing'],
    [['--model', at('two.urdf'), '--log', at('a.csv'), '--set', 'payload=1'], 'gradsim/option-missing'],
    [['--model', at('two.urdf'), '--log', at('a.csv'), '--video', 'film.mp4'], 'gradsim/options-contradict'],
  ];
  for (const [args, code] of refused) {
    const run = await gradsim(['new', 'robot', ...args, '--out', at('out'), '--json']);
    expect([run.code, run.stdout.join()]).toEqual([1, expect.stringContaining(code)]);
  }
});
