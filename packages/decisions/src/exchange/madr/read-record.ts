import { redactSecrets } from '@palimpsest/core'
import { CATEGORIES, type Choice } from '../../log/decision-event.ts'
import { normalArea, normalSlot, normalValue } from '../../log/normal-text.ts'
import { decisionLabel } from '../../render/decision-label.ts'
import { cardinalityOf } from '../../slots/slots.ts'
import { MAX_MADR_CHARACTERS, type MadrFile, readSeal, recordNumber } from './madr-file.ts'
import { cutText, fromMarkdown, slugOf } from './markdown-text.ts'
import { isTemplate, readChoice, recogniseChoice } from './read-choice.ts'
import { type Line, readSections, type Sections } from './read-sections.ts'
import { type FoundStatus, labelled, readDate, readStatus, statusLines } from './read-status.ts'

/** One decision of a file. */
export interface DecisionRecord {
  readonly fileName: string
  /** With secrets hidden; offsets are of this text. */
  readonly text: string
  /** Its number, from the file's name or its title. */
  readonly number: number | undefined
  readonly status: FoundStatus
  /** Milliseconds since the epoch. */
  readonly date: number | undefined
  readonly choice: Choice
  /** Where it says what was chosen. */
  readonly start: number
  readonly end: number
  readonly links: readonly RecordLink[]
  /** The decision that it was written for, when `toMadr` wrote it. */
  readonly decision?: string
  /** It was not edited since. */
  readonly isUntouched: boolean
}

const TITLE_CHARACTERS = 200

/** Reads one file; a text says why it cannot be read. */
export function readRecord({ fileName, text: written }: MadrFile): DecisionRecord | string {
  if (written.length > MAX_MADR_CHARACTERS)
    return `has ${written.length} characters; a record has at most ${MAX_MADR_CHARACTERS}`
  if (written.includes('\0') || /\ufffd{3}/.test(written)) return 'is no text'
  const text = redactSecrets(written)
  const sections = readSections(text)
  const seal = readSeal(written)
  const heading = fromMarkdown((sections.title?.text ?? '').slice(0, 10 * TITLE_CHARACTERS))
  const title = cutText(heading.replace(/^(?:adr[-\s#]?\d+[.:)\s–-]*|\d+[.:)]\s+)/i, ''), TITLE_CHARACTERS)
  const found = readChoice(sections)
  if (found === undefined) return 'says nowhere what was chosen ("Chosen option: …" or a section "Decision")'
  if (title === '' || isTemplate(sections.title?.text ?? '')) return 'has no title'
  return {
    fileName,
    text,
    number:
      recordNumber(fileName) ?? (/^(?:adr\b|\d+[.:)])/i.test(heading) ? recordNumber(heading) : undefined),
    status: readStatus(sections),
    date: readDate(sections),
    choice: choiceOf(found, title, sections, seal !== undefined),
    start: found.start,
    end: found.end,
    links: readLinks(sections),
    isUntouched: seal?.isUntouched ?? false,
    ...(seal !== undefined && { decision: seal.decision }),
  }
}

function choiceOf(
  { choice, reason }: { readonly choice: string; readonly reason?: string },
  title: string,
  sections: Sections,
  isWritten: boolean,
): Choice {
  const stated = factReader(sections)
  const statedSlot = stated('Slot')
  const known = recogniseChoice(choice, title)
  const value = statedSlot === undefined ? known.value : choice
  const slot = normalSlot(statedSlot ?? known.slot ?? `adr:${slugOf(title) || title}`)
  const category = CATEGORIES.find((name) => name === stated('Category')) ?? 'decisions'
  const area = normalArea(stated('Area') ?? '')
  const isNamed = normalValue(title).includes(normalValue(value))
  // The title that `toMadr` wrote names the value that was there before the edit.
  const label = isWritten ? decisionLabel({ slot, area }) : title
  return {
    slot,
    area,
    choice: value,
    category,
    cardinality: stated('Cardinality') === 'many' ? 'many' : cardinalityOf(slot),
    l0: isNamed ? title : cutText(`${label}: ${value}`, TITLE_CHARACTERS),
    ...(reason !== undefined && { reason }),
    entities: [],
    dependsOn: [],
  }
}

/** Reads `* Slot: datastore` of the section "More Information", which `toMadr` writes and people may. */
function factReader({ sections }: Sections): (label: string) => string | undefined {
  const lines = sections.get('more information') ?? []
  return (label) => {
    const line = lines.find(({ text }) => text.startsWith(`* ${label}: `))
    const value = line && fromMarkdown(line.text.slice(label.length + 4))
    return value === '' ? undefined : value?.slice(0, 1_000)
  }
}

/** That one record takes the place of another. */
interface RecordLink {
  readonly kind: 'supersedes' | 'superseded by'
  /** A file's name, or a number. */
  readonly target: string | number
  /** The part that it is about, if only a part. */
  readonly area?: string
  readonly line: Line
}

/** Links of one record that are read. */
const MAX_LINKS = 50
const LINE_CHARACTERS = 2_000

const STATEMENT =
  /\b(supers?[ec]+d(?:es|ed)|replace[sd])\b(?:\s+in\s+"((?:[^"\\]|\\.)*)")?\s*(by\b)?([^\n]*)/i

/** The links of a record to those before and after it: in its status, below its title, and among its links. */
function readLinks(sections: Sections): RecordLink[] {
  const label = labelled(sections.head, 'superse[sd]es')
  const lines = [
    ...statusLines(sections),
    ...(sections.sections.get('status') ?? []),
    ...sections.head,
    ...['more information', 'links', 'related decisions', 'notes'].flatMap(
      (name) => sections.sections.get(name)?.filter(({ text }) => /^\s{0,3}[*+-]\s/.test(text)) ?? [],
    ),
    ...(label === undefined ? [] : [label]),
  ]
  const links: RecordLink[] = []
  const seen = new Set<string>()
  for (const line of lines) {
    for (const link of linksOf(line)) {
      const key = JSON.stringify([link.kind, link.target, link.area])
      if (!seen.has(key) && links.length < MAX_LINKS) links.push(link)
      seen.add(key)
    }
  }
  return links
}

function linksOf(line: Line): RecordLink[] {
  const [, verb, area, by, rest = ''] = STATEMENT.exec(line.text.slice(0, LINE_CHARACTERS)) ?? []
  if (verb === undefined) return []
  // "superseded by" and "supersedes" are links; "superseded" alone is a status.
  const kind = by === undefined ? 'supersedes' : 'superseded by'
  if (kind === 'supersedes' && !/s$/i.test(verb)) return []
  return targetsOf(rest).map((target) => ({
    kind,
    target,
    line,
    ...(area !== undefined && { area: fromMarkdown(area) }),
  }))
}

function targetsOf(text: string): (string | number)[] {
  const files = [...text.matchAll(/\]\(([^()\s]{1,500})\)/g)].flatMap(
    ([, address = '']) => fileOf(address) ?? [],
  )
  if (files.length > 0) return files
  return [...text.matchAll(/(?:\badr[-\s#]?|#|^\W*|\s)0*(\d{1,6})\b/gi)].map(([, number]) => Number(number))
}

/** The file's name of a relative address. */
function fileOf(address: string): string | undefined {
  const [path = ''] = address.split(/[?#]/, 1)
  const name = path.slice(path.lastIndexOf('/') + 1)
  try {
    return /\.(?:md|markdown)$/i.test(name) ? decodeURIComponent(name) : undefined
  } catch {
    return name
  }
}
