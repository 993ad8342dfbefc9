import type { Vector } from '@gradsim/base';
import { GradsimError } from '@gradsim/core';

/** Maximum characters of a value quoted in a message. */
const LONGEST = 60;

/** An XML element that records which of its attributes and children were read, so that nothing is ignored silently. */
export class Element {
  readonly name: string;
  readonly line: number;
  readonly file: string;
  readonly children: readonly Element[];
  readonly #attributes: ReadonlyMap<string, string>;
  readonly #text: string;
  /** Elements of default classes that supply attributes missing here, nearest class first. */
  #defaults: readonly Element[] = [];
  readonly #used = new Set<string>();
  #isRead = false;

  constructor(of: {
    readonly name: string;
    readonly line: number;
    readonly file: string;
    readonly attributes: ReadonlyMap<string, string>;
    readonly children: readonly Element[];
    readonly text: string;
  }) {
    this.name = of.name;
    this.line = of.line;
    this.file = of.file;
    this.children = of.children;
    this.#attributes = of.attributes;
    this.#text = of.text;
  }

  /** Sets the elements of default classes that supply missing attributes. */
  inherit(defaults: readonly Element[]): this {
    this.#defaults = defaults;
    for (const element of defaults) element.read();
    return this;
  }

  /** Copies the element with these children instead of its own. */
  withChildren(children: readonly Element[]): Element {
    const { name, file, line } = this;
    return new Element({ name, file, line, children, attributes: this.#attributes, text: this.#text });
  }

  /** Marks the element as read; its attributes are marked one by one when they are read. */
  read(): this {
    this.#isRead = true;
    return this;
  }

  /** Marks the element and all within it as read, where nothing of it is needed. */
  passOver(): void {
    this.#isRead = true;
    for (const name of this.#attributes.keys()) this.#used.add(name);
    for (const child of this.children) child.passOver();
  }

  /** Returns all child elements with this tag name, and marks them as read. */
  all(name: string): Element[] {
    return this.children.filter((child) => child.name === name).map((child) => child.read());
  }

  /** Returns the child element with this tag name, if there is one. @throws GradsimError if there are two or more. */
  one(name: string): Element | undefined {
    const [first, second] = this.all(name);
    if (second) second.refuse(`is a second <${name}>; there is at most one.`);
    return first;
  }

  /** Returns the only child element with this tag name. @throws GradsimError if there is none, or more than one. */
  requiredChild(name: string): Element {
    return this.one(name) ?? this.refuseMissing(`has no <${name}>.`);
  }

  /**
   * Returns the name of the first of these attributes that is present, on the element itself or else in its classes.
   */
  firstPresent(...names: readonly string[]): string | undefined {
    const own = names.find((name) => this.#attributes.has(name));
    if (own !== undefined) return own;
    for (const element of this.#defaults) {
      const name = element.firstPresent(...names);
      if (name !== undefined) return name;
    }
    return undefined;
  }

  text(name: string): string | undefined {
    this.#used.add(name);
    const own = this.#attributes.get(name);
    if (own !== undefined) return own.trim();
    for (const element of this.#defaults) {
      const value = element.text(name);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  needText(name: string): string {
    const value = this.text(name);
    if (value === undefined || value === '') return this.refuseMissing(`has no ${name}="...".`);
    return value;
  }

  /** Reads an attribute with a fixed set of values. @throws GradsimError for a value that is none of `choices`. */
  choice<T extends string>(name: string, choices: readonly T[]): T | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const found = choices.find((choice) => choice === value);
    return found ?? this.refuseValue(name, value, `one of ${choices.join(', ')}`);
  }

  flag(name: string): boolean | undefined {
    const value = this.choice(name, ['true', 'false']);
    return value === undefined ? undefined : value === 'true';
  }

  /** Parses an attribute of finite numbers, whose number must be one of `counts`. */
  numbers(name: string, ...counts: readonly number[]): number[] | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const words = value.split(/\s+/).filter((word) => word !== '');
    const numbers = words.map((word) =>
      /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/i.test(word) ? Number(word) : Number.NaN,
    );
    if (!counts.includes(numbers.length) || !numbers.every(Number.isFinite))
      return this.refuseValue(
        name,
        value,
        `${counts.join(' or ')} finite ${counts.at(-1) === 1 ? 'number' : 'numbers'}`,
      );
    return numbers;
  }

  number(name: string): number | undefined {
    return this.numbers(name, 1)?.[0];
  }

  needNumber(name: string): number {
    this.needText(name);
    return this.number(name) as number;
  }

  /** Parses a number that must not be negative, such as a length, mass or coefficient. */
  notNegative(name: string): number | undefined {
    const value = this.number(name);
    if (value !== undefined && value < 0) this.refuseValue(name, String(value), 'at least 0');
    return value;
  }

  vector(name: string): Vector | undefined {
    return this.numbers(name, 3) as Vector | undefined;
  }

  placeInFile(): string {
    const own = this.#attributes.get('name');
    return `${this.file}, line ${this.line}: <${this.name}${own === undefined ? '' : ` name="${shortened(own)}"`}>`;
  }

  /** Throws a GradsimError for an element that the format does not allow here. */
  refuse(what: string): never {
    throw new GradsimError('robots/file-invalid', `${this.placeInFile()} ${what}`);
  }

  /** Throws a GradsimError for an attribute of a wrong type or out of its range. */
  refuseValue(name: string, value: string, must: string): never {
    throw new GradsimError(
      'robots/value-invalid',
      `${this.placeInFile()} has ${name}="${shortened(value)}", which must be ${must}.`,
      { field: name },
    );
  }

  /** Throws a GradsimError for a required element or attribute that is not there. */
  refuseMissing(what: string): never {
    throw new GradsimError('robots/part-missing', `${this.placeInFile()} ${what}`);
  }

  /** Throws a GradsimError for the name of a link, joint, mesh or class that is not in the file. */
  refuseUnknownName(what: string): never {
    throw new GradsimError('robots/no-such-name', `${this.placeInFile()} ${what}`);
  }

  /** Throws a GradsimError for a name that another element has. */
  refuseTakenName(what: string): never {
    throw new GradsimError('robots/name-taken', `${this.placeInFile()} ${what}`);
  }

  /** Throws a GradsimError for links and joints that do not form one tree. */
  refuseNoTree(what: string): never {
    throw new GradsimError('robots/not-a-tree', `${this.placeInFile()} ${what}`);
  }

  /** Throws a GradsimError for a valid element that gradsim cannot simulate. */
  refuseUnsupported(what: string): never {
    throw new GradsimError('robots/not-supported', `${this.placeInFile()} ${what}`);
  }

  /** Returns a sentence for each unread element, attribute and text in this element and its descendants. */
  leftOver(): string[] {
    if (!this.#isRead) return [`${this.placeInFile()} is not read.`];
    const names = [...this.#attributes.keys()].filter((name) => name !== 'name' && !this.#used.has(name));
    const values = names.map((name) => `${name}="${shortened(this.#attributes.get(name) ?? '')}"`);
    const own = values.length > 0 ? [`${this.placeInFile()}: ${values.join(', ')} is not read.`] : [];
    if (this.#text !== '') own.push(`${this.placeInFile()}: the text ${shortened(this.#text)} is not read.`);
    return [...own, ...this.children.flatMap((child) => child.leftOver())];
  }
}

const shortened = (value: string): string => (value.length > LONGEST ? `${value.slice(0, LONGEST)}...` : value);
