import { messageText } from '@palimpsest/core'
import type { Candidate, ReadMessage } from '@palimpsest/decisions'
import type { LabelKind } from './labelled-set.ts'

export interface Finding {
  readonly kind: LabelKind
  readonly slot: string
  readonly value: string
  readonly area: string
  readonly replaces?: string
  readonly quote: string
}

export type Extractor = (input: ReadMessage) => readonly Candidate[]

/** An acceptance of several choices is one finding each, the same said twice is one. */
export function findingsOf(extract: Extractor, input: ReadMessage): Finding[] {
  const text = messageText(input.message)
  const findings = new Map<string, Finding>()
  for (const candidate of extract(input)) {
    const quote = text.slice(candidate.span.start, candidate.span.end)
    for (const finding of readCandidate(candidate, quote)) {
      const { kind, slot, area, value } = finding
      const key = JSON.stringify([kind, slot, area, value.toLowerCase()])
      if (!findings.has(key)) findings.set(key, finding)
    }
  }
  return [...findings.values()]
}

function readCandidate(candidate: Candidate, quote: string): Finding[] {
  if (candidate.kind === 'retract') {
    const { kind, slot, area, value } = candidate
    return [{ kind, slot, area, value, quote }]
  }
  if (candidate.kind === 'remark') return []
  const { kind } = candidate
  const choices = kind === 'accept' ? candidate.choices : [candidate.choice]
  const replaces = kind === 'accept' ? undefined : candidate.replaces
  return choices.map(({ slot, area, choice: value }) => ({
    kind,
    slot,
    area,
    value,
    quote,
    ...(replaces !== undefined && { replaces }),
  }))
}
