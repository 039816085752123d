import type { CompletionModel } from '@palimpsest/core'
import type { Candidate } from '../candidates/candidate.ts'
import type { SourceMessage } from '../candidates/source-message.ts'
import type { DecisionSet } from '../log/decision-set.ts'
import { askForJson, listOf } from './ask-for-json.ts'
import { modelCandidateSchema } from './model-candidate.ts'
import { type CandidateInput, readDefaultCandidate } from './read-default-candidate.ts'
import { readSeedCandidate } from './read-seed-candidate.ts'
import { REFINE_SYSTEM, type RefineStyle } from './refine-prompts.ts'
import type { RejectionCode, Rejections } from './rejection.ts'
import { turnsPrompt } from './turns-prompt.ts'

/** Candidates of one answer that are looked at: four turns rarely hold ten. */
export const MAX_CANDIDATES = 32

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
