import type { Port } from '@gradsim/kernel/compiler';

type PortOptions = Partial<Pick<Port, 'components' | 'scalar' | 'kind'>>;

/** A port of a kernel that is written node by node. Words of another place are those of the domain `words`. */
export const portOf = (
  name: string,
  access: 'read' | 'write',
  domain: '' | 'words',
  options: PortOptions = {},
): Port => ({
  name,
  access,
  domain,
  kind: 'primal',
  scalar: 'f32',
  components: 1,
  shared: false,
  ...options,
});
