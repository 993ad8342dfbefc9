export * from '@gradsim/particles';
