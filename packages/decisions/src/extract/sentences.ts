import { type Stretch, spokenLines } from './spoken-lines.ts'

/** A sentence and its place. */
export interface Sentence extends Stretch {
  /**
   * Of the same length as the stretch: white space is plain, marks of emphasis and code are blanks, and what stands in
   * quotes and is longer than a name is hidden, so that offsets in it are offsets in the text.
   */
  readonly shape: string
}

/** A sentence longer than this is cut: what is longer is rarely one. Quotes of decisions are no longer than this. */
const MAX_SENTENCE_CHARS = 400
const MAX_SENTENCES = 4000

const BULLET = /^\s*(?:#{1,6}\s+|[-*•+–]\s+(?:\[[ xX]\]\s+)?|[([]?(?:\d{1,3}|[a-zA-Z])[.)\]]\s+)?/
const WIDE_STOP = /[。！？｡；]/
const STOP = new RegExp(`[.!?…]|${WIDE_STOP.source}`, 'g')
const ABBREVIATION = /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|approx|fig|no|z\.B|d\.h|bzw|p\.ej|[A-Za-z])$/i
/** A quotation of more than two words; a name in quotes is shorter. */
const QUOTATION =
  /"[^"\n]{1,300}"|“[^”\n]{1,300}”|«[^»\n]{1,300}»|(?<![\p{L}\d])'[^'\n]{1,300}'(?![\p{L}\d])|`[^`\n]{1,300}`|「[^」\n]{1,300}」/gu

const THINGS =
  'commit message|e?-?mail|ticket|title|headline|tweet|post|slide|sentence|adr|announcement|release note|changelog entry|caption|slogan|paragraph|docstring|poem|story|letter|reply'
/** Orders to work on a text, and texts that are asked for. */
const WORKS = [
  '(?:translat(?:e|ion)|rephrase|reword|paraphrase|proof-?read|spell-?check|spell check|shorten|summari[sz]e|example)',
  '(?:correct|fix|check|improve|polish) (?:(?:my|the|this|its) )?(?:grammar|spelling|english|german|french|spanish|wording|punctuation|typos?)',
  'turn (?:this|that|it|the (?:following|next)\\b.{0,20}) into (?:an? )?(?:\\w+ )?(?:list|points?|sentence|question|paragraph|summary|e?-?mail|poem|tweet)',
  'rewrite (?:the (?:following|next)|(?:(?:this|it|that|the \\w+) )?(?:in|into|as) (?:an? |the )?(?:active|passive|formal|informal|polite|plain|simpler?|past|present))',
  'make (?:this|that|it) (?:sound|read)',
  `(?:write|draft|generate|create|compose|suggest|give me|find)\\b[^:.?!]{0,30}\\b(?:${THINGS})s?(?= ?:| (?:for|about|to|from|of|out of|on|with|that|saying)\\b)`,
]
const ASKED = '^\\W*(?:(?:please|pls|can|could|would|will|you|now|ok|and|then|also|help me)\\b[\\s,]*)*'
const TEXT =
  '(?::(?!\\S)|\\b(?:the|this) (?:next|following) (?:sentence|text|paragraph|line|mail|message|note)s?\\b)'
/** "Translate: …", "paraphrase the next sentence.": what follows is a text to be worked on. */
const WORK = new RegExp(`${ASKED}(?:${WORKS.join('|')})\\b[^:?]{0,80}${TEXT}`, 'i')

/** The sentences of what a message says, in order. Linear in the length of the text. */
export function sentencesOf(text: string): Sentence[] {
  const sentences = allSentences(text)
  const material = sentences.findIndex(({ shape }) => WORK.test(shape))
  return material === -1 ? sentences : sentences.slice(0, material)
}

function allSentences(text: string): Sentence[] {
  const sentences: Sentence[] = []
  for (const paragraph of paragraphs(text)) {
    if (sentences.length >= MAX_SENTENCES) break
    const said = shapeOf(text.slice(paragraph.start, paragraph.end))
    let start = BULLET.exec(said)?.[0].length ?? 0
    while (start < said.length) {
      const end = sentenceEnd(said, start)
      push(sentences, said, paragraph.start, start, end)
      start = end
    }
  }
  return sentences
}

/** Lines that belong together: a sentence may go on in the next line. */
function paragraphs(text: string): Stretch[] {
  const joined: { start: number; end: number }[] = []
  for (const line of spokenLines(text)) {
    const last = joined.at(-1)
    const goesOn =
      last !== undefined &&
      last.end + 1 === line.start &&
      text[last.end] === '\n' &&
      line.end - last.start < 2000 &&
      /[\p{Ll},]\s*$/u.test(text.slice(Math.max(last.start, last.end - 40), last.end)) &&
      /^ {0,3}\p{Ll}/u.test(text.slice(line.start, line.start + 8)) &&
      !/^ {0,3}(?:[a-z0-9][.)]|[\w .-]{1,30}[:=])\s/.test(text.slice(line.start, line.start + 40))
    if (goesOn) last.end = line.end
    else joined.push({ ...line })
  }
  return joined
}

/** One behind the mark that ends the sentence which starts at a place. */
function sentenceEnd(text: string, start: number): number {
  STOP.lastIndex = start
  for (let stop = STOP.exec(text); stop !== null; stop = STOP.exec(text))
    if (isStop(text, start, stop.index)) return stop.index + 1
  return text.length
}

function isStop(text: string, start: number, index: number): boolean {
  const char = text.charAt(index)
  if (WIDE_STOP.test(char)) return true
  const next = text.charAt(index + 1)
  if (next !== '' && !/[\s"'”’)\]*_]/.test(next)) return false
  return char !== '.' || !ABBREVIATION.test(text.slice(Math.max(start, index - 8), index))
}

function push(sentences: Sentence[], said: string, offset: number, from: number, to: number): void {
  let [start, end] = [from, to]
  while (start < end && /[\s"'”’)\]*_]/.test(said.charAt(start))) start++
  while (end > start && /\s/.test(said.charAt(end - 1))) end--
  if (end - start > MAX_SENTENCE_CHARS) {
    end = start + MAX_SENTENCE_CHARS
    if (/[\udc00-\udfff]/.test(said.charAt(end))) end--
    while (end > start && /\s/.test(said.charAt(end - 1))) end--
  }
  if (end > start) sentences.push({ start: offset + start, end: offset + end, shape: said.slice(start, end) })
}

function shapeOf(said: string): string {
  return said
    .replace(QUOTATION, (quote) =>
      quote.trim().split(/\s+/).length > 2 ? '\u00b7'.repeat(quote.length) : ` ${quote.slice(1, -1)} `,
    )
    .replace(/[^\S ]|\*/g, ' ')
    .replace(/[’ʼ]/g, "'")
}
