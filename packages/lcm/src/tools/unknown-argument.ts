import { InvalidOptionError } from '@palimpsest/core'
import { labelText } from './refs.ts'

/** Letters at the beginning by which an argument is recognised. */
const SAME_LETTERS = 3

/** The error for an argument that a tool does not take: the one that was probably meant, and all that there are. */
export function unknownArgument(name: string, known: readonly string[]): InvalidOptionError {
  const shown = labelText(name)
  if (known.length === 0)
    return new InvalidOptionError(shown, `there is no argument "${shown}"; it takes none`)
  const meant = closest(name, known)
  const question = meant === undefined ? '' : ` (did you mean "${meant}"?)`
  return new InvalidOptionError(
    shown,
    `there is no argument "${shown}"${question}; there are: ${known.join(', ')}`,
  )
}

/** Names are compared as letters alone, so that `ignoreCase` and `max-passages` are recognised too. */
function closest(name: string, known: readonly string[]): string | undefined {
  const given = letters(name.slice(0, 100))
  const shared = known.map((other) => ({ other, same: sameLetters(given, letters(other)) }))
  const [best] = shared.sort((a, b) => b.same - a.same)
  return best !== undefined && best.same >= Math.min(SAME_LETTERS, best.other.length) ? best.other : undefined
}

function letters(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, '')
}

/** How many letters two names begin with alike. */
function sameLetters(a: string, b: string): number {
  let count = 0
  while (count < a.length && a[count] === b[count]) count++
  return count
}
