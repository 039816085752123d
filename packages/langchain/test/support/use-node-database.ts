import { registerHooks } from 'node:module'

/** For `node --import`: whoever imports `better-sqlite3` gets the SQLite of Node. */
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'better-sqlite3'
      ? { url: new URL('node-database.ts', import.meta.url).href, shortCircuit: true }
      : next(specifier, context),
})
