/** Where the sources stand: the compiled file is dist/bench/repository-root.js. */
export const repositoryRoot = new URL('../../', import.meta.url);
