import { type Decision, isContested } from '../log/decision.ts'
import { headline } from '../render/decision-label.ts'
import { lineText } from '../render/line-text.ts'
import { decidingSource } from '../render/provenance.ts'

const VALUE_TOKENS = 60
const MAX_REMARKS = 3

/** A decision in a list of a tool's. Turns are those of the session that it was said in, which is named when it is another one. */
export function decisionFacts(decision: Decision, session: string) {
  const { id, slot, area, choice, status, authority, contestedBy, remarks, suspectOf } = decision
  const source = decidingSource(decision)
  return {
    id,
    slot: lineText(slot, VALUE_TOKENS),
    ...(area !== '' && { area: lineText(area, VALUE_TOKENS) }),
    choice: lineText(choice, VALUE_TOKENS),
    category: decision.category,
    status,
    authority,
    turn: source?.turn ?? null,
    ...(source !== undefined &&
      source.session !== session && { session: lineText(source.session, VALUE_TOKENS) }),
    l0: `${headline(decision)}${isContested(decision) ? ' (contested)' : ''}`,
    ...(contestedBy.length > 0 && { contested_by: contestedBy.slice(0, 5) }),
    ...(remarks.length > 0 && {
      remarks: remarks.slice(-MAX_REMARKS).map((said) => ({
        turn: said.turn,
        role: said.role,
        quote: lineText(said.quote, VALUE_TOKENS),
      })),
    }),
    ...(suspectOf !== undefined && { suspect_of: suspectOf }),
  }
}
