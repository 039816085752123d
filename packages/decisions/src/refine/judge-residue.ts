import type { CompletionModel } from '@palimpsest/core'
import { lazily, z } from '@palimpsest/core/options'
import type { Candidate } from '../candidates/candidate.ts'
import type { Decision } from '../log/decision.ts'
import { mergeStatement } from '../resolve/merge-statement.ts'
import { weighCandidate } from '../resolve/resolve-candidates.ts'
import {
  createEventWriter,
  type EventWriter,
  type Residue,
  type ResolveContext,
} from '../resolve/resolve-context.ts'
import { settleCandidate, statementOf } from '../resolve/settle-candidate.ts'
import { findKnown, type Statement } from '../resolve/statement.ts'
import { askForJson, listOf } from './ask-for-json.ts'
import { asLine, DATA_NOTE } from './prompt-data.ts'

/** Candidates of one call. */
const MAX_BATCH = 32

const verdictSchema = lazily(() =>
  z.object({
    candidate: z.int().min(1),
    verdict: z.enum(['CREATE', 'MERGE', 'SKIP']),
    with: z.union([z.string().max(100), z.int()]).nullish(),
  }),
)
type Verdict = z.output<ReturnType<typeof verdictSchema>>

export interface JudgeInput {
  readonly model: CompletionModel
  readonly residue: readonly Residue[]
  readonly context: ResolveContext
  /** `true`: one call for up to 32 candidates. `false`: a call for each, as the described system does. */
  readonly batch: boolean
  readonly signal?: AbortSignal
}

/** The verdict on a candidate. `undefined` is an answer without a usable verdict: the candidate is skipped. */
export interface Ruling {
  readonly candidate: Candidate
  readonly verdict: 'CREATE' | 'MERGE' | 'SKIP' | 'KNOWN' | undefined
  /** The id of a decision, or an earlier candidate. */
  readonly with?: string | Candidate | undefined
}

/**
 * Lets a model judge what no rule could: CREATE, MERGE or SKIP, and SKIP where it is in doubt or says nothing that can be used.
 * A candidate is held against what comes of those before it, too: one that is asked about alone finds them among its
 * neighbours, one of several in a call is told their numbers. Nothing is written: see `settleRulings`.
 *
 * @throws ModelError what the model rejects with; on abort the signal's reason.
 */
export async function judgeResidue(input: JudgeInput): Promise<readonly Ruling[]> {
  const { residue, context, batch } = input
  const size = batch ? MAX_BATCH : 1
  const rulings: Ruling[] = []
  for (let from = 0; from < residue.length; from += size) {
    const soFar = settleRulings(rulings, context)
    rulings.push(...(await rule(residue.slice(from, from + size), soFar, input)))
  }
  return rulings
}

/** The rulings on some candidates, in their order: those that are still open are asked about. */
async function rule(residue: readonly Residue[], draft: EventWriter, input: JudgeInput): Promise<Ruling[]> {
  const weighed = residue.map(({ candidate }) => ({ candidate, open: weighCandidate(candidate, draft) }))
  const asked = weighed.flatMap(({ candidate, open }) =>
    open === 'settled' || open.length === 0 ? [] : [{ candidate, neighbours: open }],
  )
  const verdicts = asked.length === 0 ? [] : await ask(asked, input)
  return weighed.map(({ candidate, open }) => {
    if (open === 'settled') return { candidate, verdict: 'KNOWN' }
    const place = asked.findIndex((item) => item.candidate === candidate)
    if (place === -1) return { candidate, verdict: 'CREATE' }
    const verdict = verdicts[place]
    return { candidate, verdict: verdict?.verdict, with: verdict && targetOf(verdict, asked, place) }
  })
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
    const parsed = verdictSchema().safeParse(item)
    return parsed.success ? [parsed.data] : []
  })
  return residue.map((_, index) => usable.find(({ candidate }) => candidate === index + 1))
}

