/** Line of code that is no JavaScript, counted from 1, which browsers do not tell of a module; undefined where all is. */
export async function brokenLine(code: string): Promise<number | undefined> {
  const { parse } = await import('acorn');
  try {
    parse(code, { ecmaVersion: 'latest', sourceType: 'module' });
    return undefined;
  } catch (error) {
    return (error as { loc?: { line: number } }).loc?.line;
  }
}
