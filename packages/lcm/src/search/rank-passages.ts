import { InvalidOptionError } from '@palimpsest/core'
import type { LcmSession, SeqRange } from '../store/lcm-session.ts'
import { checkQuery } from './parse-query.ts'
import { questionTerms } from './question-terms.ts'
import { readOnce } from './read-once.ts'
import { weighMessages } from './weigh-messages.ts'

/** A part of a message that may hold the answer to a question. */
export interface Passage {
  readonly seq: number
  readonly role: string
  readonly at: number
  /** At most 800 characters. */
  readonly text: string
  readonly score: number
}

/** Passages in the order of their worth, and how they were found. */
export interface RankedPassages {
  /** The best first. Empty when no message holds a word of the question. */
  readonly passages: readonly Passage[]
  /** The terms that were looked for. */
  readonly terms: readonly string[]
  /** Messages that hold a term and were weighed. */
  readonly candidates: number
}

/** Passages of one message at most, so that one long message does not fill the answer. */
const PASSAGES_PER_MESSAGE = 2

/**
 * The passages of some ranges of messages that answer a question best, by the rarity and number of the words that they
 * share with it. Same session, same question, same passages.
 *
 * @throws InvalidOptionError when there is no word in the question.
 */
export async function rankPassages(
  session: LcmSession,
  question: string,
  input: {
    readonly ranges: readonly SeqRange[]
    readonly limit: number
    /** Changes the text of a message before it is cut, such as hiding secrets. Default: nothing. */
    readonly read?: (text: string) => string
  },
): Promise<RankedPassages> {
  const { ranges, limit, read } = input
  const asked = checkQuery(question).trim()
  const terms = questionTerms(asked)
  if (terms.length === 0)
    throw new InvalidOptionError('question', 'there is no word in the question to look for')
  const readMessages = readOnce((q) => session.candidates(q))
  const { messages } = await weighMessages(readMessages, terms, { ranges, asked, ...(read && { read }) })
  const passages = messages
    .flatMap(({ message: { seq, role, at, text }, passages: best }) =>
      best.slice(0, PASSAGES_PER_MESSAGE).map(({ start, end, score }) => {
        return { seq, role, at, text: text.slice(start, end).trim(), score }
      }),
    )
    .sort((a, b) => b.score - a.score || b.seq - a.seq || (a.text < b.text ? -1 : 1))
    .slice(0, limit)
  return { passages, terms: terms.map(termText), candidates: messages.length }
}

function termText({ kind, text }: { readonly kind: string; readonly text: string }): string {
  return kind === 'prefix' ? `${text}*` : text
}
