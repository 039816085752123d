import { findSlotWords } from '../slots/slot-lookup.ts'
import type { Finding } from './finding.ts'
import { POINTS } from './lexicon/free-words.ts'
import { isReport, isUnsure } from './moods.ts'
import type { Sentence } from './sentences.ts'
import { topicOf } from './topic.ts'

/** The question that a text ends with. */
const LAST_QUESTION = /(?:^|[.!?。]\s|\n)\s*([^.!?。？\n]{3,300}[?？])\s*$/u
/** A question that a phrase answers; a plain yes or no answers the others. */
const OPEN = /\b(?:which|what|where|how|who|whose|or|prefer|preference)\b|[:：]/i
const ANSWER =
  /^\W*(?:(?:ok|okay|yes|yeah|sure|then|hmm+|well|alright|right|i think|i'd say|definitely|let's say|for me|with|in|by|as|just|simply|only|rather|make it|please)[,.:]?\s+)*(?:(?:the|an?)\s+)?(?<what>[\p{L}\d][\p{L}\d+#./'_-]*(?:\s+(?!is\b|are\b|would\b|will\b|it\b|please\b|then\b|for\b|of course\b|sounds\b|works\b|looks\b|seems\b|and\b|but\b|because\b)[\p{L}\d][\p{L}\d+#./'_-]*){0,3})\s*(?:(?:(?:is|are|would be|will be|sounds|works|looks|seems|it is|will do|would do|suffices|wins)(?:\s+\p{L}+){0,3}|please|then|for (?:now|this|me|sure)|of course|thanks)\s*)*(?:[.!;–—]|$|,?\s\b(?:because|since|so|as)\b)/iu
/** Answers that choose nothing. */
const EMPTY =
  /^(?:yes|no|nope|yep|yeah|nah|none|neither|both|all|any|either|whatever|whichever|dunno|idk|unsure|not|later|tomorrow|nothing|maybe|perhaps|you|your|up to|same|thanks|thank|good|great|fine|ok|okay|sure|why|how|what|when|where|who|which|i|we|it|he|she|they|there|can|could|do|does|is|are|let|tell|show|explain|give|wait|hold|stop|never|nice|perfect|exactly|correct|right|wrong|go|no idea|ask|see|read|run|try|check|fix|look|first|second|third|last|former|latter|option|actually|also|still|again|but|so|now|just|because|that|this|however|skip|don't|sorry|hm+|lol)\b/i
const MAX_REPLY_CHARS = 120

/** "where" asks for a place and "called" for a name. */
function slotFor(question: string, what: string): string | undefined {
  const about = topicOf(question.replace(/\b(?:called|named|name|put|placed|kept|live|stored|go)\b/gi, ' '))
  if (about === '') return undefined
  if (/\bwhere\b/i.test(question) && /[/.]/.test(what)) return `location:${about}`
  return /\b(?:called|named|name)\b/i.test(question) ? `name:${about}` : undefined
}

/** The slot that a question of the assistant's asks for. */
export function askedSlot(previous: string): string | undefined {
  const question = LAST_QUESTION.exec(previous.slice(-600))?.[1] ?? ''
  return /\b(?:which|what)\b/i.test(question) ? findSlotWords(question)[0]?.slot : undefined
}

/** What a short reply names in answer to a question that asked which or what: "linear is plenty", "with the tests". */
export function readAnswer(sentence: Sentence, reply: string, previous: string): Finding[] {
  const question = LAST_QUESTION.exec(previous.slice(-600))?.[1] ?? ''
  if (reply.length > MAX_REPLY_CHARS || !OPEN.test(question)) return []
  const what =
    ANSWER.exec(sentence.shape)
      ?.groups?.what?.trim()
      .replace(/[.,;:!?]+$/, '') ?? ''
  if (what.length < 2 || EMPTY.test(what) || POINTS.test(what)) return []
  if (isUnsure(sentence.shape) || isReport(sentence.shape) || sentence.shape.includes('?')) return []
  const word = findSlotWords(question)[0]
  const topic = topicOf(question)
  if (word === undefined && topic === '') return []
  const { start, end } = sentence
  const slot = slotFor(question, what) ?? word?.slot ?? `choice:${topic}`
  return [{ kind: 'choice', slot, value: what, area: '', start, end, isChange: false }]
}
