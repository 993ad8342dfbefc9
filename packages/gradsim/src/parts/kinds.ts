export * from '@gradsim/kinds';
