/** A rule of derivatives, adjoints or layouts broken on purpose: text of a file below `packages`, and what stands there then. */
export interface Break {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

const inFile =
  (file: string) =>
  (from: string, to: string): Break => ({ file, from, to });

const rule = inFile('kernel/src/derivatives/rules.ts');
const adjoint = inFile('kernel/src/derivatives/adjoint.ts');
const tangent = inFile('kernel/src/derivatives/tangent.ts');
const clone = inFile('kernel/src/language/clone.ts');
const arrays = inFile('kernel/src/derivatives/arrays.ts');
const checkpoints = inFile('kernel/src/derivatives/checkpoints.ts');
const places = inFile('kernel/src/emit/arrays.ts');
const dependencies = inFile('kernel/src/derivatives/dependencies.ts');
const vjp = inFile('kernel/src/derivatives/vjp.ts');
const steps = inFile('core/src/model/steps.ts');
const activity = inFile('core/src/model/activity.ts');
const reverse = inFile('core/src/model/reverse.ts');
const layout = inFile('core/src/model/layout.ts');
const fields = inFile('core/src/model/places.ts');
const sums = inFile('core/src/model/sums.ts');
const incidence = inFile('core/src/model/incidence.ts');
const forward = inFile('core/src/model/forward.ts');
const compile = inFile('core/src/model/compile.ts');
const runner = inFile('core/src/tape/runner.ts');
const simulation = inFile('core/src/tape/simulation.ts');

/**
 * Breaks to try the judge with, each alone: a sign, an order, a place, a step left out. Each would be a plausible slip
 * in its file, compiles, and leaves values of the run itself alone where it can.
 */
export const BREAKS: readonly Break[] = [
  rule('add: () => [(t) => t, (t) => t],', 'add: (b) => [(t) => t, (t) => b.neg(t)],'),
  rule('sub: (b) => [(t) => t, (t) => b.neg(t)],', 'sub: () => [(t) => t, (t) => t],'),
  rule('neg: (b) => [(t) => b.neg(t)],', 'neg: () => [(t) => t],'),
  rule('(t) => b.mul(x, t)],', '(t) => b.mul(y, t)],'),
  rule('div: (b, [, y], q) => [(t) => b.div(t, y),', 'div: (b, [, y], q) => [(t) => b.mul(t, y),'),
  rule('(t) => b.neg(b.mul(q, b.div(t, y)))],', '(t) => b.mul(q, b.div(t, y))],'),
  rule("const first = b.pure('le', x, y);", "const first = b.pure('ge', x, y);"),
  rule("const first = b.pure('ge', x, y);", "const first = b.pure('le', x, y);"),
  rule("abs: (b, [x]) => [(t) => b.mul(t, b.pure('sign', x))],", 'abs: () => [(t) => t],'),
  rule('floor: () => [null],', 'floor: () => [(t) => t],'),
  rule(
    'sqrt: (b, _, y) => [divideOrZero(b, b.mul(b.const(2), y))],',
    'sqrt: (b, _, y) => [divideOrZero(b, y)],',
  ),
  rule('exp: (b, _, y) => [(t) => b.mul(t, y)],', 'exp: () => [(t) => t],'),
  rule('log: (b, [x]) => [(t) => b.div(t, x)],', 'log: (b, [x]) => [(t) => b.mul(t, x)],'),
  rule(
    "sin: (b, [x]) => [(t) => b.mul(t, b.pure('cos', x))],",
    "sin: (b, [x]) => [(t) => b.mul(t, b.pure('sin', x))],",
  ),
  rule(
    "cos: (b, [x]) => [(t) => b.neg(b.mul(t, b.pure('sin', x)))],",
    "cos: (b, [x]) => [(t) => b.mul(t, b.pure('sin', x))],",
  ),
  rule(
    'tan: (b, _, y) => [(t) => b.mul(t, b.add(one(b), b.mul(y, y)))],',
    'tan: (b, _, y) => [(t) => b.mul(t, b.sub(one(b), b.mul(y, y)))],',
  ),
  rule(
    'asin: (b, [x]) => [divideOrZero(b, cosineOf(b, x))],',
    'asin: (b, [x]) => [(t) => b.mul(t, cosineOf(b, x))],',
  ),
  rule(
    'acos: (b, [x]) => [(t) => b.neg(divideOrZero(b, cosineOf(b, x))(t))],',
    'acos: (b, [x]) => [divideOrZero(b, cosineOf(b, x))],',
  ),
  rule(
    'atan: (b, [x]) => [(t) => b.div(t, b.add(one(b), b.mul(x, x)))],',
    'atan: (b, [x]) => [(t) => b.div(t, b.add(one(b), x))],',
  ),
  rule('(t) => b.neg(over(b.mul(t, y)))];', '(t) => over(b.mul(t, y))];'),
  rule('return [(t) => over(b.mul(t, x)),', 'return [(t) => over(b.mul(t, y)),'),
  rule(
    'tanh: (b, _, y) => [(t) => b.mul(t, b.sub(one(b), b.mul(y, y)))],',
    'tanh: (b, _, y) => [(t) => b.mul(t, b.sub(one(b), y))],',
  ),
  rule("b.mul(p, b.pure('pow', x, b.sub(p, one(b))))", "b.mul(p, b.pure('pow', x, p))"),
  rule(
    'b.mul(t, b.select(isZero(b, x), zero(b), b.mul(y,',
    'b.mul(t, b.select(isZero(b, x), zero(b), b.mul(x,',
  ),
  rule(
    '    null,\n    (t) => b.select(condition, t, zero(b)),',
    '    null,\n    (t) => b.select(condition, zero(b), t),',
  ),
  rule('(t) => b.neg(b.mul(b.div(b.sub(x, r), y), t))],', 'null],'),
  rule("b.pure('max', b.sub(one(b), b.mul(x, x)), zero(b)))", "b.pure('max', b.sub(one(b), x), zero(b)))"),

  adjoint('before ? sum(b, before, bar) : bar', 'before ? bar : bar'),
  adjoint('bars.get(c) ?? b.const(0));', 'bars.get(0) ?? b.const(0));'),
  adjoint("index?.id ?? 'own'}", "'own'}"),
  adjoint(
    'b.if(mapped(map, condition), yes.copy, no.copy)',
    'b.if(mapped(map, condition), no.copy, yes.copy)',
  ),
  adjoint(
    "const round = b.sub(b.sub(rounds, b.const(1, 'u32')), block.counter);",
    'const round = block.counter;',
  ),
  adjoint(
    'const nextBars = floats.map((k) => local.get(body.params[k]) ?? b.zero(body.results[k].type));',
    'const nextBars = floats.map((k, at) => local.get(body.params[k]) ?? barParams[at]);',
  ),
  adjoint("b.add(b.param(block, 'f32'), free.get(node)!)", "(b.param(block, 'f32'), free.get(node)!)"),
  adjoint('floats.map((k) => seeds.get(k) ?? b', 'floats.map((k, n) => seeds.get(n) ?? b'),
  adjoint(
    'accumulate(b, adjoints, loop.initial[k], ends[position])',
    'accumulate(b, adjoints, loop.initial[position], ends[position])',
  ),
  adjoint('b.get(bar, at)', "b.get(bar, b.const(0, 'u32'))"),
  adjoint('b.set(bar, at, b.const(0))', 'bar'),
  adjoint('arrays.get(node) ?? b.zero(node.type)', 'b.zero(node.type)'),
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
  checkpoints("b.select(b.pure('eq', distance, this.#number(0)), b.sub(count, one), after)", 'after'),
  checkpoints('b.add(due, spacing)', 'due'),
  checkpoints('b.add(offset!, position)', 'b.add(offset!, again.counter)'),
  places('other.time <= time || isElsewhere(other.block, block)', 'true'),
  places("if (b.kind !== 'side') return false;", ''),
  places('const held = needed.filter(isHeld)', 'const held = needed.filter(() => false)'),
  adjoint(
    "return b.select(b.pure('gt', end, start), b.sub(end, start), b.const(0, 'u32'));",
    "return b.select(b.pure('gt', end, start), end, b.const(0, 'u32'));",
  ),
  adjoint(
    'const bar = b.load(barPorts.get(port)!, component, index && mapped(map, index));',
    'const bar = b.load(barPorts.get(port)!, component, null);',
  ),
  adjoint(
    "!within(node.op === 'load' ? node.home : node.block, block)",
    "within(node.op === 'load' ? node.home : node.block, block)",
  ),
  adjoint("!within(node.op === 'load' ? node.home : node.block, block)", '!within(node.block, block)'),
  adjoint("(node.op === 'load' ? firstOf(node) : node)", 'node'),
  adjoint(
    'if (bar) seeds.set(node.position, bar);',
    'if (bar && node.position === 0) seeds.set(node.position, bar);',
  ),
  adjoint(
    "if (linear && node.args[position].type === 'f32')",
    "if (linear && position === 0 && node.args[position].type === 'f32')",
  ),

  tangent('sum = sum ? b.add(sum, term) : term;', 'sum = term;'),
  tangent('dots.get(region.initial[k]) ?? b.zero(given[k].type)', 'b.zero(given[k].type)'),
  tangent(
    'b.output(outPorts.get(port)!, component, at, dots.get(value) ?? b.const(0));',
    'b.output(outPorts.get(port)!, 0, at, dots.get(value) ?? b.const(0));',
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

  steps('sum.from.push(step);', 'sum.from.splice(0, 1, step);'),
  steps(
    'reads.set(key, version(model.field(key)));',
    'reads.set(key, { ...version(model.field(key)), number: 0 });',
  ),
  steps('field.values !== undefined ||', 'false ||'),
  activity('const dependent = from(from(wrt, setup), run);', 'const dependent = from(wrt, run);'),
  activity('const useful = to(to(outputs, run), setup);', 'const useful = to(outputs, run);'),

  reverse("return cycle !== 'physics' || v.number > 0;", "return cycle !== 'physics';"),
  reverse(
    'step.reads.get(key(port)) ?? step.writes.get(key(port)) ?? found(model.field(key(port)));',
    'step.writes.get(key(port)) ?? step.reads.get(key(port)) ?? found(model.field(key(port)));',
  ),
  reverse(
    'return made.reduce((last, v) => (v.number > last.number ? v : last), start);',
    'return made[0] ?? start;',
  ),
  reverse('if (site.index === null && !ownElements.has(key)) {', 'if (site.index === null) {'),
  reverse('if (v.number > 0 && !layout.isLast(v)) return false;', ''),
  reverse(
    'if (addsUp(version) || isSet.has(key)) accumulates.add(port);',
    'if (addsUp(version)) accumulates.add(port);',
  ),
  reverse('addsUp(version) || isSet.has(key), tables, label', 'addsUp(version), tables, label'),
  reverse('if (isSet.has(versionKey(version))) continue;', 'continue;'),
  reverse('[...steps.entries()].reverse()', '[...steps.entries()]'),
  reverse("return v.cycle === 'physics' && v.number > 0 && !isLast(v);", 'return false;'),
  reverse("    case 'scratch':\n      return true;", "    case 'scratch':\n      return false;"),
  reverse('return !(recorded(v.field) && isLast(v));', 'return !recorded(v.field);'),
  reverse(
    'for (const v of step.reads.values()) if (isLost(v, roles, isLast, recorded)) needed.add(versionKey(v));',
    '',
  ),
  reverse('persistentSlots.push(sum.slots);', ''),
  reverse(
    'final.push(...sum.jobs(layout.adjoint(version), true, tables',
    'final.push(...sum.jobs(layout.adjoint(version), false, tables',
  ),
  reverse('present.has(versionKey(v)) || seeded(v)', 'present.has(versionKey(v))'),
  reverse('      flush(versionKey(version));\n', ''),
  reverse("return layout.adjoint(v).register === 'frame';", 'return false;'),

  layout(
    "if (cycle === 'frame' || (cycle === 'physics' && number === 0)) return state('adjointIn');",
    "if (cycle === 'frame' || (cycle === 'physics' && number === 0)) return state('adjointOut');",
  ),
  layout(
    "key.endsWith('<') || key.endsWith('=') || key.endsWith('[]')",
    "key.endsWith('<') || key.endsWith('=')",
  ),
  layout(
    "key.endsWith('<') || key.endsWith('=') || key.endsWith('[]')",
    "key.endsWith('<') || key.endsWith('[]')",
  ),
  layout(
    "key.endsWith('<') || key.endsWith('=') || key.endsWith('[]')",
    "key.endsWith('=') || key.endsWith('[]')",
  ),
  layout(
    'words += Math.ceil(shapeWords(this.shape(field)) / 4) * 4;',
    'words += this.model.domain(field.domain).size * field.components;',
  ),
  layout(
    "if (cycle !== 'setup' || this.isLast(version))\n          return this.#remember(this.#adjoint,",
    'if (cycle)\n          return this.#remember(this.#adjoint,',
  ),
  layout(
    "place.register === 'substep'\n            ? this.options.substepsInAll\n            : place.register\n              ? this.options.frames\n              : 1;",
    '1;',
  ),
  layout('offset: this.#tangentBase + place.offset', 'offset: this.#tangentBase'),
  fields(
    '? (component * elements + element) * worlds + world',
    '? (component * elements + element) * worlds',
  ),
  fields(
    'componentStride: elements * worlds, elementStride: worlds',
    'componentStride: elements, elementStride: worlds',
  ),
  fields('const stride = Math.ceil(words / 4) * 4;', 'const stride = Math.floor(words / 4) * 4;'),
  sums('this.#starts.push(count);', 'this.#starts.push(0);'),
  sums(
    'const parts = Math.max(1, Math.ceil(count / Math.max(1, width)));',
    'const parts = Math.max(1, Math.floor(count / Math.max(1, width)));',
  ),
  incidence('slots[cursor[t]++] = slot;', 'slots[cursor[t]] = slot;'),
  incidence('node.index ? evaluateIndex(node.index, element, read, memo) : element', 'element'),
  forward('found.length === 1 &&', 'found.length >= 1 &&'),
  forward('counts.get(counter) ?? 0', 'counts.get(key) ?? 0'),
  forward('sum.jobs(layout.tangent(target), false', 'sum.jobs(target, false'),
  compile("layout.adjoint({ field, cycle: 'frame', number: 0 })", 'layout.inputAdjoint(field)'),
  compile(
    "if (cycle === 'physics') return role === 'state' && isLast(v);",
    "if (cycle === 'physics') return role === 'state' && v.number === 1;",
  ),
  compile(
    "return (role === 'state' || role === 'derived') && isLast(v);",
    "return role === 'derived' && isLast(v);",
  ),

  runner(
    'this.#copyState(this.#slotOffset(0), this.#checkpointOffset(this.#held.length - 1));',
    'this.#copyState(this.#slotOffset(0), this.#checkpointOffset(0));',
  ),
  runner('while (this.#held.at(-1)! > segment) this.#held.pop();', ''),
  runner('if (from === 0) this.#frameBack(0, 0);', ''),
  runner('      this.#search(interval.search);\n', ''),
  runner(
    'adjointOut: (parity + k) % 2,\n          adjointIn: (parity + k + 1) % 2,',
    'adjointOut: (parity + k) % 2,\n          adjointIn: (parity + k) % 2,',
  ),
  runner(
    "if (this.#compiled.has('physicsReverse')) this.#parity = (parity + to - from) % 2;",
    "if (this.#compiled.has('physicsReverse')) this.#parity = (to - from) % 2;",
  ),
  runner(
    'stateIn: this.slot(n, from),\n          stateOut: this.slot(n + 1, from),\n          adjointOut',
    'stateIn: this.slot(n + 1, from),\n          stateOut: this.slot(n + 1, from),\n          adjointOut',
  ),
  simulation('if (layout.stateWords) executor.clear(layout.adjointSlots(), layout.stateWords * 2);', ''),
  simulation(
    'for (const place of [...layout.persistentAdjoints(), ...persistentSlots]) {',
    'for (const place of layout.persistentAdjoints()) {',
  ),
];
