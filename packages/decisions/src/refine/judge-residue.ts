import type { CompletionModel } from '@palimpsest/core'
import * as z from 'zod'
import type { SaidEvent } from '../log/decision-event.ts'
import { createDecisionLedger } from '../log/decision-ledger.ts'
import { createEventWriter, type EventWriter } from '../resolve/event-writer.ts'
import type { Residue, ResolveContext } from '../resolve/resolve-context.ts'
import { settleCandidate, statementOf } from '../resolve/settle-candidate.ts'
import { confirmDecision } from '../resolve/settle-statement.ts'
import { askForJson, listOf } from './ask-for-json.ts'
import { JUDGE_SYSTEM, judgePrompt } from './judge-prompts.ts'

/** Candidates of one call. */
const MAX_BATCH = 32

const verdictSchema = z.object({
  candidate: z.int().min(1),
  verdict: z.enum(['CREATE', 'MERGE', 'SKIP']),
  with: z.string().max(100).nullish(),
})
type Verdict = z.output<typeof verdictSchema>

/** What became of a residue; `malformed` counts the candidates without a usable verdict, which were skipped. */
export interface Judged {
  readonly created: number
  readonly merged: number
  readonly skipped: number
  readonly malformed: number
}

export interface JudgeInput {
  readonly model: CompletionModel
  readonly residue: readonly Residue[]
  readonly context: ResolveContext
  /** `true`: one call for up to 32 candidates. `false`: a call for each, as the described system does. */
  readonly batch: boolean
  readonly signal?: AbortSignal
  /** Told what became of the candidates. */
  readonly report?: (judged: Judged) => void
}

/**
 * Lets a model judge what no rule could: CREATE, MERGE or SKIP, and SKIP where it is in doubt or says nothing that can be used.
 * A merge makes the candidate's quote one more of the neighbour's; no text is written anew. The events are worked out
 * after all answers are there, on the log as it is then, and appended to the ledger.
 *
 * @throws ModelError what the model rejects with; on abort the signal's reason. Nothing is appended then.
 */
export async function judgeResidue(input: JudgeInput): Promise<readonly SaidEvent[]> {
  const { residue, context, batch, report } = input
  const size = batch ? MAX_BATCH : 1
  const verdicts: (Verdict | undefined)[] = []
  for (let from = 0; from < residue.length; from += size)
    verdicts.push(...(await ask(residue.slice(from, from + size), input)))

  // The events are found on a copy: the ledger that was handed in may be one to look at.
  const ledger = createDecisionLedger(context.ledger.events)
  const writer = createEventWriter({ ...context, ledger })
  const counts = { created: 0, merged: 0, skipped: 0, malformed: 0 }
  residue.forEach((item, index) => {
    const verdict = verdicts[index]
    const outcome = verdict === undefined ? 'malformed' : apply(item, verdict, writer)
    counts[outcome]++
  })
  report?.(counts)
  context.ledger.append(writer.events)
  return writer.events
}

/** The verdicts on some candidates, in their order; the first one on each counts. */
async function ask(
  residue: readonly Residue[],
  { model, context, signal }: JudgeInput,
): Promise<(Verdict | undefined)[]> {
  const quoteOf = ({ candidate: { span } }: Residue): string =>
    context.messageAt(span.message)?.text.slice(span.start, span.end) ?? ''
  const prompt = judgePrompt(residue, quoteOf)
  const answer = await askForJson({ model, system: JUDGE_SYSTEM, prompt, signal })
  const usable = (listOf(answer, 'verdicts') ?? [answer]).slice(0, 2 * MAX_BATCH).flatMap((item) => {
    const parsed = verdictSchema.safeParse(item)
    return parsed.success ? [parsed.data] : []
  })
  return residue.map((_, index) => usable.find(({ candidate }) => candidate === index + 1))
}

function apply(
  { candidate, neighbours }: Residue,
  verdict: Verdict,
  writer: EventWriter,
): 'created' | 'merged' | 'skipped' {
  if (verdict.verdict === 'CREATE') {
    settleCandidate(candidate, writer)
    return 'created'
  }
  const { ledger } = writer.context
  const isOnly = neighbours.length === 1 && verdict.with == null
  const named = isOnly ? neighbours[0] : neighbours.find(({ id }) => id === verdict.with)
  const neighbour = named && ledger.get(named.id)
  if (verdict.verdict === 'SKIP' || neighbour === undefined) return 'skipped'
  if (candidate.kind !== 'assert' && candidate.kind !== 'propose') return 'skipped'
  const statement = statementOf(candidate, writer.context)
  // An assistant's word confirms nothing, and what is over by now stays over.
  if (statement === undefined || statement.authority === 'proposed') return 'skipped'
  if (neighbour.status !== 'active' && neighbour.status !== 'proposed') return 'skipped'
  confirmDecision(neighbour, statement, writer)
  return 'merged'
}
