import { fromMarkdown } from './markdown-text.ts'
import type { Line, Sections } from './read-sections.ts'
import { labelled, statusLines } from './read-status.ts'

/** That one record takes the place of another. */
export interface RecordLink {
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
export function readLinks(sections: Sections): RecordLink[] {
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
