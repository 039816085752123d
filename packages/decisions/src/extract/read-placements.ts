import { findTechnologies } from '../slots/find-technologies.ts'
import { findSlotWords } from '../slots/slot-lookup.ts'
import { areaOf } from './area.ts'
import { asFinding } from './as-finding.ts'
import type { Clause } from './clauses.ts'
import type { Finding } from './finding.ts'
import { DIRECT_LINK, NO_THING, PLACE_LINK, PLACING_VERB } from './lexicon/placing-words.ts'
import { isReport } from './moods.ts'
import { objectsAt } from './objects.ts'

/** The subject, its verb and what that is about. */
const MAX_CHUNK_WORDS = 6
const MAX_SUBJECT_WORDS = 4
const NEGATED =
  /n't\b|\b(?:not|never|no|without|nothing|nobody|cannot|hardly|nicht|kein\w*|pas|jamais|nunca|não|не|нет)(?!\p{L})/iu
const ARTICLE =
  /^(?:the|our|all|every|each|toutes|tous|todas|todos|alle|my|a|an|le|la|les|el|los|las|der|die|das|o|os|as|ok|so|then|for|everything|now)$/iu
const BOUNDARY = /[,;:(，、]|\s(?:and|und|y|et|e|и|but|while|whereas)\s|\s[–—]\s/giu

/**
 * Things that are said to be made with something, kept in it or sent through it: "data sits in DuckDB", "the scheduler gets rewritten
 * in Elixir", "staging on Render". The subject is a thing, the verb one of placing or none, and the technology its object.
 */
export function readPlacements(clause: Clause, known: readonly Finding[]): Finding[] {
  const { shape } = clause
  if (isReport(shape)) return []
  const found: Finding[] = []
  for (const mention of findTechnologies(shape)) {
    if (!mention.sure || isKnown(mention.value, [...known, ...found])) continue
    const follows = [...known, ...found].some(({ kind }) => kind === 'choice')
    const thing = thingBefore(shape.slice(0, mention.start), follows)
    if (thing === undefined) continue
    const [chosen] = objectsAt(shape, mention.start, shape.length)
    if (chosen === undefined) continue
    const word = findSlotWords(thing).find(({ slot }) => mention.technology.slots.includes(slot))
    const slot = word?.slot ?? chosen.slot
    const area = chosen.area || (word === undefined ? areaOf(`for ${thing}`, slot) : '')
    found.push(asFinding(clause, { ...chosen, slot, area }, false))
  }
  return found
}

function isKnown(value: string, findings: readonly Finding[]): boolean {
  return findings.some((other) => other.value === value || other.replaces === value)
}

/** The thing that is placed, by the words up to the name of what it is placed in. */
function thingBefore(before: string, follows: boolean): string | undefined {
  const isDirect = !PLACE_LINK.test(before)
  const link = PLACE_LINK.exec(before) ?? DIRECT_LINK.exec(before)
  if (link === null) return undefined
  const left = before.slice(0, link.index)
  const boundary = [...left.matchAll(BOUNDARY)].at(-1)
  const chunk = boundary === undefined ? left : left.slice(boundary.index + boundary[0].length)
  const words = chunk.match(/[\p{L}\p{N}][\p{L}\p{N}'/-]*/gu) ?? []
  const first = words.findIndex((word) => !ARTICLE.test(word))
  let last = words.length
  // "deploys happen …": the first word is a plural, though it could be a verb.
  while (
    last > 0 &&
    PLACING_VERB.test(words[last - 1] ?? '') &&
    !(last - 1 === first && isPlural(words[first]))
  )
    last--
  const isVerbal = last < words.length
  const hasArticle = /^\s*(?:the|a|an|my|le|la|les|el|los|las|der|die|das|o|os|as)\s/iu.test(chunk)
  const subject = words.slice(0, last).filter((word) => !ARTICLE.test(word))
  const isOwn = /^(?:we|let's|lets|we'll)$/iu.test(subject[0] ?? '')
  if (NEGATED.test(chunk)) return undefined
  if (isOwn)
    return subject.length > (isDirect ? 0 : 1) && subject.length < 5 && !/(?:ed|ing)$/.test(subject[1] ?? '')
      ? ''
      : undefined
  // "hosted at OVH" goes on about the thing before it.
  if (subject.length === 0)
    return boundary !== undefined && last === 0 && (isVerbal || (follows && !/^\s*no\s/i.test(link[0])))
      ? ''
      : undefined
  // Without a verb it is a note, and notes have no articles.
  if (!isVerbal && !isDirect && hasArticle && !subject.some((word) => PLACING_VERB.test(word)))
    return undefined
  // "the app talks to the server over …": the subject is what stands before the verb.
  const verb = subject.findIndex((word, index) => index > 0 && PLACING_VERB.test(word))
  const own = verb > 0 ? subject.slice(0, verb) : subject
  const most = verb > 0 || isVerbal || isDirect ? MAX_SUBJECT_WORDS : 2
  if (own.length > most || subject.length > MAX_CHUNK_WORDS || own.some((word) => NO_THING.test(word)))
    return undefined
  const [head = ''] = own
  // "build it in Rust" is an order; "builds run in …" is not.
  if (PLACING_VERB.test(head) && !isPlural(head) && !hasArticle) return undefined
  return own.join(' ')
}

function isPlural(word = ''): boolean {
  return /[^s]s$/.test(word)
}
