import { parseJson } from './json.ts'

/**
 * Recorded arguments of a call as JSON text. Text that parses is kept byte for byte. No arguments are `{}`.
 * Text that does not parse, because the response was cut off inside it, is kept whole under `_raw`.
 */
export function toolArguments(recorded: unknown): string {
  if (recorded === undefined || recorded === null || recorded === '') return '{}'
  if (typeof recorded !== 'string') return JSON.stringify(recorded)
  return parseJson(recorded) === undefined ? JSON.stringify({ _raw: recorded }) : recorded
}
