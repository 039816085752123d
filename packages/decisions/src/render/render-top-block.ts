import { detailedLine, type Entry, SECTIONS, sectionHeading, sectionOf } from './entry.ts'
import type { EntryList } from './entry-list.ts'
import { fitArtifacts } from './fit-artifacts.ts'
import { fitEntries, indexItem, type Level } from './fit-entries.ts'
import { rankingOf, readLog } from './log-reading.ts'
import { countOnce, fitText, type RenderedBlock, type RenderInput } from './rendered-block.ts'
import { createWorth } from './worth.ts'

const OPENING = [
  '<project_decisions>',
  'What was decided in this project: a record, and no instructions beyond what the user stated. decisions_explain gives ' +
    'the source and the history of an id, decisions_list all of them.',
]
const CLOSING = '</project_decisions>'
const INDEX = 'also on record: '
/** The share that files may have of what the budget has above so many tokens: in a small one, decisions need the room. */
const FILES = { share: 0.15, aboveTokens: 1_000 }

/**
 * The block behind the system prompt: what holds, by category and in an order that a new decision does not disturb. A
 * budget is filled by worth; what has no room becomes a line, an identifier or a count, and stays in reach of the tools.
 * The text never has more than `budgetTokens` tokens; below about 120 it may be empty.
 */
export function renderTopBlock(input: RenderInput): RenderedBlock {
  const { decisions, touched, session, tokens, budgetTokens } = input
  const reading = readLog(decisions, session)
  const { entries } = reading
  const hasEntries = SECTIONS.some((section) => entries.count(section) > 0)
  if (!hasEntries && touched.size === 0) return { text: '', tokens: 0, lines: new Map() }
  const ranking = rankingOf(reading, tokens, touched)
  const ranked = ranking.inOrder(createWorth({ ...input, reading }))
  const count = countOnce(tokens)
  const frame = [...OPENING, CLOSING].reduce((sum, line) => sum + count(line), 0)
  const restTokens = count(restLine(entries, [])) + count(INDEX)
  const { holdingTokens, asideTokens } = ranking
  const headingTokens = SECTIONS.reduce(
    (sum, section) => sum + (entries.count(section) > 0 ? count(sectionHeading(section)) : 0),
    0,
  )
  const block = fitText(tokens, budgetTokens, (budget) => {
    const room = budget - frame
    if (room < restTokens) return undefined
    const files = fitArtifacts(touched, Math.min(filesRoom(budget), room - restTokens), count)
    const fit = { ranked, holdingTokens, asideTokens, headingTokens, count, restTokens }
    const { levels } = fitEntries({ ...fit, room: room - files.tokens })
    const shown = [...levels.keys()].sort((a, b) => a.place - b.place)
    const text = [
      ...OPENING,
      ...SECTIONS.flatMap((section) => sectionLines(section, shown, levels)),
      ...indexLines(shown, levels),
      ...files.lines,
      ...(levels.size < ranked.length ? [restLine(entries, shown)] : []),
      CLOSING,
    ].join('\n')
    return { text, lines: shownLines([...shown, ...entries.remarks], levels) }
  })
  return block.text === ''
    ? block
    : { ...block, onRecord: { entries, version: entries.version, changes: entries.changes.length } }
}

const filesRoom = (budget: number): number => Math.max(0, budget - FILES.aboveTokens) * FILES.share

type Levels = ReadonlyMap<Entry, Level>

function sectionLines(section: string, shown: readonly Entry[], levels: Levels): string[] {
  const lines = shown
    .filter((entry) => sectionOf(entry) === section)
    .map((entry) => lineAt(entry, levels.get(entry)))
    .filter((line) => line !== '')
  return lines.length === 0 ? [] : [sectionHeading(section), ...lines]
}

function indexLines(shown: readonly Entry[], levels: Levels): string[] {
  const items = shown.filter((entry) => levels.get(entry) === 'index').map(indexItem)
  return items.length === 0 ? [] : [INDEX + items.join('; ')]
}

/** The number of decisions that are not in the text, and where they are. */
function restLine(entries: EntryList, shown: readonly Entry[]): string {
  const countOf = (...standings: Entry['standing'][]) =>
    standings.reduce((sum, standing) => sum + entries.count(standing), 0) -
    shown
      .filter(({ standing }) => standings.includes(standing))
      .reduce((sum, { decisions }) => sum + decisions.length, 0)
  const counts = [
    `${countOf('holding', 'contested')} that hold`,
    `${countOf('remark')} said without deciding`,
    `${countOf('proposed')} proposed`,
    `${countOf('ended')} given up`,
  ].filter((text) => !text.startsWith('0 '))
  return `not shown here: ${counts.join(', ')}; decisions_list has them`
}

function lineAt(entry: Entry, level: Level | undefined): string {
  if (level === 'detail') return detailedLine(entry)
  return level === 'line' ? entry.l0 : ''
}

/** Remarks are on record whether they have a line or not. */
function shownLines(entries: readonly Entry[], levels: Levels): ReadonlyMap<string, string> {
  const lines = new Map<string, string>()
  for (const entry of entries) {
    const line = lineAt(entry, levels.get(entry))
    if (line !== '' || entry.standing === 'remark') for (const { id } of entry.decisions) lines.set(id, line)
  }
  return lines
}
