import type { Decision } from '../log/decision.ts'
import type { Authority } from '../log/decision-event.ts'
import { claimant, isFact } from './claim.ts'
import { choiceText, decisionLabel, headline } from './decision-label.ts'
import {
  earlierNote,
  exceptionNotes,
  type HistoryContext,
  reasonNote,
  suspicionNote,
} from './history-notes.ts'
import { lineText } from './line-text.ts'
import { decidingSource, shortId, spanText, turnText } from './provenance.ts'

/** Values of a contested slot that are named, and remarks on them. */
const MAX_RIVALS = 4
const MAX_REMARKS = 2
const REMARK_TOKENS = 40
const WHO: Readonly<Record<Authority, string>> = {
  stated: 'user',
  accepted: 'accepted',
  proposed: 'proposed',
}
/** The beginning of the last bracket of a line that says that a decision holds. No quoted words stand in it. */
const HOLDING = /\[(?:user|accepted|imported), [^[]*$/

/** The line of a decision that holds: `- datastore: MySQL (was …) [user, turn 27; d1a2b3c4]`. */
export function holdingLine(
  decision: Decision,
  retracted: readonly Decision[],
  context: HistoryContext,
): string {
  const notes = [
    suspicionNote(decision, context),
    earlierNote(decision, retracted, context),
    ...exceptionNotes(decision, context),
  ]
  return line(headline(decision), notes, `${origin(decision, context)}; ${shortId(decision.id)}`)
}

/** The one line of rival decisions on a subject, with the remarks that left them open. */
export function contestedLine(
  rivals: readonly [Decision, ...Decision[]],
  { session }: HistoryContext,
): string {
  const shown = rivals.slice(0, MAX_RIVALS)
  const values = shown.map((rival) => `${choiceText(rival)} (${turnText(decidingSource(rival), session)})`)
  const more = rivals.length > MAX_RIVALS ? ` or ${rivals.length - MAX_RIVALS} more` : ''
  const remarks = remarkTexts(rivals, session)
  const since = remarks.length === 0 ? '' : `, but since then ${remarks.join(' and ')}`
  const advice = `contested, ask before relying on ${['it', 'either'][rivals.length - 1] ?? 'any'}`
  const ids = shown.map(({ id }) => shortId(id)).join(', ')
  return `- ${decisionLabel(rivals[0])}: ${values.join(' or ')}${more}${since}: ${advice} [contested; ${ids}]`
}

/** The newest remarks on some decisions, the last one first: `turn 17, user: "…"`. */
function remarkTexts(decisions: readonly Decision[], session: string): string[] {
  const remarks = decisions.flatMap((decision) => decision.remarks).sort((a, b) => b.message - a.message)
  const texts = remarks.map(
    (source) => `${turnText(source, session)}, ${source.role}: "${lineText(source.quote, REMARK_TOKENS)}"`,
  )
  return [...new Set(texts)].slice(0, MAX_REMARKS)
}

/** The line of the user's words on a subject on which nothing holds. */
export function remarkLine(decision: Decision, { session }: HistoryContext): string {
  const turn = turnText(decision.sources[0], session)
  return `- ${turn}, ${headline(decision)} [said, not decided; ${shortId(decision.id)}]`
}

/** The line of what was given up with nothing in its place: it keeps a model from coming back to it. */
export function endedLine(decision: Decision, before: readonly Decision[], context: HistoryContext): string {
  const { ended, authority } = decision
  const turn = turnText(ended?.source, context.session)
  const span = spanText(decidingSource(decision), ended?.source, context.session)
  const isRefusal = authority === 'proposed'
  const notes = [
    `${isRefusal ? 'proposed and turned down' : 'given up'}, ${span}${reasonNote(ended?.reason)}`,
    earlierNote(decision, before, context),
  ]
  const value = `${decisionLabel(decision)}: ${isRefusal ? 'not' : 'no longer'} ${choiceText(decision)}`
  return line(value, notes, `given up, ${turn}; ${shortId(decision.id)}`)
}

/** The line of a proposal that was not taken up: of a fact, it says whose claim it is. */
export function proposedLine(decision: Decision, { session }: HistoryContext): string {
  const [source] = decision.sources
  const who = isFact(decision) ? claimant(source) : 'proposed'
  return line(headline(decision), [], `${who}, ${turnText(source, session)}; ${shortId(decision.id)}`)
}

/** True for a line that presents its decision as one that holds. */
export function isHoldingLine(text: string): boolean {
  const [first = ''] = text.split('\n', 1)
  return HOLDING.test(first.slice(first.lastIndexOf('[')))
}

function origin(decision: Decision, { session }: HistoryContext): string {
  // Whoever wrote a file is not the user, whatever the file says.
  const who = decision.by === 'import' ? 'imported' : WHO[decision.authority]
  return `${who}, ${turnText(decidingSource(decision), session)}`
}

function line(text: string, notes: readonly string[], tag: string): string {
  const said = notes.filter((note) => note !== '').join('; ')
  // A template would leave a tree of its parts, which takes twice the memory.
  return ['- ', text, said === '' ? '' : ` (${said})`, ' [', tag, ']'].join('')
}
