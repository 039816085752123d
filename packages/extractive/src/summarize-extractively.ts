import { atOnce, type Sliced, type TokenCounter } from '@palimpsest/core'
import { chooseLines, type RankedLines, rankLines } from './excerpts/choose-lines.ts'
import { type CollectedLines, collectLines } from './excerpts/collect-lines.ts'
import { EXCERPTS_HEADING, excerptLine, type QuotedLine } from './excerpts/excerpt.ts'
import { fitUserLines } from './excerpts/fit-user-lines.ts'
import { documentForms } from './excerpts/read-document.ts'
import type { ExtractiveInput } from './extractive-input.ts'
import { memoryOf } from './identifiers/identifier-memory.ts'

/** Of the room for identifiers, what the files that calls changed may take: they are needed most. */
const FILES_SHARE = 0.25
/** Of the room, what the document that the user pointed at may take. */
const DOCUMENT_SHARE = 0.35
/** Of what it leaves, what the user's messages may take. */
const USER_SHARE = 0.95
/** Trials to get below the bound; each counts the tokens of the whole once. */
const MAX_TRIALS = 5

/**
 * Summarises messages without a model, in their own words and in their order: the user's messages on a line each, the
 * points of the ticket or plan that the user pointed at, and the assistant's lines that relate the names which are likely to be needed again.
 * Deterministic and at most `maxTokens` tokens; empty when there is nothing to quote or nothing fits.
 */
export function summarizeExtractively(input: ExtractiveInput): string {
  return atOnce(quoteLines(input))
}

/** The same in slices. */
export function* quoteLines(input: ExtractiveInput): Sliced<string> {
  const { messages, previousSummary = '', identifierTokens = 0, tokens } = input
  const filesTokens = Math.floor(identifierTokens * FILES_SHARE)
  const maxTokens = input.maxTokens + filesTokens
  const isOwn = previousSummary.startsWith(EXCERPTS_HEADING)
  // Nothing happened since: what was chosen stays, as long as it fits.
  if (messages.length === 0 && isOwn && tokens.countText(previousSummary) <= maxTokens) return previousSummary
  let room = input.maxTokens - tokens.countText(EXCERPTS_HEADING) - 1
  if (room <= 0) return ''
  const collected = yield* collectLines(input)
  const others = rankLines(collected.others, memoryOf(input))
  const lines = { ...collected, others, changed: collected.files.fit(filesTokens, tokens) }
  yield
  for (let trial = 1; trial <= MAX_TRIALS && room > 0; trial++) {
    const chosen = yield* fitLines(lines, room, tokens)
    if (chosen.length === 0) return ''
    const text = [EXCERPTS_HEADING, ...chosen.map(({ excerpt }) => excerptLine(excerpt))].join('\n')
    const excess = tokens.countText(text) - maxTokens
    if (excess <= 0) return text
    room -= excess + 4 * trial
  }
  return ''
}

interface FittingLines extends Pick<CollectedLines, 'users' | 'document'> {
  /** They have a room of their own. */
  readonly changed: readonly QuotedLine[]
  readonly others: RankedLines
}

function* fitLines(
  { users, document, changed, others }: FittingLines,
  room: number,
  tokens: TokenCounter,
): Sliced<QuotedLine[]> {
  const costOf = (lines: readonly QuotedLine[]): number =>
    lines.reduce((sum, { excerpt }) => sum + tokens.countText(excerptLine(excerpt)) + 1, 0)
  const forms = document === undefined ? [] : documentForms(document)
  const read = forms.filter((line) => costOf([line]) <= room * DOCUMENT_SHARE).slice(0, 1)
  const left = room - costOf(read)
  const said = fitUserLines(users, left * USER_SHARE, tokens)
  yield
  const chosen = chooseLines(others, left - costOf(said), tokens)
  yield
  return [...said, ...read, ...changed, ...chosen].sort((a, b) => a.order - b.order)
}
