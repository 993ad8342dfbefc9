import * as cloth from '@gradsim/cloth';
import * as contact from '@gradsim/contact';
import * as core from '@gradsim/core';
import * as fem from '@gradsim/fem';
import * as mesh from '@gradsim/mesh';
import * as particles from '@gradsim/particles';
import * as springs from '@gradsim/springs';
import { testPages } from '../../contact/test/pages.ts';

// Here, because this package depends on everything that the pages use.
testPages(
  ['particles', 'springs', 'fem', 'cloth'].map((name) => `packages/${name}/README.md`),
  {
    '@gradsim/cloth': cloth,
    '@gradsim/contact': contact,
    '@gradsim/core': core,
    '@gradsim/fem': fem,
    '@gradsim/mesh': mesh,
    '@gradsim/particles': particles,
    '@gradsim/springs': springs,
  },
);
