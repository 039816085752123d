import { UnknownEngineError } from '@palimpsest/core'
import { closestName } from '@palimpsest/core/options'
import { describeInvalidChoice } from '../config/invalid-choice.ts'
import { isPackageName } from '../config/package-name.ts'
import type { Candidate } from './candidate.ts'
import { oneLine } from './one-line.ts'

/** The error for a choice that nothing has, with what could have been meant and what could not be looked at. */
export function unknownEngine(choice: string, candidates: readonly Candidate[]): UnknownEngineError {
  const names = candidates.filter(({ entry }) => entry.available).map(({ entry }) => entry.name)
  if (!isPackageName(choice))
    return new UnknownEngineError(choice, names, oneLine(describeInvalidChoice(choice)))
  const meant = closestName(choice, names)
  const parts = [
    `the context engine "${choice}" was not found${meant === undefined ? '' : ` (did you mean "${meant}"?)`}`,
    `available: ${names.join(', ')}`,
    ...candidates.filter(isWholeSource).map(({ entry }) => `${entry.name}: ${entry.reason}`),
  ]
  return new UnknownEngineError(choice, names, parts.join('; '))
}

/** A source that could not be read as a whole stands in the list under its path. */
function isWholeSource({ entry }: Candidate): boolean {
  return entry.name.startsWith('./')
}
