/** A line of a file and where it begins, in UTF-16 units. */
export interface Line {
  readonly text: string
  readonly start: number
}

/** The parts of a markdown file that a record is read from. */
export interface Sections {
  /** Of the front matter: keys in lower case, and their lines without the key. */
  readonly meta: ReadonlyMap<string, Line>
  readonly title: Line | undefined
  /** Lines between the title and the first heading. */
  readonly head: readonly Line[]
  /** Lines below a heading up to the next one of its level, by heading in lower case; the first of a name counts. */
  readonly sections: ReadonlyMap<string, readonly Line[]>
}

/** Lines of front matter that are read. */
const MAX_META_LINES = 100

/** Takes a file apart by its headings. Headings in code are none. Linear. */
export function readSections(text: string): Sections {
  const lines = splitLines(text)
  const { meta, rest } = readMeta(lines)
  const sections = new Map<string, Line[]>()
  const head: Line[] = []
  let title: Line | undefined
  let [current, level, fence] = [head as Line[] | undefined, 1, '']
  for (const line of rest) {
    const [mark = ''] = /^ {0,3}(?:```|~~~)/.exec(line.text) ?? []
    if (mark !== '') fence = fence === '' ? mark.trim() : fence === mark.trim() ? '' : fence
    const heading = fence === '' && mark === '' ? /^ {0,3}(#{1,6})\s+(\S.*)$/.exec(line.text) : null
    const [, marks = '', name = ''] = heading ?? []
    if (heading === null) current?.push(line)
    else if (marks === '#' && title === undefined) {
      title = { text: name, start: line.start + line.text.length - name.length }
    } else if (current === head || marks.length <= level) {
      level = marks.length
      const key = sectionKey(name)
      current = sections.has(key) ? undefined : []
      if (current !== undefined) sections.set(key, current)
    } else current?.push(line)
  }
  return { meta, title, head, sections }
}

function splitLines(text: string): Line[] {
  let start = 0
  return text.split('\n').map((line) => {
    const at = start
    start += line.length + 1
    return { text: line.endsWith('\r') ? line.slice(0, -1) : line, start: at }
  })
}

/** The few keys of front matter that concern a record. They are scalars: what spans lines is passed over. */
function readMeta(lines: readonly Line[]): { meta: Map<string, Line>; rest: readonly Line[] } {
  const meta = new Map<string, Line>()
  if (lines[0]?.text.replace('\ufeff', '').trimEnd() !== '---') return { meta, rest: lines }
  const end = lines.findIndex(
    ({ text }, index) => index > 0 && index <= MAX_META_LINES && /^(?:---|\.\.\.)\s*$/.test(text),
  )
  if (end < 0) return { meta, rest: lines }
  for (const { text, start } of lines.slice(1, end)) {
    const [, key, value = ''] = /^(\w[\w-]{0,40})\s{0,9}:\s(.*)$/.exec(text) ?? []
    if (key === undefined) continue
    const scalar = unquoted(value.trim())
    meta.set(key.toLowerCase(), { text: scalar, start: start + Math.max(0, text.lastIndexOf(scalar)) })
  }
  return { meta, rest: lines.slice(end + 1) }
}

function unquoted(value: string): string {
  const [, double, single] = /^(?:"(.*)"|'(.*)')\s*(?:#.*)?$/s.exec(value) ?? []
  return double ?? single?.replaceAll("''", "'") ?? value.replace(/\s#.*$/s, '')
}

/** `decision outcome`, from `## 3. Decision Outcome ##` too. */
function sectionKey(heading: string): string {
  return heading
    .slice(0, 100)
    .toLowerCase()
    .replace(/(?<![#\s])[#\s]+$/, '')
    .replace(/^[\d.\s]+|[*_`:]/g, '')
}
