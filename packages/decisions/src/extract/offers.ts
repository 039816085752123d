import { findTechnologies } from '../slots/find-technologies.ts'
import { findSlotWords } from '../slots/slot-lookup.ts'
import { placeOf } from './area.ts'
import { clausesOf } from './clauses.ts'
import type { Finding } from './finding.ts'
import { isReported } from './moods.ts'
import { READING, readSentence } from './read-sentence.ts'
import { type Sentence, sentencesOf } from './sentences.ts'
import { slug } from './slug.ts'
import type { Stretch } from './spoken-lines.ts'

/** What an assistant's message holds out. */
export interface Offer extends Finding {
  /** The place in a list of options, from 1. */
  readonly option?: number
  /** True for words that are an option only for who picks them: lists hold steps and findings as well. */
  readonly isVague?: boolean
}

const MAX_OFFERS = 12
const LABELLED =
  /^[ \t]{0,8}(?:[-*•] )?[*_]{0,2}(?:option |variant |approach )?[([]?(?<label>[A-Ha-h]|\d{1,2})[*_]{0,2}[.):\]–-][*_]{0,2}[ \t]+(?<text>\S.*)$/i
const BULLET = /^[ \t]{0,8}[-*•][ \t]+(?<text>\S.*)$/
/** What a list of options begins with. */
const LIST_LEAD =
  /\b(?:options?|alternatives?|choices?|either|which|candidates|approaches|prefer|ways (?:out|to go|forward)|one of (?:these|those))\b|möglichkeiten|opciones|варианты|选项|方案|選択肢|[?？]\s*$/iu
/** What is behind the name of an option. */
const DETAIL = /\s*(?:[:–—(,;]|\s-\s|\.\s|\.?$)/

/** The proposals of an assistant's text, those in lists with their numbers; at most 12. */
export function offersOf(text: string, reading = READING): Offer[] {
  const listed = optionsOf(text)
  const said = sentencesOf(text)
    .filter(({ start }) => !listed.some((offer) => start >= offer.start && start < offer.end))
    .flatMap((sentence): Offer[] => {
      const either = eitherOf(sentence)
      const announced = behindLead(sentence)
      if (announced !== undefined)
        return readSentence(announced, 'user', reading).filter(({ kind }) => kind === 'choice')
      return either.length > 1 ? either : readSentence(sentence, 'assistant', reading)
    })
  return [...listed, ...said].slice(0, MAX_OFFERS)
}

/** Lines with numbers or letters, and bullets, under a line that announces options. */
function optionsOf(text: string): Offer[] {
  const offers: Offer[] = []
  let lead = ''
  let count = 0
  let from = 0
  for (const line of text.slice(0, 32_768).split('\n')) {
    const start = from + line.length - line.trimStart().length
    from += line.length + 1
    const { label, text: said } = LABELLED.exec(line)?.groups ?? BULLET.exec(line)?.groups ?? {}
    if (said === undefined) {
      if (line.trim() !== '') [lead, count] = [line, 0]
      continue
    }
    if (!LIST_LEAD.test(lead) && !/option/i.test(line)) continue
    count++
    const place = { start, end: start + line.trim().slice(0, 400).trimEnd().length }
    const offer = optionOf(said, lead, place)
    if (offer !== undefined && offers.length < MAX_OFFERS)
      offers.push({ ...offer, option: placeOfLabel(label) ?? count })
  }
  return offers
}

const placeOfLabel = (label?: string): number | undefined =>
  label === undefined ? undefined : /\d/.test(label) ? Number(label) : label.toLowerCase().charCodeAt(0) - 96

function optionOf(said: string, lead: string, place: Stretch): Offer | undefined {
  const plain = said.slice(0, 400).replace(/[*`_]{1,2}(?=\S)|(?<=\S)[*`]{1,2}/g, '')
  const head = plain.slice(0, Math.max(0, plain.search(DETAIL))).trim()
  const words = findSlotWords(lead)
  const [mention] = findTechnologies(head)
  const base = { kind: 'choice' as const, area: '', isChange: false, ...place }
  if (mention !== undefined && mention.start < 30) {
    const slot =
      words.find((word) => mention.technology.slots.includes(word.slot))?.slot ?? mention.technology.slots[0]
    return { ...base, slot: slot ?? '', value: mention.value }
  }
  const topic = words[0]?.slot ?? `choice:${slug(lead)}`
  return head.length < 2 || head.length > 60 || topic === 'choice:'
    ? undefined
    : { ...base, slot: topic, value: head, isVague: true }
}

/** "I suggest this: …": what follows is worded as if it held. */
function behindLead(sentence: Sentence): Sentence | undefined {
  const { shape, start, end } = sentence
  const colon = shape.slice(0, 60).search(/[:：]/) + 1
  const [lead] = colon === 0 ? [] : clausesOf({ ...sentence, shape: shape.slice(0, colon) })
  if (lead === undefined || !/^[sfad]*[iG]?[^:]{0,2}G[^:]{0,2}:?$/.test(lead.signs)) return undefined
  return {
    shape: shape.slice(colon).trimStart(),
    start: start + shape.length - shape.slice(colon).trimStart().length,
    end,
  }
}

const OR = /(?<first>(?:[xKTEI/]){1,2}),?v[dfnU]*(?<second>(?:[xKTEI/]){1,2})(?=[?,.fPp]|$)/d

/** "Redis or Memcached?", "either sessions.db or sessions.json". */
function eitherOf(sentence: Sentence): Offer[] {
  const isAsked = /[?？]\s*$/.test(sentence.shape)
  return clausesOf(sentence).flatMap((clause): Offer[] => {
    const { tokens, signs } = clause
    if (!signs.includes('v') || isReported('', signs)) return []
    const base = { kind: 'choice' as const, isChange: false, start: sentence.start, end: sentence.end }
    const named = tokens.filter(({ mention }) => mention?.sure === true)
    if (named.length > 1 && (isAsked || /[Gh]/.test(signs)))
      return named.slice(0, 5).flatMap(({ mention }, index) =>
        mention === undefined
          ? []
          : [
              {
                ...base,
                ...placeOf(mention.technology, tokens),
                area: '',
                value: mention.value,
                option: index + 1,
              },
            ],
      )
    const groups = OR.exec(signs)?.indices?.groups
    if (!isAsked || groups === undefined) return []
    const slot = tokens.find((token) => token.slot !== undefined)?.slot ?? `choice:${slug(clause.shape)}`
    return [groups.first, groups.second].map(([from = 0, to = 0] = [0, 0], index) => {
      const words = tokens.slice(from, to)
      const value = sentence.shape.slice(words[0]?.start, words.at(-1)?.end).trim()
      return {
        ...base,
        slot,
        area: '',
        value,
        option: index + 1,
        isVague: !words.some(({ sign, text }) => /[I/]/.test(sign) || /^\p{Lu}/u.test(text)),
      }
    })
  })
}
