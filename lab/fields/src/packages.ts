import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Checker, Symbol as Named, Project, Type } from 'typescript/unstable/sync';
import { API, SignatureKind } from 'typescript/unstable/sync';

/** Path of the repository's root folder. */
export const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Contents read from the sources of a published package. */
export interface PackageSource {
  readonly name: string;
  /** Names that programs import: the package, or a part of it, as in `@gradsim/recordings/poses`. */
  readonly entries: readonly string[];
  /** Names of the package's exports that are plugins, or functions that return one. */
  readonly plugins: readonly string[];
  /** Doc comments of the columns of the package's components and aspects, by export name and column name. */
  readonly components: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Doc comments of the package's exported references to fields, by export name. */
  readonly fields: ReadonlyMap<string, string>;
}

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, string | { readonly '@gradsim/source'?: string }>>;
}

/**
 * Reads the exports of every published package of the workspace from the types of its sources, except `gradsim`, which
 * re-exports those of the others.
 */
export function readPackages(): PackageSource[] {
  const folder = join(root, 'packages');
  const api = new API({ cwd: root });
  try {
    const project = api
      .updateSnapshot({ openProjects: [join(root, 'tsconfig.json')] })
      .getProject(join(root, 'tsconfig.json'))!;
    return readdirSync(folder).flatMap((name) => {
      const file = join(folder, name, 'package.json');
      if (!existsSync(file)) return [];
      const manifest: Manifest = JSON.parse(readFileSync(file, 'utf8'));
      return manifest.private || manifest.name === 'gradsim'
        ? []
        : [readPackage(project, join(folder, name), manifest)];
    });
  } finally {
    api.close();
  }
}

function readPackage({ program, checker }: Project, folder: string, manifest: Manifest): PackageSource {
  const { name } = manifest;
  const sources = Object.entries(manifest.exports ?? {}).flatMap(([path, entry]) =>
    typeof entry === 'object' && entry['@gradsim/source']
      ? [{ path, file: join(folder, entry['@gradsim/source']) }]
      : [],
  );
  const exported = sources.flatMap(({ file }) => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(file)!);
    return module ? checker.getExportsOfModule(module) : [];
  });
  const plugins: string[] = [];
  const components = new Map<string, ReadonlyMap<string, string>>();
  const fields = new Map<string, string>();
  for (const symbol of exported) {
    const type = checker.getTypeOfSymbol(symbol);
    if (!type) continue;
    if (givesPlugin(checker, type)) plugins.push(symbol.name);
    if (isNamed(type.getSymbol(), 'FieldRef'))
      fields.set(symbol.name, checker.getAliasedSymbol(symbol).getDocumentationComment(checker));
    // Declared<Columns, Domain, Made>, AspectsOf<Columns>: references made of these types have lost what is written above.
    const isDeclared = ['Declared', 'AspectsOf'].some((name) => isNamed(type.getAliasSymbol(), name));
    const [columns, , made] = isDeclared ? type.getAliasTypeArguments() : [];
    const own = [columns, made].flatMap((some) => (some ? docs(checker, some) : []));
    if (columns) components.set(symbol.name, new Map(own));
  }
  return { name, entries: sources.map(({ path }) => name + path.slice(1)), plugins, components, fields };
}

const isNamed = (symbol: Named | undefined, name: string): boolean => symbol?.name === name;

/** Returns whether an export is a plugin, or a function that returns one without taking one as its argument. */
function givesPlugin(checker: Checker, type: Type): boolean {
  const isPlugin = (one: Type | undefined): boolean => isNamed(one?.getSymbol(), 'Plugin');
  if (isPlugin(type)) return true;
  return checker
    .getSignaturesOfType(type, SignatureKind.Call)
    .some(
      (signature) =>
        isPlugin(checker.getReturnTypeOfSignature(signature)) &&
        !signature.getParameters().some((one) => isPlugin(checker.getTypeOfSymbol(one))),
    );
}

const docs = (checker: Checker, fields: Type): [string, string][] =>
  checker.getPropertiesOfType(fields).map((field) => [field.name, field.getDocumentationComment(checker)]);
