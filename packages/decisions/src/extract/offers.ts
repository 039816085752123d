import type { Finding } from './finding.ts'
import { compiled } from './lexicon/compiled.ts'
import { READING, type Reading, readSentence } from './read-sentence.ts'
import { mayPropose } from './scan.ts'
import { sentencesOf } from './sentences.ts'

const MAX_OFFERS = 12

/** The text that was read last: the answer to it asks again. */
let last:
  | { readonly text: string; readonly reading: Reading; readonly offers: readonly Finding[] }
  | undefined

/** The proposals of an assistant's text; at most 12. */
export function offersOf(text: string, reading = READING, onSentence = () => {}): readonly Finding[] {
  if (last?.text === text && last.reading === reading) return last.offers
  const { offers: offering } = compiled(reading.lexicon)
  const offers = (offering.test(text) ? sentencesOf(text) : [])
    .flatMap((sentence) => {
      onSentence()
      const { shape } = sentence
      const isAsked = (shape === text || offering.test(shape)) && mayPropose(shape, reading.lexicon)
      return isAsked ? readSentence(sentence, 'assistant', reading) : []
    })
    .filter(({ kind }) => kind === 'choice')
    .slice(0, MAX_OFFERS)
  last = { text, reading, offers }
  return offers
}
