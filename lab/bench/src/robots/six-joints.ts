import type { Draw } from './draw.ts';

/**
 * A serial arm of six joints by Newton and Euler's equations in world axes, in plain double precision; it shares no code with
 * the packages. Motion is given, so torques are exact. SI units.
 */
type Vector = readonly [number, number, number];
type Matrix = readonly [Vector, Vector, Vector];

interface Link {
  readonly axis: Vector;
  /** Place of the joint, in the parent's axes. */
  readonly offset: Vector;
  readonly mass: number;
  readonly centre: Vector;
  /** Principal moments about the centre, along the link's axes. */
  readonly inertia: Vector;
  readonly armature: number;
  readonly viscous: number;
  readonly dry: number;
}

const X: Vector = [1, 0, 0];
const Y: Vector = [0, 1, 0];
const Z: Vector = [0, 0, 1];

/** An arm of about a metre, as industrial ones are. */
export const LINKS: readonly Link[] = [
  { axis: Z, offset: [0, 0, 0.2], mass: 4, centre: [0.01, -0.02, 0.05], inertia: [0.02, 0.02, 0.015] },
  { axis: Y, offset: [0, 0, 0.15], mass: 6, centre: [0.2, 0.05, 0.01], inertia: [0.015, 0.1, 0.1] },
  { axis: Y, offset: [0.42, 0, 0], mass: 3.5, centre: [0.17, 0.01, 0.02], inertia: [0.008, 0.05, 0.05] },
  { axis: X, offset: [0.35, 0, 0], mass: 1.3, centre: [0.03, 0, 0.01], inertia: [0.003, 0.004, 0.004] },
  { axis: Y, offset: [0.1, 0, 0], mass: 1.1, centre: [0.04, 0.01, 0], inertia: [0.002, 0.003, 0.003] },
  { axis: X, offset: [0.09, 0, 0], mass: 0.6, centre: [0.03, 0.012, -0.01], inertia: [0.001, 0.001, 0.001] },
].map((link, k) => ({
  ...(link as unknown as Pick<Link, 'axis' | 'offset' | 'mass' | 'centre' | 'inertia'>),
  armature: [0.3, 0.3, 0.2, 0.04, 0.04, 0.03][k],
  viscous: [4, 4, 2.5, 0.6, 0.5, 0.4][k],
  dry: [5, 5, 3.5, 0.8, 0.7, 0.6][k],
}));

const GRAVITY: Vector = [0, 0, -9.81];
/** Rate over which dry friction turns around, rad/s. */
const TURN = 0.005;

const plus = (...all: Vector[]): Vector => [0, 1, 2].map((i) => all.reduce((sum, x) => sum + x[i], 0)) as never;
const times = (a: Vector, by: number): Vector => [a[0] * by, a[1] * by, a[2] * by];
const inner = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const outer = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const turned = (m: Matrix, x: Vector): Vector => [inner(m[0], x), inner(m[1], x), inner(m[2], x)];
const across = (m: Matrix, x: Vector): Vector => plus(times(m[0], x[0]), times(m[1], x[1]), times(m[2], x[2]));

/** Rotation about a coordinate axis after another one. */
function after(m: Matrix, axis: Vector, angle: number): Matrix {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const column = (unit: Vector): Vector => {
    const along = times(axis, inner(axis, unit));
    const rest = plus(unit, times(along, -1));
    return turned(m, plus(along, times(rest, c), times(outer(axis, unit), s)));
  };
  const [x, y, z] = [column(X), column(Y), column(Z)];
  return [0, 1, 2].map((i) => [x[i], y[i], z[i]]) as never;
}

/** Torques of the motors at a motion. */
export function torquesAt(q: readonly number[], v: readonly number[], a: readonly number[]): number[] {
  let [rotation, w, alpha, acceleration]: [Matrix, Vector, Vector, Vector] = [
    [X, Y, Z],
    [0, 0, 0],
    [0, 0, 0],
    times(GRAVITY, -1),
  ];
  const links = LINKS.map((link, k) => {
    const arm = turned(rotation, link.offset);
    acceleration = plus(acceleration, outer(alpha, arm), outer(w, outer(w, arm)));
    const axis = turned(rotation, link.axis);
    alpha = plus(alpha, times(axis, a[k]), outer(w, times(axis, v[k])));
    w = plus(w, times(axis, v[k]));
    rotation = after(rotation, link.axis, q[k]);
    const centre = turned(rotation, link.centre);
    const force = times(plus(acceleration, outer(alpha, centre), outer(w, outer(w, centre))), link.mass);
    const weighed = (x: Vector): Vector => {
      const own = across(rotation, x);
      return turned(rotation, [own[0] * link.inertia[0], own[1] * link.inertia[1], own[2] * link.inertia[2]]);
    };
    return { arm, axis, force, moment: plus(weighed(alpha), outer(w, weighed(w)), outer(centre, force)) };
  });
  const torques = new Array<number>(LINKS.length);
  let [force, moment]: [Vector, Vector] = [
    [0, 0, 0],
    [0, 0, 0],
  ];
  for (let k = LINKS.length - 1; k >= 0; k--) {
    const { armature, viscous, dry } = LINKS[k];
    force = plus(force, links[k].force);
    moment = plus(moment, links[k].moment);
    torques[k] = inner(links[k].axis, moment) + armature * a[k] + viscous * v[k] + dry * Math.tanh(v[k] / TURN);
    moment = plus(moment, outer(links[k].arm, force));
  }
  return torques;
}

