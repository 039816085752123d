import { isPasted } from '@palimpsest/core'
import { isOpen, type Statement } from '../log/decision-event.ts'
import type { SourceMessage, Span } from '../log/source.ts'
import type { Candidate, Proven, Refusal } from './candidate.ts'
import { findQuote, foldedWords } from './find-quote.ts'

/** An answer with fewer words needs its question, unless it names the subject or the value. */
const BARE_WORDS = 6
const BARE_RULE_WORDS = 2
/** A rule is quoted to the end of its sentence within this many characters. */
const NEAR = 300

/**
 * Verifies a candidate against the messages: the quote must occur, and its message's role is the speaker. Pasted text
 * is never the user's decision. A short answer accepts only the assistant's last question.
 *
 * @param messages The messages that were read, in order, with the one before them.
 */
export function prove(candidate: Candidate, messages: readonly SourceMessage[]): Proven | Refusal {
  const { action, statement, target, replaces, quote } = candidate
  const named = messages.find(({ seq }) => seq === candidate.seq)
  const span = first(
    [
      ...(named === undefined ? [] : [named]),
      ...messages.toSorted((a, b) => Number(b.role === 'user') - Number(a.role === 'user')),
    ],
    (each) => findQuote(each, quote),
  )
  if (span === undefined) return 'quote-not-found'
  const proven = {
    action,
    span,
    statement: statement.kind === 'rule' ? { ...statement, ...wordForWord(span) } : statement,
    ...(target !== undefined && { target }),
    ...(replaces !== undefined && { replaces }),
  }
  const { kind, saidBy } = statement
  if (saidBy !== undefined && span.message.role === 'user') {
    if (action !== 'create') return 'pasted'
    return {
      ...proven,
      statement: { ...statement, kind: isOpen(kind) ? kind : 'fact' },
      authority: 'proposed',
    }
  }
  if (span.message.role !== 'user') {
    if (action === 'create' && (kind === 'rule' || kind === 'intention')) return 'not-the-users-words'
    return { ...proven, authority: 'proposed' }
  }
  if (isPasted(span.message.text, span)) {
    const isShown = action !== 'retract' && (kind === 'fact' || kind === 'value')
    return isShown ? { ...proven, authority: 'proposed' } : 'pasted'
  }
  if (action === 'retract' || !isBare(span, statement)) return { ...proven, authority: 'stated' }
  return accept(candidate, { ...proven, authority: 'accepted' }, messages)
}

function accept(
  { proposal = '' }: Candidate,
  proven: Proven,
  messages: readonly SourceMessage[],
): Proven | Refusal {
  if (proposal === '') return 'bare-answer'
  const asked = messages.findLast(({ seq }) => seq < proven.span.message.seq)
  const found = asked?.role === 'assistant' ? findQuote(asked, proposal) : undefined
  if (found === undefined || found.end <= lastQuestion(found.message.text)) return 'not-what-was-asked'
  return { ...proven, proposal: found }
}

/** True if a user's words are too few to carry a decision: their line shares no word with the candidate. */
function isBare({ message: { text }, start, end }: Span, { kind, subject, value, l0 }: Statement): boolean {
  const words = foldedWords(text.slice(start, end))
  if (words.length > (kind === 'rule' ? BARE_RULE_WORDS : BARE_WORDS)) return false
  const line = text.slice(text.lastIndexOf('\n', start) + 1, end + (/\n|$/.exec(text.slice(end))?.index ?? 0))
  const said = foldedWords(line).join(' ')
  const isTold = (read: string, least: number) =>
    foldedWords(read).some(
      (word) => (word.length >= least || /\d|[^\p{ASCII}]/u.test(word)) && said.includes(word),
    )
  return !isTold(value, 3) && !isTold(`${subject} ${l0}`, 4)
}

/**
 * Start of a message's last question with its options; without a question, of its last paragraph. A "yes" accepts
 * nothing before it.
 */
function lastQuestion(text: string): number {
  const mark = Math.max(text.lastIndexOf('?'), text.lastIndexOf('？'))
  const end = mark === -1 ? text.trimEnd().length : mark
  const paragraphs = [...text.slice(0, end).matchAll(/\n\s*\n/g)]
  const start = paragraphs.at(-1)?.index ?? 0
  const before = paragraphs.at(-2)?.index ?? 0
  const options = text.slice(before, start).trim().split('\n')
  const isList = options.every((line) => /^\s*(?:[-*•]|\d{1,2}[.)]|[A-Za-z][.)]|\*\*)/.test(line))
  return options[0] !== '' && isList ? before : start
}

function wordForWord({ message: { text }, start, end }: Span): {
  readonly value: string
  readonly l0: string
} {
  const rest = /^[^\n]*?(?:[.!?。！？](?=\s|$)|(?=\n)|$)/u.exec(text.slice(end, end + NEAR))?.[0] ?? ''
  const quote = text.slice(start, end)
  const isWhole = '.!?。！？'.includes(quote.at(-1) ?? ' ')
  const value = (isWhole ? quote : quote + rest).replace(/\s+/g, ' ').trim()
  return { value, l0: value }
}

function first<Item, Found>(
  items: readonly Item[],
  find: (item: Item) => Found | undefined,
): Found | undefined {
  for (const item of items) {
    const found = find(item)
    if (found !== undefined) return found
  }
  return undefined
}
