export * from '@gradsim/poses';
