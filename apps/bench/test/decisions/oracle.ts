import { messageText } from '@palimpsest/core'
import type { Candidate } from '@palimpsest/decisions'
import type { Label, LabelKind, LabelledConversation } from '../../src/decisions/labelled-set.ts'
import type { Extractor } from '../../src/decisions/score-set.ts'

/** An extractor that says exactly what the labels say; `kindOf` chooses among the kinds that are right. */
export function createOracle(
  conversations: readonly LabelledConversation[],
  kindOf = (label: Label): LabelKind => label.kinds[0],
): Extractor {
  const labels = new Map(
    conversations.flatMap(({ messages }) => messages.map((labelled) => [labelled.message, labelled.labels])),
  )
  return ({ index, message }) =>
    (labels.get(message) ?? []).map((label) =>
      toCandidate(label, kindOf(label), { message: index, start: 0, end: messageText(message).length }),
    )
}

/** What a label says, as a candidate with a span. */
export function toCandidate(
  { slot, value, replaces, area = '' }: Label,
  kind: LabelKind,
  span: Candidate['span'],
): Candidate {
  if (kind === 'retract') return { kind, span, slot, area, value }
  const choice = {
    slot,
    area,
    choice: value,
    category: 'decisions',
    cardinality: 'one',
    l0: value,
    entities: [],
  } as const
  if (kind === 'accept') return { kind, span, choices: [choice], proposals: [span], isChange: false }
  const base = { span, choice, isChange: replaces !== undefined, ...(replaces !== undefined && { replaces }) }
  return { ...base, kind }
}
