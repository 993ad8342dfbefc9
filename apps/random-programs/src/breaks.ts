/** A rule of derivatives, adjoints or layouts broken on purpose: text of a file below `packages`, and what stands there then. */
export interface Break {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

const inFile =
  (file: string) =>
  (from: string, to: string): Break => ({ file, from, to });

const arithmetic = inFile('kernel/src/primitives/arithmetic.ts');
const choice = inFile('kernel/src/primitives/choice.ts');
const exponential = inFile('kernel/src/primitives/exponential.ts');
const power = inFile('kernel/src/primitives/power.ts');
const trigonometric = inFile('kernel/src/primitives/trigonometric.ts');
const adjoint = inFile('kernel/src/derivatives/adjoint.ts');
const tangent = inFile('kernel/src/derivatives/tangent.ts');
const clone = inFile('kernel/src/language/clone.ts');
const arrays = inFile('kernel/src/derivatives/arrays.ts');
const checkpoints = inFile('kernel/src/derivatives/checkpoints.ts');
const places = inFile('kernel/src/emit/arrays.ts');
const dependencies = inFile('kernel/src/derivatives/dependencies.ts');
const vjp = inFile('kernel/src/derivatives/vjp.ts');
const leaving = inFile('kernel/src/language/leaving.ts');
const sites = inFile('kernel/src/program/sites.ts');
const additions = inFile('kernel/src/program/additions.ts');
const bindings = inFile('kernel/src/emit/bind.ts');
const tally = inFile('kernel/src/emit/tally.ts');
const scatter = inFile('kernel/src/program/scatter.ts');
const guards = inFile('kernel/src/program/guards.ts');
const guarding = inFile('kernel/src/emit/guards.ts');
const ranges = inFile('kernel/src/program/index-ranges.ts');
const order = inFile('core/src/model/order.ts');
const uses = inFile('core/src/model/uses.ts');
const steps = inFile('core/src/model/steps.ts');
const roles = inFile('core/src/model/roles.ts');
const activity = inFile('core/src/model/activity.ts');
const reverse = inFile('core/src/model/reverse.ts');
const reverseWork = inFile('core/src/model/reverse-work.ts');
const loops = inFile('core/src/model/forward.ts');
const slots = inFile('core/src/model/rounds.ts');
const chain = inFile('core/src/model/chain.ts');
const iteration = inFile('core/src/model/iteration.ts');
const layout = inFile('core/src/model/layout.ts');
const fields = inFile('kernel/src/program/places.ts');
const sums = inFile('kernel/src/program/sums.ts');
const lifetimes = inFile('kernel/src/program/lifetimes.ts');
const written = inFile('kernel/src/program/written.ts');
const overlay = inFile('kernel/src/program/overlay.ts');
const incidence = inFile('kernel/src/program/incidence.ts');
const forward = inFile('kernel/src/program/forward.ts');
const compile = inFile('core/src/model/compile.ts');
const runner = inFile('core/src/tape/runner.ts');
const rounds = inFile('core/src/tape/rounds.ts');
const seeds = inFile('core/src/tape/seeds.ts');
const simulation = inFile('core/src/tape/simulation.ts');

/**
 * Breaks to try the judge with, each alone: a sign, an order, a place, a step left out. Each would be a plausible slip
 * in its file, compiles, and leaves values of the run itself alone where it can.
 */
export const BREAKS: readonly Break[] = [
  arithmetic('derivative: () => [(t) => t, (t) => t],', 'derivative: (b) => [(t) => t, (t) => b.neg(t)],'),
  arithmetic('derivative: (b) => [(t) => t, (t) => b.neg(t)],', 'derivative: () => [(t) => t, (t) => t],'),
  arithmetic('derivative: (b) => [(t) => b.neg(t)],', 'derivative: () => [(t) => t],'),
  arithmetic('(t) => b.mul(x, t)],', '(t) => b.mul(y, t)],'),
  arithmetic('q) => [(t) => b.div(t, y),', 'q) => [(t) => b.mul(t, y),'),
  arithmetic('(t) => b.neg(b.mul(q, b.div(t, y)))],', '(t) => b.mul(q, b.div(t, y))],'),
  arithmetic("bound('min', le)", "bound('min', ge)"),
  arithmetic("bound('max', ge)", "bound('max', le)"),
  arithmetic('[(t) => b.mul(t, b.pure(sign, x))],', '[(t) => t],'),
  arithmetic("wasm: floats('floor'),\n  derivative: null,", "wasm: floats('floor'),\n  derivative: () => [(t) => t],"),
  power('[divideOrZero(b, b.mul(b.const(2), y))],', '[divideOrZero(b, y)],'),
  exponential('[(t) => b.mul(t, y)],', '[(t) => t],'),
  exponential('[(t) => b.div(t, x)],', '[(t) => b.mul(t, x)],'),
  exponential('[(t) => b.mul(t, b.add(y, b.const(1)))],', '[(t) => b.mul(t, y)],'),
  exponential('[(t) => b.div(t, b.add(b.const(1), x))],', '[(t) => b.div(t, x)],'),
  exponential('b.mul(t, b.pure(sinh, x))', 'b.neg(b.mul(t, b.pure(sinh, x)))'),
  exponential('b.mul(t, b.pure(cosh, x))', 'b.mul(t, b.pure(sinh, x))'),
  exponential('b.pure(exp, b.neg(b.mul(x, x)))', 'b.pure(exp, b.mul(x, x))'),
  trigonometric('[(t) => b.mul(t, b.pure(cos, x))],', '[(t) => b.mul(t, b.pure(sin, x))],'),
  trigonometric('[(t) => b.neg(b.mul(t, b.pure(sin, x)))],', '[(t) => b.mul(t, b.pure(sin, x))],'),
  trigonometric(
    '[(t) => b.mul(t, b.add(b.const(1), b.mul(y, y)))],',
    '[(t) => b.mul(t, b.sub(b.const(1), b.mul(y, y)))],',
  ),
  trigonometric('[divideOrZero(b, cosineOf(b, x))],', '[(t) => b.mul(t, cosineOf(b, x))],'),
  trigonometric('b.neg(divideOrZero(b, cosineOf(b, x))(t))', 'divideOrZero(b, cosineOf(b, x))(t)'),
  trigonometric('[(t) => b.div(t, b.add(b.const(1), b.mul(x, x)))],', '[(t) => b.div(t, b.add(b.const(1), x))],'),
  trigonometric('(t) => b.neg(over(b.mul(t, y)))];', '(t) => over(b.mul(t, y))];'),
  trigonometric('return [(t) => over(b.mul(t, x)),', 'return [(t) => over(b.mul(t, y)),'),
  exponential('b.div(b.mul(b.const(4), e), b.mul(sum, sum))', 'b.div(b.mul(b.const(4), e), sum)'),
  power('b.mul(p, b.pure(pow, x, b.sub(p, b.const(1))))', 'b.mul(p, b.pure(pow, x, p))'),
  power('const slope = b.mul(y, ', 'const slope = b.mul(x, '),
  choice('    null,\n    (t) => b.select(condition, t,', '    null,\n    (t) => b.select(condition, b.neg(t),'),
  arithmetic('(t) => b.neg(b.mul(b.div(b.sub(x, r), y), t))],', 'null],'),
  trigonometric('b.sub(b.const(1), b.mul(x, x)), b.const(0)))', 'b.sub(b.const(1), x), b.const(0)))'),

  adjoint('before ? sum(b, before, bar) : bar', 'before ? bar : bar'),
  adjoint('bars.get(c) ?? b.const(0), true);', 'bars.get(0) ?? b.const(0), true);'),
  adjoint("index?.id ?? 'own'}", "'own'}"),
  adjoint('b.if(mapped(map, condition), yes.copy, no.copy)', 'b.if(mapped(map, condition), no.copy, yes.copy)'),
  adjoint("const round = b.sub(b.sub(rounds, b.const(1, 'u32')), block.counter);", 'const round = block.counter;'),
  adjoint(
    'const nextBars = floats.map((k) => local.get(body.params[k]) ?? b.zero(body.results[k].type));',
    'const nextBars = floats.map((k, at) => local.get(body.params[k]) ?? barParams[at]);',
  ),
  adjoint("b.add(b.param(block, 'f32'), free.get(node)!)", "(b.param(block, 'f32'), free.get(node)!)"),
  adjoint('floats.map((k) => seeds.get(k) ?? b', 'floats.map((k, n) => seeds.get(n) ?? b'),
  adjoint(
    'accumulate(b, adjoints, loop.initial[k], starts[position])',
    'accumulate(b, adjoints, loop.initial[position], starts[position])',
  ),
  adjoint('b.get(bar, at)', "b.get(bar, b.const(0, 'u32'))"),
  adjoint('b.set(bar, at, b.const(0))', 'bar'),
  adjoint(
    'if (nextArrays[k] !== arrayParams[k]) adjoints.set(array, bar);',
    'if (nextArrays[k] === arrayParams[k]) adjoints.set(array, bar);',
  ),
  adjoint('adjoints.get(array) ?? b.zero(array.type)', 'b.zero(array.type)'),
  adjoint('checkpoints.reach(round, held, offset)', 'checkpoints.reach(rounds, held, offset)'),
  arrays('b.set(array, at, b.add(b.get(array, at), value))', 'b.set(array, at, value)'),
  arrays('addAt(b, carry, at, b.get(y, at))', 'b.set(carry, at, b.get(y, at))'),
  arrays('b.add(carry, b.get(array, at))', 'b.get(array, at)'),
  checkpoints('b.set(positions, slot, b.add(position, one))', 'b.set(positions, slot, position)'),
  checkpoints('b.select(b.pure(eq, distance, this.#number(0)), b.sub(count, one), after)', 'after'),
  checkpoints('b.add(offset!, position)', 'b.add(offset!, again.counter)'),
  places('other.time <= time || isElsewhere(other.block, block)', 'true'),
  places("if (b.kind !== 'side') return false;", ''),
  places('const held = needed.filter(isHeld)', 'const held = needed.filter(() => false)'),
  adjoint(
    "return b.select(b.pure(gt, end, start), b.sub(end, start), b.const(0, 'u32'));",
    "return b.select(b.pure(gt, end, start), end, b.const(0, 'u32'));",
  ),
  adjoint(
    "this.#b.load(this.#barOf(port, 'read'), component, index && mapped(map, index));",
    "this.#b.load(this.#barOf(port, 'read'), component, null);",
  ),
  adjoint(
    "!within(node.op === 'load' ? node.home : node.block, block)",
    "within(node.op === 'load' ? node.home : node.block, block)",
  ),
  adjoint("!within(node.op === 'load' ? node.home : node.block, block)", '!within(node.block, block)'),
  adjoint("(node.op === 'load' ? firstOf(node) : node)", 'node'),
  adjoint('if (bar) seeds.set(node.position, bar);', 'if (bar && node.position === 0) seeds.set(node.position, bar);'),
  adjoint(
    "if (linear && node.args[position].type === 'f32')",
    "if (linear && position === 0 && node.args[position].type === 'f32')",
  ),

  tangent('sum = sum ? b.add(sum, term) : term;', 'sum = term;'),
  tangent('dots.get(region.initial[k]) ?? b.zero(given[k].type)', 'b.zero(given[k].type)'),
  tangent(
    'const dot = { ...same, port: outPorts.get(port)!,',
    'const dot = { ...same, component: 0, port: outPorts.get(port)!,',
  ),
  tangent('results[given.length + floats.indexOf(node.position)]', 'results[given.length]'),
  tangent(
    'b.load(readPorts.get(port)!, component, index && mapped(map, index))',
    'b.load(readPorts.get(port)!, component, null)',
  ),
  tangent('dots.get(node.array), dots.get(node.value)]', 'dots.get(node.array), null]'),
  tangent('innerDots.get(block.results[k]) ?? b.zero(given[k].type)', 'b.zero(given[k].type)'),

  clone("b.add(rounds, b.const(1, 'u32'))", "b.add(rounds, b.const(2, 'u32'))"),
  dependencies('  ...operandsOf(region),', ''),
  dependencies('...blocksOf(region).flatMap(', '...blocksOf(region).slice(1).flatMap('),
  dependencies(
    "if (node.op === 'load' && node.type === 'f32') found.add(node.port.name);",
    "if (node.op === 'load' && node.index === null) found.add(node.port.name);",
  ),
  vjp('accumulate(b, adjoints, result, bars[k])', 'accumulate(b, adjoints, result, bars[0])'),

  leaving('output.rounds = within * rounds;', 'output.rounds = rounds;'),
  leaving('b.add(bases.get(within)!, output.round)', 'output.round'),
  adjoint('  ends.load(block, map, adjoints);\n', ''),
  adjoint('seeds.size === 0 && !ends.isSeeded(region)', 'seeds.size === 0'),
  adjoint('!within(node.home, block)', 'node.block !== block'),
  sites('start: start.value', 'start: 0'),
  scatter('b.select(isThere, b.load(slots, component, slot), b.const(0))', 'b.load(slots, component, slot)'),
  sums('accumulate || jobs.length > 0', 'accumulate'),
  sums('this.#slotsFrom(this.#known, tangent)', 'this.#slotsFrom(0, tangent)'),
  additions('      ...before,\n', ''),
  tally('Math.ceil(elements / (groups * run))', 'Math.floor(elements / (groups * run))'),
  bindings('port.isTally ? number : element', 'number'),
  sites(
    'const inside = values.map((value) => given(value, side));',
    'const inside = values.map((value) => given(value, other));',
  ),

  steps('sum.from.push(step);', 'sum.from.splice(0, 1, step);'),
  steps('reads.set(field.key, this.#found(field));', 'reads.set(field.key, { ...this.#found(field), number: 0 });'),
  roles('field.values !== undefined ||', 'false ||'),
  activity('const dependent = from(from(wrt, setup), run);', 'const dependent = from(wrt, run);'),
  activity('const useful = to(to(outputs, run), setup);', 'const useful = to(outputs, run);'),

  reverseWork("return this.#plan.cycle !== 'physics' || v.number > 0;", "return this.#plan.cycle !== 'physics';"),
  reverse(
    'read(port) ?? step.writes.get(key(port)) ?? versionBefore(within, fields.field(key(port)));',
    'step.writes.get(key(port)) ?? read(port) ?? versionBefore(within, fields.field(key(port)));',
  ),
  reverse('return made.reduce((last, v) => (v.number > last.number ? v : last));', 'return made[0];'),
  reverseWork('if (site.index === null && !ownElements.has(key)) {', 'if (site.index === null) {'),
  reverseWork('if (v.loop || (v.number > 0 && !this.#layout.isLast(v))) return false;', 'if (v.loop) return false;'),
  reverseWork('if (this.#addsUp(version)) accumulates.add(port);', 'if (this.#isKept(version)) accumulates.add(port);'),
  reverseWork('this.#addsUp(version), this.#tables, label', 'this.#isKept(version), this.#tables, label'),
  reverseWork('if (this.#addsUp(version)) return;', 'return;'),
  reverse('[...list.entries()].reverse()', '[...list.entries()]'),
  reverse("return v.cycle === 'physics' && v.number > 0 && !isLast(v);", 'return false;'),
  reverse("    case 'scratch':\n      return true;", "    case 'scratch':\n      return false;"),
  reverse('return !(isRecorded(v.field) && isLast(v));', 'return !isRecorded(v.field);'),
  reverse('for (const v of step.reads.values()) if (isLost(v, kept)) needed.add(versionKey(v));', ''),
  reverseWork('this.#persistentSlots.push(sum.slots);', ''),
  reverseWork(
    'this.#final.push(...sum.jobs(layout.adjoint(version), true, this.#tables',
    'this.#final.push(...sum.jobs(layout.adjoint(version), false, this.#tables',
  ),
  reverse('present.has(versionKey(v)) || options.seeded(v)', 'present.has(versionKey(v))'),
  reverseWork('      this.#flush(versionKey(version));\n', ''),
  reverseWork("return this.#layout.adjoint(v).register === 'frameOfRun';", 'return false;'),

  order('for (const a of adders) link(', 'for (const a of adders.slice(1)) link('),
  order('for (const a of writers)\n', 'for (const a of writers.slice(1))\n'),
  order("link(k, other, 'which asks to run before');", "link(other, k, 'which asks to run before');"),
  uses('if (!writes.has(key) && !adds.has(key)) reads.add(key);', 'reads.add(key);'),
  steps('(key) => exposed.has(key) || outside.has(key));', '(key) => exposed.has(key));'),
  steps(
    'return exposed.has(key) || version.number > 0 || field.values ? version : null;',
    'return version.number > 0 ? version : null;',
  ),
  steps(': new Map([...current, ...reads]);', ': new Map(current);'),
  steps('if (!reads.has(key) && !writes.has(key)) reads.set(key, found(key));', ';'),
  loops('before && !isUnwritten(before, layout.roles)', 'before && isUnwritten(before, layout.roles)'),
  loops('...(active?.has(field.key)', '...(active?.has(field.name)'),
  loops('const end = carried.flatMap(', 'const end = carried.slice(1).flatMap('),
  loops('...(active && isMoved(step, active) ? inside(step.jvp, undefined) : []),', ''),
  loops('accumulates: new Set(accumulate ? [target] : []),', 'accumulates: new Set(),'),
  reverse('for (const { exit } of carried) present.add(versionKey(exit));', ''),
  reverse('for (const { before } of carried) if (before) present.add(versionKey(before));', ''),
  reverse('if (v.loop) return endOfRound(v) === null;', 'if (v.loop) return false;'),
  reverse('if (loop && outer && !loop.carried.has(field)) return versionBefore(outer, field);', ''),
  reverse("items.flatMap((item) => (item.kind === 'loop' && readsRounds(item) ? [item.step] : []))", '[]'),
  reverse('versionsRead(items).some(({ loop }) => loop !== null && loop.depth >= step.loop.depth)', 'false'),
  reverseWork('if (v.loop !== this.#loop) return true;', ''),
  reverseWork("return this.#loop ? endOfRound(v) === 'exit' : this.#isKept(v);", 'return this.#isKept(v);'),
  reverseWork(
    'for (const version of givenBy(items)) if (!isInside(version, step.loop)) this.#zeroUnlessSet(version);',
    '',
  ),
  reverseWork('else this.#zero(exit);', ''),
  reverseWork('this.#isSet.delete(versionKey(exit));', ''),
  reverseWork('for (const { entry } of carried) this.#zeroUnlessSet(entry);', ''),
  reverseWork('entry, before, this.#addsUp(before),', 'entry, before, false,'),
  reverseWork('this.#rerun(step.body, items);', ''),
  reverseWork('this.#flush(versionKey(after));', ''),
  reverseWork('this.#flush(versionKey(before));', ''),
  reverseWork('for (const version of adjointsRead(step.vjp)) this.#zeroUnlessSet(version);', ''),
  slots('words += Math.ceil(shapeWords(shape(field)) / 4) * 4;', 'words += 4;'),
  slots('offset: this.#tangentBase + place.offset', 'offset: this.#tangentBase'),
  slots("end === 'entry' ? adjointEntry : adjointExit", 'adjointEntry'),
  slots('for (const place of this.#primal.values()) place.offset += this.slotBase;', ''),
  chain('return chain.flatMap(({ kernel, names }) => {', 'return chain.slice(0, 1).flatMap(({ kernel, names }) => {'),
  chain('wrt: new Set(moving.map((p) => p.name))', 'wrt: new Set([moving[0].name])'),
  chain('const dot = to === of ? into : besideOf(', 'const dot = to !== null ? into : besideOf('),
  chain('{ wrt: named(wrt), seeds: named(seeds) }', '{ wrt: named(wrt.slice(0, 1)), seeds: named(seeds) }'),

  layout(
    "if (cycle === 'frame' || (cycle === 'physics' && number === 0)) return state('adjointIn');",
    "if (cycle === 'frame' || (cycle === 'physics' && number === 0)) return state('adjointOut');",
  ),
  layout(
    'return [...given.values(), ...made.values(), ...recorded.values()];',
    'return [...given.values(), ...made.values()];',
  ),
  layout(
    'return [...given.values(), ...made.values(), ...recorded.values()];',
    'return [...given.values(), ...recorded.values()];',
  ),
  layout(
    'return [...given.values(), ...made.values(), ...recorded.values()];',
    'return [...made.values(), ...recorded.values()];',
  ),
  layout(
    'words[arena] += Math.ceil(shapeWords(this.shape(field)) / 4) * 4;',
    'words[arena] += this.model.domain(field.domain).size * field.components;',
  ),
  layout(
    "if (cycle !== 'setup' || this.isLast(version))\n          return this.#remember(this.#adjoint.made,",
    'if (cycle)\n          return this.#remember(this.#adjoint.made,',
  ),
  layout("return register === 'frameOfRun' ? this.options.frames : 1;", 'return 1;'),
  layout('offset: this.#tangentBase + place.offset', 'offset: this.#tangentBase'),
  fields('? (component * elements + element) * worlds + world', '? (component * elements + element) * worlds'),
  fields(
    'componentStride: elements * worlds, elementStride: worlds',
    'componentStride: elements, elementStride: worlds',
  ),
  fields('const stride = padded(words);', 'const stride = Math.floor(words / 4) * 4;'),
  lifetimes('if (known) known.push(moment);', 'if (known) known[1] = known[0];'),
  lifetimes('if (!isWhole(block, written.get(block))) this.lasting.add(block);', ''),
  lifetimes('new Set([...reads, ...writes])', 'new Set(writes)'),
  lifetimes('this.#walk(task.body, [...loops, loop], new Map(written));', 'this.#walk(task.body, loops, written);'),
  lifetimes('if (isWithin && loop === ways.at(-1)) continue;', 'continue;'),
  lifetimes('if (isWithin && loop === ways.at(-1)) continue;', 'if (isWithin) continue;'),
  lifetimes('if (other && !areApart(use, other)) return true;', 'return !(other && areApart(use, other));'),
  written('from === 0 && to >= words', 'to > 0'),
  overlay('end = Math.max(end, other.to);', 'end = other.to;'),
  sums('starts.set(of, at);', 'starts.set(of, 0);'),
  sums(
    'const parts = Math.max(1, Math.ceil(count / Math.max(1, width)));',
    'const parts = Math.max(1, Math.floor(count / Math.max(1, width)));',
  ),
  incidence('slots[cursor[t]++] = slot;', 'slots[cursor[t]] = slot;'),
  incidence('node.index ? of(node.index) : element', 'element'),
  forward('found.length === 1 &&', 'found.length >= 1 &&'),
  forward('counts.get(counter) ?? 0', 'counts.get(key) ?? 0'),
  forward('sum.jobs(layout.tangent(target), false', 'sum.jobs(target, false'),
  compile("layout.adjoint({ field, cycle: 'frame', loop: null, number: 0 })", 'layout.inputAdjoint(field)'),
  compile(
    "if (cycle === 'physics') return role === 'state' && last.has(v);",
    "if (cycle === 'physics') return role === 'state' && v.number === 1;",
  ),
  compile(
    "return (role === 'state' || role === 'derived') && last.has(v);",
    "return role === 'derived' && last.has(v);",
  ),
  compile(
    'const outputs = options.outputs.map((key) => recorded.get(key)?.key ?? key);',
    'const { outputs } = options;',
  ),
  layout('const shape = { ...this.shape(field), worlds: this.options.worlds };', 'const shape = this.shape(field);'),

  runner(
    'this.#copyState(this.#slotOffset(0), this.#checkpointOffset(this.#held.length - 1));',
    'this.#copyState(this.#slotOffset(0), this.#checkpointOffset(0));',
  ),
  runner("for (const arena of ['f32', 'u32'] as const)", "for (const arena of ['f32'] as const)"),
  runner('while (this.#held.at(-1)! > segment) this.#held.pop();', ''),
  runner('if (from === 0) yield* this.#lookedFrameBack(0, 0);', ''),
  runner('      yield this.#search(interval.search);\n', ''),
  runner('[(parity + k) % 2, (parity + k + 1) % 2]', '[(parity + k) % 2, (parity + k) % 2]'),
  runner(
    "if (this.#compiled.has('physicsReverse')) this.#parity = (parity + to - from) % 2;",
    "if (this.#compiled.has('physicsReverse')) this.#parity = (to - from) % 2;",
  ),
  runner(
    'this.moment(n, this.slot(n, first), this.slot(n + 1, first), adjointIn',
    'this.moment(n, this.slot(n + 1, first), this.slot(n + 1, first), adjointIn',
  ),
  runner("if (layout.stateWords.f32) executor.clear('f32', layout.adjointSlots(), layout.stateWords.f32 * 2);", ''),
  rounds(
    'const slot = kept ? (k: number): number => k : (k: number): number => k % 2;',
    'const slot = (k: number): number => k % 2;',
  ),
  rounds('row[registers.exit] = slot(rounds);', 'row[registers.exit] = slot(loop.rounds);'),
  rounds('target[offset + adjointExit] = (rounds - 1 - k) % 2;', 'target[offset + adjointExit] = (rounds - k) % 2;'),
  rounds('row[adjointEntry] = rounds % 2;', 'row[adjointEntry] = 0;'),
  rounds('target[offset + entry] = k - from;', 'target[offset + entry] = k;'),
  rounds('row[registers.exit] = end - ran.present * length;', 'row[registers.exit] = end;'),
  rounds('row[registers.round] = 0;', ''),
  rounds('this.#checkpoint(loop, held.length - 1)', 'this.#checkpoint(loop, 0)'),
  rounds('while (held.at(-1)! > segment) held.pop();', ''),
  rounds('if (segment > 0) this.#copy(loop, this.#slot(loop, 0), this.#slot(loop, length));', ''),
  rounds('if (end < to || (mayEnd && this.#hasEnded(loop, to - from))) break;', ''),
  rounds(
    'this.#ran.set(loop, { stage, rounds, held: [], present: 0 });',
    'this.#ran.set(loop, { stage, rounds: loop.rounds, held: [], present: 0 });',
  ),
  rounds('ended.every((value) => value > 0)', 'ended.some((value) => value > 0)'),
  iteration(
    'b.select(hasEnded, b.load(before, c, null), b.load(after, c, null))',
    'b.select(hasEnded, b.load(after, c, null), b.load(before, c, null))',
  ),
  seeds('const field = recorded.get(key) ?? fields.field(key);', 'const field = fields.field(key);'),
  simulation('sum[copy * each + k] += gradient', 'sum[copy * each + k] = gradient'),
  runner('return [...layout.persistentAdjoints(), ...persistentSlots];', 'return [...layout.persistentAdjoints()];'),
  // Indices that leave their domain.
  guards('const isWithin = high < size;', 'const isWithin = high <= 2 * size;'),
  guards('if (!isWithin && !form.isDerived', 'if (!isWithin && mayBeNone && !form.isDerived'),
  guarding('return mayBeNone ? b.select(', 'return mayBeNone && elements < 2 ? b.select('),
  guarding('b.pure(ge, index, b.const(guard.elements,', 'b.pure(ge, index, b.const(guard.elements + 1,'),
  ranges(
    "type === 'u32' && y.low > 0 ? [0, Math.min(x.high, y.high - 1)] : null;",
    "type === 'u32' ? [0, x.low] : null;",
  ),
  incidence('if (t !== NO_ELEMENT) slots[cursor[t]++] = slot;', 'slots[cursor[t]++] = slot;'),
  scatter('const at = b.select(isNone, last, first);', 'const at = first;'),
];
