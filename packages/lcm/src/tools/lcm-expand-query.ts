import { errorText, redactSecrets, sliceCharacters } from '@palimpsest/core'
import { lazily, readToolArguments, toolSchema, z } from '@palimpsest/core/options'
import { countLive } from '../history/replaced-ranges.ts'
import { type Passage, type RankedPassages, rankPassages } from '../search/rank-messages.ts'
import type { SeqRange } from '../store/lcm-session.ts'
import { USUAL_CHARACTERS } from './answer-limits.ts'
import { type Answer, answerQuestion } from './answer-question.ts'
import { cutBytes } from './byte-page.ts'
import { findMessage, findSummary } from './find-ref.ts'
import { labelText, messageRef, parseRef, timeText } from './refs.ts'
import { integer, texts } from './tool-arguments.ts'
import type { ToolContext } from './tool-context.ts'

const DEFAULT_PASSAGES = 8
const MAX_PASSAGES = 20
const MAX_IDS = 20
/** Characters of the question that an answer begins with. */
const SHOWN_QUESTION = 200
export const expandQueryArguments = lazily(() =>
  z.object({
    question: z.string().describe('One question with the distinctive words of its answer.'),
    ids: texts(MAX_IDS, `Only in these, such as ["s12", "m57"]; at most ${MAX_IDS}.`),
    max_passages: integer(1, MAX_PASSAGES, `1 to ${MAX_PASSAGES}; default ${DEFAULT_PASSAGES}.`),
  }),
)

export const lcmExpandQuerySchema = lazily(() =>
  toolSchema(
    'lcm_expand_query',
    'Answers a question about the earlier conversation from its messages, with citations such as [m57], or gives the best ' +
      'passages. Use it when you do not know the exact words. "found": false means that nothing there answers it.',
    expandQueryArguments(),
  ),
)

/** An answer, or the best passages. */
export async function lcmExpandQuery(args: unknown, context: ToolContext): Promise<object> {
  const {
    question,
    ids = [],
    max_passages: limit = DEFAULT_PASSAGES,
  } = readToolArguments(expandQueryArguments(), args)
  const { ranked, messages, replaced, answer } = await search(context, question, ids, limit)
  const searched = {
    messages,
    ...(replaced > 0 && { replaced_not_searched: replaced }),
    terms: ranked.terms,
    candidates: ranked.candidates,
  }
  const shown = sliceCharacters(question, 0, SHOWN_QUESTION)
  if (answer?.kind === 'answer') return { question: shown, ...showAnswer(answer), searched }
  return {
    question: shown,
    found: ranked.passages.length > 0,
    ...(answer?.kind === 'failed' && {
      note: `the model did not answer (${answer.reason}); read the passages`,
    }),
    ...(ranked.passages.length === 0 && {
      note: 'none of the words occurs in the searched messages; try others',
    }),
    passages: fitPassages(ranked.passages),
    searched,
  }
}

async function search(context: ToolContext, question: string, ids: readonly string[], limit: number) {
  const { session } = context
  const { nextSeq, replaced } = await session.head()
  const all = [{ first: 0, last: nextSeq - 1 }]
  const ranges = ids.length === 0 ? all : disjoint(await Promise.all(ids.map((id) => rangeOf(context, id))))
  const { model, tokens, signal } = context
  // A secret that is cut in two would not be recognised any more.
  const hide = model === undefined ? undefined : redactSecrets
  const ranked: RankedPassages = await rankPassages(session, question, { ranges, limit, hide })
  const messages = ranges.reduce((sum, { first, last }) => sum + countLive(replaced, first, last), 0)
  const total = ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0)
  const answer: Answer | { kind: 'failed'; reason: string } | undefined =
    model === undefined || ranked.passages.length === 0
      ? undefined
      : await answerQuestion({ model, tokens, signal, question, passages: ranked.passages }).catch(
          (error) => {
            signal?.throwIfAborted()
            return { kind: 'failed', reason: errorText(error).slice(0, 200) }
          },
        )
  return { ranked, messages, replaced: total - messages, answer }
}

async function rangeOf(context: ToolContext, id: string): Promise<SeqRange> {
  const { kind, number } = parseRef(id)
  if (kind === 'summary') return findSummary(context, number)
  const { seq } = await findMessage(context, number)
  return { first: seq, last: seq }
}

/** Ranges in order, so that no message is weighed twice. */
function disjoint(ranges: readonly SeqRange[]): readonly SeqRange[] {
  const result: SeqRange[] = []
  for (const { first, last } of [...ranges].sort((a, b) => a.first - b.first)) {
    const end = result.at(-1)?.last ?? -1
    if (last > end) result.push({ first: Math.max(first, end + 1), last })
  }
  return result
}

function showAnswer({ found, text, cited, removed, truncated }: Answer): object {
  const shown = cutBytes(text, 0, USUAL_CHARACTERS, USUAL_CHARACTERS)
  return {
    found,
    answer: shown.text,
    citations: cited.map(({ seq, role, at }) => ({
      ref: messageRef(seq),
      role: labelText(role),
      time: timeText(at),
    })),
    ...(removed.length > 0 && { removed_citations: removed.slice(0, MAX_PASSAGES) }),
    ...(found && cited.length === 0 && { note: 'the answer cites no passage; check it with lcm_grep' }),
    ...((truncated || shown.next !== null) && { truncated: true }),
  }
}

function fitPassages(passages: readonly Passage[]): object[] {
  const shown: object[] = []
  let left = USUAL_CHARACTERS
  for (const { seq, role, at, text } of passages) {
    const passage = { ref: messageRef(seq), role: labelText(role), time: timeText(at), text }
    left -= JSON.stringify(passage).length + 1
    if (left < 0) break
    shown.push(passage)
  }
  return shown
}