const HARMONICS = 6;
const PERIOD = 12;
const RATE = 500;
const ENCODER = (2 * Math.PI) / 2 ** 17;
const TORQUE_NOISE = 0.005;

/** Log of so many samples at 500 Hz as a table of text: a series of sines, steps of encoders, noise of 0.5 % of the torque. */
export function sixJointLog(draw: Draw, samples: number): string {
  const normal = (): number => Math.sqrt(-2 * Math.log(draw(1e-12, 1))) * Math.cos(draw(0, 2 * Math.PI));
  const series = LINKS.map(() =>
    Array.from({ length: HARMONICS }, (_, k) => ({
      size: (0.6 * draw(0.3, 1)) / (k + 1) ** 0.8,
      rate: (2 * Math.PI * (k + 1)) / PERIOD,
      phase: draw(0, 2 * Math.PI),
    })),
  );
  const rows = Array.from({ length: samples }, (_, s) => {
    const t = s / RATE;
    const at = (of: (size: number, rate: number, angle: number) => number): number[] =>
      series.map((own) => own.reduce((sum, { size, rate, phase }) => sum + of(size, rate, rate * t + phase), 0));
    const q = at((size, _rate, angle) => size * Math.sin(angle));
    const v = at((size, rate, angle) => size * rate * Math.cos(angle));
    const a = at((size, rate, angle) => -size * rate * rate * Math.sin(angle));
    return { t, q, torques: torquesAt(q, v, a) };
  });
  const noise = LINKS.map(
    (_, j) => TORQUE_NOISE * Math.sqrt(rows.reduce((sum, { torques }) => sum + torques[j] ** 2, 0) / rows.length),
  );
  const lines = rows.map(({ t, q, torques }) =>
    [
      t.toFixed(3),
      ...q.map((x) => (ENCODER * Math.round(x / ENCODER)).toFixed(7)),
      ...torques.map((x, j) => (x + noise[j] * normal()).toPrecision(7)),
    ].join(','),
  );
  const names = LINKS.map((_, k) => k + 1);
  return [['time', ...names.map((k) => `pos${k}`), ...names.map((k) => `tau${k}`)].join(','), ...lines].join('\n');
}

/** A log with every so manyth sample, from one of the first on. */
export function decimated(log: string, by: number, from: number): string {
  const [head, ...rows] = log.split('\n');
  return [head, ...rows.filter((_, k) => k % by === from)].join('\n');
}

/** The arm as URDF, with masses and inertias that are off by up to a third, and without friction. */
export function guessedUrdf(draw: Draw): string {
  const off = (): number => draw(0.7, 1.3);
  const links = LINKS.map(({ mass, centre, inertia: [x, y, z] }, k) => {
    const by = off();
    return `<link name="l${k + 1}"><inertial><origin xyz="${centre.map((c) => c * off()).join(' ')}"/><mass value="${mass * by}"/><inertia ixx="${x * by}" iyy="${y * by}" izz="${z * by}"/></inertial></link>`;
  });
  const joints = LINKS.map(
    ({ axis, offset }, k) =>
      `<joint name="j${k + 1}" type="continuous"><parent link="${k === 0 ? 'base' : `l${k}`}"/><child link="l${k + 1}"/><origin xyz="${offset.join(' ')}"/><axis xyz="${axis.join(' ')}"/></joint>`,
  );
  return ['<robot name="six">', '<link name="base"/>', ...links, ...joints, '</robot>'].join('\n');
}

/** Parameters of the arm, by the names that `gradsim new robot` gives them. */
export function sixJointParameters(): Map<string, number> {
  const named = LINKS.flatMap(({ mass: m, centre: c, inertia, armature, viscous, dry }, k): [string, number][] => {
    const about = (i: number, j: number): number => (i === j ? inertia[i] + m * inner(c, c) : 0) - m * c[i] * c[j];
    return [
      ['m', m],
      ...['x', 'y', 'z'].map((axis, i): [string, number] => [`m c${axis}`, m * c[i]]),
      ...[
        ['xx', 0, 0],
        ['yy', 1, 1],
        ['zz', 2, 2],
        ['xy', 0, 1],
        ['xz', 0, 2],
        ['yz', 1, 2],
      ].map(([name, i, j]): [string, number] => [`J${name}`, about(i as number, j as number)]),
      ['armature', armature],
      ['damping', viscous],
      ['dryFriction', dry],
    ].map(([name, x]): [string, number] => [
      `${name} of ${/^(armature|damping|dry)/.test(String(name)) ? 'j' : 'l'}${k + 1}`,
      x as number,
    ]);
  });
  return new Map(named);
}
