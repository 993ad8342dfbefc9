export * from '@gradsim/core/testing';