/** The target of a verdict: a neighbour that was shown, or a candidate before this one. */
function targetOf(
  { with: named }: Verdict,
  asked: readonly Residue[],
  place: number,
): string | Candidate | undefined {
  const neighbours = asked[place]?.neighbours ?? []
  if (named == null) return neighbours.length === 1 && place === 0 ? neighbours[0]?.id : undefined
  const number = /^\d{1,2}$/.test(String(named)) ? Number(named) : 0
  if (number > 0 && number <= place) return asked[number - 1]?.candidate
  return neighbours.find(({ id }) => id === named)?.id
}

/**
 * The events of rulings, worked out on the log as it is by then. A merge adds the candidate's source and words to the
 * neighbour; no text is written anew.
 */
export function settleRulings(rulings: readonly Ruling[], context: ResolveContext): EventWriter {
  const writer = createEventWriter(context)
  /** The decision that each candidate is, or is a part of. */
  const landed = new Map<Candidate, string>()

  const create = (candidate: Candidate): void => {
    settleCandidate(candidate, writer)
    const statement = statementIn(candidate, writer)
    const own = statement && findKnown(statement, writer.context)
    if (own !== undefined) landed.set(candidate, own.decision.id)
  }
  const merge = ({ candidate, with: named }: Ruling): void => {
    const id = typeof named === 'object' ? landed.get(named) : named
    const target = id === undefined ? undefined : writer.context.ledger.get(id)
    const statement = statementIn(candidate, writer)
    if (target === undefined || statement === undefined) return
    // An ended decision stays ended.
    if (target.status !== 'active' && target.status !== 'proposed') return
    const whole = mergeStatement(target, statement, writer)
    if (whole === undefined) create(candidate)
    else landed.set(candidate, whole.id)
  }
  for (const ruling of rulings) {
    if (ruling.verdict === 'CREATE') create(ruling.candidate)
    else if (ruling.verdict === 'MERGE') merge(ruling)
    else if (ruling.verdict === 'KNOWN') weighCandidate(ruling.candidate, writer)
  }
  return writer
}

function statementIn(candidate: Candidate, { context }: EventWriter): Statement | undefined {
  return candidate.kind === 'assert' || candidate.kind === 'propose'
    ? statementOf(candidate, context)
    : undefined
}

const LINE_CHARACTERS = 300

const JUDGE_SYSTEM = `You compare new findings about a software project with what is known already. ${DATA_NOTE} Answer with JSON only.`

/** The candidates with the decisions that each may repeat, numbered from 1, and what to answer. */
function judgePrompt(residue: readonly Residue[], quoteOf: (item: Residue) => string): string {
  const blocks = residue.map((item, index) => {
    const neighbours = item.neighbours.map(
      (decision) => `[${decision.id}] ${asLine(wholeOf(decision), LINE_CHARACTERS)}`,
    )
    return `<candidate number="${index + 1}">\n${asLine(lineOf(item), LINE_CHARACTERS)}\n<quote>${asLine(quoteOf(item), LINE_CHARACTERS)}</quote>\n<neighbours>\n${neighbours.join('\n')}\n</neighbours>\n</candidate>`
  })
  return `${blocks.join('\n')}

For each candidate, say what it is beside its neighbours:
- CREATE: it says something that none of them says, also when it contradicts one
- MERGE: it repeats one of them, or adds a detail to the same fact; name that one in "with"
- SKIP: it adds nothing worth keeping, or you are in doubt
${residue.length > 1 ? 'A candidate before it counts as a neighbour, too: name its number in "with".\n' : ''}Answer with {"verdicts": [{"candidate": 1, "verdict": "CREATE" | "MERGE" | "SKIP", "with": "id"}]}.`
}

/** The text of a decision, with what merges added to it. */
function wholeOf({ l0, merged }: Decision): string {
  return [l0, ...merged.map(({ text }) => text)].join('; ')
}

function lineOf({ candidate }: Residue): string {
  if (candidate.kind !== 'assert' && candidate.kind !== 'propose') return ''
  const { l0, choice } = candidate.choice
  return l0 === '' ? choice : l0
}
