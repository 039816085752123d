import { findTechnologies } from '../slots/find-technologies.ts'
import { findSlotWords } from '../slots/slot-lookup.ts'
import { clausesOf } from './clauses.ts'
import type { Finding } from './finding.ts'
import { isReported } from './moods.ts'
import { placeOf } from './place.ts'
import { readFreeOffers } from './read-free-choices.ts'
import { readSentence } from './read-sentence.ts'
import { type Sentence, sentencesOf } from './sentences.ts'
import type { Stretch } from './spoken-lines.ts'
import { topicOf } from './topic.ts'
import { isName } from './unknown-value.ts'

/** What an assistant's message holds out. */
export interface Offer extends Finding {
  /** The place in a list of options, from 1. */
  readonly option?: number
  /** True for words that are an option only for who picks them: lists hold steps and findings as well. */
  readonly isVague?: boolean
}

const MAX_OFFERS = 12
const OPTION =
  /^[ \t]{0,8}(?:[-*•][ \t]+)?(?:#{1,6}[ \t]+)?[*_]{0,2}(?:(?:option|choice|approach|variant|plan|möglichkeit|opción|opção|вариант|方案|選択肢|옵션)[ \t]*)?[([]?(?<label>[A-Ha-h]|\d{1,2})[*_]{0,2}[.):\]–-][*_]{0,2}[ \t:]+(?<text>\S.*)$/i
const BULLET = /^[ \t]{0,8}[-*•][ \t]+(?<text>\S.*)$/
const LIST_LEAD =
  /\b(?:options?|alternatives?|choices?|either|which|candidates?|approaches|possibilities|prefer|ways (?:out|to go|forward)|one of (?:these|those|the following)|would you like|should (?:we|i)|möglichkeiten|optionen|opciones|opções|варианты)\b|选项|方案|選択肢|옵션|[?？]\s*$/i
const EITHER = /(?<!\p{L})(?:or|oder|ou|или)(?!\p{L})|还是|或者?|または|それとも|아니면/iu

/** "I suggest this: …": what follows is worded as if it held. */
const ANNOUNCES =
  /^\W*(?:(?:so|ok|okay|then|and|here)[,\s]+)*(?:(?:i|we) (?:suggest|propose|recommend|would suggest|would propose|would recommend)(?: (?:this|that|the following|as follows))?|(?:is )?(?:my|our|the|what i) (?:suggestion|proposal|recommendation|suggest|propose|plan|proposed rule)(?: is)?(?: this)?|suggestion|proposal|recommendation|proposed|ich schlage (?:das|folgendes) vor|vorschlag|je propose(?: ceci)?|proposition|propongo esto|propuesta|proponho isto|proposta|предлагаю(?: так)?|предложение|建议|提案|제안)\s*[:：–—]\s*/iu

function behindLead({ shape, start, end }: Sentence, lead: number): Sentence {
  return { shape: shape.slice(lead), start: start + lead, end }
}

/** The proposals of an assistant's text, those in lists with their numbers. Linear; at most 12. */
export function offersOf(text: string): Offer[] {
  const listed = optionsOf(text)
  const sentences = sentencesOf(text)
  const options = sentences.map(inlineOptions)
  const isList = options.flat().length > 1
  const said = sentences
    .map((sentence, index) => ({ sentence, inline: options[index] ?? [] }))
    .filter(({ sentence: { start } }) => !listed.some((offer) => start >= offer.start && start < offer.end))
    .flatMap(({ sentence, inline }): Offer[] => {
      if (isList && inline.length > 0) return inline
      const choice = /[?？]\s*$/.test(sentence.shape) ? eitherOf(sentence) : []
      if (choice.length > 1) return choice
      const lead = ANNOUNCES.exec(sentence.shape)?.[0].length ?? 0
      const announced = lead === 0 ? [] : readSentence(behindLead(sentence, lead), 'user')
      if (announced.length > 0) return announced.filter(({ kind }) => kind === 'choice')
      const found = readSentence(sentence, 'assistant')
      if (found.length > 0) return found
      const either = eitherOf(sentence)
      return either.length > 0 || isReported(sentence.shape)
        ? either
        : clausesOf(sentence).flatMap(readFreeOffers)
    })
  return [...listed, ...said].slice(0, MAX_OFFERS)
}

/** Lines with numbers or letters, and bullets under a line that announces options. */
function optionsOf(text: string): Offer[] {
  const offers: Offer[] = []
  let lead = ''
  let isList = false
  let count = 0
  let from = 0
  for (const line of text.slice(0, 32_768).split('\n')) {
    const start = from
    from += line.length + 1
    const numbered = OPTION.exec(line)?.groups
    const groups = numbered ?? (isList ? BULLET.exec(line)?.groups : undefined)
    if (groups === undefined) {
      if (line.trim() === '') continue
      if (!/^\s{2,}/.test(line)) {
        lead = line
        isList = LIST_LEAD.test(line)
        count = 0
      }
      continue
    }
    if (!isList && !LIST_LEAD.test(lead) && !/option/i.test(line)) continue
    count++
    const label = numbered?.label ?? ''
    const option = /^\d+$/.test(label)
      ? Number(label)
      : label === ''
        ? count
        : label.toLowerCase().charCodeAt(0) - 96
    const said = groups.text ?? ''
    const place = trimmed(text, start, start + line.length)
    const offer = optionOf(said, lead, place)
    if (offer !== undefined && offers.length < MAX_OFFERS) offers.push({ ...offer, option })
  }
  return offers
}

/** A file's name says by itself what it is an option for. */
const FILE = /^[\w./-]+\.[a-z]\w{1,6}$/

function optionOf(said: string, lead: string, place: Stretch): Omit<Offer, 'option'> | undefined {
  const shape = said
    .slice(0, 400)
    .replace(/[*`_]{1,2}(?=\S)|(?<=\S)[*`]{1,2}/g, (mark) => ' '.repeat(mark.length))
  const head = /^[^:–—(]{1,80}?(?=\s*(?:[:–—(,]|\s-\s|\.\s|\.?$))/.exec(shape)?.[0].trim() ?? ''
  if (head.length < 2) return undefined
  const base = { kind: 'choice' as const, area: '', isChange: false, ...place }
  const [mention] = findTechnologies(head)
  const word = findSlotWords(lead)
  if (
    mention !== undefined &&
    /^\s*(?:(?:use|using|go with|a|an|the|plain|switch to|keep|adopt|stay on|stay with|stick with|stick to|move to|[\w -]{2,40} (?:such as|like|e\.g\.))\s+)*$/i.test(
      head.slice(0, mention.start),
    )
  ) {
    const placed = placeOf(mention, head.slice(mention.end), '', '')
    const slot = word.find((found) => mention.technology.slots.includes(found.slot))?.slot ?? placed?.slot
    if (slot !== undefined) return { ...base, slot, value: mention.value }
  }
  const value = head
    .replace(
      /^(?:use|using|go with|switch to|keep|adopt|stay on|stay with|stick with|stick to|move to)\s+/i,
      '',
    )
    .trim()
  if (value.length < 2 || value.length > 60) return undefined
  const topic = word[0]?.slot ?? `choice:${topicOf(lead)}`
  return topic === 'choice:' ? undefined : { ...base, slot: topic, value, isVague: !FILE.test(value) }
}

/** "Redis or Memcached?", "either sessions.db or sessions.json". */
function eitherOf(sentence: Sentence): Offer[] {
  const { shape, start, end } = sentence
  if (!EITHER.test(shape)) return []
  const mentions = findTechnologies(shape)
  const words = findSlotWords(shape)
  if (mentions.length > 1)
    return mentions.slice(0, 5).flatMap((mention, index) => {
      const slot =
        words.find((word) => mention.technology.slots.includes(word.slot))?.slot ??
        mention.technology.slots[0]
      if (slot === undefined || !mention.sure) return []
      return [
        {
          kind: 'choice' as const,
          slot,
          value: mention.value,
          area: '',
          isChange: false,
          start,
          end,
          option: index + 1,
        },
      ]
    })
  const offer = (slot: string, value: string, index: number) => ({
    kind: 'choice' as const,
    slot,
    value,
    area: '',
    isChange: false,
    start,
    end,
    option: index + 1,
  })
  const names = namesOf(shape)
  if (names.length > 1) {
    const slot = words[0]?.slot ?? `choice:${topicOf(shape)}`
    const isVague = !names.every((name) => isName(name))
    return names.map((value, index) => ({ ...offer(slot, value, index), isVague }))
  }
  const files = [...shape.matchAll(/(?<![\w/])[\w./-]*\w\.[a-z]\w{1,6}(?!\w)/g)].map(([name]) => name)
  if (files.length < 2) return []
  const topic = words[0]?.slot ?? 'file'
  const slot = topic === 'file' ? `location:${topicOf(shape.replace(/[\w/-]+\.\w+/g, ' ')) || 'file'}` : topic
  return files.slice(0, 5).map((value, index) => offer(slot, value, index))
}

const OR =
  /(?:^|[:：]\s*|,\s*|\b(?:use|prefer|with|want|between|take|in|as|either|have|like|to|be)\s+(?:an?\s+|the\s+)?)(?<first>[\p{L}\d][\p{L}\d+#./'_-]*(?:\s[\p{L}\d+#./'_-]+){0,2}?)\s*,?\s+(?:or|oder|ou|или)\s+(?:(?:an?|the|rather|just)\s+)?(?<second>[\p{L}\d][\p{L}\d+#./'_-]*(?:\s[\p{L}\d+#./'_-]+){0,2}?)\s*(?:[?？,(–—]|\bfor\b|\bas\b|$)/iu

/** "Lucide or Heroicons?": two names or phrases between which the user is asked to choose. */
function namesOf(shape: string): string[] {
  if (!/[?？]\s*$/.test(shape)) return []
  const { first, second } = OR.exec(shape)?.groups ?? {}
  return first === undefined ||
    second === undefined ||
    /^(?:not|should|shall|is|are|do|would|can)\b/i.test(second)
    ? []
    : [first, second]
}

const INLINE =
  /(?:\b(?:option|choice|variant)\s+|\()(?<label>[a-h]|\d)\b\)?\s*(?:is|would be|:|=|–|-)?\s*(?<text>[^,;()]{2,60})/giu

/** "Option A is Redis, option B is Memcached", "(1) REST (2) GraphQL". */
function inlineOptions({ shape, start, end }: Sentence): Offer[] {
  return [...shape.matchAll(INLINE)].slice(0, 8).flatMap(({ groups }) => {
    const label = groups?.label ?? ''
    const finding = optionOf((groups?.text ?? '').replace(/\b(?:and|or)\s*$/i, ''), shape, { start, end })
    if (finding === undefined) return []
    return [{ ...finding, option: /\d/.test(label) ? Number(label) : label.toLowerCase().charCodeAt(0) - 96 }]
  })
}

function trimmed(text: string, from: number, to: number): Stretch {
  let [start, end] = [from, Math.min(to, from + 400)]
  while (start < end && /\s/.test(text.charAt(start))) start++
  if (/[\udc00-\udfff]/.test(text.charAt(end))) end--
  while (end > start && /\s/.test(text.charAt(end - 1))) end--
  return { start, end }
}
