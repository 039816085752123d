/** npm's own limit, in characters: the "name" rules of its documentation of package.json. */
const MAX_LENGTH = 214

const PACKAGE_NAME = /^(?:@[a-z0-9-][a-z0-9._-]*\/)?[a-z0-9-][a-z0-9._-]*$/

/**
 * Whether a text may be the name of an npm package, scoped or not. The name of an engine is one too. What
 * passes is safe as a path below `node_modules`.
 */
export function isPackageName(name: unknown): name is string {
  return (
    typeof name === 'string' &&
    name.length <= MAX_LENGTH &&
    name !== 'node_modules' &&
    PACKAGE_NAME.test(name)
  )
}

/** Characters of a wrong name that are shown. */
const MAX_SHOWN = 80

/** The message about a choice that names nothing. */
export function describeInvalidChoice(choice: unknown): string {
  const text = typeof choice === 'string' ? choice : typeof choice
  const shown = JSON.stringify(text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}…`)
  return `context.engine: ${shown} is neither the name of an engine, such as "my-engine", nor of an npm package`
}
