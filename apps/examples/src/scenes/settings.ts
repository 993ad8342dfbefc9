/** @throws for a setting that an experiment does not have. */
export function refuseUnknownSettings(
  experiment: string,
  settings: Readonly<Record<string, string>>,
  names: readonly string[],
): void {
  const unknown = Object.keys(settings).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  const known = `${names.slice(0, -1).join(', ')}${names.length > 1 ? ' and ' : ''}${names.at(-1)}`;
  throw new Error(`The experiment ${experiment} has no setting "${unknown}"; it has ${known}.`);
}

/**
 * The value of a setting that is a number.
 * @throws when it is none, or out of range.
 */
export function numberSetting(
  settings: Readonly<Record<string, string>>,
  name: string,
  { otherwise, least, whole = false }: NumberSetting,
): number {
  const text = settings[name];
  if (text === undefined) return otherwise;
  const value = Number(text);
  if (text.trim() === '' || !(whole ? Number.isSafeInteger(value) : Number.isFinite(value)) || value < least)
    throw new Error(`The setting ${name} is "${text}"; it is a ${whole ? 'whole ' : ''}number of at least ${least}.`);
  return value;
}

/** What a number may be. */
export interface NumberSetting {
  readonly otherwise: number;
  readonly least: number;
  readonly whole?: boolean;
}
