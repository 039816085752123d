/** Characters of a wrong name that are shown. */
const MAX_SHOWN = 80

/** The message about a choice that names nothing. */
export function describeInvalidChoice(choice: unknown): string {
  const text = typeof choice === 'string' ? choice : typeof choice
  const shown = JSON.stringify(text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}…`)
  return `context.engine: ${shown} is neither the name of an engine, such as "my-engine", nor of an npm package`
}
