import { fromMarkdown } from './markdown-text.ts'
import type { Line, Sections } from './read-sections.ts'

export type RecordStatus = 'accepted' | 'proposed' | 'rejected' | 'deprecated' | 'superseded'

/** The status of a record, with its place. */
export interface FoundStatus {
  readonly status: RecordStatus
  readonly line: Line | undefined
  readonly warning?: string
}

/** Words of files in use, each with the status that it means. The first that fits counts. */
const WORDS: readonly (readonly [RecordStatus, RegExp])[] = [
  ['superseded', /\bsupersed|\bsupercede|\breplaced\b/i],
  ['rejected', /\brejected|\bdeclined|\bnot accepted/i],
  ['deprecated', /\bdeprecated|\bobsolete|\bretired/i],
  ['accepted', /\baccepted|\bapproved|\badopted|\bdecided|\bimplemented|\bactive\b|\bdone\b/i],
  ['proposed', /\bproposed|\bproposal|\bdraft|\bpending|\bin review|\bopen\b|\brfc\b/i],
]

/** Lines of a section "Status" that are read: what follows is its history. */
const MAX_STATUS_LINES = 20
/** Characters of a line that are read. */
const LINE_CHARACTERS = 2_000

/**
 * The status of a record: of its front matter, of a line `* Status: accepted` below its title, or of its section
 * "Status". Without any it is accepted, as records in use are; an unknown word makes it a proposal.
 */
export function readStatus(sections: Sections): FoundStatus {
  const lines = statusLines(sections)
  if (lines.length === 0)
    return { status: 'accepted', line: undefined, warning: 'has no status and is taken as accepted' }
  for (const [status, pattern] of WORDS) {
    // "Supersedes" says something of another record.
    const line = lines.find(({ text }) =>
      pattern.test(fromMarkdown(text.slice(0, LINE_CHARACTERS)).replace(/\bsupers?[ec]+des\b/gi, '')),
    )
    if (line !== undefined) return { status, line }
  }
  return {
    status: 'proposed',
    line: lines[0],
    warning: `has the unknown status "${fromMarkdown((lines[0]?.text ?? '').slice(0, 60))}" and is taken as proposed`,
  }
}

/** The lines that may say the status. */
export function statusLines({ meta, head, sections }: Sections): readonly Line[] {
  const ofMeta = meta.get('status')
  if (ofMeta !== undefined && ofMeta.text !== '') return [ofMeta]
  const ofHead = labelled(head, 'status')
  if (ofHead !== undefined) return [ofHead]
  return (sections.get('status') ?? [])
    .slice(0, MAX_STATUS_LINES)
    .filter(({ text }) => !/^\W*(?:supers?[ec]+des\b|$)/i.test(text))
}

/** When the record was last decided on, in milliseconds since the epoch. */
export function readDate({ meta, head, sections }: Sections): number | undefined {
  const line =
    meta.get('date') ?? labelled(head, 'date') ?? sections.get('date')?.find(({ text }) => /\d/.test(text))
  const [date] = /\b\d{4}-\d{2}-\d{2}\b/.exec(line?.text.slice(0, 200) ?? '') ?? []
  const time = date === undefined ? Number.NaN : Date.parse(date)
  return Number.isNaN(time) || time < 0 ? undefined : time
}

/** The value of `* Status: accepted`, `**Status:** accepted` or `Status: accepted`. */
export function labelled(lines: readonly Line[], label: string): Line | undefined {
  const pattern = new RegExp(
    `^\\s{0,3}[*+-]?\\s{0,3}[*_]{0,2}${label}[*_]{0,2}\\s?:[*_]{0,2}\\s*(\\S.*)$`,
    'i',
  )
  for (const { text, start } of lines) {
    const [, value] = pattern.exec(text.slice(0, LINE_CHARACTERS)) ?? []
    if (value !== undefined) return { text: value, start: start + text.lastIndexOf(value) }
  }
  return undefined
}
