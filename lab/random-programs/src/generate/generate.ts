import type { Cycle, Phase } from '@gradsim/core';
import { deadParameters } from '@gradsim/core';
import { fieldKey } from '@gradsim/kernel/internal';
import { buildProgram } from '../program/build.ts';
import { evened } from '../program/even.ts';
import type { DrawnField } from '../program/fields.ts';
import { Fields } from '../program/fields.ts';
import { drawGrid, nodesOf } from '../program/grids.ts';
import { drawNeighbourhood } from '../program/neighbourhood.ts';
import type { Program, RunSpec } from '../program/program.ts';
import { isFloat, keyOf } from '../program/program.ts';
import { withStages } from '../program/stages.ts';
import { Random } from '../random.ts';
import { withDeadParameters } from './dead.ts';
import { drawGroup } from './groups.ts';
import { reordered } from './order.ts';
import { PassWriter } from './pass-writer.ts';
import { withUnevenTimes } from './uneven-times.ts';

const PHASES: readonly (readonly [Phase, Cycle])[] = [
  ['setup', 'setup'],
  ['search', 'search'],
  ['control', 'physics'],
  ['force', 'physics'],
  ['integrate', 'physics'],
  ['pose', 'frame'],
  ['render', 'frame'],
  ['observe', 'frame'],
];

/** Share of programs that begin on ties: symmetric, planar, at rest. */
const EVEN = 0.25;
/** Share of programs that use all durations and times of substeps, most of these with frames at uneven times. */
const UNEVEN_TIMES = 0.35;
/** Share of programs in which one of the domains is a grid. */
const GRID = 0.35;

/** Draws a random program of 2 to 8 passes; the same for the same seed on every machine. */
export function generateProgram(seed: number): Program {
  const random = new Random(seed);
  const timeline = {
    frames: random.pick([1, 2, 2, 3, 4]),
    frameRate: random.pick([1, 2, 4]),
    substeps: random.pick([1, 2, 3, 5]),
    worlds: random.pick([1, 1, 2, 3]),
  };
  const fields = new Fields(random);
  drawDomains(random, fields, new Random(seed ^ 0x510e527f));
  drawFields(random, fields);
  const physics = Math.max(1, (timeline.frames - 1) * timeline.substeps);
  const runs = { setup: 1, search: physics, physics, frame: timeline.frames };
  const duration = Math.max(1, timeline.frames - 1) / timeline.frameRate;
  const writer = new PassWriter(random, fields, duration, runs, drawGroup);
  drawPasses(random, fields, writer);
  const run: RunSpec = {
    ...timeline,
    spareStates: random.chance(0.5) ? random.whole(0, 3) : null,
    searchEvery: random.whole(1, 4),
    parameters: [],
    record: [],
    outputs: [],
  };
  const { kernels, passes } = writer;
  const drawn = { domains: fields.domains, fields: fields.specs, kernels, passes, run };
  // Drawn apart, so that the rest of the program is the same with and without stages and neighbours.
  const extending = new Random(seed ^ 0x1f83d9ab);
  const neighbourhood = drawNeighbourhood(fields, extending) ?? undefined;
  const program = { ...withStages(reordered(drawn, random), extending), neighbourhood };
  const ended = { ...program, run: { ...run, ...endsOf(random, fields, program) } };
  // Drawn apart, so that the rest of the program is the same with it and without.
  const whole = withDeadParameters(ended, new Random(seed ^ 0x2545f491));
  const evening = new Random(seed ^ 0x3c6ef372);
  const withEvenTimes = evening.chance(EVEN) ? withLiveParameters(evened(whole, evening)) : whole;
  const timing = new Random(seed ^ 0x5be0cd19);
  return timing.chance(UNEVEN_TIMES) ? withUnevenTimes(withEvenTimes, timing) : withEvenTimes;
}

/** Leaves out parameters that no output depends on any more: kinks at 0 let more of a kernel be folded. */
function withLiveParameters(program: Program): Program {
  const { parameters, outputs } = program.run;
  const dead = deadParameters(buildProgram(program), { parameters, outputs });
  return { ...program, run: { ...program.run, parameters: parameters.filter((key) => !dead.has(key)) } };
}

/** Draws the domains; that one is a grid is drawn apart. */
function drawDomains(random: Random, fields: Fields, ofGrid: Random): void {
  const names = ['a', 'b', 'c'].slice(0, random.whole(1, 3));
  const gridName = ofGrid.chance(GRID) ? ofGrid.pick(names) : null;
  for (const name of names) {
    const domain = {
      name,
      // Several sizes around a vector's width; now and then none, and more than one round of a reduction.
      size: random.chance(0.03) && name !== 'a' ? 0 : random.chance(0.04) ? 70 : random.whole(1, 7),
      elementsTogether: random.chance(0.3),
      componentsTogether: random.chance(0.3),
    };
    if (name !== gridName) {
      fields.domains.push(domain);
      continue;
    }
    const grid = drawGrid(ofGrid, name);
    fields.domains.push({ name, size: nodesOf(grid), elementsTogether: false, componentsTogether: true, grid });
  }
}

