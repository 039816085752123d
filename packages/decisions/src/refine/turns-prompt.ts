import type { SourceMessage } from '../candidates/source-message.ts'
import { type Decision, isContested } from '../log/decision.ts'
import type { DecisionSet } from '../log/decision-set.ts'
import { asData, asLine } from './prompt-data.ts'
import { REFINE_TASK, type RefineStyle } from './refine-prompts.ts'

/** Characters of one message that a model is shown: its beginning and its end. */
const MESSAGE_CHARACTERS = 6_000
/** Characters of all messages, about 15,000 tokens; the ones behind that are not shown. */
const TURNS_CHARACTERS = 60_000
/** Known decisions that are listed, the newest. */
const MAX_KNOWN = 40
const LINE_CHARACTERS = 160

export interface TurnsPromptInput {
  /** Messages of the user and the assistant. */
  readonly messages: readonly SourceMessage[]
  readonly decisions: DecisionSet
  readonly style: RefineStyle
}

/** The prompt for one batch of turns: what is known about their subjects, the turns, the task. */
export function turnsPrompt({ messages, decisions, style }: TurnsPromptInput): string {
  const shown: string[] = []
  let room = TURNS_CHARACTERS
  for (const { message, role, text } of messages) {
    const body = asData(text, Math.min(MESSAGE_CHARACTERS, room))
    if (room <= 0) break
    room -= body.length
    shown.push(`<message number="${message}" role="${role}">\n${body}\n</message>`)
  }
  const turns = shown.join('\n')
  const known = style === 'seed' ? [] : matching(decisions, turns)
  const lines = known.map((decision) => {
    const { id, slot, status, l0 } = decision
    const state = isContested(decision) ? 'contested' : status
    return `[${id}] ${asLine(slot, 60)}, ${state}: ${asLine(l0, LINE_CHARACTERS)}`
  })
  const block = lines.length === 0 ? '' : `<known_decisions>\n${lines.join('\n')}\n</known_decisions>\n\n`
  return `${block}<turns>\n${turns}\n</turns>\n\n${REFINE_TASK[style]}`
}

/** Standing decisions and proposals with a word of their slot or value in the turns. */
function matching({ all }: DecisionSet, turns: string): Decision[] {
  const said = new Set(wordsIn(turns))
  const found: Decision[] = []
  for (const decision of all.toReversed()) {
    if (found.length >= MAX_KNOWN) break
    const { status, slot, choice } = decision
    if (status !== 'active' && status !== 'proposed') continue
    if (wordsIn(`${slot} ${choice}`).some((word) => said.has(word))) found.push(decision)
  }
  return found.reverse()
}

function wordsIn(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []
}
