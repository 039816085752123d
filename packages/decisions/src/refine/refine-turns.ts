import type { CompletionModel } from '@palimpsest/core'
import type { Candidate } from '../candidates/candidate.ts'
import type { SourceMessage } from '../candidates/source-message.ts'
import { type Decision, type DecisionSet, isContested } from '../log/decision.ts'
import { askForJson, listOf } from './ask-for-json.ts'
import { modelCandidateSchema } from './model-candidate.ts'
import { asData, asLine } from './prompt-data.ts'
import { type CandidateInput, readDefaultCandidate } from './read-default-candidate.ts'
import { readSeedCandidate } from './read-seed-candidate.ts'
import { REFINE_SYSTEM, REFINE_TASK, type RefineStyle } from './refine-prompts.ts'
import type { RejectionCode, Rejections } from './rejection.ts'

/** Candidates of one answer that are looked at: four turns rarely hold ten. */
const MAX_CANDIDATES = 32

export interface RefineInput {
  readonly model: CompletionModel
  /** The turns, in order. Tool results have no text and are not shown. */
  readonly messages: readonly SourceMessage[]
  /** The known decisions: the model is told those that concern the turns. */
  readonly decisions: DecisionSet
  readonly signal?: AbortSignal
  /** `seed`: facts in the model's words, as the described system has them. `default`: only what the turns prove. */
  readonly style: RefineStyle
}

export interface Refined {
  readonly candidates: Candidate[]
  readonly rejected: number
  /** Why they were rejected. */
  readonly rejections: Rejections
}

/**
 * Lets a model read turns. What it answers is taken only as far as the turns prove it; the rest is counted. An answer that
 * is no JSON gives no candidates and counts as one rejection.
 *
 * @throws ModelError what the model rejects with; on abort the signal's reason.
 */
export async function refineTurns({
  model,
  messages,
  decisions,
  signal,
  style,
}: RefineInput): Promise<Refined> {
  const said = messages.filter(
    ({ role, text }) => (role === 'user' || role === 'assistant') && text.trim() !== '',
  )
  if (said.length === 0) return { candidates: [], rejected: 0, rejections: {} }
  const prompt = turnsPrompt({ messages: said, decisions, style })
  const answer = await askForJson({ model, system: REFINE_SYSTEM[style], prompt, signal })
  const list = listOf(answer, 'candidates')
  if (list === undefined) return { candidates: [], rejected: 1, rejections: { 'malformed-answer': 1 } }

  const input = { messages: new Map(said.map((message) => [message.message, message])), decisions }
  const read = list.slice(0, MAX_CANDIDATES).map((item) => readCandidate(item, style, input))
  const counts: Partial<Record<RejectionCode, number>> = {}
  const reject = (code: RejectionCode, count = 1): void => {
    counts[code] = (counts[code] ?? 0) + count
  }
  for (const outcome of read) if (typeof outcome === 'string') reject(outcome)
  if (list.length > MAX_CANDIDATES) reject('too-many', list.length - MAX_CANDIDATES)
  const candidates = read.filter((outcome) => typeof outcome !== 'string')
  return { candidates, rejected: list.length - candidates.length, rejections: counts }
}

function readCandidate(item: unknown, style: RefineStyle, input: CandidateInput): Candidate | RejectionCode {
  const parsed = modelCandidateSchema().safeParse(item)
  if (!parsed.success) return 'malformed-candidate'
  return style === 'seed' ? readSeedCandidate(parsed.data, input) : readDefaultCandidate(parsed.data, input)
}

/** Characters of one message that a model is shown: its beginning and its end. */
const MESSAGE_CHARACTERS = 6_000
/** Characters of all messages, about 15,000 tokens; the ones behind that are not shown. */
const TURNS_CHARACTERS = 60_000
/** Known decisions that are listed, the newest. */
const MAX_KNOWN = 40
const LINE_CHARACTERS = 160

interface TurnsPromptInput {
  /** Messages of the user and the assistant. */
  readonly messages: readonly SourceMessage[]
  readonly decisions: DecisionSet
  readonly style: RefineStyle
}

/** The prompt for one batch of turns: what is known about their subjects, the turns, the task. */
function turnsPrompt({ messages, decisions, style }: TurnsPromptInput): string {
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
