import type { SessionView } from '../../../src/view/session-view.ts'
import { contextAt } from './contexts.ts'
import { saidIn } from './session-figures.ts'

export interface KeptLine {
  readonly text: string
  readonly seq: number | null
  /** More than one in a line such as `- src: a.ts (created), b.ts (changed)`. */
  readonly things: number
}

const SECTIONS = {
  rules: [/rules, word for word$/, /^Constraints & Preferences$/],
  decisions: [/^Key Decisions$/, /^Decisions & Open Points$/],
  files: [/^Files that calls changed$/, /^Relevant Files$/],
} as const

export type KeptName = keyof typeof SECTIONS

const RULES = 'standing rules'

/** Rules, decisions and files in the last request. Entries on record come before those of a summary. */
export function keptIn(view: SessionView): Readonly<Record<KeptName, readonly KeptLine[]>> {
  const shown = contextAt(view.requests, view.requests.length - 1)
  const sections = shown.flatMap((index) => {
    const message = view.messages[index]
    return message?.kind === 'summary' ? sectionsOf(message.text) : []
  })
  const written = (name: KeptName) =>
    SECTIONS[name]
      .map((heading) => sections.filter((section) => heading.test(section.heading)))
      .find((found) => found.length > 0)
      ?.flatMap(({ lines }) => lines) ?? []
  const recorded = (view.decisions ?? [])
    .filter(({ status }) => status === 'active')
    .map(({ category, l0, sources }) => ({ category, text: l0, seq: sources[0]?.seq ?? null, things: 1 }))
  const rules = recorded.filter(({ category }) => category === RULES)
  const decisions = recorded.filter(({ category }) => category !== RULES)
  return {
    rules: rules.length > 0 ? rules : written('rules'),
    decisions: decisions.length > 0 ? decisions : written('decisions'),
    files: written('files'),
  }
}

/** Lines of lists, as in `- m27: No dependencies.`, below their headings. */
function sectionsOf(text: string) {
  return text.split(/^## /m).flatMap((part) => {
    const [heading = '', ...rest] = part.split('\n')
    const lines = rest.flatMap((line) => {
      const [, place, item] = /^- (?:m(\d+): )?(.+)$/.exec(line) ?? []
      return item === undefined
        ? []
        : [{ text: item, seq: place === undefined ? null : Number(place), things: thingsIn(item) }]
    })
    return lines.length === 0 ? [] : [{ heading, lines }]
  })
}

const thingsIn = (line: string): number =>
  Math.max(1, line.match(/ \((?:created|changed|deleted)\)/g)?.length ?? 0)

/** The messages that the last request does not show, and how many were said. */
export function goneFrom({ requests, messages }: Pick<SessionView, 'requests' | 'messages'>) {
  const shown = new Set(contextAt(requests, requests.length - 1).map((index) => messages[index]?.seq))
  const { said } = saidIn(messages)
  const gone = new Set(messages.flatMap(({ seq }) => (seq === null || shown.has(seq) ? [] : [seq])))
  return { said, gone }
}
