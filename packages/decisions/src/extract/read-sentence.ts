import { type Clause, clausesOf } from './clauses.ts'
import type { Finding, Voice } from './finding.ts'
import { ENGLISH } from './lexicon/english.ts'
import type { Lexicon } from './lexicon/lexicon.ts'
import { isPast, isQuestion, isUnsure } from './moods.ts'
import { readNames } from './read-names.ts'
import { readRefusals } from './read-refusals.ts'
import { readLifted, readRule } from './read-rules.ts'
import { readSettings } from './read-settings.ts'
import { readTechnologies } from './read-technologies.ts'
import type { Sentence } from './sentences.ts'

export interface Reading {
  readonly lexicon: Lexicon
  /** True for a reader that is asked: those of clauses, `rules` and `replies`. */
  readonly asks: (reader: ReaderName) => boolean
}

export const READERS = ['names', 'settings', 'technologies', 'rules', 'replies'] as const
export type ReaderName = (typeof READERS)[number]
export const READING: Reading = { lexicon: ENGLISH, asks: () => true }

/** A letter of another script than Latin: no lexicon is of a language that has it. */
const FOREIGN = /[^\p{Script=Latin}\P{L}µ]/u

/** The decisions of one sentence; of an assistant's, the proposals. */
export function readSentence(
  sentence: Sentence,
  voice: Voice,
  reading = READING,
  clauses = clausesOf(sentence, reading.lexicon),
): Finding[] {
  const signs = clauses.at(-1)?.before ?? ''
  if (FOREIGN.test(sentence.shape) || (voice === 'user' && isQuestion(sentence.shape, signs))) return []
  // One mark of a quotation: the sentence is a part of a quotation.
  if (sentence.shape.split('"').length % 2 === 0) return []
  const found = clauses.flatMap((clause) =>
    isMeant(clause, voice) ? readClause(clause, voice, reading) : [],
  )
  const rule =
    voice === 'user' && found.length === 0 && reading.asks('rules')
      ? (readLifted(sentence) ?? readRule(sentence, signs))
      : undefined
  return rule === undefined ? found : [rule]
}

/** Another one that decided, by a name or as a person: "Netflix decided to use", "my brother chose to". */
const OTHERS = /^[fab,]*d?[yxTE]{1,4}f*[mU]/
const DECIDED =
  /^[^,]*\b(?:(?:decided|chose|agreed|opted) to|went (?:with|for)|chose|picked|opted for|(?:settled|decided) on)\b/i
/** Those who may be one's own. */
const OWN = /\b(?:team|company|group|squad|management|majority|committee|board)\b/i

/** Whether a clause says what holds: nothing before it makes it hearsay or a case that is thought of. */
function isMeant({ before, signs, shape }: Clause, voice: Voice): boolean {
  const named = signs.search(/[TEQI/]/)
  const lead = signs.slice(0, Math.max(0, named))
  const earlier = before.slice(0, before.length - signs.length)
  if (
    /[ec]/.test(earlier + lead) ||
    /z/.test(earlier) ||
    isPast(shape, signs) ||
    (OTHERS.test(signs) && DECIDED.test(shape) && !OWN.test(shape)) ||
    (voice === 'user' && signs.includes('c'))
  )
    return false
  // An assistant's orders are steps of its work; what it proposes, it says so.
  return voice === 'assistant' ? /[sGqh?]/.test(before) && !/y[mMf]*h/.test(before) : !isUnsure(shape, signs)
}

/** The renames of a clause, or else the technologies that it chooses, and the settings in it. */
function readClause(clause: Clause, voice: Voice, { asks }: Reading): Finding[] {
  const mayName = asks('names') && (voice === 'user' || /[Gqh]/.test(clause.before))
  const refused = voice === 'user' && asks('rules') ? readRefusals(clause) : []
  if (refused.length > 0) return refused
  const names = mayName ? readNames(clause) : []
  const chosen = names.length === 0 && asks('technologies') ? readTechnologies(clause, voice) : names
  const settings = (asks('settings') ? readSettings(clause, voice) : []).filter(
    // "Upgrade Postgres to 16" sets no number.
    ({ value }) => !chosen.some((finding) => finding.value.endsWith(` ${value}`)),
  )
  return [...chosen, ...settings].filter((finding) => voice === 'user' || finding.kind === 'choice')
}
