import { stripVTControlCharacters } from 'node:util'
import { errorText } from '../errors/errors.ts'

/** Characters that a line of a list may have. */
const MAX_LENGTH = 300

/** The most that is read of a text, in characters: plugins may throw megabytes. */
const MAX_READ = 10_000

/**
 * The first line of a text that says something, safe to print: without escape sequences, control characters,
 * marks that turn the direction of writing, or halves of surrogate pairs, and at most 300 characters long.
 */
export function oneLine(text: string): string {
  const [line = ''] = stripVTControlCharacters(text.slice(0, MAX_READ))
    .split(/[\r\n\u0085\u2028\u2029]/)
    .map((part) => part.replace(/[\p{Cc}\p{Bidi_Control}]+/gu, ' ').trim())
    .filter((part) => part !== '')
  const characters = Array.from(line.toWellFormed())
  return characters.length <= MAX_LENGTH
    ? characters.join('')
    : `${characters.slice(0, MAX_LENGTH - 1).join('')}…`
}

/** A thrown value as one line, whatever it is. Never throws. */
export function errorLine(error: unknown): string {
  try {
    return oneLine(String(errorText(error))) || 'an error without a text'
  } catch {
    return 'something that cannot be shown was thrown'
  }
}

/** The `code` of an error of Node, such as `ENOENT`; empty for anything else that was thrown. Never throws. */
export function errorCode(error: unknown): string {
  try {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    return typeof code === 'string' ? code : ''
  } catch {
    return ''
  }
}

/** Whether an error of the file system says that nothing is there. */
export function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(errorCode(error))
}
