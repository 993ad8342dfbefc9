export * from '@gradsim/fem';
