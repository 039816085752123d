import { type Message, messageText } from '@palimpsest/core'
import { oneLine } from '../text/one-line.ts'
import { cutAfter } from '../text/shorten.ts'

/** A first sentence of at most so many characters says nothing without what it answers. */
const MOST_OF_NOD = 25
/** A longer message is a reply only to a question, of at most so many characters itself. */
const MOST_OF_REPLY = 160
/** Characters of the question that are quoted. */
const MOST_OF_QUESTION = 120
/** A question further up was asked in passing. */
const MOST_LINES_BEHIND = 5

/** The first sentence of a message, or its first line. */
const FIRST_SENTENCE = /^.*?(?=[.!?。！？](?:\s|$)|\s[-–—]\s|\n)/u
const QUESTION = /[?？]\s*$/

/** The end of the assistant's message that a user's message replies to: empty where the reply stands on its own. */
export function questionOfReply(said: string, answered: Message | undefined): string {
  if (answered === undefined) return ''
  const isNod = (FIRST_SENTENCE.exec(said)?.[0] ?? said).length <= MOST_OF_NOD
  if (!isNod && said.length > MOST_OF_REPLY) return ''
  const lines = messageText(answered).trimEnd().split('\n').slice(-MOST_LINES_BEHIND)
  const asked = said.length > MOST_OF_REPLY ? undefined : lines.findLast((line) => QUESTION.test(line))
  return lastSentences(oneLine(asked ?? (isNod ? (lines.at(-1) ?? '') : '')))
}

/** The last sentence, with the one before it where both fit. */
function lastSentences(text: string): string {
  const [before, last = ''] = ['', ...text.slice(-2 * MOST_OF_QUESTION).split(/(?<=[.!?。！？])\s/)].slice(-2)
  if (last.length > MOST_OF_QUESTION) return last.slice(cutAfter(last, last.length - MOST_OF_QUESTION))
  const both = `${before} ${last}`.trim()
  return both.length <= MOST_OF_QUESTION ? both : last
}
