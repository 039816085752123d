import { InvalidOptionError } from '@palimpsest/core'
import type { Decision } from '../log/decision.ts'
import type { DecisionSet } from '../log/decision-set.ts'
import { lineText } from '../render/line-text.ts'

/** Characters that an identifier must be given with: lines show 8. */
const LEAST_CHARACTERS = 5
/** Identifiers that are named when a beginning fits more than one. */
const MAX_NAMED = 5

/**
 * A decision by its identifier or the beginning of it, in brackets or not.
 *
 * @throws InvalidOptionError when there is none, or more than one.
 */
export function findDecision(decisions: DecisionSet, given: string): Decision {
  const id = given
    .trim()
    .replace(/^\[|\]$/g, '')
    .toLowerCase()
  const exact = decisions.get(id)
  if (exact !== undefined) return exact
  const shown = lineText(given, 15)
  const fitting =
    id.length < LEAST_CHARACTERS ? [] : decisions.all.filter((decision) => decision.id.startsWith(id))
  const [found, ...others] = fitting
  if (found === undefined)
    throw new InvalidOptionError('id', `there is no decision "${shown}"; decisions_list gives their ids`)
  if (others.length === 0) return found
  const ids = fitting.slice(0, MAX_NAMED).map((decision) => decision.id)
  throw new InvalidOptionError('id', `"${shown}" begins ${fitting.length} ids; use one of ${ids.join(', ')}`)
}
