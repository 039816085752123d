import { findTechnologies } from '../../slots/find-technologies.ts'
import { slotOfValue } from '../../slots/slots.ts'
import { cutText, fromMarkdown } from './markdown-text.ts'
import type { Line, Sections } from './read-sections.ts'

/** The choice of a record, and the stretch of the file that says so. */
export interface FoundChoice {
  readonly choice: string
  readonly reason?: string
  /** Offsets in the file's text. */
  readonly start: number
  readonly end: number
}

const PARAGRAPH_CHARACTERS = 2_000
const VALUE_CHARACTERS = 1_000
const REASON_CHARACTERS = 1_000
/** A sentence of more words than this is no name of an option. */
const MAX_NAME_WORDS = 6
/** Characters of a text in which technologies are looked for. */
const NAMED_CHARACTERS = 500

/** The beginning of a sentence that decides: what is chosen follows. */
const PREAMBLE =
  /^(?:we|i|the team)?\s?(?:(?:will|shall|have|are going to|decided to|agreed to|chose to|should|now|always)\s){0,3}(?:use|using|adopt|choose|chose|pick|prefer|go with|move to|switch to|migrate to|standardi[sz]e on)\s/i
/** The options that were not chosen begin here. */
const REJECTED = /\s(?:instead of|rather than|over|not|in place of)\s.*$/is

/**
 * The option that a record chose: what stands behind "Chosen option", else the first sentence of its section
 * "Decision". Undefined when it says neither, or when it is an empty template.
 */
export function readChoice({ sections }: Sections): FoundChoice | undefined {
  const outcome =
    sections.get('decision outcome') ?? sections.get('decision') ?? sections.get('outcome') ?? []
  const at = outcome.findIndex(({ text }) => /\bchosen options?\b/i.test(text.slice(0, PARAGRAPH_CHARACTERS)))
  const found = at >= 0 ? chosenOption(paragraph(outcome, at)) : firstSentence(outcome)
  return found?.choice === '' ? undefined : found
}

/** The placeholder of a template: `{title of option 1}`, `<!-- option -->`. */
export function isTemplate(markdown: string): boolean {
  return /^\s*(?:\{.*\}|<.*>|\[[^\]]*\])\s*$/s.test(markdown)
}

interface Paragraph {
  readonly text: string
  readonly start: number
}

/** A paragraph with its line breaks, so that offsets stay. */
function paragraph(lines: readonly Line[], from: number): Paragraph {
  const start = lines[from]?.start ?? 0
  let text = ''
  for (const line of lines.slice(from)) {
    if (line.text.trim() === '' || text.length > PARAGRAPH_CHARACTERS) break
    text = text.padEnd(line.start - start, '\n') + line.text
  }
  return { text: text.slice(0, PARAGRAPH_CHARACTERS), start }
}

function chosenOption({ text, start }: Paragraph): FoundChoice | undefined {
  const [lead = ''] = /^.*?\bchosen options?\b[\s:*_]*(?:is\b\s*)?/is.exec(text) ?? []
  const said = text.slice(lead.length)
  const [whole, double, curly, single, code] =
    /^"((?:[^"\\]|\\.)*)"|^“([^”]*)”|^'([^']*)'(?!\w)|^`([^`]*)`/s.exec(said) ?? []
  const named = double ?? curly ?? single ?? code
  const [bare = ''] = /^.*?(?=,?\s(?:because|since|as it)\b|\.(?:\s|$)|$)/is.exec(said) ?? []
  const option = named ?? bare
  if (isTemplate(option)) return undefined
  const rest = said.slice((whole ?? bare).length)
  const [, because = ''] = /^[\s,.:*_]*(?:because|since)\b:?(.*)$/is.exec(rest) ?? []
  const reason = cutText(fromMarkdown(because).replace(/\.$/, ''), REASON_CHARACTERS)
  const choice = cutText(fromMarkdown(option), VALUE_CHARACTERS)
  return { choice, ...(reason !== '' && { reason }), start, end: start + text.trimEnd().length }
}

function firstSentence(lines: readonly Line[]): FoundChoice | undefined {
  const from = lines.findIndex(({ text }) => /^\s{0,3}[^\s#>|<]/.test(text))
  if (from < 0) return undefined
  const { text, start } = paragraph(lines, from)
  if (isTemplate(text)) return undefined
  const [sentence = text] = /^.*?[.!?](?=\s|$)/s.exec(text) ?? []
  const choice = fromMarkdown(sentence.replace(/^\s*[*+-]\s/, '')).replace(/(?<![.!?])[.!?]+$/, '')
  return { choice: cutText(choice, VALUE_CHARACTERS), start, end: start + sentence.trimEnd().length }
}

/** The slot of a choice, and its value: of the technology that it names when it names one, else as it is written. */
export function recogniseChoice(choice: string, title: string): { slot: string | undefined; value: string } {
  const value = choice.replace(PREAMBLE, '')
  const name = value === '' ? choice : value
  const known = technologyIn(name)
  if (known !== undefined)
    return { slot: known.slot, value: name.split(' ').length > MAX_NAME_WORDS ? known.value : name }
  return { slot: technologyIn(title.replace(PREAMBLE, ''))?.slot, value: name }
}

/** The one technology that a text names; undefined when it names none, or several. */
function technologyIn(text: string): { slot: string; value: string } | undefined {
  const named = findTechnologies(text.replace(REJECTED, '').slice(0, NAMED_CHARACTERS)).filter(
    ({ sure }) => sure,
  )
  const [only] = named
  const [slot] = only?.technology.slots ?? []
  if (only === undefined || slot === undefined) return slotOfValue(text)
  return named.every(({ technology }) => technology === only.technology)
    ? { slot, value: only.value }
    : undefined
}
