import { PROGRESS_HEADINGS, SECTION_HEADINGS, type Slot } from '../section-headings.ts'
import type { Item } from './item.ts'

const PROGRESS: ReadonlySet<string> = new Set(PROGRESS_HEADINGS)

/** The heading lines that a slot needs, by itself: what the first item of a slot costs besides its line. */
export function slotHeading(slot: Item['slot']): string {
  if (typeof slot !== 'string') return `\n\n## ${slot.heading}`
  return PROGRESS.has(slot) ? `\n\n## Progress\n### ${slot}` : `\n\n## ${slot}`
}

/** A name for a slot that can be compared. */
export function slotName(slot: Item['slot']): string {
  return typeof slot === 'string' ? slot : `## ${slot.heading}`
}

/** Prints a summary: the first line, the sections of the template in their order, then foreign sections. */
export function renderSummary(
  header: string,
  items: readonly Item[],
  identifierLines: readonly string[],
): string {
  const lines = new Map<string, string[]>()
  for (const { slot, text } of items) {
    const name = slotName(slot)
    const list = lines.get(name)
    if (list === undefined) lines.set(name, [`- ${text}`])
    else list.push(`- ${text}`)
  }
  if (identifierLines.length > 0) {
    const list = lines.get('Critical Context') ?? []
    list.push(...identifierLines.map((line) => `- ${line}`))
    lines.set('Critical Context', list)
  }
  const blocks = [header]
  for (const heading of SECTION_HEADINGS) {
    const block = heading === 'Progress' ? progressBlock(lines) : sectionBlock(heading, lines)
    if (block !== '') blocks.push(block)
  }
  for (const [name, list] of lines) if (name.startsWith('## ')) blocks.push([name, ...list].join('\n'))
  return blocks.join('\n\n')
}

function sectionBlock(heading: Slot, lines: ReadonlyMap<string, readonly string[]>): string {
  const list = lines.get(heading)
  return list === undefined ? '' : [`## ${heading}`, ...list].join('\n')
}

function progressBlock(lines: ReadonlyMap<string, readonly string[]>): string {
  const parts = PROGRESS_HEADINGS.filter((heading) => lines.has(heading)).map((heading) =>
    [`### ${heading}`, ...(lines.get(heading) ?? [])].join('\n'),
  )
  return parts.length === 0 ? '' : ['## Progress', ...parts].join('\n')
}
