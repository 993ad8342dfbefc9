import * as articulated from '@gradsim/articulated';
import * as core from '@gradsim/core';
import * as robots from '@gradsim/robots';
import { testPages } from '../../contact/test/pages.ts';

testPages(['packages/robots/README.md'], {
  '@gradsim/articulated': articulated,
  '@gradsim/core': core,
  '@gradsim/robots': robots,
});
