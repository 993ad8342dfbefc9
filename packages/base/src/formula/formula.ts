/** A formula, by {@link parseFormula}. */
export interface Formula {
  /** Names of its variables and parameters, in the order in which they first appear. */
  readonly names: readonly string[];
  /** Value, with the values of `names` in their order. */
  readonly value: (values: ArrayLike<number>) => number;
}

/** Error of a text that is no formula: its message is the reason, as a clause. */
export class FormulaFault extends Error {}

type Node = (values: ArrayLike<number>) => number;

const FUNCTIONS: Readonly<Record<string, (x: number) => number>> = {
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
  asin: Math.asin,
  acos: Math.acos,
  atan: Math.atan,
  sinh: Math.sinh,
  cosh: Math.cosh,
  tanh: Math.tanh,
  exp: Math.exp,
  ln: Math.log,
  log10: Math.log10,
  sqrt: Math.sqrt,
  abs: Math.abs,
};

/** A number, a name, an operator or a bracket, after any space. */
const TOKEN = /\s*(?:(\d+\.?\d*(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?)|([a-z_]\w*)|(\*\*|[-+*/^()]))/iy;

/**
 * Parses a formula such as `A exp(-g t) cos(w t + p) + c`: numbers, names, `pi`, + - * / ^ (also **), brackets and the
 * functions sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, exp, ln, log10, sqrt and abs. What stands side by side is
 * multiplied. Powers bind more strongly than signs: -t^2 is -(t^2).
 *
 * ```ts
 * const { names, value } = parseFormula('a t^2 + b'); // names: a, t, b
 * value([2, 3, 1]); // 19
 * ```
 * @throws FormulaFault with the reason.
 */
export function parseFormula(text: string): Formula {
  const tokens = tokensOf(text.replaceAll('²', '^2').replaceAll('³', '^3').replaceAll(/[·×]/g, '*'));
  const names: string[] = [];
  let at = 0;
  const isNext = (...of: readonly string[]): boolean => of.includes(tokens[at]?.text);

  const sum = (): Node => {
    let left = product();
    while (isNext('+', '-')) {
      const [own, sign] = [left, tokens[at++].text === '+' ? 1 : -1];
      const right = product();
      left = (v) => own(v) + sign * right(v);
    }
    return left;
  };
  const product = (): Node => {
    let left = signed();
    while (at < tokens.length && !isNext('+', '-', ')', '^')) {
      const isDivision = isNext('/');
      if (isNext('*', '/')) at++;
      const own = left;
      const right = signed();
      left = isDivision ? (v) => own(v) / right(v) : (v) => own(v) * right(v);
    }
    return left;
  };
  const signed = (): Node => {
    if (!isNext('+', '-')) return power();
    const sign = tokens[at++].text === '-' ? -1 : 1;
    const of = signed();
    return (v) => sign * of(v);
  };
  const power = (): Node => {
    const base = atom();
    if (!isNext('^')) return base;
    at++;
    const exponent = signed();
    return (v) => base(v) ** exponent(v);
  };
  const atom = (): Node => {
    const token = tokens[at++];
    if (token === undefined) throw new FormulaFault('it ends where a number, a name or a bracket is missing');
    const { kind, text: own, isTight } = token;
    if (kind === 'number') return constant(Number(own));
    if (kind === 'name') {
      const of = Object.hasOwn(FUNCTIONS, own) ? FUNCTIONS[own] : undefined;
      if (of) {
        if (!isNext('(')) throw new FormulaFault(`${own} needs a bracket behind it: ${own}(t)`);
        const inside = atom();
        return (v) => of(inside(v));
      }
      if (own.length > 1 && isNext('(') && isTight)
        throw new FormulaFault(
          `there is no function ${own}, only ${Object.keys(FUNCTIONS).join(', ')}; to multiply write ${own} * (`,
        );
      if (own === 'pi') return constant(Math.PI);
      if (!names.includes(own)) names.push(own);
      const index = names.indexOf(own);
      return (v) => v[index];
    }
    if (own !== '(') throw new FormulaFault(`"${own}" stands where a number, a name or a bracket is missing`);
    const inside = sum();
    if (!isNext(')')) throw new FormulaFault('a bracket is not closed');
    at++;
    return inside;
  };

  const value = sum();
  if (at < tokens.length) throw new FormulaFault('a bracket is closed that was not opened');
  return { names, value };
}

const constant =
  (value: number): Node =>
  () =>
    value;

interface Token {
  readonly kind: 'number' | 'name' | 'sign';
  readonly text: string;
  /** True if the next token follows without a space. */
  readonly isTight: boolean;
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  for (let at = 0; text.slice(at).trim() !== ''; at = TOKEN.lastIndex) {
    const found = TOKEN.exec(text);
    if (!found) throw new FormulaFault(`"${text.slice(at).trim()[0]}" is not understood`);
    const [, number, name, sign] = found;
    tokens.push({
      kind: number !== undefined ? 'number' : name !== undefined ? 'name' : 'sign',
      text: number ?? name ?? (sign === '**' ? '^' : sign),
      isTight: text[TOKEN.lastIndex] !== ' ',
    });
  }
  return tokens;
}
