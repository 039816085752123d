import { redactSecrets } from '@palimpsest/core'
import { type Decision, type DecisionSet, isContested } from '../../log/decision.ts'
import { headline } from '../../render/decision-label.ts'
import { lineText } from '../../render/line-text.ts'
import type { Memory } from './external-memory.ts'

const REASON_TOKENS = 60
const QUOTE_TOKENS = 60

/**
 * The memories of decisions that were stated or accepted. One that is over is said to be, so
 * that publishing it again takes back what the memory had; a proposal is not published. Secrets are hidden.
 */
export function toMemories(changed: readonly Decision[], decisions: DecisionSet): Memory[] {
  return changed.flatMap((decision) => {
    const { id, status, authority, sources } = decision
    const session = sources.at(-1)?.session
    if (status === 'proposed' || authority === 'proposed' || session === undefined) return []
    const text = [stateOf(decision, decisions), ...whyOf(decision)].join('\n')
    return [{ id, session, text: redactSecrets(text) }]
  })
}

function stateOf(decision: Decision, decisions: DecisionSet): string {
  const said = headline(decision)
  if (decision.status === 'active') return `${isContested(decision) ? 'Contested' : 'Decided'}: ${said}`
  const successor = decision.supersededBy.findLast(({ area }) => area === undefined)
  const next = successor && decisions.get(successor.id)
  return `No longer holds: ${said}${next === undefined ? '' : `. Replaced by: ${headline(next)}`}`
}

function whyOf({ reason, ended, sources: [first] }: Decision): string[] {
  const because = lineText(ended?.reason ?? reason ?? '', REASON_TOKENS)
  const quote = lineText(first?.quote ?? '', QUOTE_TOKENS)
  return [...(because === '' ? [] : [`Reason: ${because}`]), ...(quote === '' ? [] : [`Said: "${quote}"`])]
}
