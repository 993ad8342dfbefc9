// Entry of the page's workers, which share what they load: `film` reads films, `problem` estimates.
await (self.name === 'film' ? import('./read-film.ts') : import('./problem.ts'));
