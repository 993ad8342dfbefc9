import * as contact from '@gradsim/contact';
import * as core from '@gradsim/core';
import * as testing from '@gradsim/core/testing';
import * as physics from '@gradsim/dynamics';
import * as mesh from '@gradsim/mesh';
import * as particles from '@gradsim/particles';
import * as rigid from '@gradsim/rigid';
import * as cloth from '../../cloth/src/index.ts';
import { testPages } from './pages.ts';

// Here, because this package depends on everything that the pages use.
const MODULES = {
  '@gradsim/cloth': cloth,
  '@gradsim/contact': contact,
  '@gradsim/core': core,
  '@gradsim/core/testing': testing,
  '@gradsim/mesh': mesh,
  '@gradsim/particles': particles,
  '@gradsim/dynamics': physics,
  '@gradsim/rigid': rigid,
};
const PAGES = [
  'docs/reference/kernels.md',
  'packages/core/README.md',
  'packages/dynamics/README.md',
  'packages/rigid/README.md',
  'packages/contact/README.md',
];

testPages(PAGES, MODULES);