function drawFields(random: Random, fields: Fields): void {
  for (const { name: domain } of fields.domains) {
    for (let k = random.whole(1, 2); k > 0; k--) fields.declare(domain, 'x', fields.type(), 'state');
    for (let k = random.whole(1, 2); k > 0; k--) {
      const over = random.pick([undefined, undefined, 'frame', 'substep'] as const);
      fields.declare(domain, 'p', fields.type(), 'input', { over, shared: random.chance(0.2) });
    }
    if (random.chance(0.5)) fields.declare(domain, 't', fields.type(), 'table', { shared: random.chance(0.5) });
    if (random.chance(0.3)) fields.declare(domain, 'n', random.pick(['u32', 'i32']), 'table');
    if (random.chance(0.3)) fields.reserveSum(domain);
    if (random.chance(0.2)) fields.declare(domain, 'x', random.pick(['u32', 'i32']), 'state');
  }
  if (random.chance(0.2)) fields.reserveSum('world');
  if (random.chance(0.6)) fields.declare('world', 'g', fields.type(), random.pick(['input', 'state'] as const));
  for (const { name: domain, size } of fields.domains) {
    for (const { name: target, size: targets } of fields.domains) {
      if (size === 0 || targets === 0 || random.chance(0.45)) continue;
      const isList = random.chance(0.2);
      const count = isList ? 1 : random.whole(1, 3);
      const isPlain = random.chance(0.3);
      const isFirst = random.chance(0.5);
      const values = Array.from({ length: size * count }, (_, k) =>
        isPlain ? (isFirst ? 0 : k % targets) : random.whole(0, targets - 1),
      );
      const name = fields.name(isList ? 'list' : 'ends');
      fields.specs.push({ domain, name, type: 'u32', values, target, count });
    }
  }
}

function drawPasses(random: Random, fields: Fields, writer: PassWriter): void {
  const count = random.whole(2, 8);
  // Substeps have most of them.
  const drawn = Array.from({ length: count }, () =>
    random.chance(0.35) ? random.whole(2, 4) : random.whole(0, PHASES.length - 1),
  );
  // Something moves, and most programs are seen; setup is of use where there is some of it.
  drawn[0] = random.whole(2, 4);
  if (random.chance(0.7)) drawn[1] = random.whole(5, 7);
  if (random.chance(0.15)) drawn.push(0, 0, 0);
  let before: Phase | null = null;
  let cycleBefore: Cycle | null = null;
  for (const position of drawn.sort((a, b) => a - b)) {
    const [phase, cycle] = PHASES[position];
    fields.begin(phase !== before, cycle !== cycleBefore, cycle);
    [before, cycleBefore] = [phase, cycle];
    writer.draw(phase, cycle);
  }
}

/** Draws the recorded fields, the outputs and the parameters of the derivatives. */
function endsOf(random: Random, fields: Fields, program: Program): Pick<RunSpec, 'parameters' | 'record' | 'outputs'> {
  const uses = usesOf(program);
  const some = (from: readonly DrawnField[], p: number): string[] => {
    const chosen = random.some(from, p);
    return (chosen.length === 0 && from.length > 0 ? [random.pick(from)] : chosen).map(keyOf);
  };
  const floats = fields.all.filter((f) => isFloat(f.type));
  const states = floats.filter((f) => f.kind === 'state' && uses.written.physics.has(keyOf(f)));
  const parameters = some(
    floats.filter(
      (f) =>
        f.isDeclared &&
        f.kind !== 'table' &&
        !uses.overwritten.has(keyOf(f)) &&
        (states.includes(f) || uses.readOutsideSearch.has(keyOf(f))),
    ),
    0.7,
  );
  const frames = floats.filter((f) => f.kind === 'made' && f.cycle === 'frame');
  const record = [...some(frames, 0.7), ...random.some(states, 0.2).map(keyOf)];
  const seen = frames.filter((f) => record.includes(keyOf(f)));
  const outputs = [...some(states, 0.8), ...some(seen, 0.9)];
  // A gradient of nothing is refused.
  return { parameters: outputs.length > 0 ? parameters : [], record, outputs };
}

/** Returns the fields that the passes of a program read and write, by cycle. */
function usesOf(program: Program) {
  const readOutsideSearch = new Set<string>();
  /** Fields that setup overwrites without reading them: their initial values have no effect. */
  const overwritten = new Set<string>();
  const written = {
    setup: new Set<string>(),
    search: new Set<string>(),
    physics: new Set<string>(),
    frame: new Set<string>(),
  };
  for (const { phase, kernel, names } of buildProgram(program).kernels()) {
    // What a kernel reads it reads before it writes.
    const ports = kernel.form.ports
      .filter((port) => port.kind === 'primal')
      .sort((a, b) => Number(b.access === 'read') - Number(a.access === 'read'));
    for (const port of ports) {
      const key = fieldKey(port, kernel.form.domain, names);
      if (phase === 'setup' && port.access !== 'read' && !readOutsideSearch.has(key)) overwritten.add(key);
      if (port.access !== 'read') written[cycleOf(phase)].add(key);
      else if (phase !== 'search') readOutsideSearch.add(key);
    }
  }
  return { overwritten, readOutsideSearch, written };
}

/** The phase of stages, in which no other passes are drawn, is one of physics. */
const cycleOf = (phase: Phase): Cycle => PHASES.find(([name]) => name === phase)?.[1] ?? 'physics';
