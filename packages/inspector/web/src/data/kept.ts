import type { SessionView, ViewDecision } from '../../../src/view/session-view.ts'
import { contextAt } from './contexts.ts'
import { saidIn } from './session-figures.ts'

export interface KeptLine {
  readonly text: string
  readonly seq: number | null
  /** More than one in a line such as `- src: a.ts (created), b.ts (changed)`. */
  readonly things: number
}

const RULES = 'standing rules'
const OPEN = ['open questions', 'intended, not decided']

export const isInForce = ({ status, category }: ViewDecision): boolean =>
  status === 'active' && !OPEN.includes(category)

/** The rules and decisions in force, and the files in the summaries of the last request. */
export function keptIn({ requests, messages, decisions }: SessionView) {
  const texts = contextAt(requests, requests.length - 1).flatMap((index) => {
    const message = messages[index]
    return message?.kind === 'summary' ? [message.text] : []
  })
  const lines = (isRule: boolean) =>
    (decisions ?? [])
      .filter((decision) => isInForce(decision) && (decision.category === RULES) === isRule)
      .map(({ l0, sources }): KeptLine => ({ text: l0, seq: sources[0]?.seq ?? null, things: 1 }))
  return { rules: lines(true), decisions: lines(false), files: texts.flatMap(filesIn) }
}

function filesIn(text: string): KeptLine[] {
  const [, section = ''] = /^## Files that calls changed\n((?:- .*\n?)*)/m.exec(text) ?? []
  return [...section.matchAll(/^- (.+)$/gm)].map(([, line = '']) => ({
    text: line,
    seq: null,
    things: Math.max(1, line.match(/ \((?:created|changed|deleted)\)/g)?.length ?? 0),
  }))
}

/** The messages that the last request does not show, and how many were said. */
export function goneFrom({ requests, messages }: Pick<SessionView, 'requests' | 'messages'>) {
  const shown = new Set(contextAt(requests, requests.length - 1).map((index) => messages[index]?.seq))
  const { said } = saidIn(messages)
  const gone = new Set(messages.flatMap(({ seq }) => (seq === null || shown.has(seq) ? [] : [seq])))
  return { said, gone }
}
