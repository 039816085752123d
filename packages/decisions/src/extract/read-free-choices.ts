import { findTechnologies } from '../slots/find-technologies.ts'
import { findSlotWords } from '../slots/slot-lookup.ts'
import { areaOf } from './area.ts'
import { asFinding } from './as-finding.ts'
import type { Clause } from './clauses.ts'
import type { Finding } from './finding.ts'
import { AT_HAND } from './lexicon/at-hand-words.ts'
import { CHOOSES, PHRASE, POINTS, PROPOSES, SUGGESTS, VERDICT } from './lexicon/free-words.ts'
import { isReport } from './moods.ts'
import { slug } from './slug.ts'
import { isName } from './unknown-value.ts'

/** What is done once, with whatever is at hand. */
const MEANS =
  /^\s*(?:to|when|if|while)\s|^\s*,?\s*(?:and|then|to)\s+(?:then\s+)?(?:tell|show|see|check|give|report|let|list|find|look|print|send|try|run|explain|fix)\b/i

/** Choices of things that no dictionary has: "let's go with stratified folds", "use a token bucket for rate limiting". */
export function readFreeChoices(clause: Clause): Finding[] {
  const { shape } = clause
  const chosen = chosenIn(clause, CHOOSES.exec(shape)?.groups?.rest ?? VERDICT.exec(shape)?.groups?.what)
  return chosen === undefined ? [] : [chosen]
}

/** Such choices where an assistant holds them out: "shall I use pymemcache?", "want me to move the features to Feast?". */
export function readFreeOffers(clause: Clause): (Finding & { readonly isVague?: boolean })[] {
  const { shape } = clause
  if (isReport(shape)) return []
  const { rest, means } = PROPOSES.exec(shape)?.groups ?? SUGGESTS.exec(shape)?.groups ?? {}
  const chosen = chosenIn(clause, rest ?? means)
  if (chosen === undefined) return []
  const isSure = isName(chosen.value) || (rest !== undefined && /\?\s*$/.test(clause.sentence))
  return [{ ...chosen, isVague: !isSure }]
}

function chosenIn(clause: Clause, rest: string | undefined): Finding | undefined {
  const { what = '', tail = '' } = (rest === undefined ? undefined : PHRASE.exec(rest)?.groups) ?? {}
  const value = what.trim().replace(/[.,;:!?]+$/, '')
  if (value.length < 3 || POINTS.test(value) || MEANS.test(tail) || AT_HAND.test(clause.shape))
    return undefined
  if (findTechnologies(value).some(({ sure }) => sure)) return undefined
  const purpose = /^\s*(?:for|as)\s+(?:the |our |an? )?([\p{L}\d -]{2,40})/iu.exec(tail)?.[1]?.trim() ?? ''
  const word = findSlotWords(purpose)[0]
  const slot =
    word !== undefined && word.start === 0 ? word.slot : `choice:${slug(purpose === '' ? value : purpose)}`
  const area = areaOf(/\bin\s.*$/i.exec(tail)?.[0] ?? '', slot)
  return asFinding(clause, { slot, value, area, start: 0, end: 0, isChange: false }, false)
}
