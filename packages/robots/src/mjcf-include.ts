import type { Element } from './element.ts';
import type { MeshFiles } from './mesh-files.ts';
import { parseXml } from './xml.ts';

/**
 * An MJCF with what it includes in the place of each `<include>`: what stands in the root of that file. Paths are from the
 * folder of the main file.
 * @throws GradsimError for a file that cannot be read, or is included twice, as in MuJoCo: it could include itself.
 */
export async function withIncludes(
  element: Element,
  files: MeshFiles,
  included: Set<string> = new Set(),
): Promise<Element> {
  if (!holdsInclude(element)) return element;
  const children: Element[] = [];
  for (const child of element.children)
    if (child.name !== 'include') children.push(await withIncludes(child, files, included));
    else {
      const { path, text } = await files.text(child, child.needText('file'));
      if (included.has(path)) child.refuse(`includes ${path}, which is included already; a file is included once.`);
      included.add(path);
      const root = await withIncludes(parseXml(text, path), files, included);
      children.push(...root.children);
    }
  return element.holding(children);
}

const holdsInclude = (element: Element): boolean =>
  element.children.some((child) => child.name === 'include' || holdsInclude(child));
