export * from '@gradsim/springs';
