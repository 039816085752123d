import { InvalidOptionError } from '@palimpsest/core'
import type { Decision } from '../log/decision.ts'
import type { DecisionLedger } from '../log/decision-ledger.ts'
import { lineText } from '../render/line-text.ts'
import { logIndexOf } from './log-index.ts'

/** Characters that an identifier must be given with: lines show 8. */
const LEAST_CHARACTERS = 5
/** Identifiers that are named when a beginning fits more than one. */
const MAX_NAMED = 5

/**
 * A decision by its identifier or the beginning of it, in brackets or not.
 *
 * @throws InvalidOptionError when there is none, or more than one.
 */
export function findDecision(decisions: DecisionLedger, given: string): Decision {
  const id = given
    .trim()
    .replace(/^\[|\]$/g, '')
    .toLowerCase()
  const exact = decisions.get(id)
  if (exact !== undefined) return exact
  const shown = lineText(given, 15)
  const fitting = id.length < LEAST_CHARACTERS ? [] : logIndexOf(decisions).beginning(id)
  const [first = '', ...others] = fitting
  const found = decisions.get(first)
  if (found === undefined)
    throw new InvalidOptionError('id', `there is no decision "${shown}"; decisions_list gives their ids`)
  if (others.length === 0) return found
  const ids = fitting.slice(0, MAX_NAMED)
  throw new InvalidOptionError('id', `"${shown}" begins ${fitting.length} ids; use one of ${ids.join(', ')}`)
}
